"""Hours that are missing are no growth, and hide none."""

import datetime as dt
from typing import Any

import numpy as np
import pytest
from test_trend import FIRST, lake, numbered, of

from iosq.toolkit.trend import Slope, slope, trends
from iosq.toolkit.trend.filled import BINS, completed

OF = {"mean": np.nanmean, "p95": lambda x: np.nanquantile(x, 0.95), "max": np.nanmax}
KINDS = ("more each day", "every other day", "later on", "anywhere")


def absent(draw: np.random.Generator, days: int, kind: str) -> Any:
    """The missing parts by day: at most a fifth of a day."""
    first, longest = draw.integers(BINS), BINS // 5
    behind = (np.arange(BINS) - first) % BINS
    share = np.linspace(0, 1, days)
    if kind == "every other day":
        share = np.where((np.arange(days) % 2 == 0) & (share > 0.3), 1.0, 0.0)
    if kind == "later on":
        share = np.where(share > draw.uniform(0.2, 0.8), 1.0, 0.0)
    if kind == "anywhere":
        return draw.random((days, BINS)) < 0.18 * share[:, None]
    return behind < longest * share[:, None]


def site(draw: np.random.Generator, days: int, per_day: float) -> Any:
    """Parts of days: hours and weekdays differ as they like, and stay as they are but for growth and chance."""
    by_hour = np.repeat(draw.choice([0.5, 1.0, 2.0], 24), BINS // 24)
    by_hour *= np.where(
        (np.arange(BINS) - draw.integers(BINS)) % BINS < BINS // 4, 0.1, 1
    )  # a quiet night, or its batch
    of_weekday, at = draw.choice([0.3, 1.0, 1.2], 7) * 1000, numbered(days)
    chance = draw.normal(1, 0.02, (days, 1)) * draw.lognormal(0, 0.2, (days, BINS))
    return by_hour * (of_weekday[at % 7] * (1 + per_day * (at - FIRST)))[:, None] * chance


def found(grid: Any, missing: Any, manner: str, *, mended: bool = True) -> Slope:
    days, seen = numbered(len(grid)), np.where(missing, np.nan, grid)
    values = np.array([OF[manner](day) for day in seen])
    if mended:
        values = completed(days, values, ~missing.any(axis=1), seen, manner)
    given = slope(days, values)
    assert given
    return given


@pytest.mark.parametrize("manner", OF)
def test_missing_hours_are_no_trend(manner: str) -> None:
    """Law: flat by the hour of the day, whatever is missing: trends as rare as where nothing is."""
    draw, sites = np.random.default_rng(3), 60
    cases = [(site(draw, 28, 0.0), absent(draw, 28, KINDS[i % 4])) for i in range(sites)]
    alarms = sum(found(*case, manner).p_value <= 0.05 for case in cases)
    assert alarms <= 0.12 * sites  # as in test_false_alarms_are_rare
    if manner == "mean":
        assert sum(found(*case, manner, mended=False).p_value <= 0.05 for case in cases) > 0.15 * sites


@pytest.mark.parametrize("kind", KINDS)
def test_growth_is_seen_through_missing_hours(kind: str) -> None:
    """Law: 1 % a day is found, and as large as where nothing is missing."""
    draw, sites = np.random.default_rng(5), 20
    cases = [(site(draw, 28, 0.01), absent(draw, 28, kind)) for _ in range(sites)]
    given = [found(*case, "mean") for case in cases]
    truth = [found(grid, np.zeros_like(missing), "mean") for grid, missing in cases]
    seen = [t for t in given if t.p_value < 0.05 and t.low > 0]
    assert len(seen) >= 0.9 * sum(t.p_value < 0.05 for t in truth) > 0.8 * sites
    assert np.median([abs(t.per_day / true.per_day - 1) for t, true in zip(given, truth, strict=True)]) < 0.1


@pytest.mark.parametrize("manner", OF)
def test_whole_days_keep_their_numbers(manner: str) -> None:
    draw = np.random.default_rng(7)
    grid, missing = site(draw, 28, 0.01), absent(draw, 28, "every other day")
    days, whole = numbered(28), ~missing.any(axis=1)
    values = np.arange(28.0)  # as the intervals give them, whatever the parts say
    made = completed(days, values, whole, np.where(missing, np.nan, grid), manner)
    assert 5 < whole.sum() < 28 and (made[whole] == values[whole]).all()


def test_by_hand() -> None:
    """Two Mondays: 10 by night (a quarter of the day), 100 else; the second lacks the night, and was a tenth busier."""
    night = np.arange(BINS) < BINS // 4
    first = np.where(night, 10.0, 100.0)
    second = np.where(night, np.nan, 110.0)
    whole = np.array([True, False])
    mean, top = (
        completed(np.array([0, 7]), np.array([own, 110.0]), whole, np.stack([first, second]), manner)
        for own, manner in ((77.5, "mean"), (100.0, "max"))
    )
    # the day is as busy as 0.25 * 10 + 0.75 * 110 = 85 relative to 77.5, and so is its night
    assert mean.tolist() == pytest.approx([77.5, 0.75 * 110 + 0.25 * 10 * 85 / 77.5])
    assert top.tolist() == [100, 110]


HOUR = "extract(hour FROM interval_start + INTERVAL 1 HOUR)"


def quiet(days: int, growth: float) -> Any:
    """A lake with quiet nights."""
    con = lake(days, growth, noise=2.0)
    con.execute(f"UPDATE box_interval SET io_rate = io_rate * 0.1 WHERE {HOUR} < 5")
    return con


def nights(days: int, growth: float) -> Any:
    """The same; each day lacks more of the night, up to four hours."""
    con = quiet(days, growth)
    day = "(interval_start + INTERVAL 1 HOUR)::DATE - DATE '2025-11-03'"
    con.execute(f"DELETE FROM box_interval WHERE {HOUR} < 4 * ({day}) / {days - 1}")
    return con


def test_a_lake_without_growth_that_loses_its_nights() -> None:
    given = of(trends(nights(28, 0.0)), "box", "io_rate")
    assert (given.verdict, given.days) == ("no trend can be shown", 28)
    assert given.missing == "27 of 28 days (00:00-04:00)"


def test_the_date_of_a_limit_does_not_move_with_the_nights() -> None:
    whole, lacking = (
        of(trends(con, {("box", "io_rate"): 2250.0}), "box", "io_rate") for con in (quiet(42, 10.0), nights(42, 10.0))
    )
    assert whole.missing == "" and whole.date and lacking.date
    assert abs(lacking.date - whole.date) <= dt.timedelta(days=2)
