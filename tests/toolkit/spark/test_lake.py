"""What Spark answers about a lake is what DuckDB answers: statements, filters, refusals, advice."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import iosq
from iosq.toolkit.errors import LakeError, RequestError
from iosq.toolkit.lake.disk import file_hash
from iosq.toolkit.lake.ingest import ingest
from iosq.toolkit.lake.lake import Lake
from iosq.toolkit.spark import statement
from iosq.toolkit.sql.catalog import views
from iosq.toolkit.sql.limits import IN_FORCE

sys.path.append(str(Path(__file__).parents[3]))
from tests.benchmarks.bench_engines import compare

SMF = Path(__file__).parents[3] / "sample-data" / "smf"
DEVICE = "SELECT system, volser, interval_start, local_start, io_rate, conn_ms FROM device_interval"
LONG = "SELECT sum(a.id * b.id % 7) AS n FROM range(1000000) a CROSS JOIN range(1000000) b"
STATEMENTS = [
    f"{DEVICE} WHERE io_rate > 100 ORDER BY io_rate DESC, volser LIMIT 9",
    "SELECT count(*) AS n FROM smf74_1_device_data",
    "SELECT kind, CAST(sum(read) AS BIGINT) AS n FROM lake_records GROUP BY kind ORDER BY kind",
    r"SELECT 'it''s a \n' AS text, lower(system) AS name FROM channel_interval GROUP BY system",
]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    lake = Lake(tmp_path_factory.mktemp("lake") / "lake")
    ingest(lake, [SMF / "sysb.smf.gz"])
    return lake.path


@pytest.fixture(scope="module")
def on_spark(spark: Any, path: Path) -> Iterator[iosq.Lake]:
    del spark  # the session of all tests is the one that a lake finds
    yield iosq.open(path, spark="local[2]")


def same(found: pa.Table, expected: pa.Table) -> None:
    """Equal but for last digits, and not empty."""
    assert not compare(expected, found).wrong
    assert found.schema.types == expected.schema.types
    assert found.num_rows


@pytest.mark.slow
@pytest.mark.parametrize("text", STATEMENTS)
def test_a_statement_has_the_same_answer(on_spark: iosq.Lake, path: Path, text: str) -> None:
    same(on_spark.arrow(text), iosq.open(path).arrow(text))


@pytest.mark.slow
def test_parameters_are_bound_by_name(on_spark: iosq.Lake, path: Path) -> None:
    text = f"{DEVICE} WHERE io_rate > $least AND '$least' <> '' AND interval_start >= $at ORDER BY io_rate DESC, volser"
    at = iosq.open(path).sql("SELECT max(interval_start) AS at FROM device_interval")["at"][0]
    same(on_spark.arrow(text, least=10.0, at=at), iosq.open(path).arrow(text, least=10.0, at=at))


@pytest.mark.slow
def test_filters_leave_the_same(path: Path, spark: Any, tmp_path: Path) -> None:
    del spark
    part: dict[str, Any] = {"since": "2025-11-18T09:00", "system": "SYSB", "lcu": "0000"}
    known = iosq.open(path).sql("SELECT min(lcu) AS lcu FROM device_interval WHERE lcu IS NOT NULL")
    part["lcu"] = known["lcu"][0]
    text = f"{DEVICE} ORDER BY interval_start, volser"
    expected = iosq.open(path, **part).arrow(text)
    assert expected.num_rows < iosq.open(path).arrow(text).num_rows
    same(iosq.open(path, spark="local[2]", **part).arrow(text), expected)
    summary = "SELECT p.*, c.first_seen AS clock_since FROM pav_candidate p JOIN system_clock c ON c.system = p.system"
    since = {"since": part["since"]}
    whole, expected = iosq.open(path).arrow(summary), iosq.open(path, **since).arrow(summary)
    assert whole["intervals"] != expected["intervals"]
    same(iosq.open(path, spark="local[2]", **since).arrow(summary), expected)
    given: list[str] = []
    for spark_or_not in ("local[2]", None):
        iosq.open(path, system="NONE", spark=spark_or_not).export(text, tmp_path / "none.csv", note=given.append)
    assert given[0] == given[1] and "there is no system NONE" in given[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("DROP VIEW device_interval", "DropView is not allowed here"),
        ("CREATE TABLE t AS SELECT 1 AS a", "CreateTableAsSelect is not allowed here"),
        ("WITH a AS (SELECT 1 AS b) INSERT INTO t SELECT * FROM a", "InsertIntoStatement is not allowed here"),
        ("SET spark.sql.ansi.enabled = false", "SetCommand is not allowed here"),
        ("SELECT reflect('java.lang.System', 'getenv')", "reflect is not allowed here"),
        ("SELECT 1 AS `--`, reflect('java.lang.System', 'getProperty', 'user.home')", "reflect is not allowed here"),
        ("SELECT IDENTIFIER/**/('refl' || 'ect')('java.lang.System', 'getenv')", "identifier is not allowed here"),
        ("EXECUTE IMMEDIATE 'SELECT 1 AS a'", "UnresolvedExecuteImmediate is not allowed here"),
        ("SELECT * FROM IDENTIFIER('text.`/etc/passwd`')", "identifier is not allowed here"),
        ("SELECT TRANSFORM (system) USING 'cat' AS (a) FROM device_interval", "TRANSFORM is not allowed here"),
        ("SELECT a FROM (SELECT TRANSFORM (1) USING 'cat' AS (a))", "TRANSFORM is not allowed here"),
        ('SELECT * FROM csv."/etc/passwd"', "there is no table or view csv./etc/passwd"),
        ("SELECT * FROM device_intervall", "there is no table or view device_intervall; did you mean device_interval"),
        ("SELECT io_rat FROM device_interval", "there is no column io_rat; did you mean io_rate"),
        ("SELECT 1 +", "Spark: "),
    ],
)
def test_only_what_reads_the_lake_runs(on_spark: iosq.Lake, text: str, message: str) -> None:
    with pytest.raises(RequestError) as given:
        on_spark.arrow(text)
    assert str(given.value).startswith(message)
    assert "\n" not in str(given.value)


@pytest.mark.slow
def test_advice_is_the_same_but_for_last_digits(on_spark: iosq.Lake, path: Path) -> None:
    found, expected = on_spark.advise("pav"), iosq.open(path).advise("pav")
    assert found.heading == expected.heading
    assert found.text() == expected.text()
    assert len(found) > 0


@pytest.mark.slow
def test_every_promised_view_has_the_rows_of_duckdb(on_spark: iosq.Lake, path: Path) -> None:
    for view in (v for v in views() if v.layer == "promised"):
        expected, found = (lake.arrow(f"SELECT * FROM {view.name}") for lake in (iosq.open(path), on_spark))
        assert found.schema.types == expected.schema.types, view.name
        assert not compare(expected, found).wrong, view.name


FOREIGN = {
    "another type": (lambda rows: rows.set_column(0, rows.column_names[0], [[1] * len(rows)]), "the file has BIGINT"),
    "fewer columns": (lambda rows: rows.drop_columns([rows.column_names[0]]), "the file has nothing"),
}


@pytest.mark.slow
@pytest.mark.parametrize("lie", FOREIGN)
def test_facts_with_other_columns_are_refused_in_one_line(spark: Any, path: Path, tmp_path: Path, lie: str) -> None:
    del spark
    iosq.open(path).sql("SELECT count(*) FROM channel_interval")
    theirs = Path(shutil.copytree(path, tmp_path / "lake"))
    change, message = FOREIGN[lie]
    for file in theirs.glob("_facts/*/channel_interval.parquet"):
        before = f"{file.stat().st_size},{file_hash(file)}"
        pq.write_table(change(pq.read_table(file)), file)
        index = file.with_name("index.csv")
        index.write_text(index.read_text().replace(before, f"{file.stat().st_size},{file_hash(file)}"))
    with pytest.raises(LakeError, match=f"^{theirs}/_facts/.*: the header promises platform STRING, {message}; "):
        iosq.open(theirs, spark="local[2]").arrow("SELECT max(busy_ratio) AS busy FROM channel_interval")


@pytest.mark.slow
def test_a_view_that_fails_is_reported_in_one_line(path: Path, spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("Job aborted\n  at org.apache.spark")

    del spark
    monkeypatch.setattr("iosq.toolkit.spark.lake.make", fails)
    for work in (lambda lake: lake.arrow(DEVICE), lambda lake: lake.advise("pav")):
        with pytest.raises(RequestError, match=r"^Spark: Job aborted$"):
            work(iosq.open(path, spark="local[2]"))


@pytest.mark.slow
def test_a_question_that_takes_too_long_is_stopped(on_spark: iosq.Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(IN_FORCE, "timeout_s", 1.0)
    with pytest.raises(RequestError, match="--timeout: took longer than 1 s; narrow the query"):
        on_spark.arrow(LONG)


@pytest.mark.slow
def test_a_view_that_takes_too_long_is_stopped(spark: Any, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(IN_FORCE, "timeout_s", 1.0)
    monkeypatch.setattr("iosq.toolkit.spark.lake.make", lambda *_: spark.sql(LONG).toArrow())
    with pytest.raises(RequestError, match="--timeout: took longer than 1 s; narrow the query"):
        iosq.open(path, spark="local[2]").arrow(DEVICE)


def test_marks_in_texts_stay() -> None:
    assert statement.marked("SELECT '$a', $b -- $c\n, $d") == "SELECT '$a', :b -- $c\n, :d"
    assert statement.marked(r"SELECT 'a\b''c', $d") == r"SELECT 'a\\b''c', :d"
