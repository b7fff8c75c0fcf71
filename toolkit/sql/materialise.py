"""Views made into tables of a connection of their own: computed once, however many questions are asked of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar, cast

import duckdb

from iosq.parsers.registry import tables
from iosq.toolkit.show import stages
from iosq.toolkit.sql import kept
from iosq.toolkit.sql.batches import batches
from iosq.toolkit.sql.catalog import View, named, views
from iosq.toolkit.sql.connect import (
    SHIMS,
    WHOLE,
    fed,
    is_narrowed,
    prepared_views,
    select,
    shows_part,
    spill_apart,
)
from iosq.toolkit.sql.damage import explaining
from iosq.toolkit.sql.engine import Connection, Elsewhere
from iosq.toolkit.sql.filter import Filter, among
from iosq.toolkit.sql.guard import stream
from iosq.toolkit.sql.limits import IN_FORCE
from iosq.toolkit.sql.raw import quoted, read_files
from iosq.toolkit.sql.settle import settled
from iosq.toolkit.sql.together import Work, together
from iosq.toolkit.sql.written import written

if TYPE_CHECKING:
    import pyarrow as pa

Keep = Callable[[str, "pa.RecordBatchReader"], Path]
C = TypeVar("C", bound=Connection)
_ABOUT = ("lake_files", "lake_issues")
# else the engine joins, and so adds, in an order that hangs on what it knows of rows: more of tables than of files
_JOINED_AS_WRITTEN = "SET disabled_optimizers = 'join_order,build_side_probe_side'"


class Cut(NamedTuple):
    """What a part of a lake is cut out of: tables that hold all of it; and the boxes and volumes that follow it.

    `asked` has a row of `asked_rows` for each of these; None where nothing follows.
    """

    whole: duckdb.DuckDBPyConnection
    where: Filter
    asked: pa.Table | None

    def left(self, view: View) -> str:
        """The SELECT of a view's rows; in the order in which they are kept."""
        conditions = [self.where.condition(view)]
        if self.asked is not None and (column := self.where.follows(view)):
            values = sorted(set(self.asked[column].to_pylist()) - {None})
            conditions.append(among((column,), values) or "FALSE")
        return f"SELECT * FROM {quoted(view.name)} WHERE {' AND '.join(filter(None, conditions)) or 'TRUE'}"


@contextmanager
def materialised(
    con: C, texts: Iterable[str], *, utc: bool = False, keep: Keep | None = None, cut: Cut | None = None
) -> Iterator[C]:
    """A connection in which the views that SQL texts name are tables; closed at the end.

    Each is computed once, from the tables there are by then and from raw tables; what only others were computed from
    goes as soon as these are there. Where a filter narrows the lake, rows per interval are asked of it: it makes them
    from the whole before it cuts.

    Several are computed at once, each in one thread, and rows stand in the order of `in_order`: sums of fractions
    depend on the order of adding, and the same lake has to give the same bytes. Prepared views were made here and are
    read where they lie, in that order.

    Args:
        con: from `iosq.toolkit.sql.connect`, with these views; another engine keeps them in its own way.
        texts: what will be run on the copy.
        utc: local time is UTC, as it is in `con`.
        keep: writes the rows of a view into a file, which is read in place of a table.
        cut: where rows per interval are taken from, in place of `con`, which gives raw tables and all of the lake.
    """
    if isinstance(con, Elsewhere):
        with con.materialised(texts) as there:
            yield cast("C", there)
        return
    text = " ".join(texts)
    done = set() if cut else prepared_views(con)
    given, blank = ({v.name for v in views() if shows_part(v)}, set()) if cut else (_given(con) | done, _blank(con))
    with explaining(con), closing(_empty()) as copy:
        kept.use(copy, None if cut else kept.used(con))
        wanted = {v.name: replace(v, utc=utc) for v in _read(text, given)}
        raw = {name for v in wanted.values() if v.name not in given for name in v.reads}
        idle = _bring_known(con, copy, (raw & tables().keys()) | (done & wanted.keys()))

        def make(cursor: duckdb.DuckDBPyConnection, name: str) -> None:
            view = wanted[name]
            if name in done:
                return
            if name not in given:
                sql = select(cursor, fed(view, tables().keys(), idle))
                _make(cursor, name, f"SELECT * FROM ({sql}) AS made {in_order(view)}", keep)
                return
            if name in blank:  # one that is made by its header takes a tenth of the time
                promised = ", ".join(f"{quoted(c.name)} {c.type}" for c in view.columns)
                cursor.execute(f"CREATE TABLE {quoted(name)} ({promised})")
            elif cut:
                _fetch(cut.whole, cursor, name, cut.left(view))
            else:
                _fetch(con, cursor, name, f"SELECT * FROM {quoted(name)} {in_order(view)}")
            if keep:
                keep(name, batches(cursor, f"SELECT * FROM {quoted(name)}"))

        # what is cut out of the whole is asked view by view: each would compute all below it
        with settled(con, [] if cut else [name for name in wanted if name in given - done], large=True):
            _make_all(copy, wanted, given, named_in(text) | (wanted.keys() if keep else done), make)
        for name in set(_ABOUT) & set(re.findall(r"\w+", text)):
            _fetch(con, copy, name, f"SELECT * FROM {quoted(name)} ORDER BY ALL")
        yield cast("C", copy)


def _empty() -> duckdb.DuckDBPyConnection:
    copy = duckdb.connect(":memory:", config={"threads": 1})
    IN_FORCE.apply_memory(copy)
    spill_apart(copy)
    copy.execute(_JOINED_AS_WRITTEN)
    copy.execute("SET parquet_metadata_cache = true")
    for shim in SHIMS:
        copy.execute(shim)
    return copy


def _make_all(
    copy: duckdb.DuckDBPyConnection,
    wanted: Mapping[str, View],
    given: Collection[str],
    asked: Collection[str],
    make: Work,
) -> None:
    """Make tables of views, and drop those that nobody asks as soon as all that read them are there."""
    reads = {name: (set() if name in given else view.reads & wanted.keys() - {name}) for name, view in wanted.items()}
    awaited = Counter(name for below in reads.values() for name in below)
    for number, name in enumerate(together(copy, reads, make), 1):
        stages.tell("views", number, len(wanted))
        awaited.subtract(reads[name])
        for spent in [below for below in {name, *reads[name]} - set(asked) if not awaited[below]]:
            copy.execute(f"DROP TABLE {quoted(spent)}")


def _make(con: duckdb.DuckDBPyConnection, name: str, sql: str, keep: Keep | None) -> None:
    if keep is None:
        con.execute(f"CREATE TABLE {quoted(name)} AS {sql}")
        return
    file = keep(name, batches(con, sql))
    con.execute(f"CREATE VIEW {quoted(name)} AS SELECT * FROM {read_files([file])}")


def _bring_known(
    con: duckdb.DuckDBPyConnection, copy: duckdb.DuckDBPyConnection, names: Collection[str]
) -> frozenset[str]:
    """Make raw tables and prepared views known to the copy; those without rows."""
    texts = written(con)
    for name in [view for schema, view in texts if schema == WHOLE and ("main", view) in texts and view in names]:
        copy.execute(f"CREATE SCHEMA IF NOT EXISTS {WHOLE}")  # what is cut out of it reads it there
        copy.execute(texts[WHOLE, name])
    listed = [(view, sql, None) for (schema, view), sql in texts.items() if schema == "main"]
    tabled = "SELECT table_name, sql, estimated_size FROM duckdb_tables() WHERE schema_name = 'main'"
    idle = set()
    for name, sql, rows in listed + con.execute(tabled).fetchall():
        if name not in names:
            continue
        if rows:
            _fetch(con, copy, name, f"SELECT * FROM {quoted(name)}")
        else:
            copy.execute(sql)
            idle |= {name} if rows == 0 else set()
    return frozenset(idle)


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


def _given(con: duckdb.DuckDBPyConnection) -> set[str]:
    """The views whose rows the connection is asked for: those that are tables there, and those that it cuts."""
    made = {name for (name,) in con.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
    is_part = is_narrowed(con)
    return {v.name for v in views() if v.name in made or (is_part and shows_part(v))}


def _blank(con: duckdb.DuckDBPyConnection) -> set[str]:
    """The views that are tables there without a row."""
    asked = "SELECT table_name FROM duckdb_tables() WHERE schema_name = 'main' AND estimated_size = 0"
    return {name for (name,) in con.execute(asked).fetchall()} & {v.name for v in views()}


def named_in(text: str) -> set[str]:
    """The names of the views that a text names."""
    return {v.name for v in named(text)}


def cut_from(texts: Iterable[str]) -> list[str]:
    """The views that a whole has to hold so that what texts ask of a part can be cut out of it."""
    return [v.name for v in _read(" ".join(texts), {v.name for v in views() if shows_part(v)}) if shows_part(v)]


def _read(text: str, asked: Collection[str]) -> list[View]:
    """The views a text names and those they are computed from, in order."""
    wanted = named_in(text)
    for view in reversed(views()):
        if view.name in wanted and view.name not in asked:
            wanted |= view.reads
    return [v for v in views() if v.name in wanted]


def in_order(view: View) -> str:
    """The order in which a view's rows are kept: by day, so that days can be kept apart, and within a day by what was
    measured (the last of the keys first) and then by time, so that who asks for one volume reads little else.
    """
    known = {c.name: c.type for c in view.columns}
    what = [name for name in reversed(view.keys) if name in known and name != "interval_start"]
    day = ["CAST(interval_start AS DATE)", *what, "interval_start"] if "interval_start" in known else what
    rest = [name for name, kind in known.items() if kind in ("VARCHAR", "TIMESTAMP") and name not in day]
    return f"ORDER BY {', '.join([*day, *rest]) or 'ALL'}"


def _fetch(con: duckdb.DuckDBPyConnection, copy: duckdb.DuckDBPyConnection, name: str, sql: str) -> None:
    with stream(con, sql) as rows:
        copy.register("arriving", rows)
        copy.execute(f"CREATE TABLE {quoted(name)} AS SELECT * FROM arriving")
        copy.unregister("arriving")
