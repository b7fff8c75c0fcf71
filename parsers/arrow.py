"""Arrow schemas and batches of raw tables: the one place where our column types become Arrow types."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from iosq.parsers.api import Batch, ColumnType, Table
from iosq.toolkit.rows import Row

SIZE = 16_384  # rows in a batch: large enough for Arrow, small enough to bound memory
# signed integers and naive microseconds: some engines don't read unsigned integers or nanoseconds
TYPES: dict[ColumnType, pa.DataType] = {
    "bigint": pa.int64(),
    "integer": pa.int32(),
    "double": pa.float64(),
    "varchar": pa.string(),
    "boolean": pa.bool_(),
    "timestamp": pa.timestamp("us"),
    "date": pa.date32(),
}


@cache
def schema(table: Table) -> pa.Schema:
    """The `pyarrow.Schema` of a raw table, columns in declared order, all nullable."""
    return pa.schema([pa.field(c.name, TYPES[c.type]) for c in table.columns])


@cache
def encoded_schema(table: Table) -> pa.Schema:
    """`schema` with text columns as dictionaries, for readers that know the distinct values anyway."""
    encoded = pa.dictionary(pa.int32(), pa.string())
    return pa.schema([f.with_type(encoded) if f.type == pa.string() else f for f in schema(table)])


def record_batch(table: Table, rows: Sequence[Row]) -> pa.RecordBatch:
    """Build a batch from rows of column name to value; absent is NULL, instants are datetimes or epoch microseconds."""
    present = frozenset[str]().union(*rows)
    return column_batch(table, {name: [row.get(name) for row in rows] for name in present}, len(rows))


def column_batch(table: Table, columns: Mapping[str, pa.Array | Sequence[object]], count: int) -> pa.RecordBatch:
    """Build a batch of `count` rows from arrays or lists by column name; an absent column is NULL."""
    shape = schema(table)
    arrays = [pa.array(columns[f.name], f.type) if f.name in columns else pa.nulls(count, f.type) for f in shape]
    return pa.RecordBatch.from_arrays(arrays, schema=shape)


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


def strings(data: NDArray[np.uint8]) -> pa.Array:
    """An Arrow string array of the rows of an ASCII or Latin-1 byte matrix, trailing blanks removed."""
    rows, width = data.shape
    if (data > 127).any():
        return pa.array([bytes(r).decode("latin-1").rstrip(" ") for r in data], pa.string())
    offsets = pa.py_buffer(np.arange(0, (rows + 1) * width, width, dtype=np.int32))
    fixed = pa.StringArray.from_buffers(rows, offsets, pa.py_buffer(np.ascontiguousarray(data)))
    return pc.ascii_rtrim(fixed, characters=" ")
