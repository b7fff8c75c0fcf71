"""Connect to a lake for one query: create the views it names, over the facts and records they need."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from iosq.parsers.api import Table
from iosq.parsers.registry import tables
from iosq.toolkit.errors import ChangedError
from iosq.toolkit.lake.lake import Lake as Store
from iosq.toolkit.lake.lake import places
from iosq.toolkit.show import stages
from iosq.toolkit.sql.catalog import IMPOSSIBLE_NEAR, View, named, needed, unstored, views
from iosq.toolkit.sql.connect import OF_BOXES, connect, follows_boxes, keep_small, shows_part
from iosq.toolkit.sql.filter import Filter
from iosq.toolkit.sql.refusal import first_of
from iosq.toolkit.sql.window import of_filter, of_records

if TYPE_CHECKING:
    from iosq.toolkit.facts.plan import Parts, Pieces
    from iosq.toolkit.spark.lake import SparkLake


@dataclass(frozen=True)
class Question:
    """The query planned on a connection; for its fields see `iosq.lake.Lake.connection`."""

    statement: str | None
    where: Filter
    made: str = ""
    steady: bool = False
    utc: bool = False
    exact: bool = False
    all_days: bool = False  # read the facts of all days, not only of those in the filter
    database: str = ":memory:"

    @cached_property
    def about(self) -> tuple[View, ...]:
        """The views whose intervals the query reads."""
        return about(self.statement, self.made)[0]

    @cached_property
    def words(self) -> set[str]:
        """The words of the statement, or of the view names in `made`."""
        return set(re.findall(r"\w+", (self.statement or self.made).lower()))

    def names_raw(self, known: Mapping[str, Table]) -> bool:
        """True if the statement reads raw tables."""
        return bool(self.words & known.keys())

    def read(self, known: Mapping[str, Table]) -> list[View] | None:
        """The views to create; None for all."""
        if self.reads_nothing:
            return []
        _, text = about(self.statement, self.made)
        if not text:
            return [replace(v, utc=True) for v in views()] if self.utc else None
        read = () if self.names_raw(known) and not self.about else needed(text, self._computed())
        return [replace(v, utc=self.utc) for v in read]

    def _computed(self) -> frozenset[str]:
        """The views computed from SQL: those not stored, and those recomputed from filtered rows."""
        return unstored().union(v.name for v in views() if self.where and not shows_part(v))

    @cached_property
    def reads_nothing(self) -> bool:
        """True if the statement reads no table: `SELECT 1`."""
        return self.exact and not self.where and bool(self.statement) and not needed(self.statement or "")

    @property
    def is_about_the_lake(self) -> bool:
        """True if the query may read the lake's metadata tables, by name or through the list of all tables."""
        text = (self.statement or "").lower()
        return not (self.exact and text) or re.search("lake_|show|desc|summarize|schema|duckdb_", text) is not None

    def is_commented(self, known: Mapping[str, Table]) -> bool:
        """True if the statement may read the lake's comments, or tables it does not name."""
        if self.statement is None or re.search("comment|lake_", self.statement.lower()):
            return self.statement is not None or self.database != ":memory:"
        return not (self.about or self.names_raw(known)) and bool(needed(self.statement))


def about(statement: str | None, made: str) -> tuple[tuple[View, ...], str]:
    """The views that a query is about, and text that names every view to create for it (empty for all views).

    A view that sums up intervals is replaced by the views with those intervals.
    """

    asked = named(statement) if statement else tuple(v for v in views() if v.layer == "promised")
    summed = frozenset[str]().union(*(v.reads for v in asked if v.layer == "summed"))
    # loading all views takes longer than a query that needs none
    asked = asked and tuple(v for v in views() if (v in asked and v.layer != "summed") or v.name in summed)
    return asked, statement or (f"{made} {' '.join(v.name for v in first_of(asked))}" if made else "")


def connected(path: Path, question: Question) -> tuple[duckdb.DuckDBPyConnection, bool]:
    """A connection for a query, and whether some facts were not used; LakeError without a readable lake."""
    try:
        return _opened(path, question)
    except ChangedError:
        return _opened(path, question)  # another command merged or dropped files: read the new state


def _opened(path: Path, question: Question) -> tuple[duckdb.DuckDBPyConnection, bool]:

    stages.progress("lake")
    store = Store(path.absolute())
    listed = store.listed()
    known = {} if question.reads_nothing else tables()  # loading the tables takes longer than some queries
    only, commented = question.read(known), question.is_commented(known)
    found = _facts(store, listed, question, only)
    if only:
        from iosq.toolkit.facts.plan import checked

        only = checked(only, found)
    facts, is_part = _in_window(found, question)
    made = known
    if (question.statement or question.made) and not commented:
        # registering the other tables takes longer than most queries
        raw = _raw(question, [*(only or ()), *(_box_views() if question.where else ())], facts)
        made = {name: table for name, table in known.items() if name in raw}
    about_lake = store.about() if commented or question.is_about_the_lake else {}
    parts = _parts(store, _near_files({t: f for t, f in listed.items() if t in made}, question, only), made, facts)
    con = connect(
        made.values(), parts, about_lake, root=store.path, only=only, where=question.where,
        idle=known.keys() - listed.keys(), commented=commented, steady=question.steady,
        database=question.database,
    )  # fmt: skip
    if question.steady and question.made:
        keep_small(con, only or (), parts)
    return con, is_part


def on_spark(master: str | None, path: Path, question: Question) -> SparkLake:
    """The views of a lake on Spark, as `connected` gives them on DuckDB; missing facts are computed first.

    LakeError without a readable lake, RequestError if no Spark session can be started.
    """
    from iosq.toolkit.spark.lake import Content, SparkLake
    from iosq.toolkit.spark.session import begin
    from iosq.toolkit.sql.dictionary import dictionary, view_list

    store, known = Store(path.absolute()), tables()
    listed, read, where = store.listed(), question.read(known), question.where
    shown = list(views()) if read is None else read
    further = [v for v in _box_views() if v.name not in {s.name for s in shown}] if follows_boxes(shown, where) else []
    facts = _facts(store, listed, replace(question, where=type(where)()), [*shown, *further])
    recomputed = {v.name for v in shown if where and not shows_part(v)}  # from the rows that the filter leaves
    raw = _raw(question, shown, facts.keys() - recomputed) & known.keys()
    about_lake = {**store.about(), "lake_dictionary": dictionary(known.values()), "lake_views": view_list()}
    asked = {name: rows for name, rows in about_lake.items() if name in question.words}
    idle = frozenset(known.keys() - listed.keys())
    content = Content(shown, further, _parts(store, listed, raw, facts), asked, idle, where)
    return SparkLake(begin(master), content)


def _raw(question: Question, only: Sequence[View] | None, facts: Collection[str]) -> set[str]:
    """The names of raw tables that a query reads, along with other words of its statement."""
    return question.words.union(*(view.reads for view in only or () if view.name not in facts))


def _parts(store: Store, listed: Parts, made: Collection[str], facts: Pieces) -> dict[str, list[str]]:
    """The files of raw tables and facts."""

    files = store.whole({name: found for name, found in listed.items() if name in made})
    return {**files, **{view: places(pieces) for view, pieces in facts.items()}}


def _facts(store: Store, listed: Parts, question: Question, only: Sequence[View] | None) -> Pieces:
    """The facts behind the views of a query; missing ones are computed."""

    read = views() if only is None else only
    names = {v.name for v in read if not question.where or shows_part(v)}
    if question.where and follows_boxes(read, question.where):
        names |= {v.name for v in _box_views()}
    if not names:
        return {}
    from iosq.toolkit.facts.build import facts
    from iosq.toolkit.facts.plan import plan_of

    plan = plan_of(store, listed)
    if any(v.computed.sources for v in read):
        names |= plan.daily & {IMPOSSIBLE_NEAR}
    return facts(plan, names)


def _box_views() -> tuple[View, ...]:
    """The views that map volumes to boxes for a filter, and those they are computed from, down to stored facts."""
    return needed(" ".join(OF_BOXES), unstored())


def _near_files(listed: Parts, question: Question, only: Sequence[View] | None) -> Parts:
    """The files with records that a filtered query can need; all files of tables that views of the whole span read."""

    window = of_filter(question.where)
    if not window or only is None:
        return listed
    whole = question.words.union(*(v.reads for v in only if not v.is_near))
    return {
        name: [f for f in found if window.reaches(*f.span)] if of_records(name) and name not in whole else found
        for name, found in listed.items()
    }


def _in_window(facts: Pieces, question: Question) -> tuple[Pieces, bool]:
    """The facts of the days that a filter selects, and whether facts of other days were left out."""

    window = of_filter(question.where)
    if question.all_days or not window:
        return facts, False
    kept = {
        name: [p for p in pieces if p.day is None or name in OF_BOXES or window.holds(p.day)]
        for name, pieces in facts.items()
    }
    return kept, any(len(kept[name]) < len(pieces) for name, pieces in facts.items())
