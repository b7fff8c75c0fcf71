"""The fast decoder: decodes all records of one type in a buffer at once into Arrow batches.

Tests compare its rows with those of a plain decoder that takes one record at a time.
"""

from collections.abc import Iterator
from struct import unpack_from

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from iosq.parsers.api import Batch
from iosq.parsers.arrow import encoded_schema
from iosq.parsers.smf.chunks import Chunk
from iosq.parsers.smf.columns import spread
from iosq.parsers.smf.common import FAMILIES
from iosq.parsers.smf.layout import Fields, RecordLayout
from iosq.parsers.smf.locate import Located
from iosq.parsers.smf.rows import Ints, Places, Sections, one_each
from iosq.parsers.smf.split import SplitSets
from iosq.parsers.smf.tables import layout_tables


class Headed:
    """Records of one layout with header and product section decoded and the pieces of split records joined.

    `record_id` is the digest of each record, for a piece that of the first one.
    """

    def __init__(self, layout: RecordLayout, records: Chunk, digests: NDArray[np.uint64], splits: SplitSets) -> None:
        self.layout, self.records, self.splits = layout, records, splits
        self.located = Located(layout, records.buffer, records.start, records.size)
        self.record_id = digests.view(np.int64).copy()
        if layout.family == "rmf":
            self.common = FAMILIES[layout.family](self.located)
            self._join_pieces()

    def _join_pieces(self) -> None:
        """Join pieces of split records, one by one as they are few; also notes the positions of their sections."""
        count, offset, length = self.located.product_numbers("RAN", "RAO", "RAL")
        split = np.flatnonzero((count == 1) & self.located.good)
        starts = self.located.numbers("PRS")[0] if len(split) else split
        for row in split.tolist():
            self._join(row, int(starts[row]), int(offset[row]), int(length[row]))

    def _join(self, row: int, product: int, offset: int, length: int) -> None:
        start = int(self.records.start[row])
        data = self.records.buffer[start : start + int(self.records.size[row])].tobytes()
        area = product + offset
        if length < 12 or area < 24 or area + length > len(data):
            return
        pieces, number, first, step, count = unpack_from(">HHIHH", data, area)
        if step >= 4:
            starts = [area + first + i * step for i in range(count)]
            blocks = (data[s + 2 : s + 4] for s in starts if s + 4 <= len(data))
            self.located.positions[row] = [int.from_bytes(b, "big") for b in blocks]
        # the system id (14-17) and IST, DAT and INT of the product section (10-21) are equal in all pieces
        key = (self.layout.kind, bytes(data[14:18]), bytes(data[product + 10 : product + 22]))
        own, place = int(self.record_id[row]), int(self.records.offset[row])
        self.record_id[row] = self.splits.join(key, number, pieces, own, place)


class Decoded(Headed):
    """Decoded records of one layout, and the batches of the good ones."""

    def __init__(self, layout: RecordLayout, records: Chunk, digests: NDArray[np.uint64], splits: SplitSets) -> None:
        super().__init__(layout, records, digests, splits)
        self.located.locate()
        if layout.family != "rmf":  # their interval is in sections
            self.common = FAMILIES[layout.family](self.located)

    def batches(self) -> Iterator[Batch]:
        good = self.located.good
        if not good.any():
            return
        parts = (
            (self.located.header, self.layout.header),
            (self.located.product, self.layout.product),
            (self._reassembly(), self.layout.reassembly),
        )
        columns = self._keys(self.located.header.places.keep(good))
        for sections, fields in parts:
            found = self._columns(sections, fields)
            columns += found if good.all() else [c.filter(pa.array(good)) for c in found]
        yield self._batch("record", columns)
        yield from self._section_batches()

    def _section_batches(self) -> Iterator[Batch]:
        for section in self.layout.sections:
            places = self.located.places[section.name]
            if len(places):
                columns = self._keys(places)
                if section.within:
                    parents = self.located.places[section.within].index[places.parent]
                    columns.append(pa.array(parents.astype(np.int32)))
                columns += self._columns(self.located.sections(section.name), section.fields)
                yield self._batch(section.name, columns)

    def impossible(self) -> Ints:
        """Row of the record of each section with an impossible counter; complete once all batches are made."""
        found = [self.located.sections(s.name) for s in self.layout.sections if len(self.located.places[s.name])]
        rows = [s.places.record[s.impossible] for s in found if s.impossible is not None]
        return np.concatenate(rows) if rows else np.empty(0, np.int64)

    def _batch(self, section: str, columns: list[pa.Array]) -> Batch:
        table = layout_tables(self.layout)[section]
        return Batch(table.name, pa.RecordBatch.from_arrays(columns, schema=encoded_schema(table)))

    def _reassembly(self) -> Sections:
        """The reassembly headers of split records; length 0 for other records."""
        located, width = self.located, self.layout.reassembly.end or 1
        start, length = located.start, np.zeros_like(located.start)
        if self.layout.family == "rmf":
            offset, size, split = located.product_numbers("RAO", "RAL", "RAN")
            area = located.product.places.start - located.start + offset
            present = (split == 1) & located.inside(area, size, 1)
            start, length = np.where(present, located.start + area, start), np.where(present, size, 0)
        return Sections(located.buffer, one_each(start, length), width)

    @staticmethod
    def _columns(sections: Sections, fields: Fields) -> list[pa.Array]:
        return [sections.column(f, fields.named) for f in fields]

    def _keys(self, places: Places) -> list[pa.Array]:
        """The common columns, repeated for every row of its record."""
        record = places.record
        keys = (self.record_id.take(record), self.records.offset.take(record), places.index.astype(np.int32))
        return [*(spread(c, record) for c in self.common.columns), *(pa.array(k) for k in keys)]
