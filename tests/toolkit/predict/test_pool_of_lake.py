"""A pool that a closed workload fills: what holds its answer back."""

import datetime as dt
from dataclasses import replace

import duckdb
import pytest

from iosq.models.pav.answers import WhatIf
from iosq.toolkit.predict import closed_load, headroom, open_load, pav_pools
from iosq.toolkit.predict.closed_load import Crowd
from iosq.toolkit.predict.given import Given
from iosq.toolkit.predict.lake import Reading
from iosq.toolkit.predict.pav_box import Asked, solved
from iosq.toolkit.predict.work import Work
from iosq.toolkit.rows import Row

START = dt.datetime(2026, 1, 1)
CURVE = {"points": 40, "elasticity_ratio": 0.9, "fit_ratio": 0.9, "spread_ratio": 0.2, "in_service_max": 40.0}
CURVE |= {"in_service_min": 2.0}


def reading(volume: str, pool: int = 4, queue: float = 4.0, inside: float = 3.0) -> Reading:
    rate = 1000.0
    wait, service = queue / rate * 1e3, inside / rate * 1e3
    return Reading("z/OS", "SYSA", volume, "10", "B", START, 0, rate, wait, 0, 0, service, service, 1 + pool,
                   1.0 + pool, True, pool, 0.7, None, "3390", None, START, 900.0)  # fmt: skip


def member(volume: str, channel_used: float | None = None) -> Row:
    """Three I/Os in the box and four in the host, 1,000 per second."""
    row = {**headroom.NOTHING, **CURVE, "box": "B", "volume": volume, "channel_used_ratio": channel_used}
    row |= {"io_rate": 1000.0, "wait_ms": 4.0, "service_ms": 3.0, "in_service": 3.0, "queue_length": 4.0}
    return row | {"exposures": 5.0, "own_read_ratio": 0.7, "interval_start": START}


def answer(channel_used: float | None = None, *trials: Work) -> tuple[WhatIf, str]:
    """A pool of four aliases for two volumes."""
    rows = [member(name, channel_used) for name in ("VOL001", "VOL002")]
    return solved(Crowd(rows, [True, True], 4, trials), range(9), Asked())


def test_a_full_channel_leaves_the_counts_open() -> None:
    for used in (None, 0.2):
        found, _ = answer(used)
        assert found.of(4).identifiable and found.of(6).identifiable and not found.settle
    found, _ = answer(0.8)
    assert found.of(4).identifiable and not found.of(6).identifiable
    assert found.settle == "not identifiable: the fullest channel to disks is 80 % used then, so I/Os queue for it"


def test_a_size_that_was_measured_is_not_predicted() -> None:
    """Two requesters more in the box gave a tenth more; the box's curve would have it near a third."""
    larger = Work(6, 2200.0, 3e3 / 1.1e3, 4e3 / 1.1e3, 0.7, START + dt.timedelta(days=1))
    what_if, note = answer(None, larger)
    measured, rest = note.split(". ")
    assert measured == "measured, not predicted: 6 aliases for 15 minutes of the same work"
    assert "bounds only" in rest
    assert what_if.of(6).is_measured and what_if.of(6).rate.value == pytest.approx(2200)
    assert not what_if.of(5).identifiable, "the curve was wrong about six, so it says nothing of five"


@pytest.mark.parametrize(("inside", "queue", "is_closed"), [(3.0, 4.0, True), (1.5, 4.0, False), (3.0, 0.1, False)])
def test_aliases_that_are_always_busy_show_a_closed_workload(inside: float, queue: float, is_closed: bool) -> None:
    pool = pav_pools._Interval([reading(name, queue=queue, inside=inside) for name in ("VOL001", "VOL002")], [4], 4)
    con = duckdb.connect(config={"threads": 1})
    assert closed_load.is_closed(con, pool.in_use, pool.queue, pool.size) is is_closed


def test_a_pool_is_as_large_as_in_its_interval_not_as_ever() -> None:
    """A system whose pool grew is answered for the size that was measured; where nothing ran, the latest counts."""
    early = [replace(reading("VOL001", pool=4), began=START), replace(reading("VOL002", pool=4), began=START)]
    later = [replace(r, began=START + dt.timedelta(minutes=15), pool=9) for r in early]
    sizes = [i.size for i in pav_pools._intervals([*later, *early], ["10"], Asked())]
    assert sizes == [4, 9]
    with_another = [*early, replace(reading("OTHER1"), lcu="11", pool=3, began=START + dt.timedelta(minutes=15))]
    assert [i.own for i in pav_pools._intervals(with_another, ["10", "11"], Asked())] == [[4, 3], [4, 3]]


@pytest.mark.parametrize(("queued_most", "likely", "most"), [(9, 12, 12), (1, None, None), (None, None, None)])
def test_no_more_aliases_than_io_that_ever_queued(
    queued_most: int | None, likely: int | None, most: int | None
) -> None:
    """Half an I/O in progress and four in the queue are bursts; how long these are the highest queue shows.

    A highest queue below the mean one contradicts it.
    """
    loads = [open_load.Load(250.0, 3.0, 0.4) for _ in range(6)]
    found = open_load.pool(loads, 3, open_load.BoxState(2.0, 20, 0.7, None, 5.0), Given(), range(3, 41))
    free = found.clears_wait
    assert free and free > 20 and found.most is None
    found = open_load.with_room(found, open_load.room_for(3, 4.5, queued_most))
    assert (found.clears_wait, found.most) == (likely or free, most)
