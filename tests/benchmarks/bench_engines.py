"""Every view on DuckDB and on Spark, from one text: the same rows, and how far their numbers are apart.

    python -m tests.benchmarks engines

The smaller sample dumps, RMF listings and the damaged dumps in one lake: most of the time is what Spark takes to plan.
Needs PySpark and Java (`make test-spark`).
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from rich.console import Console

from iosq.parsers.registry import tables
from iosq.toolkit.errors import LakeError
from iosq.toolkit.lake import Lake, ingest
from iosq.toolkit.spark.views import make, open_lake
from iosq.toolkit.sql.catalog import View, views
from iosq.toolkit.sql.connect import connect

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROOT = Path(__file__).parents[2]
SAMPLES = ("sample-data/smf/sysb.smf.gz", "sample-data/smf/tapelib.bdw.smf", "sample-data/rmf", "tests/broken/smf")
INPUTS = tuple(ROOT / name for name in SAMPLES)
CLOSE = 1e-9
CONF = {
    "spark.ui.enabled": "false",
    "spark.driver.memory": "1g",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.adaptive.enabled": "false",
}


@dataclass(frozen=True)
class Verdict:
    """How two answers compare: rows on each side, largest relative difference, and what is wrong ('' if nothing)."""

    rows: int = 0
    others: int = 0
    apart: float = 0.0
    wrong: str = ""


def session() -> SparkSession:
    """A small local one, whose workers run this Python."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[1]")
    for name, value in CONF.items():
        builder = builder.config(name, value)
    made = builder.getOrCreate()
    made.sparkContext.setLogLevel("OFF")
    return made


def compare(one: pa.Table, other: pa.Table) -> Verdict:
    """Two answers, row by row in the order of what is no floating-point number."""
    if one.num_rows != other.num_rows:
        return Verdict(one.num_rows, other.num_rows, wrong="number of rows")
    left, right = _ordered(one), _ordered(other)
    apart = 0.0
    for name in one.column_names:
        a, b = left[name].to_pylist(), right[name].to_pylist()
        if [x is None for x in a] != [x is None for x in b]:
            return Verdict(len(a), len(b), wrong=f"{name}: {_first(a, b)}")
        if isinstance(next((x for x in a if x is not None), None), float):
            apart = max(apart, far := _apart(a, b))
            if not far <= CLOSE:
                return Verdict(len(a), len(b), far, name)
        elif a != b:
            return Verdict(len(a), len(b), wrong=f"{name}: {_first(a, b)}")
    return Verdict(left.num_rows, right.num_rows, apart)


def _first(a: list[Any], b: list[Any]) -> str:
    pairs = enumerate(zip(a, b, strict=True))
    return next(f"{x} | {y} (row {n})" for n, (x, y) in pairs if (x is None) != (y is None) or x != y)


def _apart(a: list[float | None], b: list[float | None]) -> float:
    x, y = (np.array([v for v in values if v is not None], float) for values in (a, b))
    scale = np.maximum(np.abs(x), np.abs(y))
    return float(np.max(np.abs(x - y) / np.where(scale > 0, scale, 1), initial=0.0))


def _ordered(rows: pa.Table) -> pa.Table:
    """By all that is exact, then by numbers to eight digits."""
    exact = [n for n in rows.column_names if not pa.types.is_floating(rows[n].type)]
    texts = [[str(value) for value in rows[n].to_pylist()] for n in exact]
    numbers = [n for n in rows.column_names if n not in exact]
    texts += [["" if v is None else f"{v:.7e}" for v in rows[n].to_pylist()] for n in numbers]
    keys = list(zip(*texts, strict=True))
    return rows.take(pa.array(sorted(range(rows.num_rows), key=keys.__getitem__), pa.int64()))


def verdicts(spark: SparkSession, lake: Lake, wanted: Sequence[View]) -> Iterator[tuple[View, Verdict]]:
    """Each view as both engines give it; below it Spark reads what DuckDB gave, so that each is judged by itself."""
    con = connect(tables().values(), lake.parts(), lake.about(), root=lake.path, commented=False)
    open_lake(spark, lake, only=())
    for view in wanted:
        expected = con.execute(f'SELECT * FROM "{view.name}"').to_arrow_table()
        yield view, _verdict(spark, view, expected)
        spark.createDataFrame(expected).createOrReplaceTempView(view.name)


def _verdict(spark: SparkSession, view: View, expected: pa.Table) -> Verdict:
    from pyspark.errors import PySparkException

    try:
        return compare(expected, make(spark, view).toArrow())
    except (LakeError, PySparkException) as error:
        return Verdict(expected.num_rows, wrong=str(error).splitlines()[0])


def main() -> list[tuple[str, str, str]] | None:
    """Print a line for each view, and how many agree."""
    if find_spec("pyspark") is None:
        return [("views on Spark", "PySpark is not installed", "make test-spark")]
    spark = session()
    try:
        with tempfile.TemporaryDirectory() as folder:
            lake = Lake(Path(folder) / "lake")
            ingest(lake, INPUTS)
            agree = []
            for view, v in verdicts(spark, lake, views()):
                agree += [view.layer] * (not v.wrong)
                told = f"{v.rows:7,} rows, {v.others:7,} on Spark, {v.apart:.0e} apart"
                print(f"{view.name:25} {view.layer:8} {told} {v.wrong}", flush=True)  # planning takes minutes in all
    finally:
        spark.stop()
    promised = sum(v.layer == "promised" for v in views())
    Console().print(
        f"{agree.count('promised')} of {promised} promised views agree, {len(agree)} of {len(views())} in all"
    )
    return None
