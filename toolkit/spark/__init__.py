"""Apache Spark: dumps as tables of a cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from iosq.toolkit.spark.installed import pyspark_at_hand

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def register(spark: SparkSession) -> None:
    """Make `spark.read.format("smf")` known to a session; for its options see `iosq.toolkit.spark.source`.

    On this machine its tasks run the Python that calls, unless PYSPARK_PYTHON names another. On a cluster set
    PYSPARK_PYTHON, before the session begins, to a Python of the executors that has iosq.

    Raises:
        RequestError: PySpark is missing or older than 4.
    """
    pyspark_at_hand()
    from iosq.toolkit.spark.session import run_this_python
    from iosq.toolkit.spark.source import Source

    run_this_python()
    spark.dataSource.register(Source)
