"""Joins the segments of spanned records."""

from dataclasses import dataclass, field

import numpy as np

from iosq.parsers.api import Balance, Issue
from iosq.parsers.smf.chunks import SLACK, Chunk
from iosq.parsers.smf.codes import issue
from iosq.parsers.smf.header import FIRST, LAST, dates_good
from iosq.parsers.smf.rows import Ints

# SMF records are shorter than 32 KiB; a far longer run of segments is damage, not a record
_LONGEST = 1 << 20


@dataclass(slots=True)
class Joined:
    """Rebuilt records: bytes including the RDW, input offset of the first segment, input bytes used.

    `row` is the row of the last segment in the chunk that completed the record.
    """

    data: list[bytes] = field(default_factory=list)
    offset: list[int] = field(default_factory=list)
    taken: list[int] = field(default_factory=list)
    row: list[int] = field(default_factory=list)

    def chunk(self, number: Ints) -> Chunk:
        """The records, counted by `number`, as a separate chunk."""
        size = np.array([len(d) for d in self.data], np.int64)
        buffer = np.frombuffer(b"".join(self.data) + bytes(SLACK), np.uint8)
        start = np.cumsum(size) - size
        zero = np.zeros(len(size), np.int64)
        offset, taken = np.array(self.offset, np.int64), np.array(self.taken, np.int64)
        return Chunk(buffer, start, size, zero, offset, dates_good(buffer, start), taken, number)


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

    def join(self, chunk: Chunk) -> Joined:
        """Add the segments of a chunk; return the records they complete."""
        joined = Joined()
        previous = -1
        for row in np.flatnonzero(chunk.segment).tolist():
            if row != previous + 1:  # a whole record came between
                self.abandon()
            previous = row
            self._segment(chunk, row, joined)
        if previous != len(chunk.start) - 1:
            self.abandon()
        return joined

    def _segment(self, chunk: Chunk, row: int, joined: Joined) -> None:
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
            self._complete(joined, row)
        elif self.taken > _LONGEST:
            self.abandon()

    def _complete(self, joined: Joined, row: int) -> None:
        body = b"".join(self.parts)
        joined.data.append(min(len(body) + 4, 0xFFFF).to_bytes(2, "big") + b"\0\0" + body)
        joined.offset.append(self.offset)
        joined.taken.append(self.taken)
        joined.row.append(row)
        self.parts, self.taken = [], 0

    def abandon(self) -> None:
        """Drop an incomplete record: its last segment is missing."""
        if self.parts:
            self.issues.append(issue("open_segment", self.offset))
            self.balance.lost_bytes += self.taken
            self.parts, self.taken = [], 0
