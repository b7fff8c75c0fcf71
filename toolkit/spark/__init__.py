"""Apache Spark: dumps as tables of a cluster."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from iosq.toolkit.spark.installed import pyspark_at_hand

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from iosq.toolkit.lake.ingest import Outcome
    from iosq.toolkit.lake.lake import Lake
    from iosq.toolkit.lake.progress import Progress


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


def ingested(
    master: str | None,
    lake: Lake,
    paths: Iterable[Path],
    progress: Progress | None = None,
    unpack_limit_bytes: int | None = None,
    kinds: frozenset[str] | None = None,
) -> list[Outcome]:
    """Result of an ingest by the tasks of a cluster.

    Arguments and errors as of `iosq.toolkit.spark.ingest.ingest`; of `master` as of `iosq.toolkit.spark.session.begin`.
    """
    pyspark_at_hand()
    from iosq.toolkit.spark.ingest import ingest
    from iosq.toolkit.spark.session import begin

    session = partial(begin, master)
    return ingest(session, lake, paths, progress=progress, unpack_limit_bytes=unpack_limit_bytes, kinds=kinds)
