"""A lake queried by Spark, with the same facts, views, filters and errors as with DuckDB."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from iosq.parsers.registry import tables
from iosq.toolkit.errors import IosqError
from iosq.toolkit.late import pa
from iosq.toolkit.spark import statement
from iosq.toolkit.spark.session import timed
from iosq.toolkit.spark.steps import keep, planned
from iosq.toolkit.spark.views import about_lake, fact, make, prepare, raw
from iosq.toolkit.sql.catalog import View, views
from iosq.toolkit.sql.connect import asked_rows, follows_boxes, left, without_empty_sources
from iosq.toolkit.sql.engine import Parameters
from iosq.toolkit.sql.filter import Filter

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

WHOLE = "whole_"  # name prefix of unfiltered views


@dataclass(frozen=True, slots=True)
class Content:
    """Content of a lake in a session, the same as for `iosq.toolkit.sql.connect.connect`.

    Attributes:
        further: hidden views that map volumes to boxes for a filter.
        parts: the Parquet files of raw tables and stored views, by name.
        idle: raw tables without rows.
    """

    views: Sequence[View]
    further: Sequence[View]
    parts: Mapping[str, Sequence[str]]
    about: Mapping[str, pa.Table]
    idle: frozenset[str]
    where: Filter | None = None


class SparkLake:
    """A query engine (`iosq.toolkit.sql.engine`) with the views of a lake in a session of their own.

    `spark` is not changed: the first query creates a new session from it. Files have the same paths on all executors.
    """

    def __init__(self, spark: SparkSession, content: Content) -> None:
        self._begun, self._content = spark, content

    def answer(self, sql: str, parameters: Parameters = ()) -> pa.Table:
        """The complete result of one SELECT; errors as of `iosq.toolkit.sql.guard.query`."""
        with self._in_one_line(), timed(self._begun):
            text = statement.marked(sql)
            statement.check(self._spark, text)
            rows: pa.Table = planned(self._spark, text, statement.given(parameters)).toArrow()
        return rows

    @contextmanager
    def _in_one_line(self) -> Iterator[None]:
        try:
            yield
        except IosqError:
            raise
        except Exception as error:
            columns = (c.name for v in self._content.views for c in v.columns)
            raise statement.request(error, [*tables(), *(v.name for v in views()), *columns]) from error

    @cached_property
    def _spark(self) -> SparkSession:
        session = self._begun.newSession()
        show(session, self._content)
        return session


def show(spark: SparkSession, content: Content) -> None:
    """Register the content of a lake in a session as temporary views.

    LakeError if a file has unexpected columns, or Spark can't run the SQL of a view.
    """
    prepare(spark)
    for name, table in tables().items():
        if name in content.parts or name in content.idle:
            raw(spark, table, content.parts.get(name, ()))
    for name, rows in content.about.items():
        about_lake(spark, name, rows)
    all_views = without_empty_sources((*content.views, *content.further), tables().keys(), content.idle, content.parts)
    made = {v.name: _made(spark, v, content) for v in all_views}
    if content.where:
        _narrow(spark, content, content.where, made)


def _made(spark: SparkSession, view: View, content: Content) -> DataFrame:
    if view.name in content.parts:
        view = fact(spark, view, content.parts[view.name])
    rows = make(spark, view)
    rows.createOrReplaceTempView(view.name)
    return rows


def _narrow(spark: SparkSession, content: Content, where: Filter, made: Mapping[str, DataFrame]) -> None:
    """Filter the views: interval rows are selected from the unfiltered view, summaries computed from filtered rows."""
    for name, rows in made.items():
        rows.createOrReplaceTempView(f"{WHOLE}{name}")
    if follows_boxes(content.views, where):
        keep(spark, spark.sql(asked_rows(where, WHOLE)), f"{WHOLE}asked")
    for view in without_empty_sources(content.views, tables().keys(), content.idle):
        if cut := left(view, where, WHOLE):
            spark.sql(cut).createOrReplaceTempView(view.name)
        else:
            keep(spark, make(spark, view), view.name)
