"""One value per local day of everything that may grow; `measures.csv` says what and which limit it has.

Measures of volumes are made only where volumes are named: of each, and of those of an LCU or box together.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from iosq.toolkit.sql.catalog import views
from iosq.toolkit.sql.filter import Filter
from iosq.toolkit.sql.guard import query

if TYPE_CHECKING:
    import duckdb
    from numpy.typing import NDArray

ANY_VOLUME = Filter(volumes=("any",))
COMPLETE_S = 0.8 * 86_400  # a day with less would look like a quiet one
_DAILY = {
    "mean": "sum({m} * interval_s) / sum(interval_s)",
    "max": "max({m})",
    "p95": "percentile_cont(0.95) WITHIN GROUP (ORDER BY {m})",
}
_DAILY["sum"] = _DAILY["mean"]  # of rows added up by interval
_SUMMED = """(
    SELECT min(interval_start) AS interval_start, max(interval_s) AS interval_s, max(utc_offset_s) AS utc_offset_s,
        {system} AS system, {subject}, sum({measure}) AS {measure}
    FROM {view}
    GROUP BY floor((unix_micros(interval_start) + 30000000) / 60000000), {by}
) AS summed"""
_BOXES = " JOIN box_subsystem USING (subsystem)"  # where the subject is one
_SQL = """
SELECT system, subject, day, CAST({daily} AS DOUBLE) AS value, CAST(max(most) AS DOUBLE) AS most
FROM (
    SELECT {system} AS system, {subject} AS subject, CAST({measure} AS DOUBLE) AS {measure}, {limit} AS most,
        CAST(floor((unix_micros(interval_start) + 1000000.0 * coalesce(utc_offset_s, 0)) / 86400000000) AS BIGINT)
            AS day,
        interval_s
    FROM {view}
    WHERE {measure} IS NOT NULL AND {subject} IS NOT NULL
) AS told
GROUP BY system, subject, day
HAVING sum(interval_s) >= ?
ORDER BY system, subject, day
"""


class Measure(NamedTuple):
    """Something that may grow: where it is, how a day's value is made, and the SQL of its limit if it has one."""

    kind: str
    view: str
    system: str
    subject: str
    measure: str
    daily: str
    limit: str
    limit_meaning: str

    @property
    def rows(self) -> str:
        """What its daily values are made from, after FROM."""
        if self.daily != "sum":
            return self.view
        parts = self._asdict() | {"view": self.view + (_BOXES if self.subject == "box" else "")}
        return _SUMMED.format(**parts, by=", ".join(c for c in (self.system, self.subject) if c != "''"))


@dataclass(frozen=True, slots=True)
class Daily:
    """The daily values of one subject, complete days only; `limit` is the newest known."""

    system: str
    subject: str
    days: NDArray[np.int64]
    values: NDArray[np.float64]
    limit: float | None


@cache
def measures() -> tuple[Measure, ...]:
    """Every measure there is."""
    text = files(__package__).joinpath("measures.csv").read_text("utf-8")
    return tuple(Measure(**row) for row in csv.DictReader(text.splitlines()))


def chosen(where: Filter) -> tuple[list[Measure], dict[str, list[str]]]:
    """The measures a filter narrows, and the kinds it can't narrow with the options to blame.

    Those of volumes are among them only where volumes are named.
    """
    shown = {v.name: v for v in views()}
    asked = [m for m in measures() if where.volumes or ANY_VOLUME.misses(shown[m.view])]
    missed = {m.kind: where.misses(shown[m.view]) for m in asked}
    return [m for m in asked if not missed[m.kind]], {kind: options for kind, options in missed.items() if options}


def statement(of: Iterable[Measure]) -> str:
    """The views these measures read, for a connection that makes only those."""
    return " ".join(sorted({m.view + (_BOXES if m.subject == "box" else "") for m in of}))


def daily(con: duckdb.DuckDBPyConnection, measure: Measure) -> Iterator[Daily]:
    """The daily values of all subjects of a measure, in name order."""
    made = _DAILY[measure.daily].format(m=measure.measure)
    limit = measure.limit or "NULL"
    sql = _SQL.format(**(measure._asdict() | {"daily": made, "limit": limit, "view": measure.rows}))
    rows = query(con, sql, [COMPLETE_S]).to_pylist()
    for (system, subject), own in groupby(rows, key=lambda r: (r["system"], r["subject"])):
        kept = list(own)
        days, values = (np.array([r[c] for r in kept]) for c in ("day", "value"))
        yield Daily(system or "", subject, days, values, kept[-1]["most"])
