"""Converts variable records with descriptor words, as unpacked from TERSE and XMIT, into lines."""

from iosq.parsers.api import Balance, Stream, read_fully

EXAMINED = 1 << 15
FEWEST = 3  # consecutive records required to accept descriptor words
RDW = 4


def framed(head: bytes) -> bool:
    """True if the bytes are consecutive records with descriptor words (length, two zero bytes)."""
    at = count = 0
    while at + RDW <= len(head) and (length := _length(head, at)):
        at, count = at + length, count + 1
    return count >= FEWEST and at + RDW > len(head)


def plain(head: bytes) -> bytes:
    """The first bytes of a listing as lines, without descriptor words."""
    return unframed(head)[0] if framed(head) else head


def unframed(data: bytes) -> tuple[bytes, int]:
    """Convert records into lines that end in a line feed; also return the number of bytes consumed.

    Data that does not start with a descriptor word is returned unchanged.
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
    """Length of the record at `at`, or of only the descriptor word if it describes a block of records."""
    length = int.from_bytes(data[at : at + 2], "big")
    if length < RDW or data[at + 2 : at + RDW] != b"\0\0":
        return 0
    return RDW if _is_block(data, at) else length


def _is_block(data: bytes, at: int) -> bool:
    """True if `at` is long enough for a block and starts with a second descriptor word: text has no zero bytes."""
    return int.from_bytes(data[at : at + 2], "big") >= 2 * RDW and data[at + 6 : at + 8] == b"\0\0"


class Lines:
    """A stream of lines from a stream that may have descriptor words, which are counted as frame bytes."""

    def __init__(self, stream: Stream, balance: Balance) -> None:
        self.name = stream.name
        self._stream, self._balance = stream, balance
        self._rest = read_fully(stream, EXAMINED)
        self._framed = framed(self._rest)

    def read(self, size: int = -1, /) -> bytes:
        """Read about `size` bytes (whole records if framed); none at the end."""
        size = max(size, EXAMINED)
        while True:
            fresh = read_fully(self._stream, size)
            data, self._rest = self._rest + fresh, b""
            if not self._framed or not data:
                return data
            lines, used = unframed(data)
            self._balance.frame_bytes += used - len(lines)
            self._balance.total_bytes += used - len(lines)
            self._rest = data[used:]
            if not fresh:
                lines, self._rest = lines + self._rest, b""
            if lines:
                return lines
