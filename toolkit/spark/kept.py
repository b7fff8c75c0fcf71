"""Rows that a session works out once: on the executors, or at hand for the planner where they are few."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from iosq.toolkit.spark.steps import in_steps
from iosq.toolkit.sql.settle import is_small

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from iosq.toolkit.spark.statement import Given

FEW_BYTES = 4 << 20  # of rows: what the driver holds of each table without minding
_VALUE_BYTES = 16  # of one, about
# one task is sooner done than several have been told of; a step is sooner interpreted than compiled
_SMALL = {
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.files.minPartitionNum": "1",
    "spark.sql.files.openCostInBytes": "0",
    "spark.sql.leafNodeDefaultParallelism": "1",
    "spark.sql.shuffle.partitions": "1",
}


class Keeper:
    """Gives rows of a session their names; with `is_kept` they are worked out once.

    Args:
        spark: the session; where the lake is small, it is set to do small things at once.
        files: those of the lake. Of a small one everything is kept: it takes longer to plan than to work out.
        kept: keep it of a large one too.
    """

    def __init__(self, spark: SparkSession, files: Iterable[Path], kept: bool) -> None:
        self._spark, self._is_small = spark, is_small(files)
        self.is_kept = kept or self._is_small
        for name, value in _SMALL.items() if self._is_small else ():
            spark.conf.set(name, value)

    def named(self, rows: DataFrame, name: str) -> DataFrame:
        """Rows that are known by a name."""
        if self.is_kept:
            return self.keep(rows, name)
        rows.createOrReplaceTempView(name)
        return rows

    def keep(self, rows: DataFrame, name: str) -> DataFrame:
        """The same rows, worked out, known by a name."""
        kept = self._near(rows) if self._is_small else self._far(rows)
        kept.createOrReplaceTempView(name)
        return kept

    def rows(self, sql: str, args: Given = None) -> DataFrame:
        """What a SELECT gives; where rows are kept, parts that it names more than once are worked out before."""

        if not self.is_kept:
            return self._spark.sql(sql, args=args)
        made: list[str] = []

        def part(body: str) -> str:
            made.append(f"part_{uuid.uuid4().hex}")
            self.keep(self._spark.sql(body, args=args), made[-1])
            return made[-1]

        rows = self._spark.sql(in_steps(sql, part), args=args)
        for name in made:  # the plan has them
            self._spark.catalog.dropTempView(name)
        return rows

    def _far(self, rows: DataFrame) -> DataFrame:
        """On the executors; few rows are then brought here, or Spark would plan for as many as they could have been."""
        folder: Any = self._spark.sparkContext.getCheckpointDir()
        kept = rows.checkpoint() if folder else rows.localCheckpoint()
        return self._near(kept) if kept.count() * len(kept.columns) * _VALUE_BYTES <= FEW_BYTES else kept

    def _near(self, rows: DataFrame) -> DataFrame:
        return self._spark.createDataFrame(rows.toArrow(), rows.schema)
