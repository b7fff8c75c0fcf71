"""A robust slope of daily values with the week's pattern taken out.

Only days of the same weekday are compared, so the pattern of the week cancels without being fitted: the seasonal
Kendall test (Hirsch, Slack and Smith 1982) with Sen's slope, its variance widened for days that go together.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Days = NDArray[np.int64]
    Floats = NDArray[np.float64]

WEEK = 7
LEAST_DAYS = 21  # below three of most weekdays the test can hardly tell anything
CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Slope:
    """Growth per day with its 95 % interval, and how often chance alone gives as much."""

    per_day: float
    low: float
    high: float
    p_value: float

    def reaches(self, days: Days, values: Floats, limit: float) -> tuple[float, float, float]:
        """The day (since 1970-01-01) on which the highest weekday's line meets a limit, earliest and latest.

        The bounds follow from the slope's alone; infinite where that slope never meets it.
        """
        middle, early, late = (_meets(days, values, s, limit) for s in (self.per_day, self.high, self.low))
        return middle, early, late


def _meets(days: Days, values: Floats, per_day: float, limit: float) -> float:
    return (limit - float(_levels(days, values, per_day).max())) / per_day if per_day > 0 else float("inf")


def _levels(days: Days, values: Floats, per_day: float) -> Floats:
    """The level of each day's weekday at day 0 of the line."""
    rest, level = values - per_day * days, np.empty(len(days))
    for weekday in np.unique(days % WEEK):
        own = days % WEEK == weekday
        level[own] = np.median(rest[own])
    return level


def slope(days: Days, values: Floats) -> Slope | None:
    """The slope of daily values; None if there are too few days.

    Args:
        days: days since 1970-01-01, ascending, each once.
        values: one value per day, no NaN.
    """
    if len(days) < LEAST_DAYS:
        return None
    earlier, later = np.triu_indices(len(days), 1)
    same = (days[later] - days[earlier]) % WEEK == 0
    steps = (values[later] - values[earlier])[same]
    slopes = np.sort(steps / (days[later] - days[earlier])[same])
    middle = float(np.median(slopes))
    score = float(np.sign(steps).sum())
    error = float(np.sqrt(_variance(days, values) * _inflation(days, values, middle)))
    return Slope(middle, *_bounds(slopes, error), _chance(score, error))


def _variance(days: Days, values: Floats) -> float:
    """The variance of Kendall's score without a trend, equal values allowed for."""
    total = 0.0
    for weekday in np.unique(days % WEEK):
        own = values[days % WEEK == weekday]
        ties = np.unique(own, return_counts=True)[1]
        total += _kendall(len(own)) - sum(_kendall(int(t)) for t in ties)
    return total


def _kendall(count: int) -> float:
    return count * (count - 1) * (2 * count + 5) / 18


def _inflation(days: Days, values: Floats, per_day: float) -> float:
    """How much wider the score scatters because a day resembles the one before (first-order autoregression).

    Weekdays may grow alike, or busy ones by more, each by the same share: what is left of the line that fits better
    counts, as weekends that grow by less than the line are no memory. Without growth the two lines are one.
    """
    follows = np.diff(days) == 1
    rest = min((_rest(days, values, by) for by in _growths(days, values, per_day)), key=lambda r: float((r**2).mean()))
    power = float((rest**2).mean())
    if power == 0 or not follows.any():
        return 1.0
    correlation = float((rest[1:] * rest[:-1])[follows].mean()) / power
    # short series show less memory than there is (Kendall 1954); taking out seven levels hides some more
    correlation += (1 + 4 * correlation) / len(days) + WEEK / len(days) * max(correlation, 0.0)
    correlation = min(max(correlation, 0.0), 0.9)
    return (1 + correlation) / (1 - correlation)


def _growths(days: Days, values: Floats, per_day: float) -> tuple[Floats, Floats]:
    """Growth of each day's weekday: the same for all, or by the weekday's share of the usual value."""
    alike, usual = np.full(len(days), per_day), float(np.median(values))
    return alike, per_day * _levels(days, values, 0.0) / usual if usual > 0 else alike


def _rest(days: Days, values: Floats, growth: Floats) -> Floats:
    """What is left of the values without growth, from the middle of the span, and level of their weekday."""
    level = values - growth * (days - float(np.median(days)))
    return level - _levels(days, level, 0.0)


def _bounds(slopes: Floats, error: float) -> tuple[float, float]:
    """Sen's interval: as many slopes off the middle as the score may be off 0; no ends where there are not so many."""
    reach = NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * error
    if reach >= len(slopes) - 1:
        return -np.inf, np.inf
    low, high = round((len(slopes) - reach) / 2), round((len(slopes) + reach) / 2)
    return float(slopes[low - 1]), float(slopes[high])


def _chance(score: float, error: float) -> float:
    if error == 0:
        return 1.0
    return min(1.0, 2 * NormalDist().cdf(-max(abs(score) - 1, 0.0) / error))
