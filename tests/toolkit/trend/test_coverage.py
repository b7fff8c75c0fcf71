"""Intervals hold the truth, if weekends grow as much or by less; and better data never make an answer worse."""

from typing import Any

import numpy as np
import pytest
from test_trend import FIRST, numbered, wandering

from iosq.toolkit.trend import slope

DRAWS, REACHED = 200, 100  # the busy weekday begins at 200, grows by 2 a day and meets 400 on this day
NOISE = (0.002, 0.02, 0.05)


def truth(days: int, weekend: float, kind: str) -> Any:
    at = numbered(days)
    of_week = np.where(at % 7 >= 5, weekend, 1.0)
    grown = 2.0 * (at - FIRST)
    return (200 + grown) * of_week if kind == "in proportion" else 200 * of_week + grown


@pytest.mark.parametrize("noise", NOISE)
@pytest.mark.parametrize("kind", ["in proportion", "equal"])
def test_intervals_hold_the_slope_and_the_date(kind: str, noise: float) -> None:
    """Law: 95 % of them do, and the dates are as often too early as too late."""
    rng, held, dates, late = np.random.default_rng(13), 0, 0, 0
    for _ in range(DRAWS):
        x = numbered(int(rng.integers(28, 63)))
        values = truth(len(x), rng.uniform(0.3, 1.0), kind) * rng.normal(1, noise, len(x))
        found = slope(x, values)
        assert found
        middle, early, latest = found.reaches(x, values, 400.0)
        held += found.low <= 2 <= found.high
        dates += early <= FIRST + REACHED <= latest
        late += middle > FIRST + REACHED
    assert held >= 0.9 * DRAWS and dates >= 0.9 * DRAWS
    assert 0.25 * DRAWS < late < 0.75 * DRAWS


SHAPES = {
    "in proportion": lambda d: truth(d, 0.5, "in proportion"),
    "equal": lambda d: truth(d, 0.5, "equal"),
    "weekends stay": lambda d: np.where(numbered(d) % 7 >= 5, 100.0, truth(d, 1.0, "equal")),
    "between": lambda d: truth(d, 0.5, "equal") + truth(d, 0.5, "in proportion"),
    "ever faster": lambda d: 200 + 0.03 * np.arange(d) ** 2,
    "slower": lambda d: 200 + 20 * np.sqrt(np.arange(d)),
}


@pytest.mark.parametrize("kind", SHAPES)
def test_less_noise_never_takes_a_trend_away(kind: str) -> None:
    """Law: the same days with their noise made smaller show what they showed, down to none at all."""
    rng = np.random.default_rng(17)
    # of three weeks the pairs of weekends that stay are too many relative to the others
    for days in (28, 35, 56) if kind == "weekends stay" else (21, 24, 28, 35, 56):
        line = SHAPES[kind](days)
        for memory in (0.0, 0.6):
            noise, given = wandering(rng, days, memory) / 3.0, False
            for size in (0.1, 0.03, 0.01, 0.003, 0.001, 0.0001, 0.0):
                found = slope(numbered(days), line * (1 + size * noise))
                assert found
                now = found.p_value < 0.05 and found.low > 0
                assert now or not given, f"{days} days, memory {memory}, noise {size}"
                given = now
            assert given


def test_a_weekday_that_never_changes_slows_no_other() -> None:
    x = numbered(35)
    values = np.where(x % 7 >= 4, 3.0, 10 + 0.5 * (x - FIRST))
    found = slope(x, values)
    assert found and found.low == found.per_day == found.high == 0.5
    still = slope(x, np.where(x % 7 >= 2, 3.0, values))
    assert still and still.per_day == 0, "most of the week stays"


def test_less_noise_makes_no_interval_wider() -> None:
    rng, widths = np.random.default_rng(19), []
    for noise in (0.05, 0.02, 0.005, 0.001):
        x = numbered(35)
        made = [slope(x, truth(35, 0.5, "in proportion") * rng.normal(1, noise, 35)) for _ in range(40)]
        widths.append(float(np.median([s.high - s.low for s in made if s])))
    assert widths == sorted(widths, reverse=True) and widths[-1] < 0.1 * widths[0]
