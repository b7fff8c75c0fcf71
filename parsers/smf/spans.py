"""Joins the segments of spanned records."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from iosq.parsers.api import Balance, Issue
from iosq.parsers.smf.chunks import SLACK, Chunk
from iosq.parsers.smf.codes import issue
from iosq.parsers.smf.header import FIRST, LAST, dates_good
from iosq.parsers.smf.rows import Ints

# SMF records are shorter than 32 KiB; a far longer run of segments is damage, not a record
_LONGEST = 1 << 20


class Joined(NamedTuple):
    """A rebuilt record: bytes including the RDW, input offset of the first segment, input bytes used.

    `row` is the row of the last segment in the chunk that completed the record.
    """

    data: bytes
    offset: int
    taken: int
    row: int


def chunk_of(records: Sequence[Joined], number: Ints) -> Chunk:
    """The records, counted by `number`, as a separate chunk."""
    size, offset, taken = np.array([(len(r.data), r.offset, r.taken) for r in records], np.int64).T
    buffer = np.frombuffer(b"".join(r.data for r in records) + bytes(SLACK), np.uint8)
    start = np.cumsum(size) - size
    return Chunk(buffer, start, size, np.zeros_like(size), offset, dates_good(buffer, start), taken, number)


class Spans:
    """Joins segments across chunk borders. Segments of incomplete records are counted as lost bytes."""

    def __init__(self, balance: Balance) -> None:
        self.balance = balance
        self.parts: list[bytes] = []
        self.offset = 0
        self.taken = 0
        self.issues: list[Issue] = []

    @property
    def open(self) -> bool:
        """True if a record is incomplete so far."""
        return bool(self.parts)

    def join(self, chunk: Chunk) -> list[Joined]:
        """Add the segments of a chunk; return the records they complete."""
        joined: list[Joined] = []
        previous = -1
        for row in np.flatnonzero(chunk.segment).tolist():
            if row != previous + 1:  # a whole record came between
                self.abandon()
            previous = row
            self._segment(chunk, row, joined)
        if previous != len(chunk.start) - 1:
            self.abandon()
        return joined

    def _segment(self, chunk: Chunk, row: int, joined: list[Joined]) -> None:
        start, size, code = int(chunk.start[row]), int(chunk.size[row]), int(chunk.segment[row])
        offset = int(chunk.offset[row])
        if code == FIRST:
            self.abandon()
            self.offset = offset
        elif not self.parts:
            self.issues.append(issue("lone_segment", offset))
            self.balance.lost_bytes += size
            return
        self.parts.append(chunk.buffer[start + 4 : start + size].tobytes())
        self.taken += size
        if code == LAST:
            body = b"".join(self.parts)
            data = min(len(body) + 4, 0xFFFF).to_bytes(2, "big") + b"\0\0" + body
            joined.append(Joined(data, self.offset, self.taken, row))
            self.parts, self.taken = [], 0
        elif self.taken > _LONGEST:
            self.abandon()

    def abandon(self) -> None:
        """Drop an incomplete record: its last segment is missing."""
        if self.parts:
            self.issues.append(issue("open_segment", self.offset))
            self.balance.lost_bytes += self.taken
            self.parts, self.taken = [], 0
