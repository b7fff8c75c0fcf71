"""Views of a small lake that would be planned again and again, computed once and kept as tables of the connection.

The engine plans a view anew wherever it is named, with all that is below it: `alias_pool` unfolds to 370,000 letters
of SQL and takes two seconds to plan. In a large lake reading takes far longer, and a filter has to reach the
files; in a small one, as a day of a few boxes, it is nearly all the time a question takes. And where all rows of a part
are cut out of a large one view by view, as for advice, each would compute all that is below it.
"""

import os
import re
import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache, lru_cache
from weakref import WeakKeyDictionary

import duckdb

from iosq.toolkit.sql.catalog import views
from iosq.toolkit.sql.damage import explaining
from iosq.toolkit.sql.limits import IN_FORCE, within
from iosq.toolkit.sql.raw import quoted
from tests.written import Name, there, written

SETTLED = "settled"  # schema of the tables
SMALL_BYTES = 32_000_000  # of Parquet; 34,000 device-intervals with all that is measured next to them are 5 MB
# letters of SQL: planning takes 7 ms per 1,000 of them, and a table of a small lake is made in a tenth of a second
_WORTH = 20_000
_FILES = "SELECT unnest(current_setting('allowed_paths'))"
_NAME = re.compile(r"(?:\b(\w+)\.)?\b(\w+)\b(?!\.)")

Graph = tuple[dict[Name, Counter[Name]], dict[Name, int]]
_GRAPHS: WeakKeyDictionary[duckdb.DuckDBPyConnection, dict[frozenset[Name], Graph]] = WeakKeyDictionary()


@contextmanager
def settled(
    con: duckdb.DuckDBPyConnection, wanted: Iterable[str], schema: str = "main", *, large: bool = False
) -> Iterator[None]:
    """While it lasts, views that reading others would plan again are tables; nothing happens in a large lake.

    Args:
        con: from `iosq.toolkit.sql.connect`; its raw tables must not change meanwhile.
        wanted: the views that will be read, each once or more.
        schema: where they are.
        large: in a large lake, too: all rows of these views are wanted, so that no filter would reach the files.
    """
    made = settle(con, [(schema, name) for name in wanted], large=large)
    try:
        yield
    finally:
        for schema, view in reversed(made):
            con.execute(f"DROP VIEW {schema}.{quoted(view)}")
            con.execute(f"ALTER VIEW {schema}.{quoted(_former(view))} RENAME TO {quoted(view)}")
            con.execute(f"DROP TABLE {SETTLED}.{quoted(f'{schema}_{view}')}")


def settle(con: duckdb.DuckDBPyConnection, wanted: Iterable[Name], *, large: bool = False) -> list[Name]:
    """As `settled`, for as long as the connection lasts.

    Args:
        con: as for `settled`.
        wanted: schema and name of each view that will be read, as often as it will be.
        large: as for `settled`.

    Returns:
        The views that are tables now, in the order they were made.
    """
    wanted = list(wanted)
    if not wanted or not (large or reads_little(con)):
        return []
    reads, sizes = _graph(con)
    chosen = worth(reads, sizes, [name for name in wanted if name in reads], _WORTH)
    if chosen:
        con.execute(f"CREATE SCHEMA IF NOT EXISTS {SETTLED}")
    for name in chosen:
        _make(con, *name)
    return chosen


def reads_little(con: duckdb.DuckDBPyConnection) -> bool:
    """Whether the lake that a connection may read is small."""
    return is_small(name for (name,) in con.execute(_FILES).fetchall())


def is_small(files: Iterable[str]) -> bool:
    """Whether files are so few and small that computing a view costs less than planning it twice."""
    total = 0
    for file in files:
        with suppress(OSError):  # one that is gone is reported by the one that reads it
            total += os.stat(file).st_size  # noqa: PTH116  there may be tens of thousands
        if total > SMALL_BYTES:
            return False
    return True


def _graph(con: duckdb.DuckDBPyConnection) -> Graph:
    """Each view after those it reads: how often it names them, and the letters of its own SQL.

    Worked out once for the same views: see `iosq.toolkit.sql.written`.
    """
    names, known = there(con), _GRAPHS.setdefault(con, {})
    if names not in known:
        known[names] = _worked_out({name: sql for name, sql in written(con).items() if name[1] in _names()})
    return known[names]


def _worked_out(texts: Mapping[Name, str]) -> Graph:
    reads = {name: _named(name, sql, texts) for name, sql in texts.items()}
    done: dict[Name, Counter[Name]] = {}
    while len(done) < len(reads):
        done |= {name: below for name, below in reads.items() if name not in done and below.keys() <= done.keys()}
    return done, {name: len(sql) for name, sql in texts.items()}


@cache
def _names() -> frozenset[str]:
    return frozenset(v.name for v in views())


def _named(name: Name, sql: str, known: Collection[Name]) -> Counter[Name]:
    """The views that a view's SQL names; without a schema it means its own, then the main one."""
    found: Counter[Name] = Counter()
    for (schema, view), count in _words(sql).items():
        places = [(place, view) for place in ([schema] if schema else [name[0], "main"])]
        for place in [p for p in places if p in known and p != name][:1]:
            found[place] += count
    return found


@lru_cache(maxsize=1024)  # a question looks three times at the same views
def _words(sql: str) -> Counter[tuple[str, str]]:
    """How often each name stands in a text, with the schema before it."""
    return Counter(_NAME.findall(sql))


def _make(con: duckdb.DuckDBPyConnection, schema: str, view: str) -> None:
    table, name = f"{SETTLED}.{quoted(f'{schema}_{view}')}", f"{schema}.{quoted(view)}"
    deadline = None if IN_FORCE.timeout_s is None else time.monotonic() + IN_FORCE.timeout_s
    with explaining(con):
        within(con, deadline, lambda: con.execute(f"CREATE TABLE {table} AS SELECT * FROM {name}"))
    con.execute(f"ALTER VIEW {name} RENAME TO {quoted(_former(view))}")
    con.execute(f"CREATE VIEW {name} AS SELECT * FROM {table}")


def _former(view: str) -> str:
    return f"{view}_unsettled"


def worth(
    reads: Mapping[Name, Counter[Name]], sizes: Mapping[Name, int], wanted: Iterable[Name], least: int
) -> list[Name]:
    """The views that are cheaper as tables, each after those it reads.

    Args:
        reads: each view after those it reads: how often it names them.
        sizes: letters of its own SQL.
        wanted: what will be read, as often as it will be.
        least: letters that planning has to be spared.
    """
    unfolded: dict[Name, int] = {}
    for name, below in reads.items():
        unfolded[name] = sizes[name] + sum(count * unfolded[b] for b, count in below.items())
    planned: Counter[Name] = Counter(wanted)
    chosen: list[Name] = []
    for name in reversed(list(reads)):
        if (planned[name] - 1) * unfolded[name] >= least:
            chosen.append(name)
            planned[name] = 1
        for read, count in reads[name].items():
            planned[read] += count * planned[name]
    return chosen[::-1]
