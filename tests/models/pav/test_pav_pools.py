"""HyperPAV and SuperPAV: the approximations against an event simulation, and the directions they must take."""

import heapq
from collections import deque

import numpy as np
import pytest

from iosq.models.machine import load as load_machine
from iosq.models.pav.crowd import crowd
from iosq.models.pav.machine import box_from_machine
from iosq.models.pav.open_answers import what_if_pool
from iosq.models.pav.open_load import OpenVolumes
from iosq.models.pav.pools import _apart, borrowing, pool_readings

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
    return [way(volumes, np.array([float(aliases)]), flat, 1.0, 0.0) for way in (crowd, _apart)]


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
