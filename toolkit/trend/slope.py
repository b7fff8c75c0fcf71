"""A robust slope of daily values without the weekly pattern.

Only days of the same weekday are compared, so the weekly pattern cancels without a fit: the seasonal Kendall test
(Hirsch, Slack and Smith 1982) with Sen's slope, its interval widened for autocorrelation.
"""

from dataclasses import dataclass
from math import hypot, inf, isinf, log, sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

Days = NDArray[np.int64]
Floats = NDArray[np.float64]

WEEK = 7
_LEAST_SHARE = 0.05  # minimum share of growth: noise of a nearly idle weekday would be scaled up to growth
_ROUNDS = 2  # iterations of growth and levels; the second changes almost nothing
_ONE_SIGMA = 0.683  # share of normal values within one standard deviation
_BENT = 20.0  # twice the log likelihood ratio of a bend; autocorrelation of 0.4 alone causes it in one span of 25
_CALM = 0.9  # share of the days used to choose a line, without the most extreme ones, which may be outliers
CONFIDENCE = 0.95
Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
_OF_A_MEDIAN = 1.25  # standard error of a median / standard error of a mean
_NEAR = 3.0  # weekdays whose levels differ by fewer standard errors count as equal
LEAST_DAYS = 21  # with fewer than three of each weekday the test has hardly any power
_EVIDENCE = 4.0  # difference of twice the log likelihood beyond which a line is rejected (Burnham and Anderson 2002)


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """Growth per day of a usual day with its 95 % interval, and the share of the growth by weekday, for each day."""

    share: Floats
    per_day: float
    low: float
    high: float

    def meets(self, days: Days, values: Floats, limit: float) -> tuple[float, float, float]:
        """The day on which the highest weekday's line meets a limit, earliest and latest; see `Slope.reaches`."""
        error = _OF_A_MEDIAN * _scatter(_rest(days, values, self.per_day * self.share)) * sqrt(WEEK / len(days))
        near = _NEAR * error
        middle = self._met(days, values, limit, self.per_day, near)
        if isinf(middle):
            return inf, inf, inf
        fast, slow = (self._met(days, values, limit, s, near) for s in (self.high, self.low))
        # among weekdays that count as equal the highest is due to chance, but it may really be higher
        high = self._met(days, values + Z * error, limit, self.per_day, 0.0)
        low = self._met(days, values - Z * error, limit, self.per_day, near)
        return middle, middle - hypot(middle - fast, middle - high), middle + hypot(slow - middle, low - middle)

    def _met(self, days: Days, values: Floats, limit: float, per_day: float, near: float) -> float:
        """The day on which the line meets the limit; weekdays within `near` of the highest level share the line."""
        if per_day <= 0:
            return inf
        flat = _flattened(days, values, per_day * self.share)
        level = _levels(days, flat)
        top = level >= level.max() - near
        ahead = (limit - float(np.median(flat[top]))) / (per_day * float(np.median(self.share[top])))
        return float(np.median(days)) + ahead


@dataclass(frozen=True, slots=True, eq=False)
class Slope:
    """Growth per day of a usual day with its 95 % interval, and its p-value.

    The fit decides if quiet weekdays grow as much as busy ones or less. If both fit, `lines` has both, the better one
    first, and the interval covers both.
    """

    per_day: float
    low: float
    high: float
    p_value: float
    lines: tuple[Line, ...]

    def reaches(self, days: Days, values: Floats, limit: float) -> tuple[float, float, float]:
        """The day (since 1970-01-01) on which the highest weekday's line meets a limit, earliest and latest.

        The bounds follow from the interval of the slope and the error of the level; infinite if the lower bound of the
        slope never meets the limit.
        """
        met = [line.meets(days, values, limit) for line in self.lines]
        return met[0][0], min(m[1] for m in met), max(m[2] for m in met)


def slope(days: Days, values: Floats) -> Slope | None:
    """The slope of daily values, without NaN; None if there are too few days (since 1970-01-01, ascending)."""
    if len(days) < LEAST_DAYS:
        return None
    error = sqrt(_variance(days, values))
    made = [(share, _slopes(days, values, share)) for share in _shares(days, values)]
    residuals = [_rest(days, values, float(np.median(steps)) * share) for share, steps in made]
    best = min(residuals, key=_misfit)
    wider = min(_inflation(days, best), _inflation(days, _unbent(days, best)))
    kept = _fitting([_misfit(r) for r in residuals], len(days) / wider)
    lines = tuple(_line(*made[n], error, sqrt(wider)) for n in kept)
    chance = max(_chance(made[n][1], error, sqrt(wider)) for n in kept)
    return Slope(lines[0].per_day, min(x.low for x in lines), max(x.high for x in lines), chance, lines)


def _fitting(misfits: list[float], days: float) -> list[int]:
    """Indices of the lines that fit, best first; `days`: number of independent days."""
    order = sorted(range(len(misfits)), key=misfits.__getitem__)
    best = misfits[order[0]]
    return [n for n in order if n == order[0] or (best > 0 and days * log(misfits[n] / best) <= _EVIDENCE)]


def _line(share: Floats, steps: Floats, error: float, wider: float) -> Line:
    """The line with Sen's interval, widened about the middle by a factor, as wider ranks are limited by the slopes.

    The interval is the rank range of the score; infinite if there are too few slopes.
    """
    middle, reach, low, high = float(np.median(steps)), Z * error, -np.inf, np.inf
    if reach < len(steps) - 1:
        low = float(steps[round((len(steps) - reach) / 2) - 1])
        high = float(steps[round((len(steps) + reach) / 2)])
    return Line(share, middle, middle - wider * (middle - low), middle + wider * (high - middle))


def _variance(days: Days, values: Floats) -> float:
    """The variance of Kendall's score without a trend, corrected for ties."""
    total = 0.0
    for weekday in np.unique(days % WEEK):
        own = values[days % WEEK == weekday]
        ties = np.unique(own, return_counts=True)[1]
        total += _kendall(len(own)) - sum(_kendall(int(t)) for t in ties)
    return total


def _kendall(count: int) -> float:
    return count * (count - 1) * (2 * count + 5) / 18


def _inflation(days: Days, residuals: Floats) -> float:
    """Factor by which autocorrelation of days (first order) increases the variance of slopes."""
    follows = np.diff(days) == 1
    power = float((residuals**2).mean())
    if power == 0 or not follows.any():
        return 1.0
    correlation = float((residuals[1:] * residuals[:-1])[follows].mean()) / power
    # short series underestimate autocorrelation (Kendall 1954), and removing seven levels lowers it further
    correlation += (1 + 4 * correlation) / len(days) + WEEK / len(days) * max(correlation, 0.0)
    correlation = min(max(correlation, 0.0), 0.9)
    return (1 + correlation) / (1 - correlation)


def _chance(steps: Floats, error: float, wider: float) -> float:
    """The p-value of the slope that remains after the widening of the interval.

    The score itself saturates once every day is above the days before, and autocorrelation lets it scatter as far.
    """
    if error == 0:
        return 1.0
    score = float(np.sign(steps - float(np.median(steps)) * (1 - 1 / wider)).sum())
    return min(1.0, 2 * NormalDist().cdf(-max(abs(score) - 1, 0.0) / error))


def _levels(days: Days, values: Floats) -> Floats:
    """For each day the median of its weekday."""
    level = np.empty(len(days))
    for weekday in np.unique(days % WEEK):
        own = days % WEEK == weekday
        level[own] = np.median(values[own])
    return level


def _rest(days: Days, values: Floats, growth: Floats) -> Floats:
    """Residuals of values after removing growth (per day, for each day) and the level of their weekday."""
    flat = _flattened(days, values, growth)
    return flat - _levels(days, flat)


def _flattened(days: Days, values: Floats, growth: Floats) -> Floats:
    """Values without growth, at the level of the middle of the span."""
    return values - growth * (days - float(np.median(days)))


def _slopes(days: Days, values: Floats, share: Floats) -> Floats:
    """Growth per day between each two days of a weekday, divided by the weekday's share, ascending.

    Constant weekdays do not show the growth of others, so they count only if most weekdays are constant.
    """
    earlier, later = np.triu_indices(len(days), 1)
    same = (days[later] - days[earlier]) % WEEK == 0
    moves = _moves(days, values)
    used = same & moves[earlier] if moves.mean() > 1 / 2 else same
    earlier, later = earlier[used], later[used]
    return np.sort((values[later] - values[earlier]) / (days[later] - days[earlier]) / share[earlier])


def _moves(days: Days, values: Floats) -> NDArray[np.bool_]:
    """For each day, true if the values of its weekday vary."""
    moves = np.zeros(len(days), dtype=bool)
    for weekday in np.unique(days % WEEK):
        own = days % WEEK == weekday
        moves[own] = np.ptp(values[own]) > 0
    return moves


def _shares(days: Days, values: Floats) -> list[Floats]:
    """Possible shares of growth by weekday, for each day: all equal, or in proportion to the weekday's level.

    A usual day (the median) has 1. New load at all times adds the same to each day; if existing load grows, quiet
    weekends grow by less.
    """
    equal = np.ones(len(days))
    share = equal
    for _ in range(_ROUNDS):
        per_day = float(np.median(_slopes(days, values, share)))
        level = _levels(days, _flattened(days, values, per_day * share))
        usual = float(np.median(level))
        if usual <= 0:
            return [equal]
        share = np.maximum(level / usual, _LEAST_SHARE)
    return [equal, share]


def _unbent(days: Days, residuals: Floats) -> Floats:
    """Residuals without a bend, if that is significant, as accelerating growth is not autocorrelation."""
    at = (days - float(np.median(days))).astype(np.float64)
    parts = np.stack([at, at**2, *(days % WEEK == weekday for weekday in np.unique(days % WEEK))], axis=1)
    flat = residuals - parts @ np.linalg.lstsq(parts, residuals)[0]
    power = float((residuals**2).mean())
    doubt = power * float(np.exp(-_BENT / len(days)))
    return flat if float((flat**2).mean()) < doubt else residuals


def _scatter(residuals: Floats) -> float:
    """The standard deviation of single days about their line, estimated robustly from their residuals."""
    taken = max(len(residuals) - WEEK, 1)  # seven levels were fitted
    return float(np.quantile(np.abs(residuals), _ONE_SIGMA)) * float(np.sqrt(len(residuals) / taken))


def _misfit(residuals: Floats) -> float:
    """The mean square of the residuals, without the most extreme ones."""
    return float(np.sort(residuals**2)[: max(int(_CALM * len(residuals)), 1)].mean())
