"""All volumes of a box get aliases at once: what one is let in, the others pay for."""

import random
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.models.machine import load as load_machine
from iosq.models.pav.answers import RateSource
from iosq.models.pav.everyone import _by_saddle, in_box
from iosq.models.pav.machine import box_from_machine
from iosq.models.pav.open_answers import FULL, latent_stretch, what_if_open, what_if_pool
from iosq.models.pav.open_load import OpenVolumes
from iosq.models.queueing.stations import mmc_wait_ms

RNG = np.random.default_rng
DS8100 = box_from_machine(load_machine("ds8100"))


@dataclass(frozen=True)
class Ceiling:
    """A box that serves each I/O in `alone_ms` up to a ceiling."""

    most: float
    alone_ms: float = 4.0
    name = calibrated_on = "test"

    def completes(self, inside):
        return (np.asarray(inside * 1e3 / self.alone_ms, float) ** -6 + self.most**-6) ** (-1 / 6)

    def rate(self, load):
        return self.completes(load.in_box)

    def rates(self, load, _rng, count=200):
        return np.tile(self.rate(load).ravel(), (count, 1))

    def reaches(self, load):
        return np.ones(load.in_box.shape, bool)

    def away(self, load):
        return np.ones(load.in_box.shape)

    def unseen(self, _load):
        return ""

    def utilization(self, load):
        return {"ceiling": self.rate(load) / self.most}


def simulated(volumes, rate, exposures, box, events=120_000, even=1):
    """Mean wait and service of equal volumes: every I/O in the box as likely the next to end.

    Arrivals at random; of those only each `even`-th of a volume where it is more than 1.
    """
    rng, arrivals, since = random.Random(1), volumes * rate * even, [0] * volumes
    waiting, inside, slots = [0] * volumes, [0] * volumes, []
    ends = [0.0, *(float(box.completes(n)) for n in range(1, volumes * exposures + 1))]
    queued = time = in_queue = in_service = 0.0
    for _ in range(events):
        total = arrivals + ends[len(slots)]
        step = 1 / total
        time, in_queue, in_service = time + step, in_queue + step * queued, in_service + step * len(slots)
        if rng.random() * total < arrivals:
            at = rng.randrange(volumes)
            since[at] += 1
            if since[at] % even:
                continue
            if inside[at] < exposures:
                inside[at] += 1
                slots.append(at)
            else:
                waiting[at] += 1
                queued += 1
            continue
        place = rng.randrange(len(slots))
        at = slots[place]
        if waiting[at]:
            waiting[at] -= 1
            queued -= 1
        else:
            slots[place] = slots[-1]
            slots.pop()
            inside[at] -= 1
    return in_queue / time / arrivals * even * 1e3, in_service / time / arrivals * even * 1e3


@pytest.mark.parametrize(("volumes", "busy"), [(20, 0.5), (20, 0.85), (4, 0.7)])
def test_what_is_let_in_for_one_volume_takes_service_from_the_others(volumes, busy):
    """A simulated box: where it is nearly full, aliases for all gain far less than an alias for one."""
    box, rate = Ceiling(volumes * 100 / busy), 100.0
    wait, service = simulated(volumes, rate, 1, box)
    given_ = OpenVolumes.of(np.full(volumes, rate), wait, service, 1, 0.5, 1.0)
    answer = what_if_open(box, given_, [1, 3], RNG(1))
    for p in answer.predictions:
        assert p.response_ms.value == pytest.approx(sum(simulated(volumes, rate, p.aliases + 1, box)), rel=0.15)


@pytest.mark.parametrize("truth", [Ceiling(1020, 3.2), Ceiling(1200, 4.0), Ceiling(1632, 4.6)])
@pytest.mark.parametrize("even", [2, 4])
def test_waits_of_all_volumes_that_come_evenly_are_held_whether_the_box_or_the_ios_are_slow(truth, even):
    """Service is longer than the file says: the box is slower in all it does, or I/Os do something else besides."""
    wait, service = simulated(8, 120.0, 1, truth, even=even)
    volumes = OpenVolumes.of(np.full(8, 120.0), wait, service, 1, 0.5, 1.0)
    for p in what_if_open(Ceiling(1632, 2.0), volumes, [1, 3], RNG(1)).predictions:
        then = simulated(8, 120.0, p.aliases + 1, truth, even=even)
        assert p.wait_ms.low - 0.01 <= then[0] <= 1.1 * p.wait_ms.high + 0.01
        assert p.service_ms.low * 0.95 <= then[1] <= 1.35 * p.service_ms.high
        assert p.response_ms.low * 0.95 <= sum(then) <= 1.1 * p.response_ms.high
        assert p.wait_ms.high > 1.2 * p.wait_ms.low


def test_a_file_that_is_right_is_not_taken_to_leave_time_out():
    """A queue in the box makes service longer than at its mean: that is no time outside its stations."""
    box = Ceiling(1200, 4.0)
    wait, service = simulated(8, 120.0, 1, box)
    volumes = OpenVolumes.of(np.full(8, 120.0), wait, service, 1, 0.5, 1.0)
    assert latent_stretch(box, volumes, 8.0) is None
    late = latent_stretch(replace(box, alone_ms=2.0, most=1600.0), volumes, 8.0)
    assert late is not None and late(np.array([volumes.in_service.sum()])) == pytest.approx(1.0)


def test_many_requests_fill_unlike_volumes_as_few_do():
    """At 400 requests the saddle point is within a hundredth of the whole product, whatever the volumes' shares."""
    shares, exposures = np.repeat([0.3, 0.05], [2, 8]), np.repeat([6.0, 2.0], [2, 8])
    exact = in_box(shares, exposures)[399]
    saddle = _by_saddle(np.array([0.3, 0.05]), np.array([6.0, 2.0]), np.array([2, 8]), np.array([400.0]))[0]
    assert saddle == pytest.approx(exact, rel=0.01) and exact < 20


def test_in_the_box_is_what_finds_an_exposure():
    """By hand: of two requests of two equal volumes with a base each, all ways to spread them are equally likely."""
    assert in_box(np.array([0.5, 0.5]), np.array([1.0, 1.0]))[:2] == pytest.approx([1, 4 / 3])
    assert in_box(np.array([1.0]), np.array([3.0]))[:5] == pytest.approx([1, 2, 3, 3, 3])
    assert in_box(np.full(9, 1 / 9), np.full(9, 80.0))[:40] == pytest.approx(np.arange(1, 41))


@settings(max_examples=20, deadline=None)
@given(st.integers(2, 40), st.floats(0.05, 0.95), st.integers(1, 5))
def test_with_service_times_that_do_not_grow_each_volume_is_a_queue_of_its_own(volumes, busy, exposures):
    rate = busy * exposures / 4e-3
    given_ = OpenVolumes.of(np.full(volumes, rate), mmc_wait_ms(rate, 4.0, exposures), 4.0, exposures, 0.5, 1.0)
    more = what_if_open(Ceiling(1e9), given_, [exposures], RNG(1)).predictions[0]
    assert more.wait_ms.value == pytest.approx(mmc_wait_ms(rate, 4.0, exposures + 1), rel=0.05, abs=0.01)
    assert more.service_ms.value == pytest.approx(4.0, rel=1e-3)


def full(pool=None):
    volumes = OpenVolumes.of(np.full(20, 100.0), 3.0, 5.0, 1 if pool is None else 1 + pool, 0.7, 0.6)
    box: RateSource = replace(DS8100, seen=None)
    volumes = replace(volumes, footprint_gb=np.full(20, 5.0))
    return box, volumes


def test_a_full_box_is_named_for_both_volumes_and_pools():
    """By its file the box could not serve more than now: what aliases do is then not known, neither more nor fewer."""
    box, volumes = full()
    own = what_if_open(box, volumes, range(4), RNG(1))
    box, volumes = full(4)
    shared = what_if_pool(box, volumes, range(8), RNG(1), current=4)
    for answer in (own, shared):
        assert not answer.identifiable and answer.settle.startswith(FULL.partition("(")[0])
    for p in own.predictions[1:]:
        assert p.response_ms.high == pytest.approx(8.0) and p.response_ms.low < 5.5
    none, *_ = shared.predictions
    no_box, *_ = what_if_pool(None, volumes, range(8), RNG(1), current=4).predictions
    assert none.wait_ms.high >= no_box.wait_ms.high > 10


@settings(max_examples=6, deadline=None)
@given(st.floats(0.02, 0.6), st.floats(0.0, 1.0), st.floats(0.2, 10.0))
def test_the_more_data_the_less_aliases_gain(footprint_gb, reads, wait_ms):
    """Data make a box slower, never faster; beyond what it can say the bounds hold it."""
    highs, box = [], replace(DS8100, seen=None)
    for gb in (footprint_gb, 1.5 * footprint_gb):
        volumes = OpenVolumes.of(np.full(20, 100.0), wait_ms, 5.0, 1, reads, gb)
        highs.append(what_if_open(box, volumes, [0, 2], RNG(1)).predictions[1].response_ms.high)
    assert highs[0] <= highs[1] * 1.05
