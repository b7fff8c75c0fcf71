"""Byte sources for the framer: a plain stream, and one that takes block descriptors (BDW) out."""

from __future__ import annotations

from typing import Any

import numpy as np

from iosq.parsers.api import Balance, Issue, Stream
from iosq.parsers.smf.codes import issue
from iosq.parsers.smf.header import HEADER_BYTES, plausible
from iosq.parsers.smf.rows import Ints

# a block descriptor and the RDW behind it
_DESCRIPTORS = 8
_WINDOW = 1 << 20


class Plain:
    """The stream as it is, beginning with bytes that were already read from it."""

    def __init__(self, stream: Stream, head: bytes, balance: Balance) -> None:
        self.head, self.balance = head, balance
        self.read_into: Any = getattr(stream, "readinto", None)
        self.read = stream.read

    def readinto(self, buffer: memoryview, /) -> int:
        """Fill `buffer` with the next bytes; how many, 0 at the end."""
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
        """Offsets in the input: the same."""
        return offsets


def block_length(data: bytes) -> int:
    """The block length a descriptor states (4 bytes; bit 0 on: a 31-bit length), 0 if it can't be one."""
    if len(data) < 4:
        return 0
    if data[0] & 0x80:
        return int.from_bytes(data[:4], "big") & 0x7FFFFFFF
    return int.from_bytes(data[:2], "big") if data[2:4] == b"\0\0" else 0


def plausible_block(data: bytes) -> bool:
    """Whether a block with a record (or a later segment of one) in front can start here."""
    length = block_length(data[:4])
    rdw = data[4:]
    if length < _DESCRIPTORS or len(rdw) < 4:
        return False
    inner = int.from_bytes(rdw[:2], "big")
    continued = rdw[2] in (2, 3) and rdw[3] == 0 and inner > 4
    return inner + 4 <= length and (continued or plausible(rdw[:HEADER_BYTES]))


class Deblocked:
    """The records of a blocked stream, block descriptors taken out and counted in `balance.frame_bytes`."""

    def __init__(self, plain: Plain, balance: Balance) -> None:
        self.plain, self.balance = plain, balance
        self.window = b""
        self.position = 0  # of the next byte in the window
        self.base = 0  # input offset of the window
        self.left = 0  # bytes of the current block still to come
        self.given = 0  # bytes given out so far
        self.blocks: list[tuple[int, int]] = []  # (offset in what was given out, offset in the input)
        self.issues: list[Issue] = []

    @property
    def at(self) -> int:
        """Input offset of the next byte."""
        return self.base + self.position

    @property
    def ready(self) -> int:
        """Bytes at hand."""
        return len(self.window) - self.position

    def _more(self) -> bool:
        data = bytearray(_WINDOW)
        got = self.plain.readinto(memoryview(data))
        self.base, self.window = self.at, self.window[self.position :] + bytes(data[:got])
        self.position = 0
        return got > 0

    def _peek(self, count: int) -> bytes:
        while self.ready < count and self._more():
            pass
        return self.window[self.position : self.position + count]

    def readinto(self, buffer: memoryview, /) -> int:
        """Fill `buffer` with record bytes; how many, 0 at the end."""
        done = 0
        while done < len(buffer) and (self.left or self._open_block()):
            if not self.ready and not self._more():
                break
            size = min(self.left, len(buffer) - done, self.ready)
            buffer[done : done + size] = self.window[self.position : self.position + size]
            self.position += size
            done += size
            self.left -= size
            self.given += size
        return done

    def _open_block(self) -> bool:
        head = self._peek(_DESCRIPTORS + HEADER_BYTES)
        if not head:
            return False
        if not plausible_block(head):
            return self._find_block()
        self.position += 4
        self.left = block_length(head[:4]) - 4
        self.balance.frame_bytes += 4
        self.blocks.append((self.given, self.at))
        return True

    def _find_block(self) -> bool:
        """Step over bytes to the next place a block can start."""
        begin, found = self.at, block_length(self._peek(4))
        place = self._search()
        while place is None:
            self.position += max(self.ready - _DESCRIPTORS - HEADER_BYTES, 0)
            if not self._more():
                self.position = len(self.window)
                break
            place = self._search()
        self.position += place or 0
        self.issues.append(issue("bad_block", begin, found=found))
        self.balance.lost_bytes += self.at - begin
        return place is not None and self._open_block()

    def _search(self) -> int | None:
        raw = np.frombuffer(self.window, np.uint8, offset=self.position)
        # a block that can be found again begins with a whole record or a first segment
        last = len(raw) - _DESCRIPTORS - HEADER_BYTES
        if last < 1:
            return None
        likely = (raw[7 : last + 7] == 0) & (raw[6 : last + 6] <= 1) & (raw[14 : last + 14] <= 1)
        for place in np.flatnonzero(likely):
            head = raw[place : place + _DESCRIPTORS + HEADER_BYTES].tobytes()
            if place and plausible_block(head) and plausible(head[4:]):
                return int(place)
        return None

    def origin(self, offsets: Ints, /) -> Ints:
        """Offsets in the input of offsets in what was given out; blocks behind them are forgotten."""
        if not len(offsets) or not self.blocks:
            return offsets
        given, place = np.array(self.blocks, np.int64).T
        block = np.maximum(np.searchsorted(given, offsets, side="right") - 1, 0)
        mapped = place[block] + offsets - given[block]
        # an issue may still be raised for the record before the first of these
        del self.blocks[: max(int(block.min()) - 8, 0)]
        return np.asarray(mapped, np.int64)
