"""Spans of other interval lengths, or off by minutes, are compared by steps that both have."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.toolkit.compare.series import IOS, MEASURES, PER_IO, SECONDS, Series, Subject, laid_out
from iosq.toolkit.compare.steps import stepped

HOT, COLD = Subject("volume", "SYSA", "HOT"), Subject("volume", "SYSB", "COLD")


def side(minutes: float, *values: float, first: int = 540, day: int = 20000, ios: Any = None) -> Series:
    """Intervals of one length of two volumes in succession, all measures the same; the second has twice as much."""
    count = len(values)
    slot = first + np.floor(minutes * np.arange(count)).astype(np.int64)
    both = np.concatenate([values, 2 * np.array(values, float)])
    rows = dict.fromkeys(MEASURES, both) | {SECONDS: np.full(2 * count, 60 * minutes)}
    rows[IOS] = np.tile(ios, 2) if ios is not None else both * rows[SECONDS]
    subject = np.repeat([0, 1], count)
    return laid_out((HOT, COLD), subject, np.full(2 * count, day), np.tile(slot, 2), rows)


def rows(found: Series, measure: str, subject: Subject = HOT) -> list[float]:
    return [round(v, 9) for v in found.values[measure][found.rows_of(subject)].tolist()]


def test_what_can_be_paired_is_left_as_it_is() -> None:
    before, after = side(15, 1, 2, 3, 4), side(15, 5, 6, 7, 8, first=570)
    assert stepped(before, after) == (before, after, None)


@settings(deadline=None)
@given(st.lists(st.floats(1, 100), min_size=30, max_size=30), st.lists(st.integers(1, 1000), min_size=30, max_size=30))
def test_minutes_add_up_to_the_interval_around_them(values: list[float], ios: list[int]) -> None:
    fine = side(1, *values, ios=np.array(ios, float))
    _, found, minutes = stepped(side(15, 1, 2), fine)
    assert minutes == 15
    for measure in MEASURES:
        weight = ios if measure in PER_IO else [1] * 30
        expected = [np.average(values[i : i + 15], weights=weight[i : i + 15]) for i in (0, 15)]
        assert rows(found, measure) == pytest.approx(expected)
        assert rows(found, measure, COLD) == pytest.approx([2 * v for v in expected])
    assert found.slot.tolist() == [540, 555] * 2


@pytest.mark.parametrize(
    ("lengths", "step"),
    [((15, 1), 15), ((10, 15), 30), ((15, 60), 60), ((45, 60), 60), ((0.5, 0.5), 1), ((90, 15), 90)],
)
def test_a_step_holds_whole_intervals_of_both(lengths: tuple[float, float], step: int) -> None:
    sides = [side(length, *[1.0] * round(360 / length)) for length in lengths]
    before, after, minutes = stepped(*sides)
    assert minutes == step
    assert rows(before, "io_rate") == rows(after, "io_rate") == [1.0] * (360 // step)
    assert set(before.slot.tolist()) == set(after.slot.tolist())


def test_intervals_off_by_minutes_meet() -> None:
    before, after, minutes = stepped(side(15, 1, 2, 3, first=547), side(15, 4, 5, 6))
    assert (minutes, rows(before, "wait_ms"), rows(after, "wait_ms")) == (15, [1, 2, 3], [4, 5, 6])
    assert before.slot.tolist() == after.slot.tolist()


def test_other_hours_stay_other_hours() -> None:
    before, after = side(15, 1, 2, first=540), side(15, 3, 4, first=900)
    assert stepped(before, after) == (before, after, None)


@pytest.mark.parametrize(("measured", "steps"), [(7, 0), (8, 1), (15, 1)])
def test_a_step_with_little_measured_time_counts_as_not_measured(measured: int, steps: int) -> None:
    _, found, _ = stepped(side(15, 1, 2), side(1, *[3.0] * measured))
    assert rows(found, "queue_length") == [3.0] * steps


def test_unknown_values_are_left_out_of_the_mean() -> None:
    _, found, _ = stepped(side(15, 1, 2), side(1, *[np.nan] * 5, *[3.0] * 10))
    assert rows(found, "response_ms") == [3.0]
