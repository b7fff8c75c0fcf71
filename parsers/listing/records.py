"""Listings of variable records with their descriptor words, as they come out of TERSE and XMIT, made into lines."""

from __future__ import annotations

from iosq.parsers.api import Stream, read_fully

LOOKED_AT = 1 << 15
FEWEST = 3  # records that must follow each other before descriptor words are believed in
RDW = 4


def framed(head: bytes) -> bool:
    """True if the bytes are records with descriptor words (length, two zero bytes), one behind the other."""
    at = count = 0
    while at + RDW <= len(head) and (length := _length(head, at)):
        at, count = at + length, count + 1
    return count >= FEWEST and at + RDW > len(head)


def plain(head: bytes) -> bytes:
    """The lines in the first bytes of a listing."""
    return unframed(head)[0] if framed(head) else head


def unframed(data: bytes) -> tuple[bytes, int]:
    """Records as lines that end in a line feed, and the bytes used up.

    What does not begin with a descriptor word is given as it is.
    """
    lines: list[bytes] = []
    at = 0
    while at + RDW <= len(data):
        length = _length(data, at)
        if not length:
            return b"".join([*lines, data[at:]]), len(data)
        if at + length > len(data):
            break
        if not _is_block(data, at):
            lines.append(data[at + RDW : at + length] + b"\n")
        at += length
    return b"".join(lines), at


def _length(data: bytes, at: int) -> int:
    """Length of the record at `at`; of the descriptor word alone where it is that of a block of records."""
    length = int.from_bytes(data[at : at + 2], "big")
    if length < RDW or data[at + 2 : at + RDW] != b"\0\0":
        return 0
    return RDW if _is_block(data, at) else length


def _is_block(data: bytes, at: int) -> bool:
    """True if what is long enough for a block begins with another descriptor word: text holds no zero bytes."""
    return int.from_bytes(data[at : at + 2], "big") >= 2 * RDW and data[at + 6 : at + 8] == b"\0\0"


class Lines:
    """A stream of lines made of a stream that may have descriptor words; `dropped` bytes are those no line holds."""

    def __init__(self, stream: Stream) -> None:
        self.name = stream.name
        self.dropped = 0
        self._stream = stream
        self._rest = read_fully(stream, LOOKED_AT)
        self._framed = framed(self._rest)

    def read(self, size: int = -1, /) -> bytes:
        """About `size` bytes (a whole number of records where there are any); none at the end."""
        size = max(size, LOOKED_AT)
        while True:
            fresh = read_fully(self._stream, size)
            data, self._rest = self._rest + fresh, b""
            if not self._framed or not data:
                return data
            lines, used = unframed(data)
            self.dropped += used - len(lines)
            self._rest = data[used:]
            if not fresh:
                lines, self._rest = lines + self._rest, b""
            if lines:
                return lines
