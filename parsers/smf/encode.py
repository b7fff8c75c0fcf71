"""Encodes records from the layouts, for sample data and tests.

    encode_record(layout, RecordSpec(header={...}, product={...}, sections={"device_data": [{...}, …]}))

Section lengths are the documented ones unless `lengths` says otherwise (older releases are shorter, newer longer).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from iosq.parsers.smf.layout import Chain, Fields, Pointer, RecordLayout, Section, Triplet
from iosq.parsers.smf.values import encode
from iosq.toolkit.rows import Row

Rows = Sequence[Row] | NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class RecordSpec:
    """Content of a record to encode.

    Rows of a section are mappings, or a byte matrix with one section per row. `children` of a mapping holds the rows
    of its dependent sections, by name.
    """

    header: Row = field(default_factory=dict)
    product: Row = field(default_factory=dict)
    sections: Mapping[str, Rows] = field(default_factory=dict)
    lengths: Mapping[str, int] = field(default_factory=dict)
    split: "Split | None" = None


@dataclass(frozen=True, slots=True)
class Split:
    """One piece of a split record: `number` of `pieces`; totals and first positions by section name."""

    pieces: int
    number: int
    totals: Mapping[str, int]
    firsts: Mapping[str, int]


def encode_fields(fields: Fields, values: Row, length: int) -> bytearray:
    """Encode one section of `length` bytes; missing fields are zero, fields beyond `length` are left out.

    Raises:
        ValueError: a value doesn't fit, or `values` names a field the section doesn't have.
    """
    unknown = values.keys() - fields.named.keys() - {"children"}
    if unknown:
        raise ValueError(f"no such field: {', '.join(sorted(unknown))}")
    data = bytearray(max(length, fields.end))
    for name, value in values.items():
        if name != "children" and value is not None:
            f = fields.named[name]
            data[f.offset : f.end] = encode(f, value)
    return data[:length]


class _Writer:
    """Places sections behind the header and fills in the offsets that lead to them."""

    def __init__(self, layout: RecordLayout, spec: RecordSpec) -> None:
        self.layout, self.spec = layout, spec
        self.data = encode_fields(layout.header, spec.header, layout.header.end)
        self.data += bytes(-len(self.data) % 4)

    def number(self, fields: Fields, base: int, name: str, value: int) -> None:
        """Overwrite one binary field of the section at `base`."""
        f = fields.named[name]
        self.data[base + f.offset : base + f.end] = encode(f, value)

    def product(self) -> None:
        if self.layout.family != "rmf":
            return
        fields, prefix = self.layout.product, self.layout.product[0].name[:5]
        start = len(self.data)
        length = self.spec.lengths.get("product", fields.end)
        self.data += encode_fields(fields, self.spec.product, length)
        for name, value in (("PRS", start), ("PRL", length), ("PRN", 1)):
            self.number(self.layout.header, 0, prefix + name, value)
        if self.spec.split:
            self._reassembly(start, length, self.spec.split)

    def _reassembly(self, start: int, length: int, split: Split) -> None:
        prefix = self.layout.product[0].name[:5]
        names = [s.name for s in self.layout.sections if isinstance(s.reach, Triplet) and not s.within]
        head = {"RBR": split.pieces, "RSQ": split.number, "RIO": 16, "RIL": 4, "RIN": len(names)}
        area = encode_fields(self.layout.reassembly, {prefix + k: v for k, v in head.items()}, 16)
        for name in names:
            area += split.totals.get(name, 0).to_bytes(2, "big") + split.firsts.get(name, 0).to_bytes(2, "big")
        self.data += area
        for name, value in (("RAO", length), ("RAL", len(area)), ("RAN", 1)):
            self.number(self.layout.product, start, prefix + name, value)

    def length(self, section: Section) -> int:
        rows = self.spec.sections.get(section.name)
        known = rows.shape[1] if isinstance(rows, np.ndarray) and len(rows) else section.fields.end
        return self.spec.lengths.get(section.name, known)

    def place(self, section: Section, rows: Rows) -> list[int]:
        """Append the rows of a section one behind the other and return their offsets in the record."""
        length, start = self.length(section), len(self.data)
        if isinstance(rows, np.ndarray):
            self.data += rows.tobytes()
        else:
            for row in rows:
                self.data += encode_fields(section.fields, row, length)
        return [start + length * number for number in range(len(rows))]

    def children(self, parent: Section, rows: Sequence[Row], starts: list[int]) -> None:
        """Append the dependent sections of each row of `parent`, and fill in the fields that lead to them."""
        for child in self.layout.sections:
            if child.within == parent.name:
                placed = [self._hang(parent, child, at, r) for at, r in zip(starts, rows, strict=True)]
                self.children(child, [r for rs, _ in placed for r in rs], [s for _, ss in placed for s in ss])

    def _hang(self, parent: Section, child: Section, at: int, row: Row) -> tuple[Sequence[Row], list[int]]:
        rows = row.get("children", {}).get(child.name, ())
        starts = self.place(child, rows)
        self._lead(parent.fields, at, child, starts)
        return rows, starts

    def _lead(self, fields: Fields, at: int, section: Section, starts: list[int]) -> None:
        """Fill in the fields at `at`, of the header or a parent, that lead to the sections at `starts`."""
        reach, first, length = section.reach, starts[0] if starts else 0, self.length(section)
        if isinstance(reach, Triplet):
            relative = first - at if starts else 0
            for name, value in ((reach.offset, relative), (reach.length, length), (reach.count, len(starts))):
                self.number(fields, at, name, value)
        elif isinstance(reach, Chain):
            self.number(fields, at, reach.length, length)
            self.number(fields, at, reach.first, first)
            for here, there in pairwise(starts):
                self.number(section.fields, here, reach.next, there)
        elif starts:
            self.number(fields, at, reach.offset, first)
            if not reach.length_above:
                self.number(fields, at, reach.length, length)

    def write(self) -> bytes:
        self.product()
        for section in self.layout.sections:
            if not section.within:
                self._top(section, self.spec.sections.get(section.name, ()))
        f = self.layout.header[0]
        self.data[f.offset : f.end] = encode(f, len(self.data))
        return bytes(self.data)

    def _top(self, section: Section, rows: Rows) -> None:
        starts = self.place(section, rows)
        self._lead(self.layout.header, 0, section, starts)
        for child in self.layout.sections:  # a length field may be that of sections two levels below
            if isinstance(child.reach, Pointer) and child.reach.length_above == section.name:
                for at in starts:
                    self.number(section.fields, at, child.reach.length, self.length(child))
        if not isinstance(rows, np.ndarray):
            self.children(section, rows, starts)


def encode_record(layout: RecordLayout, spec: RecordSpec) -> bytes:
    """Encode a record with its RDW; fills in the RDW, triplets, chains and pointers.

    Type and subtype come from the layout, all other header fields from `spec.header`.

    Raises:
        ValueError: a value doesn't fit its field, or the record exceeds 65535 bytes.
    """
    named = {"RTY": layout.type, "STY": layout.subtype, "STP": layout.subtype, "FLG": 0x5E}
    own = {f.name: named[f.name[-3:]] for f in layout.header if f.offset < 24 and f.name[-3:] in named}
    return _Writer(layout, replace(spec, header={**own, **spec.header})).write()
