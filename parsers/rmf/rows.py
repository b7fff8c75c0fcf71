"""Rows gathered per table until there are enough for a batch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pyarrow as pa

from iosq.parsers.api import Batch, Table
from iosq.parsers.arrow import schema

SIZE = 16_384  # rows in a batch: large enough for Arrow, small enough to bound memory


class Rows:
    """Gathers rows (column name to value, absent = NULL) of several tables and gives them as batches."""

    def __init__(self, tables: Iterable[Table]) -> None:
        self._tables = {t.name: t for t in tables}
        self._columns: dict[str, list[list[Any]]] = {}

    def add(self, table: str, values: Mapping[str, Any]) -> None:
        """Append one row to `table`."""
        names = self._tables[table].names
        columns = self._columns.setdefault(table, [[] for _ in names])
        for name, column in zip(names, columns, strict=True):
            column.append(values.get(name))

    def take(self, least: int = 1) -> Iterator[Batch]:
        """Batches of the tables that have at least `least` rows; those rows are gone then."""
        for name in [n for n, columns in self._columns.items() if len(columns[0]) >= least]:
            shape = schema(self._tables[name])
            columns = self._columns.pop(name)
            arrays = [pa.array(c, type=f.type) for c, f in zip(columns, shape, strict=True)]
            yield Batch(name, pa.RecordBatch.from_arrays(arrays, schema=shape))
