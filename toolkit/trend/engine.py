"""Trends of all measures with control of false discoveries; dates are given only if the data support them."""

import datetime as dt
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import duckdb
import numpy as np

from iosq.toolkit.errors import RequestError
from iosq.toolkit.show import stages
from iosq.toolkit.show.numbers import plural
from iosq.toolkit.significance import LEAST_CHANGE, false_discovery
from iosq.toolkit.sql.filter import Filter
from iosq.toolkit.trend.daily import Daily, Measure, chosen, daily
from iosq.toolkit.trend.slope import LEAST_DAYS, Slope
from iosq.toolkit.trend.slope import slope as line_of

RATE = 0.05  # false discovery rate: share of the reported trends that may be chance
AHEAD = 2.0  # maximum extrapolation, as a multiple of the span
EPOCH = dt.date(1970, 1, 1)
Limits = Mapping[tuple[str, str], float]
Verdict = Literal["growing", "shrinking", "no trend can be shown", "too short"]


@dataclass(frozen=True, slots=True)
class Trend:
    """One measure of one subject over the span.

    `per_day` is the growth with its 95 % interval; `level` is the median of seven days. `date` is the day on which the
    busiest hour of the highest weekday reaches `limit`, between `earliest` and `latest` (None: later than the data
    support); `reason` why there is no trend or no date; `missing` on how many days which hours are filled in.
    """

    kind: str
    system: str
    subject: str
    measure: str
    verdict: Verdict
    days: int
    level: float
    per_day: float | None = None
    low: float | None = None
    high: float | None = None
    false_discovery_rate: float | None = None
    limit: float | None = None
    limit_meaning: str = ""
    date: dt.date | None = None
    earliest: dt.date | None = None
    latest: dt.date | None = None
    reason: str = ""
    missing: str = ""


def trends(
    con: duckdb.DuckDBPyConnection, limits: Limits | None = None, of: Sequence[Measure] | None = None
) -> list[Trend]:
    """All trends of a lake, growing ones first.

    `of`: the measures, None for all but those of volumes; `limits`: by kind and measure, in place of those known from
    the lake. RequestError if a limit is for an unknown measure, or the lake has no complete day.
    """
    asked = chosen(Filter())[0] if of is None else of
    given = dict(limits or {})
    unknown = given.keys() - {(m.kind, m.measure) for m in asked}
    if unknown:
        known = ", ".join(f"{m.kind}.{m.measure}" for m in asked)
        raise RequestError(
            f"there is no trend of {'.'.join(min(unknown))}", place="--limit", remedy=f"known are {known}"
        )
    found = [(m, d) for m in stages.each("days", asked) for d in daily(con, m)]
    if not found:
        raise RequestError("no day is complete enough to compare", remedy="ingest whole days")
    slopes = [line_of(d.days, d.values) for _, d in found]
    rates = iter(false_discovery([s.p_value for s in slopes if s]))
    made = [
        _trend(m, d, s, next(rates) if s else 1.0, given.get((m.kind, m.measure), d.limit))
        for (m, d), s in zip(found, slopes, strict=True)
    ]
    order = {"growing": 0, "shrinking": 1, "no trend can be shown": 2, "too short": 3}
    return sorted(made, key=lambda t: (order[t.verdict], t.kind, t.measure, t.system, t.subject))


def _trend(measure: Measure, of: Daily, slope: Slope | None, rate: float, limit: float | None) -> Trend:
    level = float(np.median(of.values[-7:]))
    # a daily mean is compared by its busiest hour
    peak = f"in the peak hour, {of.peak:.1f} times the daily mean" if of.peak > 1 else ""
    made = Trend(
        measure.kind, of.system, of.subject, measure.measure, "too short", len(of.days), level, limit=limit,
        limit_meaning=measure.limit_meaning or peak if limit is not None else "", missing=of.missing,
    )  # fmt: skip
    if slope is None:
        return replace(made, reason=f"{plural(len(of.days), 'complete day')}, {LEAST_DAYS} are needed")
    low, high = (end if math.isfinite(end) else None for end in (slope.low, slope.high))
    made = replace(made, per_day=slope.per_day, low=low, high=high, false_discovery_rate=rate)
    # with ties the score can be significant though the interval includes 0: that is no trend
    if slope.low <= 0 <= slope.high:
        return replace(made, verdict="no trend can be shown", reason="the slope is not significant")
    if rate > RATE:
        return replace(made, verdict="no trend can be shown", reason="with this number of trends it may be chance")
    if abs(slope.per_day) * (of.days[-1] - of.days[0]) < LEAST_CHANGE.get(measure.measure, 0.0):
        return replace(made, verdict="no trend can be shown", reason="it changes too little to matter")
    if slope.per_day < 0:
        return replace(made, verdict="shrinking")
    return _dated(replace(made, verdict="growing"), of, slope)


def _dated(made: Trend, of: Daily, slope: Slope) -> Trend:
    if made.limit is None:
        return replace(made, reason="no limit is known")
    last, span = int(of.days[-1]), int(of.days[-1] - of.days[0]) + 1
    limit = made.limit / of.peak
    if of.values[-7:].max() >= limit:
        return replace(made, reason="the limit is reached already")
    middle, early, late = slope.reaches(of.days, of.values, limit)
    # weeks do not show whether growth is by an amount or by a share: the second meets the limit earlier
    if (of.values > 0).all() and (by_share := line_of(of.days, np.log(of.values))):
        early = min(early, by_share.reaches(of.days, np.log(of.values), math.log(limit))[0])
    horizon = last + AHEAD * span
    if middle > horizon:
        days = round(AHEAD * span)
        return replace(made, reason=f"not within {days} days, twice the span measured: no date can be supported")
    latest = _date(late) if late <= horizon else None
    return replace(made, date=_date(max(middle, last)), earliest=_date(max(early, last)), latest=latest)


def _date(day: float) -> dt.date:
    return EPOCH + dt.timedelta(days=math.ceil(day))
