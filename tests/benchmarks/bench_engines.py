"""Every view and question on DuckDB and on Spark, from one text: the same rows, and how far their numbers are apart.

    python -m tests.benchmarks engines [--keep FILE]

Questions are those of rules, charts, tables and predictions, with the limits in force. Two lakes: the sample dumps,
listings of RMF and z/VM and the damaged dumps; and hours of the clinic, where rules find most. With --keep what was
found is added to a file, and a run that was broken off goes on there: what has the same text and the same rows is not
asked again. Needs PySpark and Java (`make test-spark`).
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple, dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from rich.console import Console

from iosq.parsers.registry import tables
from iosq.toolkit.advise import top_waiter
from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.errors import LakeError
from iosq.toolkit.lake.ingest import ingest
from iosq.toolkit.lake.lake import Lake
from iosq.toolkit.report.table import tables as report_tables
from iosq.toolkit.sample import write
from iosq.toolkit.spark import statement
from iosq.toolkit.spark.lake import Content, show
from iosq.toolkit.spark.steps import planned
from iosq.toolkit.spark.views import make
from iosq.toolkit.sql.catalog import View, views
from iosq.toolkit.sql.connect import connect
from iosq.toolkit.sql.engine import Connection
from iosq.toolkit.sql.guard import query
from iosq.toolkit.sql.questions import shipped
from tests.days import PACKAGES
from tests.materialised import materialised

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


ROOT = Path(__file__).parents[2]
GOLDEN = ("tests/golden/fcx", "tests/golden/monwrite", "tests/golden/rmf")
SAMPLES = ("sample-data/smf", "sample-data/rmf", "tests/broken/smf", *GOLDEN)
INPUTS = tuple(ROOT / name for name in SAMPLES)
CLOSE = 1e-9
BUSIEST = "SELECT platform, system, volume, volser, interval_start FROM volume_interval ORDER BY io_rate DESC LIMIT 9"
CLINIC = tuple(range(18, 42))  # quarter hours of the clinic's day, night and morning: half of them are measured
CONF = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.defaultJavaOptions": "-XX:TieredStopAtLevel=1",  # most of the time is planning, each plan once
    "spark.driver.memory": "3g",  # the view of impossible values reads all others' sources
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    # small rows: one task is faster than several, and compiling a step takes longer than running it
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.leafNodeDefaultParallelism": "1",
    "spark.sql.files.minPartitionNum": "1",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
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


def verdicts(
    spark: SparkSession, lake: Lake, wanted: Sequence[View], asked: bool = False, known: Kept | None = None
) -> Iterator[tuple[str, str, Verdict]]:
    """Each view as both engines give it; below it Spark reads what DuckDB gave, so that each is judged by itself.

    Args:
        asked: then all questions too.
        known: verdicts of a run before.
    """
    known = Kept(None) if known is None else known
    opened = connect(tables().values(), lake.parts(), lake.about(), root=lake.path, commented=False)
    parts = {name: [str(file) for file in files] for name, files in lake.parts().items()}
    show(spark, Content((), (), parts, lake.about(), frozenset(tables().keys() - parts.keys())))
    with materialised(opened, [*(v.name for v in wanted), "lake_files lake_issues"]) as con:
        for view in wanted:
            expected = con.execute(f'SELECT * FROM "{view.name}"').to_arrow_table()
            texts = (view.name, *(source.sql for source in view.sources))
            yield view.name, view.layer, known.verdict(expected, texts, partial(_of_view, spark, view))
            spark.createDataFrame(expected).createOrReplaceTempView(view.name)
        for name, sql, values in questions(con) if asked else ():
            texts, answer = (name, sql, repr(values)), partial(_of_question, spark, sql, values)
            yield name, "question", known.verdict(query(con, sql, values), texts, answer)


def questions(con: Connection) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Everything that is asked of views, with values for its parameters: name, SQL, values."""
    for rule in all_rules():
        limits = rule.limits()
        yield f"rule {rule.code}", rule.question.sql, {name: limits[name] for name in rule.question.asked_with}
    known, ruled = _known(con), {rule.question.name for rule in all_rules()}
    for question in shipped():
        if question.name not in ruled:
            limits = next((r.limits() for r in all_rules() if question.name.startswith(f"{r.code}_")), {})
            yield question.name, question.sql, {name: {**known, **limits}[name] for name in question.asked_with}
    yield from ((f"table {t.name}", t.sql, {}) for t in report_tables() if t.sql)


def _known(con: Connection) -> dict[str, Any]:
    """Names and instants that questions ask about: those of the busiest volume and interval."""
    rows = query(con, BUSIEST).to_pylist() or [dict.fromkeys(("platform", "system", "volume", "volser"), "")]
    boxes = query(con, "SELECT max(box) AS box FROM box_subsystem").to_pylist()
    listed = "".join(f"{r['platform']}\t{r['system']}\t{r['volume']}\n" for r in rows)
    at, hours = rows[0].get("interval_start", dt.datetime(2025, 11, 18)), dt.timedelta(hours=6)
    span = {"interval_start": at, "start": str(at - hours), "end": str(at + hours)}
    return {**top_waiter.LIMITS.limits(None), **rows[0], **boxes[0], **span, "chosen": f"\n{listed}"}


def _of_view(spark: SparkSession, view: View) -> pa.Table:
    return make(spark, view).toArrow()


def _of_question(spark: SparkSession, sql: str, values: dict[str, Any]) -> pa.Table:
    return planned(spark, statement.marked(sql), statement.given(values)).toArrow()


class Kept:
    """Verdicts of a run before, by what was compared; those of this run are added.

    Args:
        file: where they are; None: nowhere.
    """

    def __init__(self, file: Path | None) -> None:
        self._file = file
        lines = self._file.read_text("utf-8").splitlines() if self._file and self._file.exists() else []
        self._known = {reported["of"]: Verdict(*reported["found"]) for reported in map(json.loads, lines)}

    def verdict(self, expected: pa.Table, texts: tuple[str, ...], other: Callable[[], pa.Table]) -> Verdict:
        """What was found of texts that gave these rows, or is found now; what is wrong is looked at again."""
        of = hashlib.sha256("\0".join((*texts, *map(repr, expected.to_pylist()))).encode()).hexdigest()
        if of in self._known and not self._known[of].wrong:
            return self._known[of]
        found = _verdict(expected, other)
        if self._file:
            with self._file.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"name": texts[0], "of": of, "found": astuple(found)}) + "\n")
        return found


def _verdict(expected: pa.Table, other: Callable[[], pa.Table]) -> Verdict:
    from pyspark.errors import PySparkException

    try:
        return compare(expected, other())
    except (LakeError, PySparkException) as error:
        return Verdict(expected.num_rows, wrong=str(error).splitlines()[0])


def lakes(folder: Path) -> Iterator[tuple[str, Lake]]:
    """The two lakes that engines are compared on."""
    small, clinic = Lake(folder / "small"), Lake(folder / "clinic")
    ingest(small, INPUTS)
    yield "sample, listings and damaged dumps", small
    ingest(clinic, write(folder / "dumps", plan=PACKAGES["clinic"], intervals=CLINIC, packed=())[:-1])
    yield "clinic", clinic


def main(keep: Path | None = None) -> list[tuple[str, str, str]] | None:
    """Print a line for each view and question, and how many agree."""
    if find_spec("pyspark") is None:
        return [("views on Spark", "PySpark is not installed", "make test-spark")]
    spark = session()
    agreed: Counter[str] = Counter()
    met: Counter[str] = Counter()
    try:
        with tempfile.TemporaryDirectory() as folder:
            for title, lake in lakes(Path(folder)):
                print(f"-- {title}", flush=True)
                for name, layer, v in verdicts(spark, lake, views(), asked=True, known=Kept(keep)):
                    met[layer] += 1
                    agreed[layer] += not v.wrong
                    reported = f"{v.rows:7,} rows, {v.others:7,} on Spark, {v.apart:.0e} apart"
                    print(f"{name:28} {layer:8} {reported} {v.wrong}", flush=True)  # it takes minutes in all
    finally:
        spark.stop()
    Console().print(", ".join(f"{agreed[layer]} of {met[layer]} {layer}" for layer in met) + " agree")
    return None
