"""Weekly pattern of daily values: weekday levels, and the share of growth by weekday."""

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


def levels(days: Days, values: Floats) -> Floats:
    """For each day the median of its weekday."""
    level = np.empty(len(days))
    for weekday in np.unique(days % WEEK):
        own = days % WEEK == weekday
        level[own] = np.median(values[own])
    return level


def rest(days: Days, values: Floats, growth: Floats) -> Floats:
    """Residuals of values after removing growth (per day, for each day) and the level of their weekday."""
    flat = flattened(days, values, growth)
    return flat - levels(days, flat)


def flattened(days: Days, values: Floats, growth: Floats) -> Floats:
    """Values without growth, at the level of the middle of the span."""
    return values - growth * (days - float(np.median(days)))


def slopes(days: Days, values: Floats, share: Floats) -> Floats:
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


def shares(days: Days, values: Floats) -> list[Floats]:
    """Possible shares of growth by weekday, for each day: all equal, or in proportion to the weekday's level.

    A usual day (the median) has 1. New load at all times adds the same to each day; if existing load grows, quiet
    weekends grow by less.
    """
    equal = np.ones(len(days))
    share = equal
    for _ in range(_ROUNDS):
        per_day = float(np.median(slopes(days, values, share)))
        level = levels(days, flattened(days, values, per_day * share))
        usual = float(np.median(level))
        if usual <= 0:
            return [equal]
        share = np.maximum(level / usual, _LEAST_SHARE)
    return [equal, share]


def unbent(days: Days, residuals: Floats) -> Floats:
    """Residuals without a bend, if that is significant, as accelerating growth is not autocorrelation."""
    at = (days - float(np.median(days))).astype(np.float64)
    parts = np.stack([at, at**2, *(days % WEEK == weekday for weekday in np.unique(days % WEEK))], axis=1)
    flat = residuals - parts @ np.linalg.lstsq(parts, residuals)[0]
    power = float((residuals**2).mean())
    doubt = power * float(np.exp(-_BENT / len(days)))
    return flat if float((flat**2).mean()) < doubt else residuals


def scatter(residuals: Floats) -> float:
    """The standard deviation of single days about their line, estimated robustly from their residuals."""
    taken = max(len(residuals) - WEEK, 1)  # seven levels were fitted
    return float(np.quantile(np.abs(residuals), _ONE_SIGMA)) * float(np.sqrt(len(residuals) / taken))


def misfit(residuals: Floats) -> float:
    """The mean square of the residuals, without the most extreme ones."""
    return float(np.sort(residuals**2)[: max(int(_CALM * len(residuals)), 1)].mean())
