"""The time and systems that a question is about, and the raw tables of which it needs only the files of about those.

A filter on time is pushed by the engine to where rows are read, but not past joins that bring cache statistics and
paths to device intervals. Those join what overlaps: views whose header says `reach: a day` are made, row by row, of
what was measured at most a day before or after, and by the same system: but for cache statistics, which whoever
gathers them gathers for all that share the box.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple, TypedDict

import duckdb

from iosq.toolkit.sql.catalog import View
from iosq.toolkit.sql.filter import Filter, Instant
from iosq.toolkit.sql.raw import literal, quoted

DAY_US = 86_400_000_000  # what `reach: a day` says
_RECORDS = "smf"  # what reads listings and monitor records looks for clocks and counters days away
_OF_ANY_SYSTEM = "smf74_5"  # cache statistics
_LENGTHS = "smf74_5_cache_control"  # the one table of records whose intervals can be longer than 100 minutes
_LONGEST_S = 6 * 3600  # three of them in a chain, and the interval asked for, are less than a day
# as DuckDB 1.5 and 2 write it; parentheses change nothing where there is nothing but AND
_TERM = r"\(*interval_start ?(=|>=|>|<=|<) ?'([^']+)'::TIMESTAMP\)*"
_TERMS = re.compile(f"{_TERM}(?: AND {_TERM})*")
_SYSTEM = re.compile(r"\(*system ?= ?'([^']*)'\)*")
# where rows of an empty table would be told to be none, or be asked for twice
_AS_WRITTEN = "SET disabled_optimizers = 'statistics_propagation,empty_result_pullup,late_materialization'"
_PASSED_ON = {"LIMIT", "STREAMING_LIMIT", "PROJECTION", "FILTER", "SEQ_SCAN"}
_OVER = re.compile(r"\bOVER\b", re.IGNORECASE)  # the plan of DuckDB 2 shows no row_number() OVER ()
_FIRST_ROWS = re.compile(r"\bLIMIT\s+(\d+)\s*;?\s*$", re.IGNORECASE)


class _Node(TypedDict):
    """An operator of the engine's plan."""

    name: str
    extra_info: dict[str, str | list[str]]
    children: list[_Node]


class Window(NamedTuple):
    """From when until when, both included, in microseconds since 1970; None: from the beginning or to the end."""

    since_us: int | None = None
    until_us: int | None = None

    def __bool__(self) -> bool:
        return self != (None, None)

    def within(self, other: Window) -> Window:
        """What both leave."""
        since = max((us for us in (self.since_us, other.since_us) if us is not None), default=None)
        return Window(since, min((us for us in (self.until_us, other.until_us) if us is not None), default=None))

    def around(self, other: Window) -> Window:
        """What either leaves, with what is between."""
        since = None if self.since_us is None or other.since_us is None else min(self.since_us, other.since_us)
        return Window(
            since, None if self.until_us is None or other.until_us is None else max(self.until_us, other.until_us)
        )

    def touches(self, first_us: int | None, last_us: int | None) -> bool:
        """Whether a span is within reach of this one; one that is not known always is."""
        if first_us is None or last_us is None:
            return True
        return (self.since_us is None or last_us >= self.since_us - DAY_US) and (
            self.until_us is None or first_us <= self.until_us + DAY_US
        )


def of_filter(where: Filter) -> Window:
    """The time that a filter leaves."""
    since = _utc_us(where.since, -DAY_US) if where.since else None
    return Window(since, _utc_us(where.until, DAY_US) if where.until else None)


Systems = frozenset[str] | None
"""Of systems those that are asked about; None: all."""


class Asked(NamedTuple):
    """What a statement asks its views for: a time, so many rows of which any will do (None: not any), and systems."""

    window: Window
    any_rows: int | None = None
    systems: Systems = None


def of_statement(sql: str, views: Iterable[View]) -> Asked:
    """What a statement asks the views for that it names.

    It is read from the engine's plan over empty tables. What that does not tell (parameters, subqueries) is no window.
    """
    with duckdb.connect(":memory:") as con:
        for view in views:
            promised = ", ".join(f"{quoted(c.name)} {c.type}" for c in view.columns)
            con.execute(f"CREATE TABLE {quoted(view.name)} ({promised})")
        try:
            con.execute(_AS_WRITTEN)
            ((_, plan),) = con.execute(f"EXPLAIN (FORMAT json) {sql}").fetchall()
        except (duckdb.Error, ValueError):  # it is said where the statement is run
            return Asked(Window())
    nodes = list(_nodes(json.loads(plan)))
    scans = [n for n in nodes if n["name"].strip() == "SEQ_SCAN"]
    asked = [_of_scan(scan) for scan in scans]
    window = asked[0] if asked else Window()
    for other in asked[1:]:
        window = window.around(other)
    systems = [_systems_of(scan) for scan in scans]
    named = frozenset().union(*(s for s in systems if s)) if systems and None not in systems else None
    return Asked(window, _any_rows(sql, nodes), named)


def both(one: Systems, other: Systems) -> Systems:
    """The systems that both leave."""
    return other if one is None else one if other is None else one & other


def is_shared(table: str) -> bool:
    """Whether views of a system read a raw table's rows of other systems."""
    return table.startswith(_OF_ANY_SYSTEM)


def nearby(views: Sequence[View], raw: Collection[str]) -> frozenset[str]:
    """The raw tables of which a window needs the files within reach only.

    Args:
        views: all that are read for a question, each after those it reads, without sources that give no rows.
        raw: the raw tables that have rows.
    """
    read: dict[str, frozenset[str]] = {}  # below each view: raw tables
    for view in views:
        below = (read.get(name, frozenset()) for name in view.reads)
        read[view.name] = (view.reads & frozenset(raw)).union(*below)
    return frozenset().union(*read.values()).difference(*(read[v.name] for v in views if not _is_near(v, read)))


def of_a_day(views: Sequence[View], raw: Collection[str]) -> list[View]:
    """The views whose rows of a day are made of the files within reach of it; arguments as of `nearby`."""
    read: dict[str, frozenset[str]] = {}
    near: set[str] = set()
    for view in views:
        below = view.reads & read.keys() - {view.name}
        read[view.name] = (view.reads & frozenset(raw)).union(*(read[name] for name in below))
        near |= {view.name} if _is_near(view, read) and below <= near else set()
    return [v for v in views if v.name in near and any(c.name == "interval_start" for c in v.columns)]


def reached(views: Sequence[View], asked: Iterable[str]) -> list[View]:
    """Of views, each after those it reads, those asked for and what these read."""
    names = set(asked)
    for view in reversed(views):
        if view.name in names:
            names |= view.reads
    return [v for v in views if v.name in names]


def are_short(files: Sequence[str]) -> bool:
    """Whether no interval that a table of cache statistics tells is so long that it reaches further than a day."""
    if not files:
        return True
    listed = ", ".join(literal(f) for f in files)
    with duckdb.connect(":memory:") as con:
        longest = con.execute(f"SELECT max(R745CINT) FROM read_parquet([{listed}], hive_partitioning = false)")
        ((seconds,),) = longest.fetchall()
    return seconds is None or seconds <= _LONGEST_S


def _is_near(view: View, read: dict[str, frozenset[str]]) -> bool:
    return view.is_near and all(name.startswith(_RECORDS) for name in read[view.name])


def _utc_us(instant: Instant, zone_us: int) -> int:
    """Local time is less than a day from UTC."""
    return _us(instant.at) + (0 if instant.is_utc else zone_us)


def _us(at: datetime) -> int:
    return (at - datetime(1970, 1, 1)) // timedelta(microseconds=1)


def _nodes(plan: list[_Node]) -> Iterator[_Node]:
    for node in plan:
        yield node
        yield from _nodes(node["children"])


def _conditions(scan: _Node) -> list[str]:
    told = scan["extra_info"].get("Filters", [])
    return [told] if isinstance(told, str) else told


def _systems_of(scan: _Node) -> Systems:
    found = [_SYSTEM.fullmatch(condition) for condition in _conditions(scan)]
    return next((frozenset({match[1]}) for match in found if match), None)


def _of_scan(scan: _Node) -> Window:
    window = Window()
    for conditions in _conditions(scan):
        if _TERMS.fullmatch(conditions):  # nothing with OR
            for sign, moment in re.findall(_TERM, conditions):
                window = window.within(_of_term(sign, moment))
    return window


def _of_term(sign: str, moment: str) -> Window:
    try:
        at_us = _us(datetime.fromisoformat(moment))
    except ValueError:  # infinity, or years that no calendar of ours has
        return Window()
    return Window(at_us if sign[0] in "=>" else None, at_us if sign[0] in "=<" else None)


def _any_rows(sql: str, nodes: Sequence[_Node]) -> int | None:
    """Of how many rows any will do: those of one view that a statement neither sorts nor counts."""
    limit = _FIRST_ROWS.search(sql)
    if not limit or _OVER.search(sql) or {n["name"].strip() for n in nodes} - _PASSED_ON:
        return None
    return int(limit[1])
