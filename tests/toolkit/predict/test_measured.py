"""Work that was measured with other numbers of aliases is not predicted."""

import datetime as dt
import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.models.pav.answers import WhatIf
from iosq.models.pav.closed import what_if_closed
from iosq.models.pav.power_curve import PowerCurve
from iosq.models.pav.volume import ClosedVolumes
from iosq.toolkit.predict import pav_rows
from iosq.toolkit.predict.lake import Reading
from iosq.toolkit.predict.measured import with_measured
from iosq.toolkit.predict.work import Work, of_group, of_volume

START = dt.datetime(2026, 1, 1)


def reading(
    aliases: int, rate: float, requesters: float = 5.0, reads: float | None = 0.7, exposures: float = 0.0
) -> Work:
    inside = min(aliases + 1.0, requesters)
    wait, service = (count / rate * 1e3 for count in (requesters - inside, inside))
    given = exposures or aliases + 1.0
    seen = Reading("z/OS", "SYSA", "VOL001", "10", "B", START, 0, rate, wait, 0, 0, service, service, aliases + 1,
                   given, False, None, reads, None, "3390", None, START, 900.0)  # fmt: skip
    return of_volume(seen)


def predicted() -> WhatIf:
    box = PowerCurve("B", 100.0, 1.0, (0.0, 1.0), 0.0, "nothing")
    return what_if_closed(box, ClosedVolumes.of(5.0, 0.7, 1.0), range(5), np.random.default_rng(0))


def test_what_was_measured_replaces_what_would_be_predicted() -> None:
    seen = [reading(0, 100.0), *(reading(2, rate) for rate in (240.0, 250.0, 260.0))]
    found, known = with_measured(predicted(), seen, seen[0], closed=True)
    two = found.of(2)
    assert two.rate.value == pytest.approx(250)
    assert two.identifiable and not found.of(3).identifiable
    assert two.rate.value * two.response_ms.value / 1e3 == pytest.approx(5)
    assert known == "measured, not predicted: 2 aliases for 45 minutes of the same work"


@pytest.mark.parametrize(
    "others",
    [
        [replace(reading(2, 250.0), seconds=60.0)] * 4,
        [reading(2, 250.0, requesters=9.0)] * 3,
        [reading(2, 250.0, reads=0.3)] * 3,
        [reading(2, 250.0, exposures=2.6)] * 3,
        [reading(0, 120.0)] * 3,
    ],
    ids=["too few", "other load", "other mix", "aliases changed", "the same count"],
)
def test_other_work_is_no_measurement_of_this(others: list[Work]) -> None:
    before = predicted()
    assert with_measured(before, [reading(0, 100.0), *others], reading(0, 100.0), closed=True) == (before, "")


def test_volumes_of_a_pool_are_one_load() -> None:
    def one(rate: float, wait: float, reads: float | None) -> Reading:
        return Reading("z/OS", "SYSA", "VOL001", "10", "B", START, 0, rate, wait, 0, 0, 2.0, 2.0, 5, 5, True, 4,
                       reads, None, "3390", None, START, 900.0)  # fmt: skip

    work = of_group(4, [one(100.0, 1.0, 0.5), one(300.0, 3.0, 0.9), one(50.0, 0.0, None)])
    assert work == Work(
        4, 450.0, pytest.approx(1000 / 450), pytest.approx(2.0), pytest.approx(0.8), START, seconds=900.0
    )
    assert work.outstanding == pytest.approx(1.0 + 0.45 * 2)


def work(aliases: int, rate: float, minute: float, outstanding: float = 20.0, others: float | None = None) -> Work:
    inside = min(aliases + 1.0, outstanding)
    wait, service = (outstanding - inside) / rate * 1e3, inside / rate * 1e3
    return Work(aliases, rate, wait, service, None, START + dt.timedelta(minutes=minute), others)


def test_other_work_with_as_many_requesters_is_known_by_how_it_went_with_the_same_aliases() -> None:
    """Two jobs an hour apart, each with and without an alias; by the next day both have one."""
    slow, fast = (
        [work(0, base, start + m) for m in range(3)] + [work(1, more, start + 10 + m) for m in range(3)]
        for base, more, start in ((60.0, 75.0, 0), (100.0, 160.0, 60))
    )
    tomorrow = [work(2, rate, start + 1440 + m) for rate, start in ((80.0, 0), (200.0, 60)) for m in range(3)]
    every = [*slow, *fast, *tomorrow]
    for peak, one, two in ((slow[0], 75.0, 80.0), (fast[0], 160.0, 200.0)):
        found, known = with_measured(predicted(), every, peak, closed=True)
        assert (found.of(1).rate.value, found.of(2).rate.value) == pytest.approx((one, two))
        assert found.of(1).is_measured and not found.of(3).is_measured
        assert known == "measured, not predicted: 1 and 2 aliases for 45 minutes each of the same work"


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 3)), min_size=2, max_size=30), st.randoms())
def test_what_is_measured_is_of_the_same_work_only(blocks: list[tuple[int, int]], order: random.Random) -> None:
    """Two jobs of as many requesters take turns, aliases come after each run without: never mixed up."""
    rates = ((60.0, 75.0, 80.0, 82.0), (100.0, 160.0, 200.0, 210.0))
    ran = [
        (job, work(n, rates[job][n], 30 * at + 3 * (n > 0) + minute))
        for at, (job, aliases) in enumerate(blocks)
        for n in {0, aliases}
        for minute in range(3)
    ]
    order.shuffle(ran)
    job, peak = next((job, w) for job, w in ran if w.aliases == 0)
    found, _ = with_measured(predicted(), [w for _, w in ran], peak, closed=True)
    for p in found.predictions:
        assert p.is_measured == any((j, w.aliases) == (job, p.aliases) for j, w in ran if w.aliases)
        assert not p.is_measured or p.rate.value == pytest.approx(rates[job][p.aliases])


def test_a_box_busier_with_other_work_is_no_trial_of_aliases() -> None:
    peak, alone = work(0, 60.0, 0, others=2.0), [work(1, 75.0, m, others=2.5) for m in (10, 11, 12)]
    busier = [work(1, 75.0, m, others=9.0) for m in (10, 11, 12)]
    assert with_measured(predicted(), alone, peak, closed=True)[1]
    assert not with_measured(predicted(), busier, peak, closed=True)[1]


@pytest.mark.parametrize(("two", "falls"), [(94.0, True), (99.0, False), (140.0, False)])
def test_a_rate_that_was_measured_to_fall_is_reported(two: float, falls: bool) -> None:
    peak = work(0, 100.0, 0, outstanding=5.0)
    found, known = with_measured(predicted(), [work(2, two, m, 5.0) for m in range(10)], peak, closed=True)
    assert known
    texts = pav_rows.answer(pav_rows.Question("VOL001", current=0), found).conclusions
    assert any("from 2 aliases on the rate was measured to fall" in text for text in texts) == falls
