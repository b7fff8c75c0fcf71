"""Byte sources for the framer: a plain stream, and one that removes block descriptors (BDW)."""

from bisect import bisect_right
from operator import itemgetter
from typing import Any

import numpy as np

from iosq.parsers.api import Balance, Issue, Stream
from iosq.parsers.smf.codes import issue
from iosq.parsers.smf.header import FIRST, HEADER_BYTES, MIDDLE, likely, plausible, stretches
from iosq.parsers.smf.rows import Ints

# a block descriptor and the RDW behind it
_DESCRIPTORS = 8
_WINDOW = 1 << 20


class Plain:
    """A stream without block descriptors; `head` has the bytes already read from it.

    `begin` is the input offset of the stream's first byte. `missing` is the number of bytes that the last block
    descriptor states and the input doesn't have, `issues` are those since the caller last cleared them.
    """

    def __init__(self, stream: Stream, head: bytes, balance: Balance, begin: int = 0) -> None:
        self.head, self.balance, self.begin = head, balance, begin
        self.read_into: Any = getattr(stream, "readinto", None)
        self.read = stream.read
        self.missing = 0
        self.issues: list[Issue] = []

    def readinto(self, buffer: memoryview, /) -> int:
        """Fill `buffer` with the next bytes and return their number, 0 at the end."""
        if self.head:
            got = min(len(self.head), len(buffer))
            buffer[:got] = self.head[:got]
            self.head = self.head[got:]
        elif self.read_into is not None:
            got = self.read_into(buffer) or 0
        else:
            data = self.read(len(buffer))
            got = len(data)
            buffer[:got] = data
        self.balance.total_bytes += got
        return got

    def origin(self, offsets: Ints, /) -> Ints:
        """Input offsets of stream offsets."""
        return offsets + self.begin

    def forget(self, offset: int, /) -> None:
        """Drop what `origin` needs only for offsets before this one."""


def block_length(data: bytes) -> int:
    """The block length in a 4-byte descriptor (31 bits if bit 0 is on), 0 if it is no descriptor."""
    if len(data) < 4:
        return 0
    if data[0] & 0x80:
        return int.from_bytes(data[:4], "big") & 0x7FFFFFFF
    return int.from_bytes(data[:2], "big") if data[2:4] == b"\0\0" else 0


def _shaped(data: bytes) -> bool:
    """True if block and record descriptor (8 bytes) are consistent."""
    length = block_length(data[:4])
    if length < _DESCRIPTORS or len(data) < _DESCRIPTORS:
        return False
    inner, segment = int.from_bytes(data[4:6], "big"), data[6]
    return inner + 4 <= length and segment <= MIDDLE and data[7] == 0 and inner > 4


def plausible_block(data: bytes) -> bool:
    """True if `data` can be the start of a block whose first record is whole or a segment."""
    return _shaped(data) and (data[6] > FIRST or plausible(data[4 : 4 + HEADER_BYTES]))


class Deblocked(Plain):
    """The records of a blocked stream; block descriptors are removed and counted in `balance.frame_bytes`.

    `missing` are the remaining bytes of the current block.
    """

    def __init__(self, stream: Stream, head: bytes, balance: Balance, begin: int = 0) -> None:
        super().__init__(stream, head, balance, begin)
        self.store = bytearray(_WINDOW)
        self.window = b""
        self.position = 0  # of the next byte in the window
        self.base = begin  # input offset of the window
        self.given = 0  # bytes returned so far
        self.blocks: list[tuple[int, int]] = []  # (offset in the output, offset in the input)

    @property
    def at(self) -> int:
        return self.base + self.position

    @property
    def ready(self) -> int:
        return len(self.window) - self.position

    def _more(self) -> bool:
        got = super().readinto(memoryview(self.store))
        self.base, self.window = self.at, self.window[self.position :] + self.store[:got]
        self.position = 0
        return got > 0

    def _peek(self, count: int) -> bytes:
        while self.ready < count and self._more():
            pass
        return self.window[self.position : self.position + count]

    def readinto(self, buffer: memoryview, /) -> int:
        done = 0
        while done < len(buffer) and (self.missing or self._open_block()):
            if not self.ready and not self._more():
                break
            size = min(self.missing, len(buffer) - done, self.ready)
            buffer[done : done + size] = self.window[self.position : self.position + size]
            self.position += size
            done += size
            self.missing -= size
            self.given += size
        return done

    def _open_block(self) -> bool:
        head = self._peek(_DESCRIPTORS + HEADER_BYTES)
        if not head:
            return False
        if not plausible_block(head) and not self._followed(head):
            return self._find_block()
        self.position += 4
        self.missing = block_length(head[:4]) - 4
        self.balance.frame_bytes += 4
        self.blocks.append((self.given, self.at))
        return True

    def _followed(self, head: bytes) -> bool:
        """True if a block whose first record is damaged ends where the next block starts."""
        length = block_length(head[:4])
        if not _shaped(head) or length > _WINDOW:
            return False
        behind = self._peek(length + _DESCRIPTORS + HEADER_BYTES)[length:]
        return plausible_block(behind) or (not behind and self.ready == length)

    def _find_block(self) -> bool:
        """Skip to the next place where a block can start, and open it; False at the end of the input."""
        begin, stated, blank = self.at, block_length(self._peek(4)), True
        while (place := self._search()) is None:
            # the last bytes may be the start of a block
            blank &= self._skip(max(self.ready - _DESCRIPTORS - HEADER_BYTES, 0))
            if not self._more():
                break
        blank &= self._skip(self.ready if place is None else place)
        lost = self.at - begin
        self.balance.lost_bytes += lost
        if place is None and blank:
            self.issues.append(issue("trailing_zeros", begin, found=lost))
        elif place is None and lost < _DESCRIPTORS + HEADER_BYTES:
            self.issues.append(issue("truncated", begin, found=lost, expected=max(stated, _DESCRIPTORS)))
        else:
            self.issues.append(issue("bad_block", begin, found=stated))
        return place is not None and self._open_block()

    def _skip(self, count: int) -> bool:
        """Skip `count` bytes of the window; True if all are zero."""
        skipped = self.window[self.position : self.position + count]
        self.position += count
        return skipped.count(0) == count

    def _search(self) -> int | None:
        """The next place in the window where a block starts with a whole record or a first segment."""
        raw = np.frombuffer(self.window, np.uint8)
        begin, end = self.position + 5, len(raw) - HEADER_BYTES + 1
        for low, high in stretches(begin, end):
            for record in likely(raw, low, high):
                head = raw[record - 4 : record + HEADER_BYTES].tobytes()
                if plausible_block(head) and plausible(head[4:]):
                    return record - 4 - self.position
        return None

    def origin(self, offsets: Ints, /) -> Ints:
        if not self.blocks:
            return super().origin(offsets)
        output, place = np.array(self.blocks, np.int64).T
        block = np.maximum(np.searchsorted(output, offsets, side="right") - 1, 0)
        return np.asarray(place[block] + offsets - output[block], np.int64)

    def forget(self, offset: int, /) -> None:
        del self.blocks[: max(bisect_right(self.blocks, offset, key=itemgetter(0)) - 1, 0)]


SOURCES = {"": Plain, "rdw": Plain, "bdw": Deblocked}
"""Sources by framing."""
