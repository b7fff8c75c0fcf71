"""The views that rules read, computed once: each rule asks them several times."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import duckdb

from iosq.toolkit.advise.engine import all_rules
from iosq.toolkit.sql.catalog import views
from iosq.toolkit.sql.connect import _SHIMS
from iosq.toolkit.sql.guard import stream
from iosq.toolkit.sql.raw import quoted


def read_by_rules() -> list[str]:
    """Names of the views that rules read."""
    words = {word for rule in all_rules() for word in re.findall(r"\w+", rule.sql)}
    return sorted(words & {v.name for v in views()})


@contextmanager
def held(con: duckdb.DuckDBPyConnection) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection of its own in which the views that rules read are tables; closed at the end."""
    copy = duckdb.connect(":memory:")
    try:
        for shim in _SHIMS:
            copy.execute(shim)
        for name in read_by_rules():
            with stream(con, f"SELECT * FROM {quoted(name)}") as rows:
                copy.register("arriving", rows)
                copy.execute(f"CREATE TABLE {quoted(name)} AS SELECT * FROM arriving")
                copy.unregister("arriving")
        yield copy
    finally:
        copy.close()
