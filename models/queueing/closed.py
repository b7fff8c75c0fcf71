"""Closed networks: a fixed population alternates between a delay (think time) and one of several servers.

Sources: L. Kleinrock, *Queueing Systems, Volume 1*, 1975, chapter 3 (birth and death); M. Reiser, S. S. Lavenberg,
"Mean-value analysis of closed multichain queuing networks", *Journal of the ACM* 27 (1980).
"""

import numpy as np


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
        population: number of customers.
        think_ms: time outside the servers.
        demand_ms: mean service demand of a request on each server.
        stations: number of servers.
    """
    queued = rate = 0.0
    for inside in range(1, population + 1):
        response_ms = demand_ms * (stations + queued)
        rate = inside / (think_ms + response_ms)
        queued = rate * response_ms
    return rate
