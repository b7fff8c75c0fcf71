"""Splits a dump into slices for parallel readers; the joint result equals that of one reader.

Finding record boundaries takes a pass from the start: `survey` follows records without decoding them, and cuts in
front of a record if no block or spanned record is open there and there is no damage within the longest record's
length before it. A slice carries the state it needs from earlier slices: the number of records, the digests of its
records that they have too, and the split records they began.
"""

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import FileIO

import numpy as np

from iosq.parsers.api import Balance, Batch, Context, Issue, Stream, read_fully
from iosq.parsers.smf import sniff
from iosq.parsers.smf.chunks import CHUNK, LARGEST, Chunk, Framer
from iosq.parsers.smf.decode import Headed
from iosq.parsers.smf.digests import Holds, Seen
from iosq.parsers.smf.layout import RecordLayout
from iosq.parsers.smf.reader import HEAD, Digests, Ingest, Notes, framed
from iosq.parsers.smf.rows import Mask
from iosq.parsers.smf.sources import SOURCES
from iosq.parsers.smf.split import SplitSets

BDW_BYTES = 4


@dataclass(frozen=True, slots=True)
class Slice:
    """A part of a dump that can be read by itself.

    Attributes:
        begin, end: byte offsets in the dump.
        framing: `rdw` or `bdw`.
        records: number of records before it.
        seen: digests of its records that are duplicates: they occur before it, or are stored.
        splits: split records whose first pieces are before it.
        last: true for the last slice.
    """

    begin: int
    end: int
    framing: str
    records: int
    seen: Digests
    splits: SplitSets
    last: bool


class _Survey(Ingest):
    """An ingest that reads headers only, and cuts the input into slices."""

    def __init__(self, framing: str, stored: Holds | None, kinds: frozenset[str] | None) -> None:
        seen = Seen(stored)
        super().__init__(Balance(), Context(seen, seen.fresh, kinds))
        self._framing, self._stored = framing, stored
        self._begin, self._records, self._splits = 0, 0, SplitSets()  # where the current slice begins
        self._before: Digests = np.empty(0, np.uint64)
        self._met: list[Digests] = []

    def _digests(self, records: Chunk) -> Digests:
        digests = super()._digests(records)
        self._met.append(digests)
        return digests

    def _decode(self, layout: RecordLayout, records: Chunk, digests: Digests) -> Iterator[Batch | Issue]:
        Headed(layout, records, digests, self.splits)
        self.context.digests.append(digests)
        yield from ()

    def look(self, part: Chunk, begin: int, end: int) -> None:
        for _ in self.chunk(part.at(slice(begin, end))):
            pass

    def cut(self, place: int, *, last: bool = False) -> Slice:
        """The slice that ends at `place`; its records have been surveyed."""
        own = np.unique(np.concatenate([self._before[:0], *self._met]))
        known = np.isin(own, self._before, assume_unique=True)
        if self._stored is not None:
            known |= self._stored(own)
        made = Slice(self._begin, place, self._framing, self._records, own[known], self._splits, last)
        self._before = np.union1d(self._before, own)
        self._begin, self._records, self._splits = place, self.records, copy.deepcopy(self.splits)
        self._met.clear()
        return made


class _Runs:
    """Tracks the run of sound records before each record, across chunk borders."""

    def __init__(self, framing: str) -> None:
        self.blocked = framing == "bdw"
        self.begin = 0  # start offset of the run
        self.end = -1  # end offset of the last record

    def cuttable(self, chunk: Chunk) -> Mask:
        """Mask of records: true if the dump can be cut in front of the record."""
        ends = np.concatenate([[self.end], chunk.offset + chunk.size])
        gap = chunk.offset - ends[:-1]
        joined = (gap == 0) | (self.blocked & (gap == BDW_BYTES))
        sound = (chunk.segment == 0) & chunk.dated & joined
        rows = np.arange(len(gap))
        broken = np.maximum.accumulate(np.where(sound, -1, rows)) if len(rows) else rows
        begin = np.where(broken < 0, self.begin, chunk.offset[np.maximum(broken, 0)])
        if len(rows):
            self.begin, self.end = int(begin[-1]), int(ends[-1])
        in_front = gap == BDW_BYTES if self.blocked else joined
        return np.asarray(sound & in_front & (chunk.offset - begin > LARGEST), bool)


def survey(
    stream: Stream,
    wanted: Sequence[int],
    stored: Holds | None = None,
    kinds: frozenset[str] | None = None,
    chunk: int = CHUNK,
) -> Iterator[Slice]:
    """Cut a dump at the first possible place at or after each wanted offset.

    Args:
        stream: the whole dump; it is read as slices are consumed.
        wanted: offsets in the dump, in ascending order.
        stored: maps digests to a mask of those already in the lake.
        kinds: of the records that will be decoded; None for all.

    Returns:
        The slices, at least one; fewer than wanted if there is no place to cut between two offsets.
    """
    head, balance = read_fully(stream, HEAD), Balance()
    framing = sniff.framing(head) or "rdw"
    source = SOURCES[framing](stream, head, balance)
    reading, runs, left = _Survey(framing, stored, kinds), _Runs(framing), list(wanted)
    for part in Framer(source, balance, chunk):
        done = 0
        for row in np.flatnonzero(runs.cuttable(part)).tolist():
            place = int(part.offset[row]) - (BDW_BYTES if framing == "bdw" else 0)
            if not left or place < left[0]:
                continue
            left = [offset for offset in left if offset > place]
            reading.look(part, done, row)
            yield reading.cut(place)
            done = row
        reading.look(part, done, len(part.start))
    yield reading.cut(balance.total_bytes, last=True)


class Part:
    """The bytes of a slice, as a stream; `file` may be at any position."""

    def __init__(self, file: FileIO, part: Slice, name: str) -> None:
        self.name, self._file, self._left = name, file, part.end - part.begin
        file.seek(part.begin)

    def readinto(self, buffer: memoryview, /) -> int:
        count = self._file.readinto(buffer[: self._left]) or 0
        self._left -= count
        return count

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes, at most `size`; the rest of the slice if it is negative."""
        data = bytearray(self._left if size < 0 else min(size, self._left))
        return bytes(data[: self.readinto(memoryview(data))])


def read_slice(
    stream: Stream, part: Slice, balance: Balance, context: Context, notes: Notes, chunk: int = CHUNK
) -> Iterator[Batch | Issue]:
    """Decode a slice; the results of all slices together are that of the whole dump.

    Args:
        stream: the slice's bytes.
        balance: counts of this slice; the caller adds up those of all slices.
        context: finds duplicates, including those of `part.seen`.
        notes: remarks that many records share; the caller merges those of all slices (`Notes.absorb`) and reports them.
    """
    source = SOURCES[part.framing](stream, b"", balance, part.begin)
    ingest = Ingest(balance, context, records=part.records, splits=copy.deepcopy(part.splits))
    yield from framed(source, ingest, chunk)
    yield from ingest.finish_spans()
    if part.last:
        yield from ingest.splits.issues()
    notes.absorb(ingest.notes)
