"""Rows gathered per table until there are enough for a batch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pyarrow as pa

from iosq.parsers.api import Batch, Table
from iosq.parsers.arrow import schema
from iosq.toolkit.rows import Row

SIZE = 16_384  # rows in a batch: large enough for Arrow, small enough to bound memory


class Rows:
    """Gathers rows (column name to value, absent = NULL) of several tables and gives them as batches."""

    def __init__(self, tables: Iterable[Table]) -> None:
        self._tables = {t.name: t for t in tables}
        self._rows: dict[str, list[Row]] = {}
        self._batches: dict[str, list[pa.RecordBatch]] = {}

    def table(self, name: str) -> Table:
        """The table called `name`."""
        return self._tables[name]

    def add(self, table: str, values: Row) -> None:
        """Append one row to `table`; `values` must not change afterwards."""
        self._rows.setdefault(table, []).append(values)

    def add_batch(self, table: str, rows: pa.RecordBatch) -> None:
        """Append many rows to `table`; they come before the single ones."""
        self._batches.setdefault(table, []).append(rows)

    def take(self, least: int = 1) -> Iterator[Batch]:
        """Batches of the tables that have at least `least` rows; those rows are gone then."""
        names = dict.fromkeys([*self._rows, *self._batches])
        for name in [n for n in names if self._count(n) >= least]:
            shape = schema(self._tables[name])
            rows, batches = self._rows.pop(name, []), self._batches.pop(name, [])
            if rows:
                given = frozenset[str]().union(*rows)
                absent = {f.name: pa.nulls(len(rows), f.type) for f in shape if f.name not in given}
                arrays = [
                    absent[f.name] if f.name in absent else pa.array([r.get(f.name) for r in rows], type=f.type)
                    for f in shape
                ]
                batches.append(pa.RecordBatch.from_arrays(arrays, schema=shape))
            for batch in batches:
                yield Batch(name, batch)

    def _count(self, name: str) -> int:
        many: int = sum(b.num_rows for b in self._batches.get(name, ()))
        return many + len(self._rows.get(name, ()))
