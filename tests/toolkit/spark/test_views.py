"""One text, two engines: what Spark makes of a view's text is what DuckDB makes of it."""

import datetime as dt
import re
import sys
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from iosq.parsers.registry import tables as registered
from iosq.toolkit import advise
from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.lake.ingest import ingest
from iosq.toolkit.lake.lake import Lake
from iosq.toolkit.report.table import tables
from iosq.toolkit.spark import statement
from iosq.toolkit.spark.steps import keep
from iosq.toolkit.spark.views import make, prepare, raw
from iosq.toolkit.sql.catalog import needed, views
from iosq.toolkit.sql.connect import SHIMS, without_empty_sources
from iosq.toolkit.sql.dictionary import lake_tables
from iosq.toolkit.sql.questions import shipped

ROOT = Path(__file__).parents[3]
sys.path += [str(ROOT), str(ROOT / "tests" / "toolkit" / "sql"), str(ROOT / "tests" / "parsers")]
EXAMPLES = {"DOUBLE": 1.0, "BOOLEAN": True, "VARCHAR": "x", "TIMESTAMP": dt.datetime(2026, 3, 2)}
KINDS = {
    "bigint": "BIGINT", "int": "INTEGER", "double": "DOUBLE", "string": "STRING", "timestamp_ntz": "TIMESTAMP",
    "boolean": "BOOLEAN", "date": "DATE",
}  # fmt: skip
TYPES = {"VARCHAR": "STRING", "TIMESTAMP": "TIMESTAMP_NTZ"}
BASE = "device_interval cache_interval channel_interval dataset_interval tape_library_interval box_subsystem"
SMF = ROOT / "sample-data" / "smf"


@pytest.mark.slow
def test_base_views_agree(spark: Any, tmp_path: Path) -> None:
    from tests.benchmarks.bench_engines import verdicts

    lake = Lake(tmp_path / "lake")
    ingest(lake, [SMF / "sysb.smf.gz", SMF / "tapelib.bdw.smf"])
    wanted = needed(BASE)
    found = {name: verdict for name, _, verdict in verdicts(spark, lake, wanted)}
    assert not {name: verdict for name, verdict in found.items() if verdict.wrong}
    assert found["device_interval"].rows > 1000


@pytest.fixture
def empty(spark: Any) -> Any:
    """A session in which every raw table and view is there, without rows."""
    own = spark.newSession()
    prepare(own)
    for table in registered().values():
        raw(own, table, ())
    for view in views():
        columns = ", ".join(f"`{c.name}` {c.sql_type.replace('TIMESTAMP', 'TIMESTAMP_NTZ')}" for c in view.columns)
        own.createDataFrame([], columns).createOrReplaceTempView(view.name)
    for name, (_, entries) in lake_tables().items():
        columns = ", ".join(f"`{e.column}` {TYPES.get(e.type, e.type)}" for e in entries)
        own.createDataFrame([], columns).createOrReplaceTempView(name)
    return own


@pytest.mark.slow
def test_spark_gives_every_view_the_columns_it_promises(empty: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for view in views():
        with monkeypatch.context() as patch:
            # there is nothing to compute first: planning takes minutes. Parts within parts would be read too many times
            if view.reads & registered().keys() and all(s.sql.count("WITH ") < 2 for s in view.sources):
                patch.setattr("iosq.toolkit.spark.views.planned", lambda own, sql: own.sql(sql))
            make(empty, view)


@pytest.mark.slow
def test_spark_understands_every_question(empty: Any) -> None:
    for question in (*shipped(), *(rule.asked for rule in all_rules() if rule.outcomes)):
        values = {p.name: EXAMPLES[p.type] for p in question.parameters}
        asked = empty.sql(statement.marked(question.sql), args=statement.given(values))
        kinds = {c.name: c.sql_type for c in question.columns}
        found = {f.name: KINDS.get(f.dataType.simpleString()) for f in asked.schema}
        assert {name: found.get(name) for name in kinds} == kinds, question.name
    for table in tables():
        if table.sql:
            assert set(empty.sql(table.sql).columns) >= set(table.columns), table.name


@pytest.mark.slow
def test_what_views_leave_out_is_the_same(spark: Any, tmp_path: Path) -> None:
    from sql_lake import Lake as RawRows

    from tests.benchmarks.bench_engines import compare

    rows, asked = RawRows(), "impossible_value listing_repeat"
    rows.device("2208", SMF74RSV=-900, record_offset=4711)
    rows.add("rmf_channel", path="41", total_busy_pct=250.0, line=12)
    for file, rate in (("a", 100.0), ("b", 300.0)):
        rows.add("rmf_dasd_device", device="02208", activity_rate=rate, resp_ms=0.7, line=7, file_id=file * 16)
    con = rows.open(tmp_path, asks=asked)
    own = spark.newSession()
    prepare(own)
    for name in registered().keys() & set().union(*(view.reads for view in needed(asked))):
        files = [str(tmp_path / f"{name}.parquet")] if name in rows.rows else []
        raw(own, registered()[name], files)
    for view in without_empty_sources(needed(asked), registered().keys(), registered().keys() - rows.rows.keys()):
        keep(own, make(own, view), view.name)
    for name in asked.split():
        expected = con.execute(f"SELECT * FROM {name}").to_arrow_table()
        assert expected.num_rows
        assert not compare(expected, own.table(name).toArrow()).wrong


PEAKS = """
    SELECT k, max_by(n, peak_order(v, t)) AS n, max_by(n, name_order(v, CAST(9 - n AS STRING))) AS m FROM (VALUES
        ('tie', 1e0, TIMESTAMP '2026-03-02 02:00:00', 1), ('tie', 1e0, TIMESTAMP '2026-03-02 01:00:00', 2),
        ('tie', 0e0, TIMESTAMP '2026-03-02 00:00:00', 3), ('tie', NULL, TIMESTAMP '2026-03-02 00:00:00', 4),
        ('none', NULL, TIMESTAMP '2026-03-02 03:00:00', 5)) AS given(k, v, t, n)
    GROUP BY k ORDER BY k"""


@pytest.mark.parametrize("engine", ["DuckDB", pytest.param("Spark", marks=pytest.mark.slow)])
def test_of_equal_peaks_every_engine_takes_the_earliest(engine: str, request: pytest.FixtureRequest) -> None:
    if engine == "DuckDB":
        con = duckdb.connect()
        for shim in SHIMS:
            con.execute(shim)
        found = con.execute(PEAKS).fetchall()
    else:
        own = request.getfixturevalue("spark").newSession()
        prepare(own)
        found = [tuple(row) for row in own.sql(PEAKS).collect()]
    assert found == [("none", None, None), ("tie", 2, 1)]


@pytest.mark.parametrize(
    "unlike", [r"max_by\((?!.*_order)", r"OVER \w+ -"], ids=["which of equals", "a window's name with a minus"]
)
def test_no_sql_is_read_otherwise_by_another_engine(unlike: str) -> None:
    """Which of equals is the highest is chosen by an engine; Spark takes `w - x` for one name."""
    rules = {str(file): file.read_text("utf-8") for file in Path(advise.__file__).parent.rglob("*.sql")}
    for name, sql in ({table.name: table.sql or "" for table in tables()} | rules).items():
        assert not re.findall(unlike, sql), name


def test_answers_that_differ_are_found() -> None:
    from tests.benchmarks.bench_engines import compare

    one = pa.table({"name": ["a", "b", None], "rate": [1.0, None, 3.0]})
    assert not compare(one, one.take([2, 0, 1])).wrong
    assert compare(one, one.slice(1)).wrong == "number of rows"
    close = pa.table({"name": ["a", "b", None], "rate": [1.0 + 1e-12, None, 3.0]})
    assert 0 < compare(one, close).apart < 1e-11
    assert compare(one, pa.table({"name": ["a", "b", None], "rate": [1.1, None, 3.0]})).wrong == "rate"
    assert "rate" in compare(one, pa.table({"name": ["a", "b", None], "rate": [1.0, 2.0, None]})).wrong
    assert "name" in compare(one, pa.table({"name": ["a", "c", None], "rate": [1.0, None, 3.0]})).wrong


def test_what_agreed_before_is_not_asked_again(tmp_path: Path) -> None:
    pytest.importorskip("pyspark", reason="PySpark is not installed: make test-spark")
    from tests.benchmarks.bench_engines import Kept

    expected, asked, file = pa.table({"n": [1]}), [], tmp_path / "kept.jsonl"

    def other(value: int) -> pa.Table:
        asked.append(value)
        return pa.table({"n": [value]})

    for value, wrong in ((2, "n: 1 | 2 (row 0)"), (1, ""), (2, "")):  # what was wrong is looked at again
        assert Kept(file).verdict(expected, ("name", "text"), lambda value=value: other(value)).wrong == wrong
    assert Kept(file).verdict(expected, ("name", "other text"), lambda: other(3)).wrong
    assert asked == [2, 1, 3]
