"""A machine file that the measured rate contradicts settles nothing; one that it agrees with only takes its level."""

from dataclasses import replace

import numpy as np
import pytest

from iosq.models.pav.answers import FALL, NO_STATIONS, Interval, Measured, concluded
from iosq.models.pav.closed import load_now
from iosq.models.pav.volume import ClosedVolumes
from iosq.toolkit.predict import open_load, pav_numbers, pav_rows, sources
from iosq.toolkit.predict.answer import Answer
from iosq.toolkit.predict.closed_load import informative
from iosq.toolkit.predict.given import Given
from iosq.toolkit.predict.pav_numbers import Numbers
from iosq.toolkit.rows import NewRow

RNG = np.random.default_rng(5)
CASES = [
    (machine, int(RNG.integers(2, 9)), float(RNG.uniform(0.0, 1.0)), float(RNG.uniform(0.06, 0.3)))
    for machine in ("ess-f20", "ds8100", "ds6800")
    for _ in range(2)
]


def delivered(machine: str, requesters: int, reads: float, data: float) -> float:
    """I/Os per second of each of eight volumes without aliases, by the file."""
    load = load_now(ClosedVolumes.of(np.full(8, float(requesters)), reads, data), 0, pooled=False)
    return float(sources.named(machine).rate(load)[0]) / 8


def answered(machine: str, requesters: int, reads: float, data: float, factor: float) -> tuple[Answer, float]:
    rate = factor * delivered(machine, requesters, reads, data)
    numbers = Numbers(rate, requesters=requesters, volumes=8, read_ratio=reads, footprint_gb=data)
    return pav_numbers.answer(numbers, aliases=4, machine=machine), rate


@pytest.mark.parametrize(("machine", "requesters", "reads", "data"), CASES)
@pytest.mark.parametrize("factor", [0.4, 1.6, 12.0])
def test_what_the_file_rules_out_is_bounded_by_what_was_measured(
    machine: str, requesters: int, reads: float, data: float, factor: float
) -> None:
    answer, rate = answered(machine, requesters, reads, data, factor)
    assert "it seems to be another one: check --machine" in " ".join(answer.conclusions)
    assert (answer.rows[0]["io_rate"], answer.rows[0]["identifiable"]) == (pytest.approx(rate), True)
    for row in answer.rows[1:]:
        inside = min(row["aliases"] + 1, requesters)
        assert not row["identifiable"]
        assert (row["io_rate_low"], row["io_rate_high"]) == pytest.approx(
            (rate * (FALL if inside > 1 else 1), rate * inside)
        )


@pytest.mark.parametrize(("machine", "requesters", "reads", "data"), CASES)
@pytest.mark.parametrize("factor", [0.85, 1.15])
def test_what_the_file_explains_is_predicted_from_what_was_measured(
    machine: str, requesters: int, reads: float, data: float, factor: float
) -> None:
    """A box similar to the file's has about its curve."""
    answer, rate = answered(machine, requesters, reads, data, factor)
    assert answer.rows[0]["io_rate"] == pytest.approx(rate)
    assert all(row["identifiable"] for row in answer.rows)
    file, _ = answered(machine, requesters, reads, data, 1.0)
    for row, its in zip(answer.rows, file.rows, strict=True):
        assert row["io_rate"] / rate == pytest.approx(its["io_rate"] / file.rows[0]["io_rate"], rel=0.2)


@pytest.mark.parametrize("machine", ["ess-f20", "ds8100", "ds6800"])
@pytest.mark.parametrize("pool", [None, 60])
def test_arrivals_that_the_file_rules_out_are_answered_without_it(machine: str, pool: int | None) -> None:
    """As for requesters: the rate was measured, so the machine is another one, by number as by lake."""
    numbers = Numbers(900, 1.0, 4.0, 0.3, exposures=5, volumes=20, footprint_gb=0.3, pool=pool)
    named, none = (pav_numbers.answer(numbers, aliases=62, machine=name) for name in (machine, None))
    assert [strip(row) for row in named.rows] == [strip(row) for row in none.rows]
    assert "it seems to be another one: check --machine" in " ".join(named.conclusions)


def strip(row: NewRow) -> NewRow:
    return {name: value for name, value in row.items() if name != "remark"}


def test_a_volume_of_a_lake_on_a_machine_that_it_rules_out_is_answered_without_it() -> None:
    load, box = open_load.Load(400, 1.0, 2.0), open_load.BoxState(90.0, 20, 0.3)
    shown = open_load.volume(load, box, Given("ds6800", footprint_gb=0.3), range(4))
    none = open_load.volume(load, box, Given(footprint_gb=0.3), range(4))
    assert shown.predictions == none.predictions
    assert "it seems to be another one: check --machine" in shown.settle


def test_a_pool_of_now_is_what_was_measured() -> None:
    rate = delivered("ess-f20", 5, 0.33, 0.3)
    numbers = Numbers(rate, requesters=5, volumes=8, read_ratio=0.33, footprint_gb=0.3, pool=8)
    now = pav_numbers.answer(numbers, aliases=9, machine="ess-f20").rows[8]
    assert (now["io_rate"], now["io_rate_low"], now["io_rate_high"]) == pytest.approx((8 * rate,) * 3)
    assert now["service_ms"] == pytest.approx((1 + 8 / 8) / rate * 1e3)


@pytest.mark.parametrize(
    ("low", "high", "shown"),
    [(85.0, 92.0, "from 1 alias on the rate is predicted to fall: by its curve"), (85.0, 103.0, "")],
)
def test_only_a_certain_fall_is_reported_as_predicted(low: float, high: float, shown: str) -> None:
    now, then = (Measured(rate, 0.0, 1e3 / rate).prediction(count, known=True) for count, rate in enumerate((100, 90)))
    then = replace(then, rate=Interval(90, low, high))
    what_if = concluded([now, then], [100, 90], "", "a machine file", "")
    message = pav_rows.answer(pav_rows.Question("VOL001", current=0), what_if).conclusions
    assert [text for text in message if "on the rate" in text] == [
        text for text in message if shown and text.startswith(shown)
    ]
    assert any(text.startswith(shown) for text in message)


@pytest.mark.parametrize(
    ("inside", "high", "measured", "limit", "open_left"),
    [
        (2, 108.0, False, "destage", True),
        (5, 108.0, False, "destage", False),  # more at the same rate: no gain is to come
        (2, 101.0, False, "destage", False),
        (2, 108.0, True, "destage", False),
        (2, 108.0, False, NO_STATIONS, False),  # an elasticity from the lake is no curve that ends
    ],
)
def test_no_gain_up_to_where_a_curve_ends_is_no_verdict(
    inside: int, high: float, measured: bool, limit: str, open_left: bool
) -> None:
    """A machine that saw few I/Os in the box: 89 % with the first alias, give or take a fifth, and then nothing."""
    now = Measured(100.0, 190.0, 10.0).prediction(0, known=True)
    rate, service = Interval(89.0, 77.0, high), Interval(*[inside / 89 * 1e3] * 3)
    then = replace(now, aliases=inside - 1, rate=rate, service_ms=service, is_measured=measured)
    beyond = replace(then, aliases=8, identifiable=False, is_measured=False)
    what_if = concluded([now, then, beyond], [100, 89, 0], limit, "a machine file", "not identifiable: measure")
    assert len(informative(what_if)) == (3 if open_left else 2)
