"""Weekly pattern of daily values: weekday levels, and which weekdays grow faster than others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Days = NDArray[np.int64]
    Floats = NDArray[np.float64]

WEEK = 7
_LEAST_SHARE = 0.05  # a weekday that is next to idle would turn its noise into growth
_ROUNDS = 2  # of growth and levels from one another: the second changes next to nothing
_ONE_SIGMA = 0.683  # of normal values are as near as their standard deviation
_BENT = 20.0  # twice the log of the likelihood: an autocorrelation of 0.4 alone causes this much in one span of 25
_CALM = 0.9  # share of the days used to choose a line; the most extreme may be outliers


def levels(days: Days, values: Floats) -> Floats:
    """The median of each day's weekday."""
    level = np.empty(len(days))
    for weekday in np.unique(days % WEEK):
        own = days % WEEK == weekday
        level[own] = np.median(values[own])
    return level


def rest(days: Days, values: Floats, growth: Floats) -> Floats:
    """Residuals of values without growth (per day, of each day's weekday) and level of their weekday."""
    flat = flattened(days, values, growth)
    return flat - levels(days, flat)


def flattened(days: Days, values: Floats, growth: Floats) -> Floats:
    """Values as they would be without growth, all days at the middle of the span."""
    return values - growth * (days - float(np.median(days)))


def slopes(days: Days, values: Floats, share: Floats) -> Floats:
    """The growth per day between each two days of a weekday over the weekday's share, ascending.

    A constant weekday does not show the growth of others. It counts only if most weekdays are constant.
    """
    earlier, later = np.triu_indices(len(days), 1)
    same = (days[later] - days[earlier]) % WEEK == 0
    moves = _moves(days, values)
    used = same & moves[earlier] if moves.mean() > 1 / 2 else same
    earlier, later = earlier[used], later[used]
    return np.sort((values[later] - values[earlier]) / (days[later] - days[earlier]) / share[earlier])


def _moves(days: Days, values: Floats) -> NDArray[np.bool_]:
    """Whether the values of each day's weekday differ."""
    moves = np.zeros(len(days), dtype=bool)
    for weekday in np.unique(days % WEEK):
        own = days % WEEK == weekday
        moves[own] = np.ptp(values[own]) > 0
    return moves


def shares(days: Days, values: Floats) -> list[Floats]:
    """How much of the growth each day's weekday has: all of them the same, or each in proportion to its level.

    A usual day (the median) has 1. Work that comes at all times grows by the same amount. Where existing work grows,
    quiet weekends grow by less.
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


def unbent(days: Days, left: Floats) -> Floats:
    """Residuals without a bend, if it is significant: accelerating growth is not autocorrelation."""
    at = (days - float(np.median(days))).astype(np.float64)
    parts = np.stack([at, at**2, *(days % WEEK == weekday for weekday in np.unique(days % WEEK))], axis=1)
    flat = left - parts @ np.linalg.lstsq(parts, left)[0]
    power = float((left**2).mean())
    doubt = power * float(np.exp(-_BENT / len(days)))
    return flat if float((flat**2).mean()) < doubt else left


def scatter(left: Floats) -> float:
    """The standard deviation of single days about their line, from their residuals, without a few outliers."""
    taken = max(len(left) - WEEK, 1)  # seven levels were taken out
    return float(np.quantile(np.abs(left), _ONE_SIGMA)) * float(np.sqrt(len(left) / taken))


def misfit(left: Floats) -> float:
    """The mean square of the residuals, without the most extreme."""
    return float(np.sort(left**2)[: max(int(_CALM * len(left)), 1)].mean())
