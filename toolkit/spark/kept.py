"""Rows that a session works out once: on the executors, or at hand for the planner where they are few."""

from __future__ import annotations

import re
import uuid
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from iosq.parsers.registry import tables
from iosq.toolkit.spark.steps import in_steps
from iosq.toolkit.spark.views import make, prepared

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from iosq.toolkit.spark.statement import Given
    from iosq.toolkit.sql.catalog import View

FEW_BYTES = 4 << 20  # of rows: what the driver holds of each table without minding
_WORD = re.compile(r"\w+")
# letters of SQL; where the lake is large, reading twice what is asked for costs less than keeping all there is
_WORTH = 400_000
_VALUE_BYTES = 16  # of one, about
# one task is faster than starting several; a step is faster interpreted than compiled
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
    """Gives rows of a session their names; some are worked out once.

    Args:
        spark: the session; where the lake is small, it is set to do small things at once.
        small: the lake is. Then everything is kept: it takes longer to plan than to work out.
        kept: keep it of a large one too.
        often: the views to keep where not all are.
    """

    def __init__(self, spark: SparkSession, small: bool, kept: bool, often: Collection[str] = frozenset()) -> None:
        self._spark, self._is_small, self._often = spark, small, often
        self.is_kept = kept or small
        for name, value in _SMALL.items() if small else ():
            spark.conf.set(name, value)

    def view(self, view: View) -> DataFrame:
        """The rows of a view, known by its name; of what reads no raw table no filter has to reach files."""
        by_parts = self.is_kept or not view.reads & tables().keys()
        rows = make(self._spark, view, self.in_steps if by_parts else None)
        if self.is_kept or view.name in self._often:
            return self.keep(rows, view.name)
        rows.createOrReplaceTempView(view.name)
        return rows

    def prepared(self, view: View, files: Sequence[str]) -> DataFrame:
        """As `view`, of rows that are worked out already."""
        rows = make(self._spark, prepared(self._spark, view, files))
        if self._is_small:
            return self.keep(rows, view.name)
        rows.createOrReplaceTempView(view.name)
        return rows

    def rows(self, sql: str, args: Given = None) -> DataFrame:
        """What a statement gives."""
        return self.in_steps(sql, args) if self.is_kept else self._spark.sql(sql, args=args)

    def keep(self, rows: DataFrame, name: str) -> DataFrame:
        """The same rows, worked out, known by a name."""
        kept = self._near(rows) if self._is_small else self._far(rows)
        kept.createOrReplaceTempView(name)
        return kept

    def in_steps(self, sql: str, args: Given = None) -> DataFrame:
        """What a SELECT gives; parts that it names more than once are worked out before."""
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


def read_often(asked: str, shown: Sequence[View]) -> list[str]:
    """The views that Spark would plan again and again for a statement.

    Args:
        shown: the views that it needs, each after those it reads.
    """
    texts = {view.name: " ".join(source.sql for source in view.sources) for view in shown}
    below = {view.name: view.reads & texts.keys() for view in shown}  # a comment may name others
    reads = {name: Counter(word for word in _WORD.findall(sql) if word in below[name]) for name, sql in texts.items()}
    wanted = [word for word in _WORD.findall(asked.lower()) if word in texts]
    return worth(reads, {name: len(sql) for name, sql in texts.items()}, wanted, _WORTH)


def worth(reads: Mapping[str, Counter[str]], sizes: Mapping[str, int], wanted: Iterable[str], least: int) -> list[str]:
    """The views that are cheaper as tables, each after those it reads.

    Args:
        reads: each view after those it reads: how often it names them.
        sizes: letters of its own SQL.
        wanted: what will be read, as often as it will be.
        least: letters that planning has to be spared.
    """
    unfolded: dict[str, int] = {}
    for name, below in reads.items():
        unfolded[name] = sizes[name] + sum(count * unfolded[b] for b, count in below.items())
    planned: Counter[str] = Counter(wanted)
    chosen: list[str] = []
    for name in reversed(list(reads)):
        if (planned[name] - 1) * unfolded[name] >= least:
            chosen.append(name)
            planned[name] = 1
        for read, count in reads[name].items():
            planned[read] += count * planned[name]
    return chosen[::-1]
