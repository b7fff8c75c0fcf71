"""Queues with known solutions: an open station, and closed networks.

Open: Poisson arrivals, one queue, FIFO; arguments are numbers or arrays that broadcast. Closed: a fixed population
alternates between a delay (think time) and one of several servers.

Sources: L. Kleinrock, *Queueing Systems, Volume 1*, 1975, chapter 3 (birth and death, M/M/c); M. Reiser, S. S.
Lavenberg, "Mean-value analysis of closed multichain queuing networks", *Journal of the ACM* 27 (1980).
"""

import numpy as np
from numpy.typing import ArrayLike

from iosq.models.arrays import Floats
from iosq.models.queueing.checks import not_negative, positive, stable


def mmc_wait_ms(rate: ArrayLike, service_ms: ArrayLike, servers: ArrayLike) -> Floats:
    """Time in the queue of `servers` equal servers (M/M/c).

    RequestError for a negative rate, a service time of zero or less, fewer than one server, utilization of 1 or more.
    """
    not_negative(rate=rate)
    positive(service_ms=service_ms, servers=servers)
    lam, serve, c = np.broadcast_arrays(*(np.asarray(v, float) for v in (rate, service_ms, servers)))
    load = lam * serve / 1e3
    stable("M/M/c station", load, c)
    return np.asarray(erlang_c(load, c) * serve / (c - load))


def erlang_b(load: ArrayLike, servers: ArrayLike) -> Floats:
    """Share of arrivals lost because all servers are busy; `servers` are whole numbers, possibly per element."""
    a, c = np.broadcast_arrays(np.asarray(load, float), np.asarray(servers, float))
    if not a.ndim:
        return np.asarray(_erlang_b(float(a), float(c)))
    blocked = np.ones(a.shape)
    for n in range(1, int(c.max(initial=0)) + 1):
        blocked = np.where(n <= c, a * blocked / (n + a * blocked), blocked)
    return blocked


def _erlang_b(load: float, servers: float) -> float:
    """Scalar `erlang_b` with bit-identical results: arrays of one element take four to twenty times as long."""
    blocked = 1.0
    for n in range(1, int(servers) + 1):
        blocked = load * blocked / (n + load * blocked)
    return blocked


def erlang_c(load: ArrayLike, servers: ArrayLike) -> Floats:
    """Share of arrivals that must wait; the load must be below the number of servers."""
    a, c = np.broadcast_arrays(np.asarray(load, float), np.asarray(servers, float))
    blocked = erlang_b(a, c)
    return c * blocked / (c - a * (1 - blocked))


def repairman(population: int, think_ms: float, service_ms: float, servers: int) -> float:
    """Requests per ms of the machine repairman M/M/c//N, from its balance equations: one queue for all servers."""
    if think_ms == 0:
        return min(population, servers) / service_ms
    inside = np.arange(1, population + 1)
    steps = np.log((population - inside + 1) / think_ms * service_ms / np.minimum(inside, servers))
    weights = np.concatenate([[0.0], np.cumsum(steps)])
    share = np.exp(weights - weights.max())
    busy = np.minimum(np.arange(population + 1), servers)
    return float((share * busy).sum() / share.sum() / service_ms)


def balanced(population: int, think_ms: float, demand_ms: float, stations: int) -> float:
    """Requests per ms by exact mean value analysis: servers with separate queues and equal demands.

    Args:
        think_ms: time outside the servers.
        demand_ms: mean service demand of a request on each server.
    """
    queued = rate = 0.0
    for inside in range(1, population + 1):
        response_ms = demand_ms * (stations + queued)
        rate = inside / (think_ms + response_ms)
        queued = rate * response_ms
    return rate
