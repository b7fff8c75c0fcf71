"""Aliases shared by an LCU (HyperPAV), or lent between LCUs (SuperPAV), under open loads.

Every volume keeps its base; what it needs beyond one I/O at a time comes from the pool. Two approximations bracket the
wait:

* apart: the pool alone serves the needs beyond the bases, whose sum has a mean and a variance. Hayward's rule: A
  servers facing such a load delay an I/O as A / z servers facing mean / z would, z = variance / mean. It overlooks that
  an I/O may get its own base first. A. A. Fredericks, "Congestion in blocking systems: a simple approximation
  technique", *Bell System Technical Journal* 59 (1980).
* together: one chain for all requests of the LCU, spread over its volumes at random; those that find neither base nor
  alias wait. It overlooks that waiting requests crowd on few volumes.

Event simulations wait between the two (up to a quarter beyond them) where the wait exceeds 0.05 ms; shorter waits are
underestimated.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from iosq.models.pav.answers import CLEARED_MS
from iosq.models.pav.crowd import crowd, normal_loss
from iosq.models.pav.open_load import FULL, OpenVolumes, Waits, read_both_ways
from iosq.models.pav.station import Served, Stretch, serve
from iosq.models.queueing.checks import not_negative
from iosq.models.queueing.stations import erlang_b
from iosq.toolkit.errors import RequestError

Floats = NDArray[np.float64]
_ENOUGH = 60.0  # exposures a single volume never fills: the pool, not the volume, is the limit
_LEAST_PEAKED = 0.5  # needs of Poisson arrivals vary more than their mean; less only where a volume fills its exposures
_RARELY = 1e-200  # share of I/Os that need an alias where none seems to: without a pool they wait for ever all the same
_NEVER = 30.0  # standard deviations of spare aliases that no load ever uses up
_DRY = 6.0  # a pool this many standard deviations above the mean need is never exhausted
_CAP = 5.0  # event simulations never waited longer than this times the chain for the whole LCU
Way = Callable[[OpenVolumes, Floats, Stretch, float, float], Served]


@dataclass(frozen=True)
class Borrowing:
    """One LCU of a SuperPAV group: aliases it needs on average, and how many of them the others have to lend."""

    needed_count: float
    borrowed_count: float


def pool_readings(volumes: OpenVolumes, pools: ArrayLike, current: int, stretch: Stretch) -> list[Served]:
    """Behaviour of the whole LCU for each pool size; four readings that bracket the answer.

    Burstiness is calibrated on the rate-weighted wait measured with `current` aliases in the pool.

    Args:
        pools: numbers of aliases, one-dimensional.

    Returns:
        `Served` with an element per pool size: each approximation with busy periods and with batches.
    """
    not_negative(current=current)
    wait, service = (
        np.array([(ms * volumes.rate).sum() / volumes.rate.sum()]) for ms in (volumes.wait_ms, volumes.service_ms)
    )
    sizes, bases = np.asarray(pools, float), float(len(volumes.rate))
    grown = (bases + sizes) / (bases + current)
    steady = _steady(volumes, bases + current)
    readings: list[Served] = []
    for way in (_apart, crowd):
        now, then = (_waits(way, steady, size, stretch) for size in (np.array([float(current)]), sizes))
        readings += read_both_ways(now, then, wait, service, grown)
    # bases that are always busy need an alias each for what they can't serve, however arrivals come
    least = float(np.maximum(volumes.in_service - 1, 0.0).sum())
    short = (sizes <= least) & (sizes < current) & (least > 0)
    return [replace(reading, wait_ms=np.where(short, np.inf, reading.wait_ms)) for reading in readings]


def borrowing(lcus: Sequence[OpenVolumes], pools: Sequence[int]) -> list[Borrowing]:
    """SuperPAV: how much each LCU needs beyond its own pool, if the others can lend it.

    Args:
        lcus: the volumes of each LCU of the group.
        pools: the aliases each owns.

    Raises:
        RequestError: not one pool per LCU, or a negative one.
    """
    if len(lcus) != len(pools):
        raise RequestError(f"{len(pools)} pools for {len(lcus)} LCUs", place="pools")
    not_negative(pools=pools)
    return [_borrowed(*_need(volumes), own) for volumes, own in zip(lcus, pools, strict=True)]


class UnexplainedWaitError(RequestError):
    """The measured wait has another cause than a lack of aliases, as far as the mean of the interval shows."""


def refuse_unexplained(volumes: OpenVolumes, current: int) -> None:
    """A pool explains a wait only where it can run dry.

    Raises:
        UnexplainedWaitError: there is a wait, and hardly ever are all `current` aliases of the pool in use.
    """
    wait = float((volumes.wait_ms * volumes.rate).sum() / volumes.rate.sum())
    need = max(_need(volumes)[0], float(volumes.in_service.sum()) - len(volumes.rate), 0.0)
    if wait > CLEARED_MS and need + _DRY * (1 + sqrt(need)) < current:
        raise UnexplainedWaitError(
            f"{wait:.2g} ms has another cause than the pool: the volumes need {need:.2g} of its {current} aliases",
            place="wait_ms",
            remedy="look for reserves and extent conflicts",
        )


def _steady(volumes: OpenVolumes, exposures: float) -> OpenVolumes:
    """The same, no fuller together than a queue of finite length is: else no pool would shorten the wait."""
    share = FULL * exposures / float(volumes.in_service.sum())
    return replace(volumes, service_ms=volumes.service_ms * min(share, 1.0))


def _waits(way: Way, volumes: OpenVolumes, pools: Floats, stretch: Stretch) -> Waits:
    return lambda busier, batching: way(volumes, pools, stretch, float(busier[0]), float(batching[0]))


def _apart(volumes: OpenVolumes, pools: Floats, stretch: Stretch, busier: float, batching: float) -> Served:
    together = crowd(volumes, pools, stretch, busier, batching)
    free = serve(volumes.rate * busier, volumes.service_ms, np.full(1, _ENOUGH), _others(volumes), stretch, batching)
    needy = float((free.busy_ratio * volumes.rate).sum() / volumes.rate.sum())
    mean, variance = max(float(free.extra_count.sum()), 0.0), float(free.extra_variance.sum())
    service = float((free.service_ms * volumes.rate).sum() / volumes.rate.sum())
    waits = max(needy, _RARELY) * service * _delays(mean, variance, pools)
    wait = np.minimum(waits, _CAP * together.wait_ms)
    return Served(wait, *list(vars(together).values())[1:])


def _delays(mean: float, variance: float, aliases: Floats) -> Floats:
    """Service times an I/O that needs an alias waits for one, by Hayward's rule; an element per pool size."""
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
    """Mean of a normal need above the own pool."""
    beyond = normal_loss(np.array([own - mean]), np.array([sqrt(max(variance, 1e-12))]))
    return Borrowing(mean, max(float(beyond[0]), 0.0))
