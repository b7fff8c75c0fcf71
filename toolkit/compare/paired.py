"""Test paired differences.

Each interval is paired with the one at the same time of day, so that the daily pattern cancels. Neighbouring
differences may be correlated, so the units of the test are blocks long enough for neighbouring blocks to be
independent. The busiest blocks are also tested alone, because 23 quiet hours would hide a wait that occurs only at the
peak. Both spans have equal weight in their selection, so it favours no direction.
"""

import warnings
from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from iosq.toolkit.significance import t_quantile, two_sided_p

Floats = NDArray[np.float64]

LEAST_BLOCKS = 6
PEAK_SHARE = 0.25
CONFIDENCE = 0.95
INDEPENDENT = 0.1  # neighbouring blocks count as independent below this correlation
LENGTHS = (1, 2, 4, 8, 16)
Part = Literal["all", "busiest"]
Memory = Sequence[tuple[int, float]]
"""Autocorrelation: block lengths tried, the last of them chosen, with the correlation of neighbours for each."""


class Tested(NamedTuple):
    """One subject's difference, after minus before, over `part` of the blocks; `mean_…` are over all blocks."""

    part: Part
    blocks: int
    before: float
    after: float
    low: float
    high: float
    p_value: float
    mean_before: float = 0.0
    mean_after: float = 0.0

    @property
    def enough(self) -> bool:
        return self.blocks >= LEAST_BLOCKS

    @property
    def testable(self) -> bool:
        """True if a change could be found: enough blocks, and not all of them equal on both sides."""
        return self.enough and not self.low == self.high == 0


def weekdays_match(before: NDArray[np.int64], after: NDArray[np.int64]) -> bool:
    """True if both spans have each weekday equally often."""
    return sorted(before % 7) == sorted(after % 7)


def pair(before: Floats, after: Floats, days: tuple[NDArray[np.int64], NDArray[np.int64]]) -> tuple[Floats, Floats]:
    """Two (subject, day, slot) grids as paired (subject, day x slot) rows.

    Days are paired by weekday if possible, otherwise in order. If one span has more days, their mean is used.
    """
    if len(days[0]) != len(days[1]):
        return _mean(before, 1), _mean(after, 1)
    if weekdays_match(*days):
        before, after = (g[:, np.lexsort((d, d % 7))] for g, d in zip((before, after), days, strict=True))
    return before.reshape(len(before), -1), after.reshape(len(after), -1)


class Sides(NamedTuple):
    """Values by (subject, interval or block) before and after, NaN where either side lacks one, and their weights.

    Weights are I/Os for a time per I/O, otherwise equal. `length`: intervals of a block; `correlation`: that of
    neighbouring blocks.
    """

    before: Floats
    after: Floats
    old: Floats
    new: Floats
    length: int = 1
    correlation: float = 0.0

    def blocked(self, length: int, correlation: float = 0.0) -> "Sides":
        """The means of blocks of intervals."""
        old, new = (_blocked(weights, length) for weights in (self.old, self.new))
        first, second = (_blocked(v, length) for v in (self.before * self.old, self.after * self.new))
        return Sides(first / old, second / new, old, new, length, correlation)


def sides(before: Floats, after: Floats, weights: tuple[Floats, Floats] | None = None) -> Sides:
    """Paired rows of values measured on both sides; without weights all values count equally."""
    old, new = weights or (np.ones_like(before), np.ones_like(after))
    missing = ~((old > 0) & (new > 0)) | np.isnan(before) | np.isnan(after)
    before, after, old, new = (np.where(missing, np.nan, values) for values in (before, after, old, new))
    return Sides(before, after, old, new)


def memory(rows: Sides, slots: int) -> Memory:
    """The shortest block length with independent neighbouring differences, and the lengths tried before it.

    The correlation is the median over the subjects, so that a subject that changed within the span has no effect.
    """
    count = rows.before.shape[1]
    tried: list[tuple[int, float]] = []
    for length in [n for n in (*LENGTHS, slots) if count // n >= LEAST_BLOCKS] or [1]:
        made = rows.blocked(length)
        tried.append((length, max(neighbours(made.after - made.before), 0.0)))
        if tried[-1][1] < INDEPENDENT:
            break
    return tried


def blocks(rows: Sides, block_memory: Memory) -> Sides:
    """Block means of paired rows, of the longest length tried with enough blocks, else the shortest."""
    fit = [tried for tried in block_memory if rows.before.shape[1] // tried[0] >= LEAST_BLOCKS]
    return rows.blocked(*(fit or block_memory[:1])[-1])


def _blocked(rows: Floats, length: int) -> Floats:
    wanted = -(-rows.shape[1] // length) * length
    padded = np.pad(rows, ((0, 0), (0, wanted - rows.shape[1])), constant_values=np.nan)
    return _mean(padded.reshape(len(rows), -1, length), 2)


def neighbours(rows: Floats) -> float:
    """The median over the rows of the correlation between neighbouring values; 0 if unknown."""
    off = rows - _mean(rows, 1)[:, None]
    power = np.nansum(off**2, axis=1)
    known = power > 0
    if rows.shape[1] < 3 or not known.any():
        return 0.0
    together = np.nansum(off[:, 1:] * off[:, :-1], axis=1)
    return float(np.median(together[known] / power[known]))


def tested(found: Sides, row: int) -> Tested | None:
    """The more significant of two tests of one subject: all blocks, or its busiest blocks.

    The p-value is doubled because of the two tests. None if nothing was measured on both sides; only means
    (the rest NaN) if there are too few blocks for a test.
    """
    known = ~np.isnan(found.before[row])
    count = int(known.sum())
    if not count:
        return None
    pairs = (found.before, found.old), (found.after, found.new)
    old, new = (Side(values[row][known], weights[row][known]) for values, weights in pairs)
    means = old.mean, new.mean
    if count < LEAST_BLOCKS:
        return Tested("all", count, *means, np.nan, np.nan, np.nan, *means)
    tests = [_test("all", old, new, found.correlation)]
    busy = round(PEAK_SHARE * count)
    if busy >= LEAST_BLOCKS:
        chosen = np.argsort(-(old.values + new.values), kind="stable")[:busy]
        tests.append(_test("busiest", old.part(chosen), new.part(chosen), found.correlation))
    best = min(tests, key=lambda test: test.p_value)
    return best._replace(p_value=min(1.0, len(tests) * best.p_value), mean_before=means[0], mean_after=means[1])


class Side(NamedTuple):
    """One subject's blocks on one side: values and weights."""

    values: Floats
    weights: Floats

    @property
    def mean(self) -> float:
        return float((self.values * self.weights).sum() / self.weights.sum())

    def off(self) -> Floats:
        """Contribution of each block to the error of the mean (a ratio of sums, linearised: Cochran 1977, 2.11)."""
        return np.asarray(self.weights / self.weights.mean() * (self.values - self.mean))

    def part(self, chosen: NDArray[np.int64]) -> "Side":
        return Side(self.values[chosen], self.weights[chosen])


def _test(part: Part, before: Side, after: Side, correlation: float) -> Tested:
    middle, count = after.mean - before.mean, len(before.values)
    # means of correlated values scatter more than their own spread suggests (first-order autoregression)
    inflation = np.sqrt((1 + correlation) / (1 - correlation))
    error = float((after.off() - before.off()).std(ddof=1) / np.sqrt(count) * inflation)
    half = t_quantile(CONFIDENCE, count - 1) * error
    ends = middle - half, middle + half
    return Tested(part, count, before.mean, after.mean, *ends, _chance(middle, error, count))


def _chance(middle: float, error: float, count: int) -> float:
    if middle == 0:
        return 1.0
    # all differences equal: p-value of all of them having the same sign
    return two_sided_p(middle / error, count - 1) if error > 1e-12 * abs(middle) else 2.0 ** (1 - count)


def _mean(values: Floats, axis: int) -> Floats:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # an empty mean is NaN, as intended
        return np.asarray(np.nanmean(values, axis=axis))
