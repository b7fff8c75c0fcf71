"""Open stations in steady state: Poisson arrivals, one queue, FIFO.

Rates are per second, times in milliseconds (the unit of every `_ms` column). Arguments are numbers or arrays that
broadcast. Source: L. Kleinrock, *Queueing Systems, Volume 1*, 1975, chapter 3 (M/M/c).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from iosq.models.arrays import Floats
from iosq.models.queueing.checks import not_negative, positive, stable


@dataclass(frozen=True)
class Steady:
    """Steady state of one station; arrays of the broadcast shape of the arguments.

    utilization_ratio: utilisation of one server; wait_ms: time in queue; service_ms; response_ms: their sum;
    in_service: mean requests in service; queue_length: mean requests in queue.
    """

    rate: Floats
    utilization_ratio: Floats
    wait_ms: Floats
    service_ms: Floats

    @property
    def response_ms(self) -> Floats:
        return self.wait_ms + self.service_ms

    @property
    def in_service(self) -> Floats:
        return self.rate * self.service_ms / 1e3

    @property
    def queue_length(self) -> Floats:
        return self.rate * self.wait_ms / 1e3


def mmc(rate: ArrayLike, service_ms: ArrayLike, servers: ArrayLike) -> Steady:
    """`servers` equal servers with one queue (Erlang C).

    Raises:
        RequestError: a negative rate, a service time of zero or less, fewer than one server, utilization of 1 or more.
    """
    lam, serve, c = _arrays(rate, service_ms, servers)
    load = lam * serve / 1e3
    stable("M/M/c station", load, c)
    wait = erlang_c(load, c) * serve / (c - load)
    return Steady(lam, load / c, wait, serve)


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


def _arrays(rate: ArrayLike, service_ms: ArrayLike, servers: ArrayLike) -> tuple[Floats, Floats, Floats]:
    not_negative(rate=rate)
    positive(service_ms=service_ms, servers=servers)
    lam, serve, c = np.broadcast_arrays(*(np.asarray(v, float) for v in (rate, service_ms, servers)))
    return lam, serve, c
