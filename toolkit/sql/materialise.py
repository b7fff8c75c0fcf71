"""Views computed once, as tables of a separate connection or as files, each from the ones before it."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import duckdb

from iosq.parsers.registry import tables
from iosq.toolkit.late import pa
from iosq.toolkit.show import stages
from iosq.toolkit.sql.catalog import View
from iosq.toolkit.sql.connect import (
    JOINED_AS_WRITTEN,
    SHIMS,
    given_by,
    select,
    spill_apart,
    without_empty_sources,
)
from iosq.toolkit.sql.damage import explaining
from iosq.toolkit.sql.engine import batches
from iosq.toolkit.sql.limits import IN_FORCE
from iosq.toolkit.sql.possible import DAMAGED
from iosq.toolkit.sql.raw import literal, quoted, read_files
from iosq.toolkit.sql.together import Work, together

Keep = Callable[[str, "pa.RecordBatchReader"], Sequence[Path]]


@contextmanager
def workspace(files: Iterable[str] = ()) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection to compute views in, closed at the end: joins are as written, and a statement has one thread.

    `files`: what it is going to read; errors name them.
    """
    with closing(duckdb.connect(":memory:", config={"threads": 1})) as con, explaining(con):
        IN_FORCE.apply_memory(con)
        spill_apart(con)
        con.execute(JOINED_AS_WRITTEN)
        con.execute("SET parquet_metadata_cache = true")
        con.execute(f"SET allowed_paths = [{', '.join(map(literal, files))}]")
        con.execute(";".join(SHIMS))
        yield con


def compute(
    con: duckdb.DuckDBPyConnection,
    wanted: Mapping[str, View],
    given: Collection[str],
    idle: Collection[str],
    kept: Collection[str],
    keep: Keep | None = None,
) -> None:
    """Compute each view once, from those before it.

    What only others are computed from goes as soon as these are there. Several are computed at once, each in one
    thread, and rows stand in the order of `in_order`: sums of fractions depend on the order of adding, and the same
    lake has to give the same bytes.

    Args:
        con: a workspace with the raw tables and views that are given.
        wanted: the views, each after those it reads.
        given: those that are there.
        idle: raw tables and given views without rows.
        kept: the views that stay.
        keep: writes the rows of one of these, if there are any, into files, which are read in place of a table.
    """
    empty, sound = set(idle), set[str]()  # sound: the sources whose rows are there, and no value of them was left out

    def make(cursor: duckdb.DuckDBPyConnection, name: str) -> None:
        if name in given:
            return
        view, place, is_kept = wanted[name], "", keep is not None and name in kept
        (with_rows,) = without_empty_sources([view], tables().keys(), empty)
        if view.part(is_stored=True).sources or view.is_stored or not view.sources:
            left = tuple(s for s in with_rows.part(is_stored=True).sources if s.file not in sound)
            made = replace(with_rows, sources=left)
            table = f"_stored_{name}" if view.computed.sources else name
            place = _file(cursor, made, keep, sound) if keep and is_kept else _table(cursor, made, table)
        if not place and not with_rows.computed.sources:
            empty.add(name)
        if view.computed.sources or is_kept:
            cursor.execute(f"CREATE VIEW {quoted(name)} AS {select(cursor, given_by(view, place))}")

    _make_all(con, wanted, given, kept, make)


def _file(cursor: duckdb.DuckDBPyConnection, view: View, keep: Keep, sound: set[str]) -> str:
    """Have the rows of a view written, and give what reads them: '' if there are none. Local time is not stored."""
    marked = replace(view, columns=(*view.columns, DAMAGED)) if view.is_checked else view
    own, damaged = ", ".join(quoted(c.name) for c in marked.own_columns), list[bool]()
    rows = batches(cursor, f"SELECT {own} FROM ({select(cursor, marked)}) AS made {in_order(view)}")
    files = keep(view.name, _unmarked(rows, damaged) if view.is_checked else rows)
    if view.is_checked and not any(damaged):
        sound |= {f"{view.name}/{s.file}" for s in view.sources}
    return read_files(files) if files else ""


def _unmarked(rows: "pa.RecordBatchReader", damaged: list[bool]) -> "pa.RecordBatchReader":
    """Rows without their last column; whether it is true in any is added to `damaged`, by batch."""

    def kept() -> "Iterator[pa.RecordBatch]":
        for batch in rows:
            damaged.append(batch.column(batch.num_columns - 1).true_count > 0)
            yield batch.select(rows.schema.names[:-1])

    return pa.RecordBatchReader.from_batches(rows.schema.remove(len(rows.schema) - 1), kept())


def _table(cursor: duckdb.DuckDBPyConnection, view: View, name: str) -> str:
    """Make a table of the rows of a view, and give its name: '' if there are none."""
    sql = f"CREATE TABLE {quoted(name)} AS SELECT * FROM ({select(cursor, view)}) AS made {in_order(view)}"
    found = cursor.execute(sql).fetchone()
    return quoted(name) if found and found[0] else ""


def _make_all(
    copy: duckdb.DuckDBPyConnection,
    wanted: Mapping[str, View],
    given: Collection[str],
    asked: Collection[str],
    make: Work,
) -> None:
    """Compute views, and drop unwanted tables as soon as all their readers are done."""
    reads, later = _below(wanted, given)
    kept = set(asked).union(*(later[name] for name in asked if name in later))
    awaited = Counter(name for below in reads.values() for name in below)
    made = _tables(copy)
    for number, name in enumerate(together(copy, reads, make), 1):
        stages.progress("views", number, len(wanted))
        awaited.subtract(reads[name])
        for spent in [below for below in {name, *reads[name]} - kept - made if not awaited[below]]:
            if spent in _tables(copy):
                copy.execute(f"DROP TABLE {quoted(spent)}")


def _below(wanted: Mapping[str, View], given: Collection[str]) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """The views that each is made of, and those that it needs whenever it is read; with those that these need then."""
    found, later = dict[str, set[str]](), dict[str, set[str]]()
    for name, view in wanted.items():
        # what a source leaves out is looked for after its rows: they say whether there is any
        read = {*view.reads, *(s.checks.name for s in view.sources if s.checks)}
        for reads, own in ((later, view.computed.reads), (found, read)):
            below = set[str]() if name in given else wanted.keys() & own - {name}
            reads[name] = below.union(*(later[other] for other in below))
    return found, later


def _tables(con: duckdb.DuckDBPyConnection) -> set[str]:
    return {name for (name,) in con.execute("SELECT table_name FROM duckdb_tables()").fetchall()}


def in_order(view: View) -> str:
    """Sort order of stored rows: by day, then by subject (the last key first), then by time.

    Days can then be stored separately, and a query about one volume reads little else.
    """
    known = {c.name: c.type for c in view.own_columns}
    what = [name for name in reversed(view.keys) if name in known and name != "interval_start"]
    day = ["CAST(interval_start AS DATE)", *what, "interval_start"] if "interval_start" in known else what
    rest = [name for name, kind in known.items() if kind in ("VARCHAR", "TIMESTAMP") and name not in day]
    return f"ORDER BY {', '.join([*day, *rest]) or 'ALL'}"
