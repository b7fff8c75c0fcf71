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


def unframed(data: bytes) -> tuple[bytes, int, int]:
    """Records as lines that end in a line feed: the lines, how many, and the bytes used up.

    What does not begin with a descriptor word is given as it is.
    """
    lines: list[bytes] = []
    at = 0
    while at + RDW <= len(data):
        length = _length(data, at)
        if not length:
            return b"".join([*lines, data[at:]]), len(lines), len(data)
        if at + length > len(data):
            break
        lines.append(data[at + RDW : at + length] + b"\n")
        at += length
    return b"".join(lines), len(lines), at


def _length(data: bytes, at: int) -> int:
    length = int.from_bytes(data[at : at + 2], "big")
    return length if length >= RDW and data[at + 2 : at + RDW] == b"\0\0" else 0


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
            lines, count, used = unframed(data)
            self.dropped += count * (RDW - 1)
            self._rest = data[used:]
            if not fresh:
                lines, self._rest = lines + self._rest, b""
            if lines:
                return lines
