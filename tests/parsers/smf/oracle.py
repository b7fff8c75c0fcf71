"""The obvious decoder: one record at a time in plain Python, slow and easy to check.

It's the oracle of the fast decoder (`decode.py`): both give the same rows for the same bytes.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from iosq.parsers.smf.layout import Chain, Field, Pointer, RecordLayout, Section, Triplet
from iosq.toolkit.rows import NewRow
from tests.parsers.smf.plain_values import decode


class RefusedError(Exception):
    """The record can't be decoded; `code` is the issue's."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(slots=True)
class Piece:
    """One section's place: `start` and `length` in the record, its position, its parent's position and row."""

    start: int
    length: int
    index: int
    parent: int = 0
    row: NewRow | None = None


def fields_of(fields: tuple[Field, ...], data: bytes, start: int, length: int) -> NewRow:
    """The values of one section; a field beyond `length` or of another overlay is None."""
    row: NewRow = {}
    for f in fields:
        inside = f.end <= length
        row[f.name] = decode(f, data[start + f.offset : start + f.end]) if inside else None
    for f in fields:
        if f.only and (row[f.only.field] is None or row[f.only.field] & f.only.mask not in f.only.values):
            row[f.name] = None
    return row


def zone(offset_us: int | None) -> int | None:
    """Microseconds from UTC to local time; None for a day or more, which no zone is."""
    return offset_us if offset_us is not None and abs(offset_us) < 86_400_000_000 else None


def zone_moved(start: datetime, length_s: float, end: datetime) -> int:
    """Microseconds by which the zone moved between an interval's start (by the zone at its end) and its end in GMT."""
    late_s = (end - start).total_seconds() - length_s
    half_hours = round(late_s / 1800)
    if half_hours == 1 or abs(half_hours) > 4 or abs(late_s - 1800 * half_hours) > 60:
        return 0
    return half_hours * 1_800_000_000


def header_bound(data: bytes) -> int:
    """Where the header's triplets end at the latest: at the first section (the word at 28 points to it)."""
    first = int.from_bytes(data[28:32], "big") if len(data) >= 36 else 0
    used = int.from_bytes(data[34:36], "big") if len(data) >= 36 else 0
    return first if used and 36 <= first <= len(data) else len(data)


def _inside(start: int, length: int, count: int, size: int) -> bool:
    return length > 0 and start >= 24 and start + length * count <= size


class Decoder:
    """Decodes one record; `pieces` then holds the sections found, by name."""

    def __init__(self, layout: RecordLayout, data: bytes) -> None:
        self.layout, self.data = layout, data
        if len(data) < 24 or (layout.family != "smf94" and len(data) < 36):
            raise RefusedError("short_record")
        self.header = fields_of(layout.header, data, 0, header_bound(data))
        self.product, self.reassembly = self._product()
        self.pieces: dict[str, list[Piece]] = {}
        for section in layout.sections:
            self.pieces[section.name] = list(self._locate(section))

    def _named(self, suffix: str) -> Any:
        return self.header[self.layout.header.ending(suffix).name]

    def _product(self) -> tuple[NewRow, NewRow]:
        if self.layout.family != "rmf":
            return {}, {}
        start, length, count = self._named("PRS"), self._named("PRL"), self._named("PRN")
        if not count or not _inside(start, length, 1, len(self.data)):
            raise RefusedError("no_product")
        row = fields_of(self.layout.product, self.data, start, length)
        prefix = self.layout.product[0].name[:5]
        if any(row[prefix + name] is None for name in ("IST", "DAT", "INT")):
            raise RefusedError("bad_interval")
        return row, self._reassembly(row, prefix, start)

    def _reassembly(self, product: NewRow, prefix: str, start: int) -> NewRow:
        area = start + (product[f"{prefix}RAO"] or 0)
        length = product[f"{prefix}RAL"] or 0
        if product[f"{prefix}RAN"] != 1 or not _inside(area, length, 1, len(self.data)):
            length = 0
        return fields_of(self.layout.reassembly, self.data, area, length)

    def first_positions(self) -> list[int]:
        """Position in the unsplit record of the first section of each triplet; empty if not split."""
        row = self.reassembly
        prefix = self.layout.product[0].name[:5] if row else ""
        if not row or not row[f"{prefix}RIN"] or (row[f"{prefix}RIL"] or 0) < 4:
            return []
        area = self._named("PRS") + self.product[f"{prefix}RAO"] + row[f"{prefix}RIO"]
        step = row[f"{prefix}RIL"]
        starts = [area + i * step for i in range(row[f"{prefix}RIN"])]
        return [int.from_bytes(self.data[s + 2 : s + 4], "big") for s in starts if s + 4 <= len(self.data)]

    def _first(self, reach: Triplet) -> int:
        number = (self.layout_offset(reach.offset) - 36) // 8
        positions = self.first_positions()
        return max(positions[number], 1) if 0 <= number < len(positions) else 1

    def layout_offset(self, name: str) -> int:
        """Offset of a header field."""
        return next(f.offset for f in self.layout.header if f.name == name)

    def _locate(self, section: Section) -> Iterator[Piece]:
        reach = section.reach
        if isinstance(reach, Chain):
            yield from self._chain(section, reach)
        elif isinstance(reach, Pointer):
            yield from self._pointer(reach)
        elif reach.within:
            yield from self._nested(reach)
        else:
            start, length, count = (self.header[n] for n in (reach.offset, reach.length, reach.count))
            if count:
                self._check(_inside(start, length, count, len(self.data)), "triplet_outside")
                first = self._first(reach)
                yield from (Piece(start + i * length, length, first + i) for i in range(count))

    @staticmethod
    def _check(good: bool, code: str) -> None:
        if not good:
            raise RefusedError(code)

    def rows_of(self, name: str) -> list[Piece]:
        """The sections called `name`, each with its row."""
        fields = self.layout.section(name).fields
        for p in self.pieces[name]:
            p.row = p.row or fields_of(fields, self.data, p.start, p.length)
        return self.pieces[name]

    def _regions(self) -> list[tuple[int, int]]:
        """What triplets of the header claim, as (start, end): nested sections lie outside of it."""
        header = self.header
        reaches = [s.reach for s in self.layout.sections if isinstance(s.reach, Triplet) and not s.within]
        claims = [(header[r.offset], (header[r.length] or 0) * (header[r.count] or 0)) for r in reaches]
        product = (self._named("PRS"), self._named("PRL"))
        return [(0, 36), *((s, s + n) for s, n in [*claims, product] if s is not None and n)]

    def _nested(self, reach: Triplet) -> Iterator[Piece]:
        regions, index = self._regions(), 0
        for p in self.rows_of(reach.within):
            assert p.row is not None
            offset, length, count = (p.row[n] for n in (reach.offset, reach.length, reach.count))
            if not count:
                continue
            bases = [b for b in (p.start + offset, offset) if _inside(b, length, count, len(self.data))]
            self._check(bool(bases), "triplet_outside")
            free = [b for b in bases if all(b >= end or b + length * count <= start for start, end in regions)]
            start = (free or bases)[0]
            yield from (Piece(start + i * length, length, index + i + 1, p.index) for i in range(count))
            index += count

    def _chain(self, section: Section, reach: Chain) -> Iterator[Piece]:
        index, link = 0, section.field(reach.next)
        holders = self.rows_of(reach.within) if reach.within else [Piece(0, 0, 0, 0, self.header)]
        for p in holders:
            assert p.row is not None
            at, length = p.row[reach.first] or 0, p.row[reach.length] or 0
            steps = 0
            while at:
                self._check(_inside(at, length, 1, len(self.data)) and length >= link.end, "chain_broken")
                steps += 1
                self._check(steps * length <= len(self.data), "chain_broken")
                index += 1
                yield Piece(at, length, index, p.index)
                at = decode(link, self.data[at + link.offset : at + link.end])

    def _pointer(self, reach: Pointer) -> Iterator[Piece]:
        above = {q.index: q for q in self.rows_of(reach.length_above)} if reach.length_above else {}
        index = 0
        for p in self.rows_of(reach.within):
            assert p.row is not None
            holder = above[p.parent].row if reach.length_above else p.row
            at, length = p.row[reach.offset], (holder or {})[reach.length]
            if at and length:
                self._check(_inside(at, length, 1, len(self.data)), "triplet_outside")
                index += 1
                yield Piece(at, length, index, p.index)

    def common(self) -> NewRow:
        """The columns every section row begins with, without the keys."""
        values = {
            "rmf": self._rmf_common,
            "smf30": self._smf30_common,
            "smf42": self._smf42_common,
            "smf94": self._smf94_common,
        }
        return {"system": self._named("SID"), **values[self.layout.family]()}

    def _rmf_common(self) -> NewRow:
        p, prefix = self.product, self.layout.product[0].name[:5]
        local = datetime.combine(p[f"{prefix}DAT"], datetime.min.time()) + timedelta(seconds=p[f"{prefix}IST"])
        offset = zone(p[f"{prefix}LGO"])
        if offset is not None and p[f"{prefix}GIE"] is not None:
            offset -= zone_moved(local - timedelta(microseconds=offset), p[f"{prefix}INT"], p[f"{prefix}GIE"])
        return {
            "interval_start": local - timedelta(microseconds=offset or 0),
            "utc_offset_s": None if offset is None else round(offset / 1_000_000),
            "interval_s": p[f"{prefix}INT"],
            "samples": p[f"{prefix}SAM"],
        }

    def _header_instant(self) -> datetime:
        day = datetime.combine(self._named("DTE"), datetime.min.time())
        return day + timedelta(milliseconds=10 * self._named("TME"))

    def _smf42_common(self) -> NewRow:
        products = self.rows_of("product")
        times = products[0].row if products else None
        start, end = (times or {}).get("SMF42PTS"), (times or {}).get("SMF42PTE")
        length = (end - start).total_seconds() if start and end and end > start else None
        local = self._header_instant()
        if self.layout.subtype == 5:
            offset = self._zone_at_end(end)
        else:
            jobs = self.rows_of("job_header")
            units = jobs[0].row["S42JDGMO"] if jobs and jobs[0].row else None
            offset = zone(None if units is None else units << 20)  # in units of 2**20 microseconds
        offset_s = None if offset is None else round(offset / 1_000_000)
        return {
            "interval_start": start or local - timedelta(seconds=offset_s or 0),
            "utc_offset_s": offset_s,
            "interval_s": length,
        }

    def _zone_at_end(self, end: datetime | None) -> int | None:
        if end is None:
            return None
        local = self._header_instant()
        half_hours = (local - end + timedelta(minutes=1)) // timedelta(minutes=30)
        late = local - end - half_hours * timedelta(minutes=30)
        return zone(half_hours * 1_800_000_000) if late <= timedelta(minutes=10) else None

    def _smf30_common(self) -> NewRow:
        rows = self.rows_of("identification")
        row = rows[0].row if rows else None
        start, end = (row or {}).get("SMF30ISS"), (row or {}).get("SMF30IET")
        local, offset = self._header_instant(), self._zone_at_end(end)
        offset_s = None if offset is None else round(offset / 1_000_000)
        return {
            "interval_start": start or local - timedelta(seconds=offset_s or 0),
            "utc_offset_s": offset_s,
            "interval_s": (end - start).total_seconds() if start and end and end > start else None,
        }

    def _smf94_common(self) -> NewRow:
        return {
            "interval_start": self._header_instant() - timedelta(hours=1),
            "utc_offset_s": None,
            "interval_s": 3600.0,
        }


def decode_record(layout: RecordLayout, data: bytes) -> dict[str, list[NewRow]]:
    """Rows by table name of one record (RDW included), without `record_id` and `record_offset`.

    Raises:
        RefusedError: the record can't be decoded; its `code` says why.
    """
    d = Decoder(layout, data)
    common = d.common()
    rows = {layout.table("record"): [{**common, "section_index": 1, **d.header, **d.product, **d.reassembly}]}
    for section in layout.sections:
        found = []
        for p in d.rows_of(section.name):
            parent = {"parent_index": p.parent} if section.within else {}
            found.append({**common, "section_index": p.index, **parent, **(p.row or {})})
        rows[layout.table(section.name)] = found
    return rows
