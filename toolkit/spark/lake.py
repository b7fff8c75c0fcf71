"""A lake whose questions Spark answers: the same views, filters and refusals as with DuckDB."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

from iosq.parsers.registry import tables
from iosq.toolkit.errors import IosqError
from iosq.toolkit.facts.build import stored_facts
from iosq.toolkit.facts.plan import Plan
from iosq.toolkit.lake.lake import ABOUT, Lake, State, places
from iosq.toolkit.show import stages
from iosq.toolkit.spark import statement
from iosq.toolkit.spark.kept import Keeper, read_often
from iosq.toolkit.spark.session import begin, timed
from iosq.toolkit.spark.views import about_lake, prepare, raw
from iosq.toolkit.sql.about import dictionary, view_list
from iosq.toolkit.sql.catalog import View, named, needed, views
from iosq.toolkit.sql.connect import OF_BOXES, asked_rows, follows_boxes, is_small, left, without_empty_sources
from iosq.toolkit.sql.engine import Parameters
from iosq.toolkit.sql.filter import Filter

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

WHOLE = "whole_"  # what the names of views before a filter begin with
_ABOUT_LAKE = (*ABOUT, "lake_dictionary", "lake_views")


@dataclass(frozen=True, slots=True)
class Asked:
    """What a session will be asked for: text that names tables and views, what these show, and on which clock.

    Without a text all there is; `kept`: it will be asked again and again.
    """

    text: str = ""
    where: Filter | None = None
    utc: bool = False
    kept: bool = False

    @property
    def words(self) -> set[str]:
        """The names that are asked for, and other words."""
        return set(re.findall(r"\w+", self.text.lower())) if self.text else {*tables(), *_ABOUT_LAKE}

    @property
    def views(self) -> list[View]:
        """The views that are asked for and those they read; none where a text names none."""
        if self.text and not named(self.text):
            return []
        return [replace(v, utc=self.utc) for v in (needed(self.text) if self.text else views())]


def opened(master: str | None, lake: Lake, asked: Asked) -> SparkLake:
    """A lake asked through the session of this process.

    Raises:
        LakeError: there is no lake, or it can't be read.
        RequestError: as of `iosq.toolkit.spark.session.begin`.
    """
    # errors come before a session is begun; a cluster's files are not read here, only looked for
    small = is_small(chain.from_iterable(lake.there(lake.listed()).values()))
    return SparkLake(begin(master, small), lake, asked, small)


class SparkLake:
    """Views of a lake in a session of their own, made when the first question comes (`iosq.toolkit.sql.engine`).

    Args:
        spark: a session; it stays as it is.
        lake: all executors see it under this path.
        small: it has few rows.
    """

    def __init__(self, spark: SparkSession, lake: Lake, asked: Asked, small: bool) -> None:
        self._spark, self._lake, self._asked, self._is_small = spark.newSession(), lake, asked, small
        prepare(self._spark)
        self._shown = asked.views
        self._keeper: Keeper | None = None

    def answer(self, sql: str, parameters: Parameters = ()) -> pa.Table:
        """The whole answer to one SELECT; errors as `iosq.toolkit.sql.guard.query`."""
        with self._in_one_line():
            keeper = self._keeper or self._make(self._asked.kept)
            text = statement.marked(sql)
            statement.check(self._spark, text)
            with timed(self._spark):
                rows: pa.Table = keeper.rows(text, statement.given(parameters)).toArrow()
        return rows

    @contextmanager
    def _in_one_line(self) -> Iterator[None]:
        try:
            yield
        except IosqError:
            raise
        except Exception as error:
            raise statement.request(error, self._names) from error

    @cached_property
    def _names(self) -> list[str]:
        return [*tables(), *(v.name for v in views()), *(c.name for v in self._shown for c in v.columns)]

    def _make(self, kept: bool) -> Keeper:
        done = stored_facts(Plan(self._lake, self._lake.listed()))
        state, known, whole = self._lake.state(), tables(), self._whole(done)
        often = read_often(self._asked.text, whole)
        keeper = Keeper(self._spark, self._is_small, kept, often)
        self._make_tables(state, self._asked.words.union(*(v.reads for v in whole if v.name not in done)))
        idle = known.keys() - state.tables.keys()
        whole = without_empty_sources(whole, known.keys(), idle)

        def rows(view: View) -> DataFrame:
            with timed(self._spark):
                if view.name in done:
                    return keeper.prepared(view, places(done[view.name]))
                return keeper.view(view)

        made = {v.name: rows(v) for v in (stages.each("views", whole) if kept else whole)}
        if self._asked.where:
            self._narrow(self._asked.where, made, keeper)
        self._keeper = keeper
        return keeper

    def _make_tables(self, state: State, words: AbstractSet[str]) -> None:
        known = tables()
        for name in known.keys() & words:
            raw(self._spark, known[name], state.tables.get(name, {}))
        for name in state.about.keys() & words:
            about_lake(self._spark, name, state.about[name])
        if {"lake_dictionary", "lake_views"} & words:
            about_lake(self._spark, "lake_dictionary", dictionary(tuple(known.values())))
            about_lake(self._spark, "lake_views", view_list())

    def _whole(self, done: Collection[str]) -> list[View]:
        """The views to make of all of the lake: those shown, and what a filter follows boxes by.

        Of views that are done already, those that are named: what they were made of is not read again.
        """
        where, known = self._asked.where, {v.name for v in self._shown}
        if done and not where and (asked := {v.name for v in named(self._asked.text)}):
            return [v for v in self._shown if v.name in asked]
        of_boxes = needed(" ".join(OF_BOXES)) if where and follows_boxes(self._shown, where) else ()
        return [*self._shown, *(v for v in of_boxes if v.name not in known)]

    def _narrow(self, where: Filter, made: Mapping[str, DataFrame], keeper: Keeper) -> None:
        """Rows per interval are cut out of the whole; a summary is made anew from what is left of them."""
        for name, rows in made.items():
            rows.createOrReplaceTempView(f"{WHOLE}{name}")
        if follows_boxes(self._shown, where):
            keeper.keep(self._spark.sql(asked_rows(where, WHOLE)), f"{WHOLE}asked")
        for view in self._shown:
            if cut := left(view, where, WHOLE):
                self._spark.sql(cut).createOrReplaceTempView(view.name)
            else:
                keeper.view(view)
