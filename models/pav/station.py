"""One volume with an open load: it serves one I/O per exposure at once, and service time grows with I/Os in the box.

A birth-death chain per volume: with i of its I/Os in the box the volume completes i / S(i) per second, where S(i) is
its service time, stretched by the I/Os then in the box. Beyond the last exposure requests wait and the chain is
geometric. Arrivals are Poisson, single or in batches of geometric size. With a constant S and no batches it is M/M/c.
Source: L. Kleinrock, *Queueing Systems, Volume 1*, 1975, chapters 3 (birth and death) and 4 (bulk arrivals).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from iosq.models.arrays import Floats

Stretch = Callable[[Floats], Floats]
"""Maps I/Os in the box to the service time relative to today's; elementwise."""
_FIRST = 1e-250  # unnormalised probability of an empty volume, small enough for loads of hundreds not to overflow


@dataclass(frozen=True)
class Served:
    """Per volume: milliseconds per I/O, utilization of its exposures, and use of aliases.

    wait_ms is infinite if utilization is 1 or more. extra_count: mean requests beyond the first, which need an alias;
    extra_variance: its variance; busy_ratio: share of I/Os that find the base busy.
    """

    wait_ms: Floats
    service_ms: Floats
    utilization_ratio: Floats
    extra_count: Floats
    extra_variance: Floats
    busy_ratio: Floats


@dataclass
class _Sums:
    """Sums over the states without a queue; `crossing` is the rate at which batches cross to states with a queue."""

    crossing: Floats
    total: Floats
    first: Floats
    second: Floats


def serve(
    rate: Floats, service_ms: Floats, exposures: Floats, others: Floats, stretch: Stretch, batching: ArrayLike = 0.0
) -> Served:
    """Solve the chain of every volume; all arrays broadcast.

    Args:
        rate: arrivals per second, counting all members of a batch.
        exposures: whole numbers, 1 or more.
        others: mean I/Os of other volumes in the box.
        stretch: growth of service time with the I/Os in the box.
        batching: probability that an I/O brings another; 0 is Poisson, the mean batch is 1 / (1 - batching).
    """
    lam, serve_ms, limit, outside, more = np.broadcast_arrays(rate, service_ms, exposures, others, batching)
    batches = lam * (1 - more) / 1e3
    sums = _states(batches, more, serve_ms, limit, lambda inside: stretch(outside + inside))
    fastest = limit / (serve_ms * stretch(outside + limit))
    return _with_queue(lam, limit, batches / fastest, more, sums)


def _states(batches: Floats, more: Floats, serve_ms: Floats, limit: Floats, stretch: Stretch) -> _Sums:
    """All states up to the last exposure; axis 0 is the number of I/Os in the box."""
    inside = np.arange(1.0, int(limit.max()) + 1).reshape(-1, *(1,) * limit.ndim)
    step = batches * serve_ms * stretch(inside) / inside
    below = inside <= limit
    before_first = np.full((1, *limit.shape), _FIRST)
    crossing = np.cumprod(np.concatenate([before_first, np.where(below, step + more, 1.0)]), axis=0)
    share = np.where(below, step * crossing[:-1], 0.0)
    return _Sums(
        crossing[-1], _FIRST + share.sum(axis=0), (inside * share).sum(axis=0), (inside**2 * share).sum(axis=0)
    )


def _with_queue(lam: Floats, limit: Floats, step: Floats, more: Floats, sums: _Sums) -> Served:
    """Add the geometric tail of states with a queue."""
    load = step / (1 - more)
    stable = step + more < 1  # equivalent to load < 1, but safe from a rounding error and division by zero below
    ratio = np.where(stable, step + more, 0.0)
    queued = np.where(stable, step, 0.0) * sums.crossing / (1 - ratio)
    whole = sums.total + queued
    in_service = (sums.first + limit * queued) / whole
    square = (sums.second + limit**2 * queued) / whole
    idle = _FIRST / whole
    extra = in_service - (1 - idle)
    variance = square - 2 * in_service + (1 - idle) - extra**2
    wait = np.where(stable, queued / (1 - ratio) / whole / lam * 1e3, np.inf)
    busy = 1 - idle * (1 - more)
    return Served(wait, in_service / lam * 1e3, load, extra, np.maximum(variance, 0.0), busy)
