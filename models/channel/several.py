"""Several equal channels to one box: the distribution of I/Os determines their queueing time.

A channel subsystem goes round the paths and passes over a busy one (D. F. Casper and others, "Multiple I/O path
selection among disparate channel paths", US patent 6,973,529, 2005, says so of what was usual and weighs paths by how
busy they are). So an I/O waits longer than in one queue for whichever channel is free first, since the choice is
made when it starts, and shorter than where each channel has its own requesters for good.
"""

from __future__ import annotations

import math

from iosq.models.channel import closed
from iosq.models.queueing import closed as queueing

MOST_DEALT = 4096  # requests in the channels: with more all of them are full however I/Os are dealt out
_NOTHING = 1e-12  # a wait shorter than this share of the cycle is rounding


def throughput(requests: int, delay_ms: float, service_ms: float, variability: float, channels: int) -> float:
    """Requests per ms over all channels, by the geometric mean of the two waits between which the truth lies.

    Args:
        requests: how many circulate.
        delay_ms: mean time outside the channels.
        service_ms: mean service time on one.
        variability: squared coefficient of variation of service, as in `closed.throughput`.
        channels: how many there are.
    """
    split = apart(requests, delay_ms, service_ms, variability, channels)
    if channels == 1 or requests > MOST_DEALT:
        return split
    unloaded = delay_ms + service_ms
    one_queue = together(requests, delay_ms, service_ms, variability, channels)
    waits = [_wait(rate, requests, unloaded) for rate in (split, one_queue)]
    return min(requests / (unloaded + math.sqrt(waits[0] * waits[1])), channels / service_ms)


def together(requests: int, delay_ms: float, service_ms: float, variability: float, channels: int) -> float:
    """Requests per ms if all waited in one queue for the first free channel.

    Exact for exponential service; the wait at less variability is shorter in the proportion it is at one channel.
    """
    unloaded = delay_ms + service_ms
    exact = queueing.repairman(requests, delay_ms, service_ms, channels)
    smooth, rough = (
        _wait(apart(requests, delay_ms, service_ms, spread, channels), requests, unloaded)
        for spread in (variability, 1.0)
    )
    shorter = smooth / rough if rough > 0 else 1.0
    return min(requests / (unloaded + _wait(exact, requests, unloaded) * shorter), channels / service_ms)


def at_random(requests: int, delay_ms: float, service_ms: float, channels: int) -> float:
    """Requests per ms if each took any channel, however busy: worse than any channel subsystem does."""
    return queueing.balanced(requests, delay_ms, service_ms / channels, channels)


def apart(requests: int, delay_ms: float, service_ms: float, variability: float, channels: int) -> float:
    """Requests per ms if each channel had its own share of the requesters."""
    return channels * closed.throughput(requests / channels, delay_ms, service_ms, variability)


def _wait(rate: float, requests: int, unloaded_ms: float) -> float:
    """Little's law: the time of a cycle beyond its unloaded time, in ms."""
    cycle = requests / rate
    return cycle - unloaded_ms if cycle - unloaded_ms > _NOTHING * cycle else 0.0
