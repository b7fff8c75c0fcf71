"""Several equal channels to one box: queueing depends on how I/Os are distributed over them.

A channel subsystem rotates through the paths and skips busy ones (described as usual in D. F. Casper and others,
"Multiple I/O path selection among disparate channel paths", US patent 6,973,529, 2005, which weighs paths by how busy
they are). The path is selected when the I/O starts, so it waits longer than in one queue for the first free channel,
and shorter than if each channel had its own fixed requests.
"""

import math

from iosq.models.channel import closed
from iosq.models.queueing import stations

MOST_DEALT = 4096  # population above which all channels are saturated, whatever the distribution
_ROUNDING = 1e-12  # a wait shorter than this share of the cycle is a rounding error


def throughput(requests: int, delay_ms: float, service_ms: float, variability: float, channels: int) -> float:
    """Requests per ms over all channels, by the geometric mean of both bounds of the wait; arguments as in `closed`."""
    split = apart(requests, delay_ms, service_ms, variability, channels)
    if channels == 1 or requests > MOST_DEALT:
        return split
    unloaded = delay_ms + service_ms
    one_queue = together(requests, delay_ms, service_ms, variability, channels)
    waits = [_wait(rate, requests, unloaded) for rate in (split, one_queue)]
    return min(requests / (unloaded + math.sqrt(waits[0] * waits[1])), channels / service_ms)


def together(requests: int, delay_ms: float, service_ms: float, variability: float, channels: int) -> float:
    """Requests per ms with one queue for the first free channel.

    Exact for exponential service; for less variability the wait is reduced by the same factor as for one channel.
    """
    unloaded = delay_ms + service_ms
    exact = stations.repairman(requests, delay_ms, service_ms, channels)
    smooth, rough = (
        _wait(apart(requests, delay_ms, service_ms, spread, channels), requests, unloaded)
        for spread in (variability, 1.0)
    )
    shorter = smooth / rough if rough > 0 else 1.0
    return min(requests / (unloaded + _wait(exact, requests, unloaded) * shorter), channels / service_ms)


def apart(requests: int, delay_ms: float, service_ms: float, variability: float, channels: int) -> float:
    """Requests per ms if each channel has its own fixed share of the requests."""
    return channels * closed.throughput(requests / channels, delay_ms, service_ms, variability)


def _wait(rate: float, requests: int, unloaded_ms: float) -> float:
    """Cycle time by Little's law, minus its unloaded time, in ms."""
    cycle = requests / rate
    return cycle - unloaded_ms if cycle - unloaded_ms > _ROUNDING * cycle else 0.0
