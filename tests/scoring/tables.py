"""A connection whose promised views are tables filled with rows of a made-up site."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from functools import cache

import duckdb
import pyarrow as pa

from iosq.parsers.registry import tables as raw_tables
from iosq.toolkit.advise.catalog import SPAN
from iosq.toolkit.sql.catalog import LOCAL_TIME, View, ViewColumn, needed, views
from iosq.toolkit.sql.connect import SHIMS, select
from iosq.toolkit.sql.raw import quoted

# made of other views alone, but given as rows: nothing here measures devices one by one
GIVEN = ("measured_interval", "volume_interval", "lcu_interval", "lcu_address")
ABOUT = {
    "lake_files": "file_id VARCHAR, path VARCHAR, bytes BIGINT",
    "lake_issues": 'file_id VARCHAR, code VARCHAR, severity VARCHAR, "count" BIGINT, message VARCHAR',
}


@contextmanager
def lake(rows: Mapping[str, pa.Table], texts: Collection[str]) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection that holds these rows and answers questions with these texts; closed at the end."""
    with duckdb.connect(":memory:", config={"threads": 1}) as con:
        for shim in SHIMS:
            con.execute(shim)
        for name, columns in ABOUT.items():
            con.execute(f"CREATE TABLE {quoted(name)} ({columns})")
        for view in _given():
            _fill(con, view, rows.get(view.name))
        given = {v.name for v in _given()}
        for view in needed(" ".join([*texts, SPAN.sql]), {v.name for v in views()} - given):
            if view.name not in given:
                con.execute(f"CREATE TABLE {quoted(view.name)} AS {select(con, view)}")
        yield con


def _fill(con: duckdb.DuckDBPyConnection, view: View, rows: pa.Table | None) -> None:
    if rows is None:
        columns = ", ".join(f"{quoted(c.name)} {c.type}" for c in view.columns)
        con.execute(f"CREATE TABLE {quoted(view.name)} ({columns})")
        return
    con.register("arriving", rows)
    kinds = {field.name: field.type for field in rows.schema}
    picked = ", ".join(f"{_picked(c, kinds.get(c.name))} AS {quoted(c.name)}" for c in view.own_columns)
    local = "".join(f", {sql} AS {quoted(c.name)}" for c, sql in LOCAL_TIME.items() if c in view.columns)
    con.execute(f"CREATE TABLE {quoted(view.name)} AS SELECT *{local} FROM (SELECT {picked} FROM arriving) AS own")
    con.unregister("arriving")


def _picked(column: ViewColumn, arrow: pa.DataType | None) -> str:
    """A column's rows; NaN stands for NULL in arrays of numbers."""
    value = "NULL" if arrow is None else quoted(column.name)
    if arrow is not None and pa.types.is_floating(arrow):
        value = f"CASE WHEN isnan({value}) THEN NULL ELSE {value} END"
    return f"CAST({value} AS {column.type})"


@cache
def _given() -> tuple[View, ...]:
    raw = raw_tables().keys()
    return tuple(v for v in views() if v.merged or v.reads & raw or v.name in GIVEN)
