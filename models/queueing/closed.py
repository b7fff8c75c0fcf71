"""Closed networks: a fixed number of requesters circulates among stations.

Sources: M. Reiser, S. S. Lavenberg, "Mean-value analysis of closed multichain queuing networks", *Journal of the ACM*
27 (1980); E. D. Lazowska and others, *Quantitative System Performance*, 1984, chapters 6 (MVA), 8 (flows).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from iosq.models.queueing.checks import not_negative, positive
from iosq.toolkit.errors import RequestError

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Circulation:
    """The network at populations 1..N: arrays of length N, `queue_lengths` of shape (N, stations)."""

    population: Floats
    rate: Floats
    response_ms: Floats
    queue_lengths: Floats


def repairman(population: int, think_ms: float, service_ms: float, servers: int = 1) -> Circulation:
    """Machine repairman M/M/c//N: N requesters think, then queue for one of c servers.

    Raises:
        RequestError: population, service time or servers not above zero, negative think time.
    """
    positive(servers=servers)
    rates = np.minimum(np.arange(1, _whole(population) + 1), servers) * 1e3 / service_ms
    return mva(population, think_ms, [], [rates])


def mva(population: int, delay_ms: float, demands_ms: Sequence[float], flows: Sequence[ArrayLike] = ()) -> Circulation:
    """Exact mean value analysis of one class: a delay, stations with one server, load-dependent stations.

    Args:
        population: requesters, a whole number of 1 or more.
        delay_ms: time a request spends where none queues.
        demands_ms: total service time of one request at each single-server station.
        flows: for each load-dependent (flow-equivalent) station, its rate per second with 1, 2, ... requests inside;
            the last value holds for any more.

    Raises:
        RequestError: what is not above zero (population, demands, rates) or negative (delay).
    """
    count, fixed = _whole(population), np.asarray(demands_ms, float)
    _check(delay_ms, fixed, flows)
    stations = [_FlowStation(_extended(flow, count)) for flow in flows]
    queued, history = np.zeros(len(fixed)), []
    for n in range(1, count + 1):
        times = np.concatenate([fixed * (1 + queued), [station.response_ms(n) for station in stations]])
        rate = n * 1e3 / (delay_ms + times.sum())
        queued = rate * times[: len(fixed)] / 1e3
        for station in stations:
            station.advance(n, rate)
        history.append((n, rate, times.sum(), rate * times / 1e3))
    numbers, rates, responses, queues = zip(*history, strict=True)
    return Circulation(np.asarray(numbers, float), np.asarray(rates), np.asarray(responses), np.asarray(queues))


class _FlowStation:
    """Queue-length distribution of one load-dependent station, carried from population n - 1 to n."""

    def __init__(self, rates: Floats) -> None:
        self.rates = rates
        self.probability = np.zeros(len(rates) + 1)
        self.probability[0] = 1.0

    def response_ms(self, n: int) -> float:
        inside = np.arange(1, n + 1)
        return float(np.sum(inside / self.rates[:n] * self.probability[:n]) * 1e3)

    def advance(self, n: int, rate: float) -> None:
        after = rate / self.rates[:n] * self.probability[:n]
        self.probability[1 : n + 1] = after
        self.probability[0] = max(0.0, 1.0 - after.sum())


def _extended(flow: ArrayLike, count: int) -> Floats:
    rates = np.atleast_1d(np.asarray(flow, float))
    return np.concatenate([rates[:count], np.full(max(0, count - len(rates)), rates[-1])])


def _whole(population: float) -> int:
    positive(population=population)
    if population != int(population):
        raise RequestError(f"must be a whole number, not {population:g}", place="population")
    return int(population)


def _check(delay_ms: float, demands: Floats, flows: Sequence[ArrayLike]) -> None:
    not_negative(delay_ms=delay_ms)
    positive(demands_ms=demands)
    for flow in flows:
        positive(flows=flow)
    if delay_ms + demands.sum() == 0 and not flows:
        raise RequestError("there is neither a delay nor a station", place="demands_ms")
