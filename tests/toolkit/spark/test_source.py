"""The data source in a real session: what Spark gives is what tasks read."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from iosq.toolkit.lake.ingest import ingest
from iosq.toolkit.lake.lake import Lake
from iosq.toolkit.spark import register

pytestmark = pytest.mark.slow
SMF = Path(__file__).parents[3] / "sample-data" / "smf"
TABLE = "smf74_1_device_data"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("in")
    (path / "sysa.smf").write_bytes(gzip.decompress((SMF / "sysa.smf.gz").read_bytes()))
    (path / "sysb.smf.gz").write_bytes((SMF / "sysb.smf.gz").read_bytes())
    return path


@pytest.fixture(scope="module")
def stored(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Lake:
    lake = Lake(tmp_path_factory.mktemp("lake") / "lake")
    ingest(lake, [folder])
    return lake


def of_spark(frame: Any) -> Counter[str]:
    return Counter(repr(sorted(row.asDict().items())) for row in frame.collect())


@pytest.mark.parametrize("tasks", [1, 2, 7])
def test_rows_are_those_of_the_lake(spark: Any, folder: Path, stored: Lake, tasks: int) -> None:
    import pyarrow.parquet as pq

    register(spark)
    size = (folder / "sysa.smf").stat().st_size
    frame = spark.read.format("smf").option("table", TABLE).option("splitBytes", -(-size // tasks)).load(str(folder))
    assert frame.rdd.getNumPartitions() == tasks + 1
    kept = [row for path in stored.parts()[TABLE] for row in pq.ParquetFile(path).read().to_pylist()]
    assert of_spark(frame) == Counter(repr(sorted(row.items())) for row in kept)


@pytest.mark.parametrize("table", ["lake_files", "lake_records", "lake_issues"])
def test_the_balance_and_issues_are_those_of_the_lake(spark: Any, folder: Path, stored: Lake, table: str) -> None:
    register(spark)
    found = of_spark(spark.read.format("smf").option("table", table).load(str(folder)))
    assert found == Counter(repr(sorted(row.items())) for row in stored.about()[table].to_pylist())


def test_tasks_run_the_python_that_registers(folder: Path, tmp_path: Path) -> None:
    """The caller sets nothing, and the first python3 of the search path has no iosq."""
    pytest.importorskip("pyspark.sql", reason="PySpark is not installed: make test-spark")
    other = tmp_path / "python3"
    other.write_text("#!/bin/sh\nexit 1\n")
    other.chmod(0o755)
    own = {name: value for name, value in os.environ.items() if name != "PYSPARK_PYTHON"}
    own["PATH"] = f"{tmp_path}{os.pathsep}{own['PATH']}"
    code = (
        "import sys; from pyspark.sql import SparkSession; from iosq.toolkit.spark import register\n"
        "spark = SparkSession.builder.master('local[1]').getOrCreate(); register(spark)\n"
        f"print(spark.read.format('smf').option('table', {TABLE!r}).load(sys.argv[1]).count())"
    )
    command = [sys.executable, "-c", code, str(folder / "sysb.smf.gz")]
    done = subprocess.run(command, env=own, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 0


def test_tables_can_be_listed(spark: Any) -> None:
    register(spark)
    names = {row["name"] for row in spark.read.format("smf").option("table", "tables").load().collect()}
    assert {TABLE, "lake_issues"} <= names


def test_an_unknown_table_is_reported_with_its_remedy(spark: Any, folder: Path) -> None:
    register(spark)
    with pytest.raises(Exception, match="there is no table smf74_9; read the table 'tables', which lists them"):
        spark.read.format("smf").option("table", "smf74_9").load(str(folder)).collect()
