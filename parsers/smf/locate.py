"""Finds the sections of many records at once: triplets, nested triplets, chains and pointers.

Tests compare it with a plain decoder of one record at a time. A record with a bad offset, length or count
is marked with an issue code and excluded.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from iosq.parsers.smf.behind import FIRST_SLOT, HEADER, LAST_SLOT, SLOT, Claim, uncounted
from iosq.parsers.smf.header import words
from iosq.parsers.smf.layout import Chain, Pointer, RecordLayout, Section, Triplet
from iosq.parsers.smf.rows import Ints, Mask, Places, Sections, one_each, repeat

# formats whose byte order is the order of values
_ORDERED = ("hex", "binary")
_WORD_BYTES = 8


class Located:
    """All sections of a group of records of one layout.

    `buffer` has the records at `start` with `size`. `code` is the issue code of each undecodable record, '' for good
    ones. `places` are the sections found in good records, by name.
    """

    def __init__(self, layout: RecordLayout, buffer: NDArray[np.uint8], start: Ints, size: Ints) -> None:
        self.layout, self.buffer, self.start, self.size = layout, buffer, start, size
        self.code = np.full(len(start), "", dtype="U20")
        self.fail(size < (24 if layout.family == "smf94" else 36), "short_record")
        self.header = Sections(buffer, one_each(start, self._header_bound()), layout.header.end)
        self.product = self._product()
        self.positions: dict[int, list[int]] = {}
        self._sections: dict[str, Sections] = {}
        self.places: dict[str, Places] = {}
        self.claims: list[Claim] = []

    def locate(self) -> None:
        """Find every section; for split records `positions` must be filled before."""
        for section in self.layout.sections:
            self.places[section.name] = self._locate(section)
        good = self.good
        if not good.all():
            self._drop_failed(good)
        self._arrange()

    def _arrange(self) -> None:
        """Sort sections without children in the order of their table: cheaper here than later as columns.

        A lake partitions by system and day, so date and system of the header (bytes 10-17) come first.
        """
        parents = {section.within for section in self.layout.sections}
        owner = self._word(10, ">u8")
        for section in self.layout.sections:
            fields = [section.field(name) for name in section.sort]
            if section.name not in parents and all(f.length <= _WORD_BYTES and f.format in _ORDERED for f in fields):
                places = self.places[section.name]
                # the bytes of a field as a number in the same order
                whole = [words(self.buffer, f.offset, places.start, ">u8").view(np.uint64) for f in fields]
                keys = [w >> np.uint64(64 - 8 * f.length) for w, f in zip(whole, fields, strict=True)]
                order = np.lexsort((*reversed(keys), owner[places.record])) if len(places) else places.record
                self.places[section.name] = places.at(order)
                self._sections.pop(section.name, None)

    def _drop_failed(self, good: Mask) -> None:
        # parents are addressed by row: drop a record's parents together with their children,
        # and renumber the parent rows of the remaining children
        kept = {name: good[p.record] for name, p in self.places.items()}
        for section in self.layout.sections:
            own = self.places[section.name].keep(kept[section.name])
            if section.within:
                renumber = np.cumsum(kept[section.within]) - 1
                own = Places(own.record, own.start, own.length, own.index, renumber[own.parent])
            self.places[section.name] = own
        self._sections.clear()

    @property
    def good(self) -> Mask:
        return np.asarray(self.code == "")

    def fail(self, mask: Mask, code: str) -> None:
        """Set the issue code of records; a record keeps its first code."""
        self.code[mask & (self.code == "")] = code

    def _word(self, offset: int, dtype: str) -> Ints:
        return words(self.buffer, offset, self.start, dtype)

    def _header_bound(self) -> Ints:
        first, used = self._word(28, ">u4"), self._word(34, ">u2")
        known = (self.size >= 36) & (used > 0) & (first >= 36) & (first <= self.size)
        return np.where(known, first, self.size)

    def inside(self, offset: Ints, length: Ints, count: Ints | int, record: Ints | slice = slice(None)) -> Mask:
        """Mask: `count` sections of `length` at a record offset are inside their record."""
        return (length > 0) & (offset >= 24) & (offset + length * count <= self.size[record])

    def numbers(self, *suffixes: str) -> list[Ints]:
        """Values of header fields, by the end of their names."""
        return [self.header.number(self.layout.header.ending(s)) for s in suffixes]

    def product_numbers(self, *suffixes: str) -> list[Ints]:
        """Values of fields of the product section, by the end of their names."""
        return [self.product.number(self.layout.product.ending(s)) for s in suffixes]

    def _product(self) -> Sections:
        width = self.layout.product.end or 1
        if self.layout.family != "rmf":
            return Sections(self.buffer, one_each(self.start, np.zeros_like(self.start)), width)
        offset, length, count = self.numbers("PRS", "PRL", "PRN")
        self.fail((count == 0) | ~self.inside(offset, length, 1), "no_product")
        start = np.where(self.good, self.start + offset, self.start)
        return Sections(self.buffer, one_each(start, np.where(self.good, length, 0)), width)

    def sections(self, name: str) -> Sections:
        if name not in self._sections:
            self._sections[name] = Sections(self.buffer, self.places[name], self.layout.section(name).fields.end)
        return self._sections[name]

    def _locate(self, section: Section) -> Places:
        reach = section.reach
        if isinstance(reach, Chain):
            return self._chain(section, reach)
        if isinstance(reach, Pointer):
            return self._pointer(reach)
        return self._nested(section, reach) if reach.within else self._triplet(section, reach)

    def _is_parent(self, section: Section) -> bool:
        return any(other.within == section.name for other in self.layout.sections)

    def _triplet(self, section: Section, reach: Triplet) -> Places:
        offset, length, count = self._parents(reach, reach.offset, reach.length, reach.count)[1]
        record = np.arange(len(self.start))
        self.fail((count > 0) & ~self.inside(offset, length, count), "triplet_outside")
        self.claims.append(Claim(record, offset, length, count, self._is_parent(section)))
        count = np.where(self.good, count, 0)
        number = (self.layout.header.named[reach.offset].offset - 36) // 8
        return repeat(record, self.start + offset, length, count, self._first(number))

    def _first(self, number: int) -> Ints:
        first = np.ones(len(self.start), np.int64)
        for record, positions in self.positions.items():
            if 0 <= number < len(positions):
                first[record] = max(positions[number], 1)
        return first

    def _parents(self, reach: Triplet | Chain | Pointer, *names: str) -> tuple[Places, list[Ints]]:
        parent, fields = self.header, self.layout.header
        if reach.within:
            parent, fields = self.sections(reach.within), self.layout.section(reach.within).fields
        return parent.places, [parent.number(fields.named[n]) for n in names]

    def _regions(self, record: Ints) -> list[tuple[Ints, Ints]]:
        reaches = [s.reach for s in self.layout.sections if isinstance(s.reach, Triplet) and not s.within]
        claims = [self._parents(r, r.offset, r.length, r.count)[1] for r in reaches]
        product = self.numbers("PRS", "PRL")
        regions = [(o, o + n * c) for o, n, c in claims] + [(product[0], product[0] + product[1])]
        zero = np.zeros(len(record), np.int64)
        return [(zero, zero + 36), *((start[record], end[record]) for start, end in regions)]

    def _nested(self, section: Section, reach: Triplet) -> Places:
        places, (offset, length, count) = self._parents(reach, reach.offset, reach.length, reach.count)
        record = places.record
        relative = places.start - self.start[record] + offset
        inside = [self.inside(base, length, count, record) for base in (relative, offset)]
        regions = self._regions(record)
        free = [self._free(base, base + length * count, regions) for base in (relative, offset)]
        # prefer the section base; use the record base only where the section base can't be right
        prefer_record = ~(inside[0] & free[0]) & inside[1] & (free[1] | ~inside[0])
        self._fail_rows(record, (count > 0) & ~inside[0] & ~inside[1], "triplet_outside")
        count = np.where(self.good[record], count, 0)
        begin = np.where(prefer_record, offset, relative)
        self.claims.append(Claim(record, begin, length, count, self._is_parent(section)))
        return self._number(
            repeat(record, self.start[record] + begin, length, count, count * 0, np.arange(len(places)))
        )

    def uncounted(self) -> Mask:
        """Good records with bytes, not all zero, that may be sections beyond the count of a triplet."""
        record, begin, end = uncounted([*self.claims, *self._others()], self.size)
        mask = np.zeros(len(self.start), bool)
        for row, first, until in zip(record.tolist(), begin.tolist(), end.tolist(), strict=True):
            at = int(self.start[row])
            mask[row] |= bool(self.buffer[at + first : at + until].any())
        return mask & self.good

    def _others(self) -> list[Claim]:
        """Other claimed bytes: targets of pointers, product, reassembly area, sections without a layout."""
        found = [*self._slots(), *self._reassembly()]
        for section in self.layout.sections:
            if not isinstance(section.reach, Triplet):
                places = self.places[section.name]
                at, one = places.start - self.start[places.record], np.ones_like(places.start)
                found.append(Claim(places.record, at, places.length, one, known=False))
        return found

    def _slots(self) -> Iterator[Claim]:
        """All possible triplets in front of the first section."""
        record = np.arange(len(self.start))
        bound = np.full(len(record), LAST_SLOT)
        for c in self._headers():
            bound = np.minimum(bound, np.where((c.offset >= FIRST_SLOT) & (c.number > 0), c.offset, LAST_SLOT))
        known = [s.reach.offset for s in self.layout.sections if isinstance(s.reach, Triplet) and not s.within]
        first = HEADER + ((self.layout.header.named[known[0]].offset if known else FIRST_SLOT) - HEADER) % SLOT
        for at in range(first, min(int(bound.max(initial=0)), LAST_SLOT) - SLOT + 1, SLOT):
            offset, length, count = self._word(at, ">u4"), self._word(at + 4, ">u2"), self._word(at + 6, ">u2")
            yield Claim(record, offset, np.where(at + SLOT <= bound, length, 0), count, known=False)

    def _headers(self) -> list[Claim]:
        """Claims of header triplets: one row for every record."""
        record = np.arange(len(self.start))
        product = []
        if self.layout.family == "rmf":
            offset, length, count = self.numbers("PRS", "PRL", "PRN")
            product = [Claim(record, offset, length, count)]
        return product + [c for c in self.claims if len(c.record) == len(record) and (c.record == record).all()]

    def _reassembly(self) -> Iterator[Claim]:
        if self.layout.family == "rmf":
            offset, length, count = self.product_numbers("RAO", "RAL", "RAN")
            record, base = np.arange(len(self.start)), self.product.places.start - self.start
            yield Claim(record, base + offset, length, np.minimum(count, 1), known=False)

    @staticmethod
    def _free(start: Ints, end: Ints, regions: list[tuple[Ints, Ints]]) -> Mask:
        free = np.ones(len(start), bool)
        for low, high in regions:
            free &= (start >= high) | (end <= low)
        return free

    def _fail_rows(self, record: Ints, bad: Mask, code: str) -> None:
        mask = np.zeros(len(self.start), bool)
        mask[record[bad]] = True
        self.fail(mask, code)

    @staticmethod
    def _number(places: Places) -> Places:
        """Number rows from 1 inside each record, in row order (rows of a record are adjacent)."""
        count = np.bincount(places.record) if len(places) else np.zeros(0, np.int64)
        before = np.cumsum(count) - count
        index = np.arange(len(places)) - before[places.record] + 1
        return Places(places.record, places.start, places.length, index, places.parent)

    def _chain(self, section: Section, reach: Chain) -> Places:
        places, (at, length) = self._parents(reach, reach.first, reach.length)
        link, parent, steps = section.field(reach.next), np.arange(len(places)), 0
        found: list[tuple[Ints, Ints]] = []
        while len(at):
            steps += 1
            record, size = places.record[parent], length[parent]
            good = self.inside(at, size, 1, record) & (size >= link.end)
            good &= steps * size <= self.size[record]
            live = at > 0
            self._fail_rows(record, live & ~good, "chain_broken")
            at, parent = at[live & good], parent[live & good]
            found.append((at, parent))
            at = words(self.buffer, link.offset, self.start[places.record[parent]] + at)
        return self._chained(places, length, found, reach.within)

    def _chained(self, places: Places, length: Ints, found: list[tuple[Ints, Ints]], within: str) -> Places:
        at = np.concatenate([a for a, _ in found] or [np.zeros(0, np.int64)])
        parent = np.concatenate([p for _, p in found] or [np.zeros(0, np.int64)])
        order = np.argsort(parent, kind="stable")  # chain order within each parent
        at, parent = at[order], parent[order]
        record = places.record[parent]
        holder = parent if within else at * 0 - 1
        return self._number(Places(record, self.start[record] + at, length[parent], at * 0, holder))

    def _pointer(self, reach: Pointer) -> Places:
        own = (reach.offset,) if reach.length_above else (reach.offset, reach.length)
        places, numbers = self._parents(reach, *own)
        at = numbers[0]
        if reach.length_above:
            above = self.sections(reach.length_above)
            length = above.number(self.layout.section(reach.length_above).field(reach.length))[places.parent]
        else:
            length = numbers[1]
        used = (at > 0) & (length > 0)
        record = places.record
        self._fail_rows(record, used & ~self.inside(at, length, 1, record), "triplet_outside")
        count = (used & self.good[record]).astype(np.int64)
        return self._number(repeat(record, self.start[record] + at, length, count, at * 0, np.arange(len(places))))
