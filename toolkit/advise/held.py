"""The views that rules read, computed once: each rule asks them several times."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import duckdb

from iosq.parsers.registry import tables
from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.sql.catalog import View, needed
from iosq.toolkit.sql.connect import SHIMS, select
from iosq.toolkit.sql.guard import stream
from iosq.toolkit.sql.raw import quoted


@contextmanager
def held(con: duckdb.DuckDBPyConnection) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection of its own in which the views that rules read are tables; closed at the end.

    Views over raw tables are asked of the lake, views over other views are computed from what is held already.
    """
    # one thread: the order of adding fractions decides the last digit
    copy = duckdb.connect(":memory:", config={"threads": 1})
    try:
        for shim in SHIMS:
            copy.execute(shim)
        for view in needed(" ".join(rule.question.sql for rule in all_rules())):
            _hold(con, copy, view)
        yield copy
    finally:
        copy.close()


def _hold(con: duckdb.DuckDBPyConnection, copy: duckdb.DuckDBPyConnection, view: View) -> None:
    name = quoted(view.name)
    if not view.merged and not view.reads & tables().keys():
        copy.execute(f"CREATE TABLE {name} AS {select(copy, view)}")
        return
    with stream(con, f"SELECT * FROM {name}") as rows:
        copy.register("arriving", rows)
        copy.execute(f"CREATE TABLE {name} AS SELECT * FROM arriving")
        copy.unregister("arriving")
