"""Rows gathered per table until there are enough for a batch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import pyarrow as pa

from iosq.parsers.api import Batch, Table
from iosq.parsers.arrow import schema
from iosq.toolkit.rows import Row

SIZE = 16_384  # rows in a batch: large enough for Arrow, small enough to bound memory


class Rows:
    """Gathers rows (column name to value, absent = NULL) of several tables and gives them as batches.

    `some` says whether there ever was a row.
    """

    def __init__(self, tables: Iterable[Table]) -> None:
        self._tables = {t.name: t for t in tables}
        self._rows: dict[str, list[Row]] = {}
        self._batches: dict[str, list[pa.RecordBatch]] = {}
        self.some = False

    def table(self, name: str) -> Table:
        """The table called `name`."""
        return self._tables[name]

    def add(self, table: str, values: Row) -> None:
        """Append one row to `table`; `values` must not change afterwards."""
        self._rows.setdefault(table, []).append(values)
        self.some = True

    def add_batch(self, table: str, rows: pa.RecordBatch) -> None:
        """Append many rows to `table`."""
        self._batches.setdefault(table, []).append(rows)
        self.some = True

    def take(self, least: int = 1) -> Iterator[Batch]:
        """Batches of the tables that have at least `least` rows; those rows are gone then."""
        names = dict.fromkeys([*self._rows, *self._batches])
        for name in [n for n in names if self._count(n) >= least]:
            rows, batches = self._rows.pop(name, []), self._batches.pop(name, [])
            if rows:
                batches.append(_batch(rows, schema(self._tables[name])))
            yield Batch(name, batches[0] if len(batches) == 1 else _in_order(batches))

    def _count(self, name: str) -> int:
        many: int = sum(b.num_rows for b in self._batches.get(name, ()))
        return many + len(self._rows.get(name, ()))


def _batch(rows: Sequence[Row], shape: pa.Schema) -> pa.RecordBatch:
    given = frozenset[str]().union(*rows)
    arrays = [
        pa.array([r.get(f.name) for r in rows], type=f.type) if f.name in given else pa.nulls(len(rows), f.type)
        for f in shape
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=shape)


def _in_order(batches: Sequence[pa.RecordBatch]) -> pa.RecordBatch:
    """Rows by line, whichever way they were read."""
    together = pa.concat_batches(batches)
    lines = together.column("line").to_numpy()
    return together if (lines[1:] >= lines[:-1]).all() else together.take(np.argsort(lines, kind="stable"))
