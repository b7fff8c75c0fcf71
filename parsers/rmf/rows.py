"""Collects rows per table until there are enough for a batch."""

from collections.abc import Iterable, Iterator

from iosq.parsers.api import Batch, Table
from iosq.parsers.arrow import record_batch
from iosq.toolkit.rows import Row

SIZE = 16_384  # rows in a batch: large enough for Arrow, small enough to bound memory


class Rows:
    """Collects rows (column name to value, absent = NULL) of several tables into batches.

    `has_rows` is True after the first row.
    """

    def __init__(self, tables: Iterable[Table]) -> None:
        self._tables = {t.name: t for t in tables}
        self._rows: dict[str, list[Row]] = {}
        self.has_rows = False

    def add(self, table: str, values: Row) -> None:
        """Append one row to `table`; `values` must not change afterwards."""
        self._rows.setdefault(table, []).append(values)
        self.has_rows = True

    def take(self, least: int = 1) -> Iterator[Batch]:
        """Remove and return the rows of tables with at least `least` rows, as batches."""
        for name in [n for n, rows in self._rows.items() if len(rows) >= least]:
            yield Batch(name, record_batch(self._tables[name], self._rows.pop(name)))
