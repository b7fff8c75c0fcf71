"""One measured rate gives bounds that hold for any box: every possible value lies within, in numbers as from a file."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.toolkit.predict import fit, pav_numbers, runs
from iosq.toolkit.predict.pav_numbers import Numbers

BOXES = ["ds8100", "ess-f20", "ds6800"]


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 20), st.integers(2, 8), st.integers(1, 6), st.floats(1.0, 1e4), st.floats(0, 1), st.data())
def test_any_box_through_one_measured_rate_lies_within_the_answer(
    volumes: int, requesters: int, exposures: int, rate: float, reads: float, data: st.DataObject
) -> None:
    """A box whose rate grows, from one number in the box to the next, by a share of perfect scaling."""
    asked = Numbers(rate=rate, requesters=requesters, exposures=exposures, volumes=volumes, read_ratio=reads)
    rows = pav_numbers.answer(asked, aliases=8, machine=None).rows
    now, could_be = min(requesters, exposures), {}
    paces = [data.draw(st.floats(0, 1)) for _ in range(9)]
    for count in range(1, 9):
        steps = range(count, now) if count < now else range(now, min(count, requesters))
        grown = 1.0
        for step in steps:
            grown *= ((step + 1) / step) ** paces[step]
        could_be[count] = rate / grown if count < now else rate * grown
    for row in rows[:8]:
        low, high = row["io_rate_low"], row["io_rate_high"]
        assert low * (1 - 1e-9) <= could_be[row["aliases"] + 1] <= high * (1 + 1e-9)
        assert row["identifiable"] == (min(row["aliases"] + 1, requesters) == now)


@pytest.mark.parametrize("exposures", [1, 3, 5])
def test_a_file_fitted_to_one_number_in_the_box_answers_for_that_number_only(exposures: int, tmp_path: Path) -> None:
    line = f"20,5,{exposures - 1},1,10,6719"
    path = tmp_path / "points.csv"
    path.write_text(f"{','.join(runs.COLUMNS)}\n{line}\n", "utf-8")
    (tmp_path / "mybox.toml").write_text(fit.points_answer("mybox", [path])[1], "utf-8")
    asked = Numbers(requesters=5, exposures=exposures, volumes=20, read_ratio=1, footprint_gb=0.5)
    rows = pav_numbers.answer(asked, aliases=5, machine=str(tmp_path / "mybox.toml")).rows
    for row in rows:
        inside = min(row["aliases"] + 1, 5)
        assert row["identifiable"] == (inside == exposures)
        for could_be in (336, 336 * inside / exposures):
            assert row["io_rate_low"] <= could_be <= row["io_rate_high"]


@pytest.mark.parametrize("machine", [None, *BOXES])
def test_a_state_that_is_todays_is_as_measured(machine: str | None) -> None:
    asked = Numbers(rate=330, requesters=3, exposures=4, volumes=8, read_ratio=0.66, footprint_gb=0.2)
    rows = pav_numbers.answer(asked, aliases=6, machine=machine).rows
    assert [row["io_rate_high"] - row["io_rate_low"] for row in rows[2:]] == [0] * 5
    assert all(row["io_rate_high"] > row["io_rate_low"] for row in rows[:2])
