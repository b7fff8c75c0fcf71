"""Daily values, by local day, of each measure that may grow; `measures.csv` lists measures and limits.

Measures of volumes are computed only if volumes are named: for each, and for those of an LCU or box together.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import duckdb
import numpy as np
import polars as pl
from numpy.typing import NDArray

from iosq.toolkit.rows import csv_rows
from iosq.toolkit.sql.catalog import views
from iosq.toolkit.sql.filter import Filter
from iosq.toolkit.sql.guard import query
from iosq.toolkit.trend.filled import SLACK_S, filled, parts

OF_VOLUMES = ("volume_interval", "shared_volume_interval")
COMPLETE_S = 0.8 * 86_400  # minimum time measured of a day: less would look like a quiet day
_DAY_US, _HOUR_US, _MINUTE_US = 86_400_000_000, 3_600_000_000, 60_000_000
_BOXES = "box_subsystem"  # maps subsystems to boxes
_SQL = """
SELECT {system} AS system, {subject} AS subject, CAST({measure} AS DOUBLE) AS value, CAST({limit} AS DOUBLE) AS most,
    unix_micros(interval_start) AS start_us, interval_s, utc_offset_s
FROM {view}
WHERE {measure} IS NOT NULL AND {subject} IS NOT NULL AND interval_start IS NOT NULL AND interval_s > 0
"""
_BOX_PERIODS = f"""
SELECT subsystem AS subject, box, unix_micros(since) AS since_us, unix_micros(until) AS until_us FROM {_BOXES}
WHERE box IS NOT NULL
"""


class Measure(NamedTuple):
    """Something that may grow: its view and columns, the statistic of a day, and the SQL of its limit."""

    kind: str
    view: str
    system: str
    subject: str
    measure: str
    daily: str
    limit: str
    limit_meaning: str

    @property
    def of_subsystems(self) -> bool:
        """True if the view has subsystems, whose boxes another view gives."""
        return self.subject == "box" and self.daily == "sum"


@dataclass(frozen=True, slots=True)
class Daily:
    """The daily values of one subject, nearly complete days only; `limit` is the newest known.

    `missing` describes the days with filled hours, and these hours. `peak` is the ratio of the busiest hour to the
    day's value, median of the last seven days; 1 if the value is not a mean.
    """

    system: str
    subject: str
    days: NDArray[np.int64]
    values: NDArray[np.float64]
    limit: float | None
    missing: str = ""
    peak: float = 1.0


@cache
def measures() -> tuple[Measure, ...]:
    """All measures."""
    return tuple(Measure(**row) for row in csv_rows(__package__, "measures.csv"))


def chosen(where: Filter) -> tuple[list[Measure], dict[str, list[str]]]:
    """The measures that a filter can narrow, and the other kinds with the options that prevent it.

    Measures of volumes are included only if volumes are named.
    """
    shown = {v.name: v for v in views()}
    asked = [m for m in measures() if where.volumes or m.view not in OF_VOLUMES]
    missed = {m.kind: where.misses(shown[m.view]) for m in asked}
    return [m for m in asked if not missed[m.kind]], {kind: options for kind, options in missed.items() if options}


def statement(of: Iterable[Measure]) -> str:
    """The names of the views that these measures read, for a connection with only those."""
    return " ".join(sorted({m.view for m in of} | {_BOXES for m in of if m.of_subsystems}))


def daily(con: duckdb.DuckDBPyConnection, measure: Measure) -> Iterator[Daily]:
    """The daily values of all subjects of a measure, in name order."""
    rows = _rows(con, measure)
    days = (
        rows.group_by("system", "subject", "day")
        .agg(
            value=_of_a_day(measure),
            most=pl.col("most").max(),
            measured=pl.col("interval_s").sum(),
            length=_length(),
            busiest=_mean().over("system", "subject", "day", pl.col("local_us") // _HOUR_US).max(),
        )
        .filter(pl.col("measured") >= COMPLETE_S)
        .with_columns(whole=pl.col("measured") > pl.col("length") - SLACK_S)
        .sort("system", "subject", "day")
    )
    lacking = days.filter(~pl.col("whole")).select("system", "subject").unique()
    measured = parts(rows.join(lacking, on=["system", "subject"], how="semi"), measure.daily)
    of = measured.partition_by("system", "subject", as_dict=True)
    for (system, subject), own in days.group_by("system", "subject", maintain_order=True):
        at, values, missing = own["day"].to_numpy(), own["value"].to_numpy(), ""
        if not own["whole"].all():
            values, missing = filled(at, values, own["whole"].to_numpy(), of[system, subject], measure.daily)
        peak = _peak(measure, own["busiest"].to_numpy(), values)
        yield Daily(str(system), str(subject), at, values, own["most"][-1], missing, peak)


def _peak(measure: Measure, busiest: NDArray[np.float64], values: NDArray[np.float64]) -> float:
    if measure.daily not in ("mean", "sum"):
        return 1.0
    last = values[-7:] > 0
    return float(np.median(busiest[-7:][last] / values[-7:][last])) if last.any() else 1.0


def _mean() -> pl.Expr:
    """Mean weighted by the length of the intervals."""
    length = pl.col("interval_s")
    return (pl.col("value") * length).sum() / length.sum()


def _length() -> pl.Expr:
    """Seconds of a day, which is shorter when clocks go forward."""
    offset = pl.col("utc_offset_s").sort_by("start_us")
    return 86_400 - (offset.last() - offset.first())


def _of_a_day(measure: Measure) -> pl.Expr:
    value = pl.col("value")
    if measure.daily == "max":
        return value.max()
    return value.quantile(0.95, "linear") if measure.daily == "p95" else _mean()


def _rows(con: duckdb.DuckDBPyConnection, measure: Measure) -> pl.DataFrame:
    """Input rows of daily values, with their local day; volumes are summed by interval if the measure requires it."""
    local = pl.col("start_us") + 1_000_000 * pl.col("utc_offset_s").cast(pl.Int64)
    rows = _together(con, measure).with_columns(pl.col("system").fill_null(""), pl.col("utc_offset_s").fill_null(0))
    return rows.with_columns(local_us=local).with_columns(day=pl.col("local_us") // _DAY_US)


def _together(con: duckdb.DuckDBPyConnection, measure: Measure) -> pl.DataFrame:
    asked = measure._asdict() | {"limit": measure.limit or "NULL"}
    if measure.of_subsystems:
        asked["subject"] = "subsystem"
    rows = _frame(con, _SQL.format(**asked))
    if measure.of_subsystems:
        rows = _of_boxes(rows, _frame(con, _BOX_PERIODS))
    if measure.daily != "sum":
        return rows
    # starts that round to the same minute are one interval
    minute = (pl.col("start_us") + _MINUTE_US // 2) // _MINUTE_US
    ends = pl.col("most", "interval_s", "utc_offset_s").max()
    return rows.group_by("system", "subject", minute.alias("minute")).agg(
        pl.col("value").sum(), pl.col("start_us").min(), ends
    )


def _of_boxes(rows: pl.DataFrame, boxes: pl.DataFrame) -> pl.DataFrame:
    """Rows of subsystems as rows of the box that had them at the time."""
    at_the_time = (pl.col("since_us") <= pl.col("start_us")) & (pl.col("start_us") < pl.col("until_us"))
    placed = rows.join(boxes, on="subject").filter(at_the_time)
    return placed.drop("subject", "since_us", "until_us").rename({"box": "subject"})


def _frame(con: duckdb.DuckDBPyConnection, sql: str) -> pl.DataFrame:
    frame = pl.from_arrow(query(con, sql))
    assert isinstance(frame, pl.DataFrame)
    return frame
