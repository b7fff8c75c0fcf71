"""Arrow schemas of raw tables: the one place where our column types become Arrow types."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pyarrow as pa

from iosq.parsers.api import ColumnType, Table
from iosq.toolkit.rows import Row

# signed integers and naive microseconds: every engine we know reads them (unsigned and nanoseconds some don't)
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
    """The same with text columns as dictionaries: for readers that know the distinct values anyway."""
    encoded = pa.dictionary(pa.int32(), pa.string())
    return pa.schema([f.with_type(encoded) if f.type == pa.string() else f for f in schema(table)])


def record_batch(table: Table, rows: Sequence[Row]) -> pa.RecordBatch:
    """Rows (column name to value, absent = NULL; instants as datetimes or microseconds since 1970) of a raw table."""
    shape = schema(table)
    given = frozenset[str]().union(*rows)
    named = zip(shape.names, shape.types, strict=True)
    arrays = [_column(rows, name, kind) if name in given else pa.nulls(len(rows), kind) for name, kind in named]
    return pa.RecordBatch.from_arrays(arrays, schema=shape)


def _column(rows: Sequence[Row], name: str, kind: pa.DataType) -> pa.Array:
    return pa.array([row.get(name) for row in rows], type=kind)
