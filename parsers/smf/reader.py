"""The SMF reader: frames, decodes and balances one unpacked input."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np
import xxhash
from numpy.typing import NDArray

from iosq.parsers.api import Balance, Batch, Context, Issue, Outcome, Reader, Stream, read_fully
from iosq.parsers.smf import sniff
from iosq.parsers.smf.chunks import CHUNK, Chunk, Framer
from iosq.parsers.smf.codes import issue
from iosq.parsers.smf.decode import Decoded
from iosq.parsers.smf.header import words
from iosq.parsers.smf.layout import Check, Naming, RecordLayout, by_subtype, layouts
from iosq.parsers.smf.locate import Located
from iosq.parsers.smf.rows import Ints, Mask
from iosq.parsers.smf.sources import SOURCES, Plain
from iosq.parsers.smf.spans import Spans, chunk_of
from iosq.parsers.smf.split import SplitSets
from iosq.parsers.smf.tables import tables

HEAD = 1 << 16
MOST_OWNED = 16  # an owner has only a few sections; limits the memory that a damaged count takes

Digests = NDArray[np.uint64]


@dataclass(slots=True)
class Notes:
    """Counts remarks that many records share, to report each once at the end with the offset of the first record."""

    count: Counter[str] = field(default_factory=Counter)
    first: dict[str, int] = field(default_factory=dict)

    def add(self, code: str, offsets: Ints) -> None:
        if len(offsets):
            self._count(code, len(offsets), int(offsets.min()))

    def absorb(self, later: "Notes") -> None:
        """Add the remarks of a later part of the same input."""
        for code, count in later.count.items():
            self._count(code, count, later.first[code])

    def _count(self, code: str, count: int, first: int) -> None:
        # spanned records are read after the whole ones of their chunk, so the first reported is not always the lowest
        self.count[code] += count
        self.first[code] = min(first, self.first.get(code, first))

    def issues(self) -> Iterator[Issue]:
        for code, count in self.count.items():
            yield issue(code, self.first[code], count=count)


class Ingest:
    """State of reading one input, or a slice; `records` are before it, and so are the first pieces of `splits`."""

    def __init__(
        self, balance: Balance, context: Context, *, records: int = 0, splits: SplitSets | None = None
    ) -> None:
        self.balance, self.context = balance, context
        self.records = records
        self.splits, self.notes = splits or SplitSets(), Notes()
        self.spans = Spans(balance)
        self._refused: set[int] = set()  # digests of undecodable records: seen, but not stored

    def chunk(self, chunk: Chunk) -> Iterator[Batch | Issue]:
        """Decode a chunk: its whole records, and the spanned records it completes."""
        yield from chunk.issues
        joined = self.spans.join(chunk) if self.spans.open or chunk.segment.any() else []
        rows = [record.row for record in joined]
        # numbering by record end does not depend on how the input is split into chunks
        ends = chunk.segment == 0
        ends[rows] = True
        number = self.records + np.cumsum(ends)
        self.records += int(ends.sum())
        yield from self._whole(replace(chunk, number=number))
        if joined:
            yield from self._whole(chunk_of(joined, number[rows]))
        yield from self.spans.issues
        self.spans.issues.clear()

    def _whole(self, chunk: Chunk) -> Iterator[Batch | Issue]:
        whole = chunk.at(chunk.segment == 0)
        kind = (words(whole.buffer, 4, whole.start) >> 16) & 255
        for row in np.flatnonzero(~whole.dated):
            date = whole.buffer[whole.start[row] + 10 : whole.start[row] + 14].tobytes().hex().upper()
            yield issue("bad_header_date", whole.offset[row], whole.number[row], found=date)
        wanted = np.isin(kind, [type_ for type_, _ in layouts()])
        for type_ in np.unique(kind[~wanted]).tolist():
            self._skip(str(type_), whole.at(kind == type_))
        for type_ in np.unique(kind[wanted]).tolist():
            yield from self._type(type_, whole.at(kind == type_))

    def _count(self, kind: str, outcome: Outcome, taken: Ints) -> None:
        if len(taken):
            self.balance.count(kind, outcome, int(taken.sum()), len(taken))

    def _skip(self, kind: str, records: Chunk) -> None:
        """Count records that aren't decoded as skipped, those with a bad date as failed."""
        self._count(kind, "skipped", records.taken[records.dated])
        self._count(kind, "failed", records.taken[~records.dated])

    def _type(self, type_: int, records: Chunk) -> Iterator[Batch | Issue]:
        subtypes = np.where(records.size >= 24, words(records.buffer, 22, records.start, ">u2"), -1)
        for subtype in np.unique(subtypes).tolist():
            own = records.at(subtypes == subtype)
            layout = by_subtype().get((type_, subtype))
            if subtype < 0:
                self._count(str(type_), "failed", own.taken)
                for row in np.flatnonzero(own.dated):
                    yield issue("short_record", own.offset[row], own.number[row], found=own.size[row])
            elif layout is None:
                self._skip(f"{type_}.{subtype}", own)
            elif self.context.wanted is not None and layout.kind not in self.context.wanted:
                self.notes.add("left_out", own.offset[own.dated])
                self._skip(f"{type_}.{subtype}", own)
            else:
                yield from self._layout(layout, own)

    def _layout(self, layout: RecordLayout, records: Chunk) -> Iterator[Batch | Issue]:
        self._count(layout.kind, "failed", records.taken[~records.dated])
        records = records.at(records.dated)
        digests = self._digests(records)
        fresh = self._fresh(digests)
        self.notes.add("duplicate_record", records.offset[~fresh])
        self._count(layout.kind, "skipped", records.taken[~fresh])
        if fresh.any():
            yield from self._decode(layout, records.at(fresh), digests[fresh])

    def _digests(self, records: Chunk) -> Digests:
        data = memoryview(records.buffer)  # type: ignore[arg-type]
        places = zip(records.start.tolist(), records.size.tolist(), strict=True)
        digest = xxhash.xxh3_64_intdigest
        return np.fromiter((digest(data[a : a + n]) for a, n in places), np.uint64, len(records.start))

    def _fresh(self, digests: Digests) -> Mask:
        """Mask of records that are neither in the lake nor earlier in this input."""
        fresh = np.zeros(len(digests), bool)
        fresh[np.unique(digests, return_index=True)[1]] = True
        if self._refused:
            fresh &= np.fromiter((d not in self._refused for d in digests.tolist()), bool, len(digests))
        if self.context.seen is not None:
            fresh &= ~self.context.seen(digests)
        return fresh

    def _decode(self, layout: RecordLayout, records: Chunk, digests: Digests) -> Iterator[Batch | Issue]:
        size, offset = records.size, records.offset
        decoded = Decoded(layout, records, digests, self.splits)
        good = decoded.located.good
        self._count(layout.kind, "decoded", records.taken[good])
        self._count(layout.kind, "failed", records.taken[~good])
        self.context.digests.append(digests[good])
        self._refused.update(digests[~good].tolist())
        for row in np.flatnonzero(~good):
            yield issue(str(decoded.located.code[row]), offset[row], records.number[row], found=size[row])
        for code, mask in decoded.common.remarks.items():
            self.notes.add(code, offset[good & mask])
        for check in layout.checks:
            self._check(check, decoded, offset)
        for naming in layout.namings:
            self.notes.add(naming.code, offset[contradictions(decoded.located, naming)])
        self.notes.add("uncounted", offset[decoded.located.uncounted()])
        yield from decoded.batches()
        self.notes.add("impossible_value", offset[decoded.impossible()])

    def _check(self, check: Check, decoded: Decoded, offset: Ints) -> None:
        layout = decoded.layout.section(check.section)
        sections = decoded.located.sections(check.section)
        value = sections.number(layout.field(check.field))
        record = sections.places.record
        times = sections.number(layout.field(check.times)) if check.times else np.ones_like(value)
        seconds = decoded.common.length_s[record] if check.per_second else 1.0
        bad = (value > check.above * times * seconds) & (times * seconds > 0)
        self.notes.add(check.code, offset[record[bad]])

    def finish(self) -> Iterator[Issue]:
        """Issues known only at the end of the input."""
        yield from self.finish_spans()
        yield from self.splits.issues()
        yield from self.notes.issues()

    def finish_spans(self) -> Iterator[Issue]:
        self.spans.abandon()
        yield from self.spans.issues


def contradictions(located: Located, naming: Naming) -> Ints:
    """Row of the record of each section that names another owner than the one pointing at it."""
    owners, owned = located.sections(naming.owner), located.sections(naming.section)
    if not len(owners.places) or not len(owned.places):
        return np.empty(0, np.int64)
    first, count, own_name = (
        owners.number(located.layout.section(naming.owner).field(n)) for n in (naming.first, naming.count, naming.id)
    )
    count = np.where(first > 0, np.minimum(count, MOST_OWNED), 0)
    owner = np.arange(len(count)).repeat(count)
    position = first[owner] + np.arange(len(owner)) - (np.cumsum(count) - count)[owner]
    named = located.layout.section(naming.section).field(naming.named)
    # a record (at most 64 KiB) has fewer than 2**20 sections
    keys = owned.places.record << 20 | owned.places.index
    order = np.argsort(keys)
    wanted = owners.places.record[owner] << 20 | position
    at = order[np.minimum(np.searchsorted(keys, wanted, sorter=order), len(keys) - 1)]
    found = (keys[at] == wanted) & (owned.places.length[at] >= named.end)
    wrong = found & (owned.number(named)[at] != own_name[owner])
    return np.asarray(owned.places.record[at[wrong]], np.int64)


def framed(source: Plain, ingest: Ingest, chunk: int) -> Iterator[Batch | Issue]:
    """Pass all chunks of a source through an ingest."""
    for part in Framer(source, ingest.balance, chunk):
        yield from ingest.chunk(part)
        yield from source.issues
        source.issues.clear()


class SmfReader(Reader):
    """Reads SMF dumps: RDW kept, or BDW and RDW."""

    kind = "smf"
    rank = 10
    tables = staticmethod(tables)

    def sniff(self, head: bytes) -> bool:
        """True if the input has consecutive records with sound headers."""
        return bool(sniff.framing(head))

    def certain(self, head: bytes) -> bool:
        """True if the input starts with sound records."""
        return bool(sniff.strict_framing(head))

    def diagnose(self, head: bytes) -> str:
        """Why an input that looks like SMF can't be read; '' if it doesn't."""
        return sniff.diagnose(head)

    def read(self, stream: Stream, balance: Balance, context: Context, chunk: int = CHUNK) -> Iterator[Batch | Issue]:
        """Decode the stream to its end; memory is bounded by `chunk` plus 8 bytes per decoded record."""
        head = read_fully(stream, HEAD)
        ingest = Ingest(balance, context)
        yield from framed(SOURCES[sniff.framing(head)](stream, head, balance), ingest, chunk)
        yield from ingest.finish()


READER = SmfReader()
