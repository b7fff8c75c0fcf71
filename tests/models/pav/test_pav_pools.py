"""HyperPAV and SuperPAV: the approximations against an event simulation, and the directions they must take."""

import heapq
from collections import deque

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from iosq.models.machine import load as load_machine
from iosq.models.pav.crowd import crowd, normal_loss
from iosq.models.pav.machine import box_from_machine
from iosq.models.pav.open_answers import what_if_open, what_if_pool
from iosq.models.pav.open_load import OpenVolumes
from iosq.models.pav.pools import _separate, borrowing, pool_readings
from iosq.toolkit.errors import RequestError

RNG = np.random.default_rng(0)
DS8100 = box_from_machine(load_machine("ds8100"))


def flat(inside):
    return np.ones_like(inside)


def mean_wait_ms(rates, service_ms, aliases, rng, count=30_000):
    """Mean wait for a base or an alias; Poisson arrivals, exponential service, first come first served."""
    shares = np.cumsum(rates) / np.sum(rates)
    arrivals = np.cumsum(rng.exponential(1e3 / np.sum(rates), count))
    volumes = np.searchsorted(shares, rng.random(count))
    base_busy, free, ends, waiting, waits = [False] * len(rates), aliases, [], deque(), []

    def try_start(now, arrived, volume):
        nonlocal free
        uses_alias = base_busy[volume]
        if uses_alias and not free:
            return False
        free -= uses_alias
        base_busy[volume] = True
        heapq.heappush(ends, (now + rng.exponential(service_ms), volume, uses_alias))
        waits.append(now - arrived)
        return True

    for arrived, volume in zip(arrivals, volumes, strict=True):
        while ends and ends[0][0] <= arrived:
            now, done, used_alias = heapq.heappop(ends)
            free += used_alias
            base_busy[done] = base_busy[done] and used_alias
            waiting = deque(request for request in waiting if not try_start(now, *request))
        if not try_start(arrived, arrived, volume):
            waiting.append((arrived, volume))
    return float(np.mean(waits))


CASES = [((200.0,) * 10, 2), ((600.0,) * 6, 4), ((50.0, 400, 800, 100, 20), 3), ((300.0,) * 40, 8)]


@pytest.mark.parametrize(("rates", "aliases"), CASES, ids=[f"{len(r)}x{a}" for r, a in CASES])
def test_pool_readings_bracket_an_event_simulation(rates, aliases):
    simulated = mean_wait_ms(rates, 2.0, aliases, np.random.default_rng(5))
    quiet = OpenVolumes.of(np.array(rates), 1e-9, 2.0, 60, 0.7, 0.1)
    waits = [reading.wait_ms[0] for reading in pool_readings_without_bursts(quiet, aliases)]
    assert 0.8 * min(waits) < simulated < 1.25 * max(waits)


def pool_readings_without_bursts(volumes, aliases):
    return [way(volumes, np.array([float(aliases)]), flat, 1.0, 0.0) for way in (crowd, _separate)]


def test_a_pool_measured_today_waits_as_measured():
    volumes = OpenVolumes.of([400.0] * 8, 0.7, 2.0, 4, 0.7, 0.1)
    for reading in pool_readings(volumes, [6], 6, flat):
        assert reading.wait_ms[0] == pytest.approx(0.7, rel=0.02)


def test_larger_pools_wait_less():
    volumes = OpenVolumes.of([400.0] * 8, 0.7, 2.0, 4, 0.7, 0.1)
    answer = what_if_pool(DS8100, volumes, [4, 6, 8, 12, 16], RNG, current=6)
    waits = [p.wait_ms.value for p in answer.predictions]
    assert waits == sorted(waits, reverse=True) and answer.clears_wait is not None


def test_a_pool_that_lends_serves_uneven_lcus_better():
    busy, idle = (OpenVolumes.of(np.full(6, rate), 0.5, 2.0, 4, 0.7, 0.1) for rate in (600.0, 50.0))
    lent = borrowing([busy, idle], [2, 8])
    assert lent[0].borrowed_count > 1 > lent[1].borrowed_count
    assert lent[0].needed_count == pytest.approx(6 * (1.2 - (1 - np.exp(-1.2))))


def modest_lcu():
    return OpenVolumes.of([300.0] * 12, 0.8, 2.0, 5, 0.7, 0.1)


@settings(max_examples=8, deadline=None)
@given(st.integers(1, 200), st.sampled_from([DS8100, None]))
def test_the_answer_for_a_count_does_not_depend_on_the_other_counts(most, source):
    alone, among = (
        what_if_pool(source, modest_lcu(), counts, np.random.default_rng(0), current=4).predictions[0]
        for counts in ([4], [4, 4 + most])
    )
    assert alone == among
    alone, among = (
        what_if_open(source, modest_lcu(), counts, np.random.default_rng(0)).predictions[0]
        for counts in ([2], [2, 2 + most])
    )
    assert alone == among


def test_an_unknown_box_has_a_bound_that_waits_less_with_every_alias():
    volumes = OpenVolumes.of([400.0] * 8, 0.7, 2.0, 17, 0.7, 0.1)
    found = what_if_pool(None, volumes, range(6, 33), RNG, current=6).predictions
    assert all(p.stable for p in found) and not any(p.identifiable for p in found)
    for end in ("low", "high"):
        assert np.all(np.diff([getattr(p.wait_ms, end) for p in found]) < 1e-6)
    assert found[0].wait_ms.value == pytest.approx(0.7, rel=0.02)


def test_a_wait_the_pool_cannot_explain_is_refused():
    idle = OpenVolumes.of([5.0] * 8, 3.0, 2.0, 65, 0.7, 0.1)
    with pytest.raises(RequestError, match=r"wait_ms: .*another cause than the pool"):
        what_if_pool(DS8100, idle, [8, 64], RNG, current=64)


def test_blocks_of_states_sum_to_the_states_themselves():
    volumes = OpenVolumes.of([100.0] * 3, 0.5, 2.0, 4, 0.7, 0.1)
    batching = 0.999  # batches of 1000 reach far beyond the single states
    found = crowd(volumes, np.array([2.0]), flat, 1.0, batching)
    number = np.arange(1, 40_001)
    busy = number - _waiting_by_definition(3, number, 2.0)
    step = 0.6 * (1 - batching) / busy
    share = step * np.concatenate([[1.0], np.cumprod(step + batching)[:-1]])
    whole = share.sum() + 1
    assert found.wait_ms[0] == pytest.approx((share * (number - busy)).sum() / whole / 0.3, rel=1e-3)


def _waiting_by_definition(volumes, number, aliases):
    empty = (1 - 1 / volumes) ** number
    variance = volumes * empty * (1 - empty) - number * empty**2 / volumes
    beyond = number - volumes * (1 - empty)
    loss = normal_loss(aliases - beyond, np.sqrt(np.maximum(variance, 1e-9)))
    return np.clip(loss, np.maximum(beyond - aliases, 0), number - 1)


WILD = st.sampled_from([1e-9, 1e-3, 1.0, 50.0, 1e4, 1e9])


@pytest.mark.filterwarnings("error::RuntimeWarning")
@settings(max_examples=40, deadline=None)
@example(rate=1e-9, wait_ms=1e-9, service_ms=1e-9, pool=0, count=1, known=False)
@given(WILD, WILD, WILD, st.sampled_from([0, 1, 64, 300, 10**9]), st.sampled_from([1, 3, 200]), st.booleans())
def test_wild_numbers_are_answered_or_refused_by_name(rate, wait_ms, service_ms, pool, count, known):
    rates = rate * np.linspace(0.01, 1, count)
    try:
        volumes = OpenVolumes.of(rates, wait_ms, service_ms, 1 + pool, 0.7, 0.1)
        found = what_if_pool(DS8100 if known else None, volumes, [0, pool, pool + 8], RNG, current=pool)
    except RequestError as error:
        assert error.place and error.what
    else:
        assert all(p.wait_ms.low >= 0 and p.service_ms.low > 0 for p in found.predictions)


def test_the_pool_there_is_gives_back_what_was_measured():
    """Bursts crowd the box more than its mean load shows; the measured mean has that in it already."""
    volumes = OpenVolumes.of([400.0] * 8, 1.5, 2.0, 4, 0.7, 2.0)
    (now,) = what_if_pool(DS8100, volumes, [6], RNG, current=6).predictions
    assert now.wait_ms.value == pytest.approx(1.5, rel=0.01)
    assert now.service_ms.value == pytest.approx(2.0, rel=0.01)
