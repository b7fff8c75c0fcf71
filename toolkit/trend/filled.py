"""Fill in incomplete days, because missing nights would look like growth.

The missing parts of a day are taken from each whole day of the same weekday in turn, scaled by the load of the measured
parts, and the results are averaged. Real days are used in place of their mean, whose maximum would be too low.
"""

from collections.abc import Callable, Mapping

import numpy as np
import polars as pl
from numpy.typing import NDArray

from iosq.toolkit.show.numbers import listed, plural

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Statistic = Callable[[Floats], Floats]

WEEK = 7
BIN_S = 900  # length of the parts of a day, each measured or missing
BINS = 86_400 // BIN_S
SLACK_S = 60.0  # a whole day may lack this much, because of clocks, and of listings that print only minutes
_LEAST_S = 5.0  # an interval that extends into the next part by less is not in it: clocks are inexact
_NAMED = 3  # maximum number of times of day to name
_BIN_US = 1_000_000 * BIN_S
_OF_A_DAY: Mapping[str, Statistic] = {
    "mean": lambda grid: grid.mean(axis=1),
    "sum": lambda grid: grid.mean(axis=1),  # volumes are already summed by interval
    "max": lambda grid: grid.max(axis=1),
    "p95": lambda grid: np.quantile(grid, 0.95, axis=1),
}


def parts(rows: pl.DataFrame, statistic: str) -> pl.DataFrame:
    """Measured values of each part of each day of each subject; parts covered by less than half are left out.

    Rows have system, subject, day, local_us (start), interval_s and value; for `statistic` see `measures.csv`.
    """
    start = pl.col("local_us")
    end = start + (pl.min_horizontal("interval_s", pl.lit(86_400.0)) * 1_000_000).cast(pl.Int64)
    held = pl.min_horizontal("end", (pl.col("part") + 1) * _BIN_US) - pl.max_horizontal(start, pl.col("part") * _BIN_US)
    value = (
        pl.col("value").max() if statistic == "max" else (pl.col("value") * pl.col("held")).sum() / pl.col("held").sum()
    )
    return (
        rows.with_columns(end=end)
        .with_columns(part=pl.int_ranges(start // _BIN_US, (pl.col("end") - 1) // _BIN_US + 1))
        .explode("part")
        .with_columns(held=held / 1_000_000)
        .filter(pl.col("held") >= _LEAST_S)
        .group_by("system", "subject", "day", pl.col("part") % BINS)
        .agg(value, pl.col("held").sum())
        .filter(pl.col("held") >= BIN_S / 2)
    )


def filled(
    days: NDArray[np.int64], values: Floats, whole: Flags, measured: pl.DataFrame, statistic: str
) -> tuple[Floats, str]:
    """The values of a subject's days with incomplete days filled in, and in words how many they are, and when.

    `days`, since 1970-01-01, ascend; each has a value from its measured time, and is `whole` if nothing of it is
    missing. `measured`: the measured parts of these days, see `parts`.
    """
    own = measured.filter(pl.col("day").is_in(days.tolist()))
    grid = np.full((len(days), BINS), np.nan)
    grid[np.searchsorted(days, own["day"].to_numpy()), own["part"].to_numpy()] = own["value"].to_numpy()
    return completed(days, values, whole, grid, statistic), _missing(np.isnan(grid[~whole]), len(days))


def completed(days: NDArray[np.int64], values: Floats, whole: Flags, grid: Floats, statistic: str) -> Floats:
    """Values of days with missing parts filled in; `grid` has the parts of days, NaN where missing."""
    grid = grid[:, ~np.isnan(grid).all(axis=0)]  # drop times that no day has
    usual, made = np.nanmean(grid, axis=0), values.copy()
    for weekday in np.unique(days % WEEK):
        own = days % WEEK == weekday
        if not whole[own].all():
            made[own] = _of_a_weekday(values[own], whole[own], grid[own], _OF_A_DAY[statistic], usual)
    return made


def _of_a_weekday(values: Floats, whole: Flags, grid: Floats, of: Statistic, usual: Floats) -> Floats:
    """Values for one weekday; times that none of its days has are taken from the mean of all days."""
    ever = ~np.isnan(grid).all(axis=0)
    own = np.full(len(usual), np.nan)
    own[ever] = np.nanmean(grid[:, ever], axis=0)
    complete = np.where(np.isnan(grid), _filled_from(own, usual[None, :]), grid)
    by_parts = of(complete)
    levels, made = np.where(whole, values, by_parts), values.copy()
    for day in np.flatnonzero(~whole):
        like = whole if whole.any() else np.arange(len(whole)) != day
        if not like.any():
            like = ~like
        # whole days are known by interval, not by part, so use only the difference
        made[day] = (levels[like] + of(_filled_from(grid[day], complete[like])) - by_parts[like]).mean()
    return made


def _filled_from(day: Floats, others: Floats) -> Floats:
    """A day with its missing parts taken from each of the other days, scaled by the day's relative load."""
    known = ~np.isnan(day)
    usual = others.mean(axis=1)
    busy = np.divide(np.where(known, day, others).mean(axis=1), usual, out=np.ones_like(usual), where=usual > 0)
    return np.where(known, day, others * busy[:, None])


def _missing(lacking: Flags, days: int) -> str:
    """Days with missing time, in words: `27 of 28 days (00:00-04:30)`."""
    ever = np.concatenate(([False], lacking.any(axis=0), [False]))
    ends = np.flatnonzero(ever[1:] != ever[:-1]).reshape(-1, 2)
    times = [f"{_clock(first)}-{_clock(last)}" for first, last in ends.tolist()]
    when = listed(times) if 0 < len(times) <= _NAMED else "at various times"
    return f"{len(lacking)} of {plural(days, 'day')} ({when})"


def _clock(part: int) -> str:
    return f"{part * BIN_S // 3600:02}:{part * BIN_S // 60 % 60:02}"
