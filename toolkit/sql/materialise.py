"""Views computed once, as tables of a connection of their own or as files, each from those before it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from iosq.parsers.registry import tables
from iosq.toolkit.show import stages
from iosq.toolkit.sql.batches import batches
from iosq.toolkit.sql.catalog import View, named, views, words
from iosq.toolkit.sql.connect import (
    JOINED_AS_WRITTEN,
    SHIMS,
    given_by,
    promised,
    select,
    spill_apart,
    stored_views,
    without_empty_sources,
    without_rows,
)
from iosq.toolkit.sql.damage import explaining
from iosq.toolkit.sql.guard import stream
from iosq.toolkit.sql.limits import IN_FORCE
from iosq.toolkit.sql.raw import quoted, read_files
from iosq.toolkit.sql.together import Work, together

if TYPE_CHECKING:
    import pyarrow as pa

Keep = Callable[[str, "pa.RecordBatchReader"], Sequence[Path]]
_ABOUT = ("lake_files", "lake_issues")


@contextmanager
def materialised(
    con: duckdb.DuckDBPyConnection,
    texts: Iterable[str],
    *,
    utc: bool = False,
    keep: Keep | None = None,
    kept: Collection[str] = (),
) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection in which the views that SQL texts name are tables; closed at the end.

    Each is computed once, from the tables there are by then and from raw tables; what only others were computed from
    goes as soon as these are there.

    Several are computed at once, each in one thread, and rows stand in the order of `in_order`: sums of fractions
    depend on the order of adding, and the same lake has to give the same bytes. Stored views were made here and are
    read where they lie, in that order.

    Args:
        con: from `iosq.toolkit.sql.connect`, with these views of a whole lake.
        texts: the SQL to run on the copy.
        utc: local time is UTC, as it is in `con`.
        keep: writes the rows of a view, if there are any, into files, which are read in place of a table.
        kept: the views that it writes.
    """
    text, done = " ".join(texts), stored_views(con)
    with explaining(con), closing(_empty()) as copy:
        given = _tables(con) | done
        idle = _without_rows(con) | without_rows(con)
        known = without_empty_sources([replace(v, utc=utc) for v in views()], tables().keys(), idle, given)
        wanted = {v.name: v for v in _read(known, text, given)}
        raw = {name for v in wanted.values() if v.name not in given for name in v.reads}
        about = set(_ABOUT) & words(text)
        _bring_known(con, copy, (raw & tables().keys()) | (given & wanted.keys()) | about)
        empty = set(idle)

        def make(cursor: duckdb.DuckDBPyConnection, name: str) -> None:
            if name in given:
                return
            view, place = wanted[name], ""
            (with_rows,) = without_empty_sources([view], tables().keys(), empty)
            if view.part(is_stored=True).sources or view.is_stored or not view.sources:
                place = quoted(stored_rows(view))
                sql = f"SELECT * FROM ({select(cursor, with_rows.part(is_stored=True))}) AS made {in_order(view)}"
                count = _keep(cursor, view, sql, keep if name in kept else None)
                if not count and not view.computed.sources:
                    empty.add(name)
            if view.computed.sources:
                cursor.execute(f"CREATE VIEW {quoted(name)} AS {select(cursor, given_by(view, place))}")

        _make_all(copy, wanted, given, named_in(text) if keep is None else kept, make)
        yield copy


def _keep(cursor: duckdb.DuckDBPyConnection, view: View, sql: str, keep: Keep | None) -> int:
    """Store the rows of a view as a table, or use its files; 0 if there are no rows."""
    place = quoted(stored_rows(view))
    if not keep:
        found = cursor.execute(f"CREATE TABLE {place} AS {sql}").fetchone()
        return int(found[0]) if found else 0
    files = keep(view.name, batches(cursor, sql))
    rows = f"VIEW {place} AS SELECT * FROM {read_files(files)}" if files else f"TABLE {place} ({promised(view)})"
    cursor.execute(f"CREATE {rows}")
    return len(files)


def stored_rows(view: View) -> str:
    """The name of the table with the rows of a view that are stored, where the view is made."""
    return f"_stored_{view.name}" if view.computed.sources else view.name


def _empty() -> duckdb.DuckDBPyConnection:
    copy = duckdb.connect(":memory:", config={"threads": 1})
    IN_FORCE.apply_memory(copy)
    spill_apart(copy)
    copy.execute(JOINED_AS_WRITTEN)
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
    """Compute views, and drop unwanted tables as soon as all their readers are done."""
    reads = _below(wanted, given)
    kept = set(asked).union(*(reads[name] for name in asked if name in wanted and wanted[name].computed.sources))
    awaited = Counter(name for below in reads.values() for name in below)
    made = _tables(copy)
    for number, name in enumerate(together(copy, reads, make), 1):
        stages.progress("views", number, len(wanted))
        awaited.subtract(reads[name])
        for spent in [below for below in {name, *reads[name]} - kept - made if not awaited[below]]:
            if spent in _tables(copy):
                copy.execute(f"DROP TABLE {quoted(spent)}")


def _below(wanted: Mapping[str, View], given: Collection[str]) -> dict[str, set[str]]:
    """The views that each is made of, and those that these read whenever they are read."""
    found: dict[str, set[str]] = {}
    for name, view in wanted.items():
        own = set[str]() if name in given else {*view.reads} & wanted.keys() - {name}
        found[name] = own.union(*(found[below] for below in own if wanted[below].computed.sources))
    return found


def _bring_known(con: duckdb.DuckDBPyConnection, copy: duckdb.DuckDBPyConnection, names: Collection[str]) -> None:
    """Make raw tables and stored views known to the copy."""
    written = "SELECT view_name, sql, NULL FROM duckdb_views() WHERE NOT internal AND schema_name = 'main'"
    tabled = "SELECT table_name, sql, estimated_size FROM duckdb_tables() WHERE schema_name = 'main'"
    turn = {view.name: number for number, view in enumerate(views(), 1)}
    found = con.execute(f"{written} UNION ALL {tabled}").fetchall()
    for name, sql, rows in sorted(found, key=lambda one: turn.get(one[0], 0)):
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


def named_in(text: str) -> set[str]:
    """The names of the views that a text names."""
    return {v.name for v in named(text)}


def _read(known: Sequence[View], text: str, given: Collection[str]) -> list[View]:
    """The views named in a text and those they are computed from, in order."""
    wanted = named_in(text)
    for view in reversed(known):
        if view.name in wanted:
            wanted |= (view.computed if view.name in given else view).reads
    return [v for v in known if v.name in wanted]


def in_order(view: View) -> str:
    """Sort order of stored rows: by day, then by subject (the last key first), then by time.

    Days can then be stored separately, and a query about one volume reads little else.
    """
    known = {c.name: c.type for c in view.columns}
    what = [name for name in reversed(view.keys) if name in known and name != "interval_start"]
    day = ["CAST(interval_start AS DATE)", *what, "interval_start"] if "interval_start" in known else what
    rest = [name for name, kind in known.items() if kind in ("VARCHAR", "TIMESTAMP") and name not in day]
    return f"ORDER BY {', '.join([*day, *rest]) or 'ALL'}"
