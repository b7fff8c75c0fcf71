"""Arrow schemas of raw tables: the one place where our column types become Arrow types."""

from __future__ import annotations

from functools import cache

import pyarrow as pa

from iosq.parsers.api import ColumnType, Table

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
