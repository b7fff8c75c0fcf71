"""Work that was measured with other numbers of aliases is not predicted."""

import datetime as dt

import numpy as np
import pytest

from iosq.models.pav.answers import WhatIf
from iosq.models.pav.closed import what_if_closed
from iosq.models.pav.power_curve import PowerCurve
from iosq.models.pav.volume import ClosedVolumes
from iosq.toolkit.predict.lake import Reading
from iosq.toolkit.predict.measured import Work, of_pool, of_volume, with_measured

START = dt.datetime(2026, 1, 1)


def reading(
    aliases: int, rate: float, requesters: float = 5.0, reads: float | None = 0.7, exposures: float = 0.0
) -> Work:
    inside = min(aliases + 1.0, requesters)
    wait, service = (count / rate * 1e3 for count in (requesters - inside, inside))
    given = exposures or aliases + 1.0
    seen = Reading("SYSA", "VOL001", "10", "B", START, 0, rate, wait, 0, 0, service, service, aliases + 1, given,
                   False, None, reads, None, "3390", None, START, 900.0)  # fmt: skip
    return of_volume(seen)


def predicted() -> WhatIf:
    box = PowerCurve("B", 100.0, 1.0, (0.0, 1.0), 0.0, "nothing")
    return what_if_closed(box, ClosedVolumes.of(5.0, 0.7, 1.0), range(5), np.random.default_rng(0))


def test_what_was_measured_replaces_what_would_be_predicted() -> None:
    seen = [reading(0, 100.0), *(reading(2, rate) for rate in (240.0, 250.0, 260.0))]
    found, told = with_measured(predicted(), seen, seen[0], closed=True)
    two = found.of(2)
    assert two.rate.value == pytest.approx(250)
    assert two.identifiable and not found.of(3).identifiable
    assert two.rate.value * two.response_ms.value / 1e3 == pytest.approx(5)
    assert told == "measured, not predicted: 2 aliases in 3 intervals of the same work"


@pytest.mark.parametrize(
    "others",
    [
        [reading(2, 250.0)] * 2,
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
        return Reading("SYSA", "VOL001", "10", "B", START, 0, rate, wait, 0, 0, 2.0, 2.0, 5, 5, True, 4, reads, None,
                       "3390", None, START, 900.0)  # fmt: skip

    work = of_pool(4, [one(100.0, 1.0, 0.5), one(300.0, 3.0, 0.9), one(50.0, 0.0, None)])
    assert work == Work(4, 450.0, pytest.approx(1000 / 450), pytest.approx(2.0), pytest.approx(0.8))
    assert work.outstanding == pytest.approx(1.0 + 0.45 * 2)
