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
        self._rows: dict[str, list[Mapping[str, Any]]] = {}

    def add(self, table: str, values: Mapping[str, Any]) -> None:
        """Append one row to `table`; `values` must not change afterwards."""
        self._rows.setdefault(table, []).append(values)

    def take(self, least: int = 1) -> Iterator[Batch]:
        """Batches of the tables that have at least `least` rows; those rows are gone then."""
        for name in [n for n, rows in self._rows.items() if len(rows) >= least]:
            shape = schema(self._tables[name])
            rows = self._rows.pop(name)
            arrays = [pa.array([r.get(f.name) for r in rows], type=f.type) for f in shape]
            yield Batch(name, pa.RecordBatch.from_arrays(arrays, schema=shape))
