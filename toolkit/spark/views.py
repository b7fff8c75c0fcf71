"""A lake in a Spark session: facts and raw tables as Parquet, views from the same .sql files that DuckDB runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from iosq.parsers.api import Table
from iosq.parsers.arrow import TYPES
from iosq.toolkit.errors import FULL_DOCTOR, LakeError
from iosq.toolkit.lake.disk import parquet_errors
from iosq.toolkit.late import pa, pq
from iosq.toolkit.spark.message import message
from iosq.toolkit.spark.steps import planned
from iosq.toolkit.sql import text
from iosq.toolkit.sql.catalog import Source, View
from iosq.toolkit.sql.connect import given_by
from iosq.toolkit.sql.raw import FILE_ID, picked, quoted

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# settings for the same SQL as DuckDB, names in double quotes and instants without a zone, and for faster planning
SETTINGS = {
    "spark.sql.ansi.enabled": "true",
    "spark.sql.ansi.doubleQuotedIdentifiers": "true",
    "spark.sql.timestampType": "TIMESTAMP_NTZ",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.runSQLOnFiles": "false",  # no access to files outside the lake
    # inferring constraints over many computed columns takes longer than everything else
    "spark.sql.constraintPropagation.enabled": "false",
}
# names of column types; instants have no time zone, as in the lake
_SPELLED = {"varchar": "STRING", "timestamp": "TIMESTAMP_NTZ", "integer": "INT"}
_OF_ARROW = {arrow: _SPELLED.get(kind, kind.upper()) for kind, arrow in TYPES.items()}
# functions that every engine gets (`iosq.toolkit.sql.connect.SHIMS`)
FUNCTIONS = (
    """in_order(keys ARRAY<STRING>, elements ARRAY<STRING>) RETURNS ARRAY<STRING>
    RETURN transform(array_sort(arrays_zip(keys, elements)), pair -> pair.elements)""",
    "at_least_0(value DOUBLE) RETURNS DOUBLE RETURN CASE WHEN value < 0 THEN 0 ELSE value END",
    """peak_order(value DOUBLE, instant TIMESTAMP_NTZ) RETURNS STRUCT<value: DOUBLE, before: BIGINT>
    RETURN CASE WHEN value IS NOT NULL THEN named_struct('value', value, 'before', -unix_micros(instant)) END""",
    """name_order(value DOUBLE, name STRING) RETURNS STRUCT<value: DOUBLE, name: STRING>
    RETURN CASE WHEN value IS NOT NULL THEN named_struct('value', value, 'name', name) END""",
    """first_order(kind INT, value DOUBLE, other DOUBLE, instant TIMESTAMP_NTZ)
    RETURNS STRUCT<kind: INT, value: DOUBLE, other: DOUBLE, us: BIGINT>
    RETURN named_struct('kind', kind, 'value', value, 'other', other, 'us', unix_micros(instant))""",
)


def prepare(spark: SparkSession) -> None:
    """Prepare a session to run the SQL of views."""
    for name, value in SETTINGS.items():
        spark.conf.set(name, value)
    for function in FUNCTIONS:
        spark.sql(f"CREATE OR REPLACE TEMPORARY FUNCTION {function}")


def raw(spark: SparkSession, table: Table, files: Sequence[str]) -> None:
    """Register the stored rows of a raw table as a temporary view; LakeError if a file has other columns or types."""
    rows = _stored(spark, [(c.name, c.type) for c in (*table.columns, FILE_ID)], files)
    rows.createOrReplaceTempView(f"{table.name}__stored")
    spark.sql(f"SELECT {picked(table)} FROM {table.name}__stored").createOrReplaceTempView(table.name)


def fact(spark: SparkSession, view: View, files: Sequence[str]) -> View:
    """A stored view, as a view that reads its stored rows; errors as of `raw`."""
    if not files:
        return given_by(view, "")
    rows = _stored(spark, [(c.name, c.type) for c in view.own_columns], files)
    rows.createOrReplaceTempView(name := f"stored_{view.name}")
    return given_by(view, name)


def about_lake(spark: SparkSession, name: str, rows: pa.Table) -> None:
    """Register a metadata table of the lake as a temporary view."""
    spark.createDataFrame(rows).createOrReplaceTempView(name)


def make(spark: SparkSession, view: View) -> DataFrame:
    """The rows of a view whose sources are registered; LakeError if Spark gives none, or other columns."""
    try:
        made = planned(spark, text.select(view, lambda source: _given(spark, source)))
    except Exception as error:
        raise LakeError(f"Spark does not run it: {message(error)}", place=view.file) from error
    promised = [(c.name, _spelled(c.type)) for c in view.columns]
    found = [(f.name, f.dataType.simpleString().upper()) for f in made.schema]
    if wrong := _first_wrong(promised, found):
        raise LakeError(f"the header promises {wrong[0]}, Spark gives {wrong[1]}", place=view.file)
    return made


def _stored(spark: SparkSession, columns: Sequence[tuple[str, str]], files: Sequence[str]) -> DataFrame:
    """The rows of Parquet files, after a check of their columns: Spark would read a missing column as NULL."""
    expected = [(name, _spelled(kind)) for name, kind in columns]
    if not files:  # lets the planner drop everything that reads the empty table
        nothing = ", ".join(f"CAST(NULL AS {kind}) AS {quoted(name)}" for name, kind in expected)
        return spark.sql(f"SELECT {nothing} WHERE FALSE")
    for file in files:
        _check(file, expected)
    declared = ", ".join(f"`{name}` {kind}" for name, kind in expected)
    return spark.read.schema(declared).parquet(*files)


def _spelled(kind: str) -> str:
    return _SPELLED.get(kind.lower(), kind.upper())


def _check(file: str, expected: Sequence[tuple[str, str]]) -> None:
    """LakeError if a file lacks one of these columns, or has it in another type."""
    with parquet_errors(Path(file)):
        found = {f.name: _OF_ARROW.get(f.type, str(f.type).upper()) for f in pq.read_schema(file)}
    if wrong := _first_wrong(expected, [(name, found.get(name, "nothing")) for name, _ in expected]):
        (name, kind), (_, got) = wrong
        raise LakeError(f"the header promises {name} {kind}, the file has {got}", place=file, remedy=FULL_DOCTOR)


def _first_wrong(
    expected: Sequence[tuple[str, str]], found: Sequence[tuple[str, str]]
) -> tuple[tuple[str, str], tuple[str, str]] | None:
    pairs: Iterable[tuple[tuple[str, str], tuple[str, str]]] = zip(expected, found, strict=False)
    wrong = next(((e, f) for e, f in pairs if e != f), None)
    if wrong is None and len(expected) != len(found):
        return ("columns", str(len(expected))), ("columns", str(len(found)))
    return wrong


def _given(spark: SparkSession, source: Source) -> list[str]:
    names: list[str] = spark.sql(source.sql).columns
    return names
