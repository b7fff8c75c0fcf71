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
from dataclasses import dataclass
from math import erf, pi, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from iosq.models.pav.open_load import OpenVolumes, Waits, read_both_ways
from iosq.models.pav.station import Served, Stretch, serve
from iosq.models.queueing.checks import not_negative
from iosq.models.queueing.stations import erlang_b
from iosq.toolkit.errors import RequestError

Floats = NDArray[np.float64]
_ENOUGH = 60.0  # exposures a single volume never fills: the pool, not the volume, is the limit
_CAP = 5.0  # event simulations never waited longer than this times the chain for the whole LCU
Way = Callable[[OpenVolumes, Floats, Stretch, float, float], Served]
_erf = np.vectorize(erf, otypes=[float])


@dataclass(frozen=True)
class Borrowing:
    """One LCU of a SuperPAV group: aliases it needs on average, and how many of them the others have to lend."""

    needed_count: float
    borrowed_count: float


def pool_readings(volumes: OpenVolumes, pools: ArrayLike, current: int, stretch: Stretch) -> list[Served]:
    """What the LCU as a whole does under each pool size; four readings that bracket the answer.

    Burstiness is calibrated on the rate-weighted wait measured with `current` aliases in the pool.

    Args:
        pools: numbers of aliases, one-dimensional.

    Returns:
        `Served` with an element per pool size: each approximation with busy periods and with batches.
    """
    not_negative(current=current)
    measured = np.array([(volumes.wait_ms * volumes.rate).sum() / volumes.rate.sum()])
    sizes = np.asarray(pools, float)
    readings: list[Served] = []
    for way in (_apart, _together):
        now, then = (_waits(way, volumes, size, stretch) for size in (np.array([float(current)]), sizes))
        readings += read_both_ways(now, then, measured)
    return readings


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


def _waits(way: Way, volumes: OpenVolumes, pools: Floats, stretch: Stretch) -> Waits:
    return lambda busier, batching: way(volumes, pools, stretch, float(busier[0]), float(batching[0]))


def _apart(volumes: OpenVolumes, pools: Floats, stretch: Stretch, busier: float, batching: float) -> Served:
    together = _together(volumes, pools, stretch, busier, batching)
    free = serve(volumes.rate * busier, volumes.service_ms, np.full(1, _ENOUGH), _others(volumes), stretch, batching)
    needy = float((free.busy_ratio * volumes.rate).sum() / volumes.rate.sum())
    mean, variance = float(free.extra_count.sum()), float(free.extra_variance.sum())
    service = float((free.service_ms * volumes.rate).sum() / volumes.rate.sum())
    waits = [needy * service * _delay(mean, variance, size) for size in pools]
    wait = np.minimum(waits, _CAP * together.wait_ms)
    return Served(wait, *list(vars(together).values())[1:])


def _delay(mean: float, variance: float, aliases: float) -> float:
    """Service times an I/O that needs an alias waits for one, by Hayward's rule."""
    peakedness = max(variance / max(mean, 1e-12), 1e-3)
    if mean >= aliases:
        return np.inf
    load, servers = mean / peakedness, aliases / peakedness
    whole = np.floor(servers)
    below, above = erlang_b(load, np.array([whole, whole + 1]))
    blocked = float(below ** (1 - servers + whole) * above ** (servers - whole))
    return float(servers * blocked / (servers - load * (1 - blocked)) / (servers - load))


def _together(volumes: OpenVolumes, pools: Floats, stretch: Stretch, busier: float, batching: float) -> Served:
    rate = float(volumes.rate.sum())
    service = float(volumes.in_service.sum() / rate * 1e3)
    number = np.arange(1, int(200 + 6 * volumes.in_service.sum() * busier / (1 - batching)) + 1)
    busy = np.array([number - _waiting(volumes.rate / rate, number, size) for size in pools])
    step = rate * busier * (1 - batching) / 1e3 * service * stretch(busy) / busy
    crossing = np.cumsum(np.log(step + batching), axis=1)
    before = np.concatenate([np.zeros((len(pools), 1)), crossing[:, :-1]], axis=1)
    top = np.maximum(crossing.max(axis=1, keepdims=True), 0)
    share, empty = step * np.exp(before - top), np.exp(-top[:, 0])
    whole = share.sum(axis=1) + empty
    stable = step[:, -1] + batching < 1
    waiting = (share * (number - busy)).sum(axis=1) / whole
    in_service = (share * busy).sum(axis=1) / whole
    wait = np.where(stable, waiting / (rate * busier) * 1e3, np.inf)
    load = step[:, -1] / (1 - batching)
    return Served(wait, in_service / (rate * busier) * 1e3, load, in_service, waiting, 1 - empty / whole)


def _waiting(shares: Floats, number: NDArray[np.int_], aliases: float) -> Floats:
    """Mean requests without base or alias when `number` of them fall on volumes in these shares: a normal loss."""
    empty = (1 - np.minimum(shares, 1 - 1e-12)[:, None]) ** number
    busy = (1 - empty).sum(axis=0)
    variance = (empty * (1 - empty)).sum(axis=0) - number * (shares[:, None] * empty).sum(axis=0) ** 2
    loss = _normal_loss(aliases - (number - busy), np.sqrt(np.maximum(variance, 1e-9)))
    return np.asarray(np.clip(loss, np.maximum(number - busy - aliases, 0), number - 1))


def _normal_loss(room: Floats, spread: Floats) -> Floats:
    """Mean excess over `room` of a normal variable with mean 0."""
    k = room / spread
    return np.asarray(spread * (np.exp(-k * k / 2) / sqrt(2 * pi) - k * 0.5 * (1 - _erf(k / sqrt(2)))))


def _others(volumes: OpenVolumes) -> Floats:
    return np.asarray(volumes.in_service.sum() - volumes.in_service)


def _need(volumes: OpenVolumes) -> tuple[float, float]:
    served = serve(volumes.rate, volumes.service_ms, np.full(1, _ENOUGH), _others(volumes), np.ones_like)
    return float(served.extra_count.sum()), float(served.extra_variance.sum())


def _borrowed(mean: float, variance: float, own: int) -> Borrowing:
    """Mean of what a normal need exceeds the own pool by."""
    beyond = _normal_loss(np.array([own - mean]), np.array([sqrt(max(variance, 1e-12))]))
    return Borrowing(mean, max(float(beyond[0]), 0.0))
