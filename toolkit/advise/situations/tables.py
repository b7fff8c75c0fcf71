"""A connection whose promised views are tables filled with rows of a made-up site."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache

import duckdb
import pyarrow as pa

from iosq.parsers.registry import tables as raw_tables
from iosq.toolkit.sql.catalog import LOCAL_TIME, View, views
from iosq.toolkit.sql.connect import SHIMS
from iosq.toolkit.sql.materialise import materialised
from iosq.toolkit.sql.raw import quoted

# made of other views alone, but given as rows: nothing here measures devices one by one
GIVEN = ("measured_interval", "volume_interval", "lcu_interval", "lcu_address")
ABOUT = {
    "lake_files": "file_id VARCHAR, path VARCHAR, bytes BIGINT",
    "lake_issues": 'file_id VARCHAR, code VARCHAR, severity VARCHAR, "count" BIGINT, message VARCHAR',
}


@contextmanager
def lake(rows: Mapping[str, pa.Table], texts: list[str]) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection that holds these rows and answers questions with these texts; closed at the end."""
    con = _empty()
    for view in _kept():
        con.execute(f"DELETE FROM {quoted(view.name)}")
        if view.name in rows:
            _fill(con, view, rows[view.name])
    with materialised(con, texts) as copy:
        yield copy


def _fill(con: duckdb.DuckDBPyConnection, view: View, rows: pa.Table) -> None:
    con.register("arriving", rows)
    # NaN stands for NULL in arrays of numbers
    columns = {c.name: c.type for c in view.columns if c.name in rows.column_names}
    picked = ", ".join(_picked(name, kind, rows.schema.field(name).type) for name, kind in columns.items())
    named = ", ".join(quoted(n) for n in columns)
    con.execute(f"INSERT INTO {quoted(view.name)} ({named}) SELECT {picked} FROM arriving")
    con.unregister("arriving")
    if any(c.name == "local_start" for c in view.columns):
        con.execute(f"UPDATE {quoted(view.name)} SET {', '.join(f'{c.name} = {sql}' for c, sql in LOCAL_TIME.items())}")


def _picked(name: str, kind: str, arrow: pa.DataType) -> str:
    if not pa.types.is_floating(arrow):
        return quoted(name)
    return f"CAST(CASE WHEN isnan({quoted(name)}) THEN NULL ELSE {quoted(name)} END AS {kind})"


@cache
def _kept() -> tuple[View, ...]:
    raw = raw_tables().keys()
    return tuple(v for v in views() if v.merged or v.reads & raw or v.name in GIVEN)


@cache
def _empty() -> duckdb.DuckDBPyConnection:
    con = duckdb.connect(":memory:")
    for shim in SHIMS:
        con.execute(shim)
    made = {v.name: ", ".join(f"{quoted(c.name)} {c.type}" for c in v.columns) for v in _kept()} | ABOUT
    for name, columns in made.items():
        con.execute(f"CREATE TABLE {quoted(name)} ({columns})")
    return con
