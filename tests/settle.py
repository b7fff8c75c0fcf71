"""Views of a small lake that would be planned again and again, computed once and kept as tables of the connection.

The engine plans a view anew wherever it is named, with all that is below it: `alias_pool` unfolds to 370,000 letters
of SQL and takes two seconds to plan. In a small lake, as a day of a few boxes, it is nearly all the time a question
takes.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache

import duckdb

from iosq.parsers.registry import tables
from iosq.toolkit.sql.catalog import views
from iosq.toolkit.sql.connect import EMPTY, without_empty_sources
from iosq.toolkit.sql.raw import quoted

SETTLED = "settled"  # schema of the tables
# letters of SQL: planning takes 7 ms per 1,000 of them, and a table of a small lake is made in a tenth of a second
_WORTH = 20_000
_WORD = re.compile(r"\w+")

Graph = tuple[dict[str, Counter[str]], dict[str, int]]


@contextmanager
def settled(con: duckdb.DuckDBPyConnection, wanted: Iterable[str]) -> Iterator[None]:
    """While it lasts, views that reading others would plan again are tables.

    Args:
        con: from `iosq.toolkit.sql.connect`; its raw tables must not change meanwhile.
        wanted: the views that will be read, each once or more.
    """
    made = settle(con, wanted)
    try:
        yield
    finally:
        for view in reversed(made):
            con.execute(f"DROP VIEW {quoted(view)}")
            con.execute(f"ALTER VIEW {quoted(_former(view))} RENAME TO {quoted(view)}")
            con.execute(f"DROP TABLE {SETTLED}.{quoted(view)}")


def settle(con: duckdb.DuckDBPyConnection, wanted: Iterable[str], schema: str = "main") -> list[str]:
    """As `settled`, for as long as the connection lasts; `schema` is where the views are.

    Returns:
        The views that are tables now, in the order they were made.
    """
    con.execute(f"CREATE SCHEMA IF NOT EXISTS {SETTLED}")
    reads, sizes = _graph(
        frozenset(EMPTY.get(con, ())),
        _names(con, f"SELECT view_name FROM duckdb_views() WHERE schema_name = '{schema}'"),
        _names(con, f"SELECT table_name FROM duckdb_tables() WHERE schema_name = '{SETTLED}'"),
    )
    chosen = worth(reads, sizes, [name for name in wanted if name in reads], _WORTH)
    for view in chosen:
        table, name = f"{SETTLED}.{quoted(view)}", f"{schema}.{quoted(view)}"
        con.execute(f"CREATE TABLE {table} AS SELECT * FROM {name}")
        con.execute(f"ALTER VIEW {name} RENAME TO {quoted(_former(view))}")
        con.execute(f"CREATE VIEW {name} AS SELECT * FROM {table}")
    return chosen


def _names(con: duckdb.DuckDBPyConnection, sql: str) -> frozenset[str]:
    return frozenset(name for (name,) in con.execute(sql).fetchall())


@lru_cache(64)
def _graph(empty: frozenset[str], there: frozenset[str], done: frozenset[str]) -> Graph:
    """Each view that is there, after those it reads: how often it names them, and the letters of its own SQL."""
    made = [v for v in without_empty_sources(views(), tables(), empty) if v.name in there]
    texts = {v.name: " ".join(s.sql for s in v.sources if v.name not in done) for v in made}
    reads = {v.name: Counter(w for w in _WORD.findall(texts[v.name]) if w in v.reads & texts.keys()) for v in made}
    return reads, {name: len(text) for name, text in texts.items()}


def _former(view: str) -> str:
    return f"{view}_unsettled"


def worth(reads: Mapping[str, Counter[str]], sizes: Mapping[str, int], wanted: Iterable[str], least: int) -> list[str]:
    """The views that are cheaper as tables, each after those it reads.

    Args:
        reads: each view after those it reads: how often it names them.
        sizes: letters of its own SQL.
        wanted: what will be read, as often as it will be.
        least: letters that planning has to be spared.
    """
    unfolded: dict[str, int] = {}
    for name, below in reads.items():
        unfolded[name] = sizes[name] + sum(count * unfolded[b] for b, count in below.items())
    planned: Counter[str] = Counter(wanted)
    chosen: list[str] = []
    for name in reversed(list(reads)):
        if (planned[name] - 1) * unfolded[name] >= least:
            chosen.append(name)
            planned[name] = 1
        for read, count in reads[name].items():
            planned[read] += count * planned[name]
    return chosen[::-1]
