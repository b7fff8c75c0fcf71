"""Apache Spark: dumps as tables of a cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def register(spark: SparkSession) -> None:
    """Make `spark.read.format("smf")` known to a session; its options are told in `iosq.toolkit.spark.source`.

    Raises:
        RequestError: PySpark is missing or older than 4.
    """
    from iosq.toolkit.spark.installed import pyspark_at_hand

    pyspark_at_hand()
    from iosq.toolkit.spark.source import Source

    spark.dataSource.register(Source)
