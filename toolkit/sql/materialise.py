"""Views made into tables of a connection of their own: computed once, however many questions are asked of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TypeVar, cast

import duckdb

from iosq.parsers.registry import tables
from iosq.toolkit.show import stages
from iosq.toolkit.sql.catalog import View, named, views
from iosq.toolkit.sql.connect import SHIMS, is_narrowed, prepared_views, select, shows_part, spill_apart
from iosq.toolkit.sql.engine import Connection, Elsewhere
from iosq.toolkit.sql.guard import stream
from iosq.toolkit.sql.limits import IN_FORCE, too_much
from iosq.toolkit.sql.raw import quoted
from iosq.toolkit.sql.settle import settled

C = TypeVar("C", bound=Connection)
_ABOUT = ("lake_files", "lake_issues")


@contextmanager
def materialised(con: C, texts: Iterable[str], *, utc: bool = False) -> Iterator[C]:
    """A connection in which the views that SQL texts name, and all that those read, are tables; closed at the end.

    What reads raw tables is asked of the lake, the rest is computed from the tables there are by then. Where a filter
    narrows the lake, rows per interval are asked of the lake too: it makes them from the whole before it cuts.

    Rows asked of the lake stand in order of all key columns, and one thread adds them, because sums of fractions
    depend on the order of adding: the same lake has to give the same bytes. Prepared views were made here and are
    taken as they are.

    Args:
        con: from `iosq.toolkit.sql.connect`, with these views; another engine keeps them in its own way.
        texts: what will be run on the copy.
        utc: local time is UTC, as it is in `con`.
    """
    if isinstance(con, Elsewhere):
        with con.materialised(texts) as kept:
            yield cast("C", kept)
        return
    copy, text = duckdb.connect(":memory:", config={"threads": 1}), " ".join(texts)
    done = prepared_views(con)
    asked = _asked(con) | done
    try:
        IN_FORCE.apply_memory(copy)
        spill_apart(copy)
        for shim in SHIMS:
            copy.execute(shim)
        wanted = [replace(v, utc=utc) for v in _read(text, asked)]
        with settled(con, [v.name for v in wanted if v.name in asked]):
            for view in stages.each("views", wanted):
                if view.name in asked:
                    _fetch(con, copy, view.name, "" if view.name in done else _order(view))
                else:
                    copy.execute(f"CREATE TABLE {quoted(view.name)} AS {select(copy, view)}")
        for name in set(_ABOUT) & set(re.findall(r"\w+", text)):
            _fetch(con, copy, name, "ORDER BY ALL")
        yield cast("C", copy)
    except duckdb.OutOfMemoryException as error:
        raise too_much() from error
    finally:
        copy.close()


def computed(con: duckdb.DuckDBPyConnection, texts: Iterable[str], given: Collection[str]) -> None:
    """Make tables of the views that SQL texts name, and of those that they read, from views that are tables already.

    Args:
        con: holds the tables.
        texts: what will be run on it.
        given: the names of those views.
    """
    for view in _read(" ".join(texts), given):
        if view.name not in given:
            con.execute(f"CREATE TABLE {quoted(view.name)} AS {select(con, view)}")


def _asked(con: duckdb.DuckDBPyConnection) -> set[str]:
    """The views whose rows the lake is asked for; those that are tables already are only copied."""
    made = {name for (name,) in con.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
    is_part, raw = is_narrowed(con), tables().keys()
    return {v.name for v in views() if v.merged or v.reads & raw or (is_part and shows_part(v))} | made


def _read(text: str, asked: Collection[str]) -> list[View]:
    """The views a text names and those they are computed from, in order."""
    wanted = {v.name for v in named(text)}
    for view in reversed(views()):
        if view.name in wanted and view.name not in asked:
            wanted |= view.reads
    return [v for v in views() if v.name in wanted]


def _order(view: View) -> str:
    keys = ", ".join(quoted(c.name) for c in view.columns if c.type in ("VARCHAR", "TIMESTAMP"))
    return f"ORDER BY {keys or 'ALL'}"


def _fetch(con: duckdb.DuckDBPyConnection, copy: duckdb.DuckDBPyConnection, name: str, order: str) -> None:
    with stream(con, f"SELECT * FROM {quoted(name)} {order}") as rows:
        copy.register("arriving", rows)
        copy.execute(f"CREATE TABLE {quoted(name)} AS SELECT * FROM arriving")
        copy.unregister("arriving")
