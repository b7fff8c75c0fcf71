"""A lake's views as tables of a connection of their own, for tests that ask many questions or change rows."""

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import duckdb

from iosq.parsers.registry import tables
from iosq.toolkit.sql.catalog import named, views, with_ancestors, words
from iosq.toolkit.sql.connect import EMPTY, without_empty_sources
from iosq.toolkit.sql.guard import stream
from iosq.toolkit.sql.materialise import compute, workspace
from iosq.toolkit.sql.raw import quoted

_ABOUT = ("lake_files", "lake_issues")


@contextmanager
def materialised(
    con: duckdb.DuckDBPyConnection, texts: Iterable[str], *, utc: bool = False
) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection in which the views that SQL texts name are tables; closed at the end.

    Args:
        con: from `iosq.toolkit.sql.connect`, with these views of a whole lake, or tables of them.
        texts: the SQL to run on the copy.
        utc: local time is UTC, as it is in `con`.
    """
    text = " ".join(texts)
    given, idle = _tables(con), _without_rows(con)
    known = without_empty_sources([replace(v, utc=utc) for v in views()], tables().keys(), idle, given)
    asked = {v.name for v in named(text)}
    cut = [replace(v, sources=()) if v.name in given else v for v in known]
    wanted = {v.name: v for v in with_ancestors(cut, asked)}
    raw = {name for v in wanted.values() for name in v.reads} & tables().keys()
    with workspace() as copy:
        _bring(con, copy, raw | (given & wanted.keys()) | set(_ABOUT) & words(text))
        compute(copy, wanted, given, idle, asked)
        EMPTY[copy] = {*_without_rows(copy)}
        yield copy


def _bring(con: duckdb.DuckDBPyConnection, copy: duckdb.DuckDBPyConnection, names: Collection[str]) -> None:
    """Make raw tables and tables of views known to the copy."""
    written = "SELECT view_name, sql, NULL FROM duckdb_views() WHERE NOT internal AND schema_name = 'main'"
    tabled = "SELECT table_name, sql, estimated_size FROM duckdb_tables() WHERE schema_name = 'main'"
    for name, sql, rows in con.execute(f"{written} UNION ALL {tabled}").fetchall():
        if name not in names:
            continue
        if rows:
            with stream(con, f"SELECT * FROM {quoted(name)}") as found:
                copy.register("arriving", found)
                copy.execute(f"CREATE TABLE {quoted(name)} AS SELECT * FROM arriving")
                copy.unregister("arriving")
        else:
            copy.execute(sql)


def _without_rows(con: duckdb.DuckDBPyConnection) -> frozenset[str]:
    """The tables that have no rows."""
    found = con.execute("SELECT table_name FROM duckdb_tables() WHERE schema_name = 'main' AND estimated_size = 0")
    return frozenset(name for (name,) in found.fetchall())


def _tables(con: duckdb.DuckDBPyConnection) -> set[str]:
    return {name for (name,) in con.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
