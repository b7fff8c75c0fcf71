"""The views of a lake in a Spark session, from the same .sql files that DuckDB runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from iosq.parsers.api import Table
from iosq.parsers.registry import tables
from iosq.toolkit.errors import LakeError
from iosq.toolkit.facts.build import stored_facts
from iosq.toolkit.facts.plan import Plan
from iosq.toolkit.lake.lake import Lake, Stored, places
from iosq.toolkit.spark.message import message
from iosq.toolkit.sql import text
from iosq.toolkit.sql.catalog import Source, View, views
from iosq.toolkit.sql.connect import given_by
from iosq.toolkit.sql.raw import FILE_ID, picked, quoted

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

# what makes Spark read the text as DuckDB does: names in double quotes, instants without a zone; and plan it in time
SETTINGS = {
    "spark.sql.ansi.enabled": "true",
    "spark.sql.ansi.doubleQuotedIdentifiers": "true",
    "spark.sql.timestampType": "TIMESTAMP_NTZ",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.runSQLOnFiles": "false",  # files outside the lake are not there
    # what follows from a filter over many computed columns takes longer to work out than all else
    "spark.sql.constraintPropagation.enabled": "false",
}
# ours on every engine (`iosq.toolkit.sql.connect.SHIMS`)
FUNCTIONS = (
    """in_order(keys ARRAY<STRING>, elements ARRAY<STRING>) RETURNS ARRAY<STRING>
    RETURN transform(array_sort(arrays_zip(keys, elements)), pair -> pair.elements)""",
    "at_least_0(value DOUBLE) RETURNS DOUBLE RETURN CASE WHEN value < 0 THEN 0 ELSE value END",
    """peak_order(value DOUBLE, instant TIMESTAMP_NTZ) RETURNS STRUCT<value: DOUBLE, before: BIGINT>
    RETURN CASE WHEN value IS NOT NULL THEN named_struct('value', value, 'before', -unix_micros(instant)) END""",
)
_TYPES = {"varchar": "STRING", "timestamp": "TIMESTAMP_NTZ", "integer": "INT"}


def open_lake(spark: SparkSession, lake: Lake, only: Sequence[View] | None = None) -> None:
    """Make a lake's raw tables and views known to a session, as temporary views of their names.

    Prepared views are read as they are; others are computed wherever they are named.

    Args:
        lake: a local lake that all executors see under the same path.
        only: the views to make, each after those it reads; all by default.

    Raises:
        LakeError: Spark does not run a view's text, or it has other columns than its header promises.
    """
    prepare(spark)
    done, state = stored_facts(Plan(lake, lake.listed())), lake.state()
    for table in tables().values():
        raw(spark, table, state.tables.get(table.name, {}))
    for name, rows in state.about.items():
        about_lake(spark, name, rows)
    for view in views() if only is None else only:
        pieces = done.get(view.name)
        known = view if pieces is None else prepared(spark, view, places(pieces))
        make(spark, known).createOrReplaceTempView(view.name)


def prepare(spark: SparkSession) -> None:
    """Make a session read the texts of views as they are meant."""
    for name, value in SETTINGS.items():
        spark.conf.set(name, value)
    for function in FUNCTIONS:
        spark.sql(f"CREATE OR REPLACE TEMPORARY FUNCTION {function}")


def raw(spark: SparkSession, table: Table, stored: Mapping[str, Stored]) -> None:
    """Make what is stored of a raw table a temporary view; by input."""
    files = list(dict.fromkeys(str(path) for rows in stored.values() for path in rows.files))
    columns = [(c.name, c.type) for c in (*table.columns, FILE_ID)]
    if files:
        rows = spark.read.schema(_declared(columns)).parquet(*files)
    else:  # the planner sees that nothing is there, and leaves out what reads it
        nothing = ", ".join(f"CAST(NULL AS {_spelled(kind)}) AS {quoted(name)}" for name, kind in columns)
        rows = spark.sql(f"SELECT {nothing} WHERE FALSE")
    rows.createOrReplaceTempView(f"{table.name}__stored")
    spark.sql(f"SELECT {picked(table)} FROM {table.name}__stored").createOrReplaceTempView(table.name)


def prepared(spark: SparkSession, view: View, files: Sequence[str]) -> View:
    """A view whose rows are prepared, as one that reads them."""
    if not files:
        return given_by(view, "")
    rows = spark.read.schema(_declared((c.name, c.type) for c in view.columns)).parquet(*files)
    rows.createOrReplaceTempView(name := f"prepared_{view.name}")
    return given_by(view, name)


def about_lake(spark: SparkSession, name: str, rows: pa.Table) -> None:
    """Make a table of the lake about itself a temporary view."""
    spark.createDataFrame(rows).createOrReplaceTempView(name)


def make(spark: SparkSession, view: View, run: Callable[[str], DataFrame] | None = None) -> DataFrame:
    """The rows of a view whose sources are there.

    Args:
        run: gives the rows of its text; by default the session as it stands.

    Raises:
        LakeError: Spark does not run its text, or it has other columns than its header promises.
    """
    try:
        made = (run or spark.sql)(text.select(view, lambda source: _given(spark, source)))
    except Exception as error:
        raise LakeError(f"Spark does not run it: {message(error)}", place=view.file) from error
    promised = [(c.name, _spelled(c.type)) for c in view.columns]
    found = [(f.name, f.dataType.simpleString().upper()) for f in made.schema]
    wrong = next(((p, f) for p, f in zip(promised, found, strict=False) if p != f), None)
    if wrong or len(promised) != len(found):
        raise LakeError(f"the header promises {wrong and wrong[0]}, Spark gives {wrong and wrong[1]}", place=view.file)
    return made


def _declared(columns: Iterable[tuple[str, str]]) -> str:
    """Columns as Spark declares them."""
    return ", ".join(f"`{name}` {_spelled(kind)}" for name, kind in columns)


def _spelled(kind: str) -> str:
    return _TYPES.get(kind.lower(), kind)


def _given(spark: SparkSession, source: Source) -> list[str]:
    names: list[str] = spark.sql(source.sql).columns
    return names
