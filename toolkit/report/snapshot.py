"""Every view the page asks, computed once: the same SQL text runs here and on the lake."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import duckdb

from iosq.toolkit.sql.catalog import views
from iosq.toolkit.sql.guard import query, stream
from iosq.toolkit.sql.raw import quoted

_ABOUT = ("lake_files", "lake_issues")


def named(texts: Iterable[str]) -> list[str]:
    """The views and lake tables some SQL texts mention."""
    words = {word for text in texts for word in re.findall(r"\w+", text)}
    return sorted(words & {*(v.name for v in views()), *_ABOUT})


@contextmanager
def snapshot(con: duckdb.DuckDBPyConnection, texts: Iterable[str]) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection in which the views named in `texts` are tables.

    Rows are stored in order of all key columns and read by one thread, because sums of fractions depend on the order
    of adding: the same lake has to give the same bytes.
    """
    copy = duckdb.connect(":memory:", config={"threads": 1})
    try:
        _copy_macros(con, copy)
        for name in named(texts):
            _store(con, copy, name)
        yield copy
    finally:
        copy.close()


def _copy_macros(con: duckdb.DuckDBPyConnection, copy: duckdb.DuckDBPyConnection) -> None:
    """Give the copy the functions the lake's own SQL uses (`unix_micros` and the like)."""
    found = query(
        con,
        "SELECT function_name, parameters, macro_definition FROM duckdb_functions() "
        "WHERE function_type = 'macro' AND NOT internal ORDER BY function_name",
    )
    for macro in found.to_pylist():
        taken = ", ".join(quoted(p) for p in macro["parameters"])
        copy.execute(f"CREATE MACRO {quoted(macro['function_name'])}({taken}) AS {macro['macro_definition']}")


def _store(con: duckdb.DuckDBPyConnection, copy: duckdb.DuckDBPyConnection, name: str) -> None:
    columns = query(con, f"DESCRIBE {quoted(name)}").to_pylist()
    keys = [quoted(c["column_name"]) for c in columns if c["column_type"] in ("VARCHAR", "TIMESTAMP")]
    with stream(con, f"SELECT * FROM {quoted(name)} ORDER BY {', '.join(keys) or 'ALL'}") as rows:
        copy.register("arriving", rows)
        copy.execute(f"CREATE TABLE {quoted(name)} AS SELECT * FROM arriving")
        copy.unregister("arriving")
