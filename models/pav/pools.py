"""Aliases shared by an LCU (HyperPAV), or lent between LCUs (SuperPAV), under open loads.

Every volume keeps its base; further concurrent I/Os need an alias of the pool. Two approximations bracket the wait:

* separate: only the pool serves the demand beyond the bases, which has a mean and a variance. By Hayward's rule, A
  servers delay an I/O of this load like A / z servers with a load of mean / z, z = variance / mean. It ignores that
  an I/O may get its base first. A. A. Fredericks, "Congestion in blocking systems: a simple approximation
  technique", *Bell System Technical Journal* 59 (1980).
* combined: one chain for all requests of the LCU, spread over its volumes at random; requests without base and alias
  wait. It ignores that waiting requests concentrate on few volumes.

Waits in event simulations are between the two (up to a quarter beyond them) if they exceed 0.05 ms; shorter waits are
underestimated.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike

from iosq.models.arrays import Floats
from iosq.models.pav.answers import CLEARED_MS
from iosq.models.pav.crowd import crowd, normal_loss
from iosq.models.pav.open_load import FULL, OpenVolumes, Waits, read_both_ways
from iosq.models.pav.station import Served, Stretch, serve
from iosq.models.queueing.checks import not_negative
from iosq.models.queueing.stations import erlang_b
from iosq.toolkit.errors import RequestError

_ENOUGH = 60.0  # exposures that a volume never fills, so that only the pool is the limit
_LEAST_PEAKED = 0.5  # lower bound of variance / mean; it is above 1 unless a volume fills its exposures
_RARELY = 1e-200  # lower bound of the share of I/Os that need an alias, so that without a pool their wait is infinite
_NEVER = 30.0  # standard deviations of spare aliases above which there is no delay
_EXHAUSTED = 6.0  # standard deviations above the mean demand from which a pool is never exhausted
_CAP = 5.0  # longest wait in event simulations relative to the chain for the whole LCU
Way = Callable[[OpenVolumes, Floats, Stretch, float, float], Served]


@dataclass(frozen=True)
class Borrowing:
    """One LCU of a SuperPAV group: mean number of aliases needed, and mean number borrowed from other LCUs."""

    needed_count: float
    borrowed_count: float


def pool_readings(volumes: OpenVolumes, pools: ArrayLike, current: int, stretch: Stretch) -> list[Served]:
    """Solve the LCU for each pool size; four results that bracket the answer.

    Burstiness is calibrated on the rate-weighted wait measured with `current` aliases in the pool.

    Args:
        pools: numbers of aliases, one-dimensional.

    Returns:
        `Served` with one element per pool size: each approximation with busy periods and with batches.
    """
    not_negative(current=current)
    wait, service = (np.array([volumes.mean(ms)]) for ms in (volumes.wait_ms, volumes.service_ms))
    sizes, bases = np.asarray(pools, float), float(len(volumes.rate))
    grown = (bases + sizes) / (bases + current)
    steady = _steady(volumes, bases + current)
    readings: list[Served] = []
    for way in (_separate, crowd):
        now, new = (_waits(way, steady, size, stretch) for size in (np.array([float(current)]), sizes))
        readings += read_both_ways(now, new, wait, service, grown)
    # bases that are always busy need aliases for the rest of their load, for any arrival process
    least = float(np.maximum(volumes.in_service - 1, 0.0).sum())
    short = (sizes <= least) & (sizes < current) & (least > 0)
    return [replace(reading, wait_ms=np.where(short, np.inf, reading.wait_ms)) for reading in readings]


def borrowing(lcus: Sequence[OpenVolumes], pools: Sequence[int]) -> list[Borrowing]:
    """SuperPAV: demand of each LCU beyond its own pool, assuming that the others can lend.

    Args:
        lcus: the volumes of each LCU of the group.
        pools: the aliases of each LCU.

    RequestError unless there is one pool per LCU, and none negative.
    """
    if len(lcus) != len(pools):
        raise RequestError(f"{len(pools)} pools for {len(lcus)} LCUs", place="pools")
    not_negative(pools=pools)
    return [_borrowed(*_need(volumes), own) for volumes, own in zip(lcus, pools, strict=True)]


class UnexplainedWaitError(RequestError):
    """The measured wait has another cause than a lack of aliases, judging by the interval's mean."""


def refuse_unexplained(volumes: OpenVolumes, current: int) -> None:
    """Check that the pool can be exhausted, as only then it explains a wait.

    UnexplainedWaitError if there is a wait although all `current` aliases of the pool are practically never in use.
    """
    wait = volumes.mean(volumes.wait_ms)
    need = max(_need(volumes)[0], float(volumes.in_service.sum()) - len(volumes.rate), 0.0)
    if wait > CLEARED_MS and need + _EXHAUSTED * (1 + sqrt(need)) < current:
        raise UnexplainedWaitError(
            f"{wait:.2g} ms has another cause than the pool: the volumes need {need:.2g} of its {current} aliases",
            place="wait_ms",
            remedy="look for reserves and extent conflicts",
        )


def _steady(volumes: OpenVolumes, exposures: float) -> OpenVolumes:
    """The volumes, with total utilisation limited to `FULL`: otherwise no pool would shorten the wait."""
    share = FULL * exposures / float(volumes.in_service.sum())
    return replace(volumes, service_ms=volumes.service_ms * min(share, 1.0))


def _waits(way: Way, volumes: OpenVolumes, pools: Floats, stretch: Stretch) -> Waits:
    return lambda busier, batching: way(volumes, pools, stretch, float(busier[0]), float(batching[0]))


def _separate(volumes: OpenVolumes, pools: Floats, stretch: Stretch, busier: float, batching: float) -> Served:
    combined = crowd(volumes, pools, stretch, busier, batching)
    free = serve(volumes.rate * busier, volumes.service_ms, np.full(1, _ENOUGH), _others(volumes), stretch, batching)
    mean, variance = max(float(free.extra_count.sum()), 0.0), float(free.extra_variance.sum())
    needy, service = volumes.mean(free.busy_ratio), volumes.mean(free.service_ms)
    waits = max(needy, _RARELY) * service * _delays(mean, variance, pools)
    wait = np.minimum(waits, _CAP * combined.wait_ms)
    return Served(wait, *list(vars(combined).values())[1:])


def _delays(mean: float, variance: float, aliases: Floats) -> Floats:
    """Wait for an alias, in service times, of an I/O that needs one, by Hayward's rule; one element per pool size."""
    peakedness = max(variance / max(mean, 1e-12), _LEAST_PEAKED)
    load, servers = mean / peakedness, aliases / peakedness
    whole = np.floor(servers)
    asked = (load < servers) & (servers < load + _NEVER * (1 + sqrt(load)))
    below, above = erlang_b(load, np.where(asked, [whole, whole + 1], 0))
    blocked = below ** (1 - servers + whole) * above ** (servers - whole)
    spare = np.where(asked, servers - load, 1.0)
    delay = servers * blocked / (spare + load * blocked) / spare
    return np.where(asked, delay, np.where(load < servers, 0.0, np.inf))


def _others(volumes: OpenVolumes) -> Floats:
    return np.asarray(volumes.in_service.sum() - volumes.in_service)


def _need(volumes: OpenVolumes) -> tuple[float, float]:
    served = serve(volumes.rate, volumes.service_ms, np.full(1, _ENOUGH), _others(volumes), np.ones_like)
    return float(served.extra_count.sum()), float(served.extra_variance.sum())


def _borrowed(mean: float, variance: float, own: int) -> Borrowing:
    """Mean of a normal demand beyond the own pool."""
    beyond = normal_loss(np.array([own - mean]), np.array([sqrt(max(variance, 1e-12))]))
    return Borrowing(mean, max(float(beyond[0]), 0.0))
