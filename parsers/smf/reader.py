"""The SMF reader: frames, decodes and balances one unpacked input."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import xxhash
from numpy.typing import NDArray

from iosq.parsers.api import Balance, Batch, Context, Issue, Stream, Table, read_fully
from iosq.parsers.smf import sniff, tables
from iosq.parsers.smf.chunks import CHUNK, Chunk, Framer
from iosq.parsers.smf.codes import issue
from iosq.parsers.smf.decode import Decoded, Piece, Records
from iosq.parsers.smf.header import words
from iosq.parsers.smf.layout import Check, RecordLayout, by_subtype, by_type
from iosq.parsers.smf.naming import contradictions
from iosq.parsers.smf.rows import Ints, Mask
from iosq.parsers.smf.sources import Deblocked, Plain
from iosq.parsers.smf.spans import Joined, Spans
from iosq.parsers.smf.split import SplitSets

HEAD = 1 << 16


@dataclass(slots=True)
class Notes:
    """Counts remarks that many records share, to report each once at the end with the offset of the first record."""

    count: Counter[str] = field(default_factory=Counter)
    first: dict[str, int] = field(default_factory=dict)

    def add(self, code: str, offsets: Ints) -> None:
        """Count one remark per offset."""
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
        """One issue per remark."""
        for code, count in self.count.items():
            yield issue(code, self.first[code], count=count)


class Ingest:
    """State of reading one input, or a slice of it.

    Args:
        records: number of records before it.
        splits: split records whose first pieces are before it.
    """

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
        joined = self.spans.join(chunk) if self.spans.open or chunk.segment.any() else Joined()
        # numbering by record end does not depend on how the input is split into chunks
        ends = chunk.segment == 0
        ends[joined.row] = True
        number = self.records + np.cumsum(ends)
        self.records += int(ends.sum())
        yield from self._whole(chunk, chunk.size, number)
        if joined.data:
            yield from self._whole(joined.chunk(), np.array(joined.taken, np.int64), number[joined.row])
        yield from self.spans.issues
        self.spans.issues.clear()

    def _whole(self, chunk: Chunk, taken: Ints, number: Ints) -> Iterator[Batch | Issue]:
        whole = chunk.segment == 0
        start, size, offset, dated = (a[whole] for a in (chunk.start, chunk.size, chunk.offset, chunk.dated))
        taken, number = taken[whole], number[whole]
        kind = (words(chunk.buffer, 4, start) >> 16) & 255
        yield from self._undated(chunk, start, offset, number, dated)
        wanted = np.isin(kind, list(by_type()))
        self._skip(kind, taken, dated, ~wanted)
        for type_ in np.unique(kind[wanted]).tolist():
            rows = np.flatnonzero(wanted & (kind == type_))
            view = Chunk(chunk.buffer, start[rows], size[rows], kind[rows], offset[rows], dated[rows])
            yield from self._type(type_, view, taken[rows], number[rows])

    @staticmethod
    def _undated(chunk: Chunk, start: Ints, offset: Ints, number: Ints, dated: Mask) -> Iterator[Issue]:
        for row in np.flatnonzero(~dated):
            date = chunk.buffer[start[row] + 10 : start[row] + 14].tobytes().hex().upper()
            yield issue("bad_header_date", offset[row], number[row], found=date)

    def _count(self, kind: str, taken: Ints, *, decoded: int = 0, skipped: int = 0, failed: int = 0) -> None:
        counts = self.balance.kind(kind)
        counts.read += len(taken)
        counts.bytes += int(taken.sum())
        counts.decoded += decoded
        counts.skipped += skipped
        counts.failed += failed

    def _skip(self, kind: Ints, taken: Ints, dated: Mask, rest: Mask) -> None:
        """Count records of types that aren't decoded as skipped, those with a bad date as failed."""
        for type_ in np.unique(kind[rest]).tolist():
            rows = rest & (kind == type_)
            failed = int((~dated[rows]).sum())
            self._count(str(type_), taken[rows], skipped=int(rows.sum()) - failed, failed=failed)

    def _type(self, type_: int, records: Chunk, taken: Ints, number: Ints) -> Iterator[Batch | Issue]:
        subtype = np.where(records.size >= 24, words(records.buffer, 22, records.start, ">u2"), -1)
        for sub in np.unique(subtype).tolist():
            rows = np.flatnonzero(subtype == sub)
            layout = by_subtype().get((type_, sub))
            dated = records.dated[rows]
            if layout is not None and not self._wants(layout.kind):
                self.notes.add("left_out", records.offset[rows[dated]])
                layout = None
            if layout is None:
                failed = int((~dated).sum()) if sub >= 0 else len(rows)
                self._count(_kind(type_, sub), taken[rows], skipped=len(rows) - failed, failed=failed)
                if sub < 0:
                    yield from (_short(records, r, number[r]) for r in rows[dated])
            else:
                yield from self._layout(layout, records, rows, taken, number)

    def _wants(self, kind: str) -> bool:
        return self.context.wanted is None or kind in self.context.wanted

    def _layout(
        self, layout: RecordLayout, records: Chunk, rows: Ints, taken: Ints, number: Ints
    ) -> Iterator[Batch | Issue]:
        dated = records.dated[rows]
        self._count(layout.kind, taken[rows], failed=int((~dated).sum()))
        rows = rows[dated]
        digests = self._digests(records, rows)
        fresh = self._fresh(digests)
        self.notes.add("duplicate_record", records.offset[rows[~fresh]])
        self._count(layout.kind, taken[:0], skipped=int((~fresh).sum()))
        rows, digests = rows[fresh], digests[fresh]
        if len(rows):
            yield from self._decode(layout, records, rows, digests, number)

    def _digests(self, records: Chunk, rows: Ints) -> NDArray[np.uint64]:
        data = memoryview(records.buffer)  # type: ignore[arg-type]
        places = zip(records.start[rows].tolist(), records.size[rows].tolist(), strict=True)
        digest = xxhash.xxh3_64_intdigest
        return np.fromiter((digest(data[a : a + n]) for a, n in places), np.uint64, len(rows))

    def _fresh(self, digests: NDArray[np.uint64]) -> Mask:
        """Mask of records that are neither in the lake nor earlier in this input."""
        fresh = np.zeros(len(digests), bool)
        fresh[np.unique(digests, return_index=True)[1]] = True
        if self._refused:
            fresh &= np.fromiter((d not in self._refused for d in digests.tolist()), bool, len(digests))
        if self.context.seen is not None:
            fresh &= ~self.context.seen(digests)
        return fresh

    def _decode(
        self, layout: RecordLayout, records: Chunk, rows: Ints, digests: NDArray[np.uint64], number: Ints
    ) -> Iterator[Batch | Issue]:
        group = self._group(records, rows, digests)
        size, offset = group.size, group.offset
        decoded = Decoded(layout, group, partial(self._join, group))
        good = decoded.code == ""
        self._count(layout.kind, size[:0], decoded=int(good.sum()), failed=int((~good).sum()))
        self.context.digests.append(digests[good])
        self._refused.update(digests[~good].tolist())
        for row in np.flatnonzero(~good):
            yield issue(str(decoded.code[row]), offset[row], number[rows[row]], found=size[row])
        for code, mask in decoded.common.remarks.items():
            self.notes.add(code, offset[good & mask])
        for check in layout.checks:
            self._check(check, decoded, offset)
        for naming in layout.namings:
            self.notes.add(naming.code, offset[contradictions(decoded.located, naming)])
        self.notes.add("uncounted", offset[decoded.located.uncounted()])
        yield from decoded.batches()
        self.notes.add("impossible_value", offset[decoded.impossible()])

    @staticmethod
    def _group(records: Chunk, rows: Ints, digests: NDArray[np.uint64]) -> Records:
        start, size, offset = records.start[rows], records.size[rows], records.offset[rows]
        return Records(records.buffer, start, size, offset, digests.view(np.int64))

    def _join(self, group: Records, piece: Piece, row: int) -> int:
        own, offset = int(group.record_id[row]), int(group.offset[row])
        return self.splits.join(piece.key, piece.number, piece.pieces, own, offset)

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
        """Issues about incomplete spanned records."""
        self.spans.finish()
        yield from self.spans.issues


def _kind(type_: int, subtype: int) -> str:
    return f"{type_}.{subtype}" if subtype >= 0 else str(type_)


def _short(records: Chunk, row: int, number: int) -> Issue:
    return issue("short_record", records.offset[row], number, found=records.size[row])


def source_of(plain: Plain, framing: str, balance: Balance) -> Plain | Deblocked:
    """The source of a stream with this framing: `rdw` or `bdw`."""
    return Deblocked(plain, balance) if framing == "bdw" else plain


def framed(source: Plain | Deblocked, ingest: Ingest, chunk: int) -> Iterator[Batch | Issue]:
    """Pass all chunks of a source through an ingest."""
    for part in Framer(source, ingest.balance, chunk):
        yield from ingest.chunk(part)
        if isinstance(source, Deblocked):
            yield from source.issues
            source.issues.clear()


class SmfReader:
    """Reads SMF dumps: RDW kept, or BDW and RDW."""

    kind = "smf"
    rank = 10

    def sniff(self, head: bytes) -> bool:
        """True if the input has consecutive records with sound headers."""
        return bool(sniff.framing(head))

    def certain(self, head: bytes) -> bool:
        """True if the input starts with sound records."""
        return bool(sniff.strict_framing(head))

    def diagnose(self, head: bytes) -> str:
        """Why an input that looks like SMF can't be read; '' if it doesn't."""
        return sniff.diagnose(head)

    def tables(self) -> tuple[Table, ...]:
        """Raw tables of all decoded SMF records."""
        return tables.tables()

    def read(self, stream: Stream, balance: Balance, context: Context, chunk: int = CHUNK) -> Iterator[Batch | Issue]:
        """Decode the stream to its end; memory is bounded by `chunk` plus 8 bytes per decoded record."""
        head = read_fully(stream, HEAD)
        source = source_of(Plain(stream, head, balance), sniff.framing(head), balance)
        ingest = Ingest(balance, context)
        yield from framed(source, ingest, chunk)
        yield from ingest.finish()


READER = SmfReader()
