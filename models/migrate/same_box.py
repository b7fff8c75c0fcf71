"""Predicts measured volumes at other rates in their present box."""

import math
from collections.abc import Sequence
from dataclasses import replace

from iosq.models.migrate import VolumeForecast, row_of, weighted
from iosq.models.migrate.workload import MeasuredVolume
from iosq.models.pav.answers import Interval
from iosq.models.pav.power_curve import PowerCurve


def response_at(
    curve: PowerCurve,
    volumes: Sequence[MeasuredVolume],
    rates: Sequence[float],
    subject: Sequence[bool] | None = None,
    arriving: Sequence[bool] | None = None,
) -> Interval:
    """Mean response at these rates, with the interval from the ends of the curve's elasticity.

    Args:
        curve: the box's curve through the state in which the volumes were measured.
        subject: volumes included in the mean; all by default.
        arriving: volumes that are not in the box yet, with the times they would have in it; none by default.
    """
    low, high = curve.elasticity
    own = subject or [True] * len(volumes)
    ends = [_response_ms(volumes, rates, own, arriving, e) for e in (high, (low + high) / 2, low)]
    return Interval(ends[1], *sorted(ends)[::2])


def inside_at(
    volumes: Sequence[MeasuredVolume], rates: Sequence[float], elasticity: float, arriving: Sequence[bool] | None = None
) -> float:
    """Ratio of I/Os in the box to today's, by Little's law: the rate is a power of them."""
    new = arriving or [False] * len(volumes)
    now = sum(v.io_rate * v.service_ms for v, is_new in zip(volumes, new, strict=True) if not is_new)
    planned = sum(rate * v.service_ms for v, rate in zip(volumes, rates, strict=True))
    return math.inf if planned > now and not elasticity else float((planned / now) ** (1 / max(elasticity, 0.01)))


def _response_ms(
    volumes: Sequence[MeasuredVolume], rates: Sequence[float], subject: Sequence[bool],
    arriving: Sequence[bool] | None, elasticity: float,
) -> float:  # fmt: skip
    slower = max(inside_at(volumes, rates, elasticity, arriving), 1.0) ** (1 - elasticity)
    own = [pair for pair, is_own in zip(zip(volumes, rates, strict=True), subject, strict=True) if is_own]
    return weighted([_at_rate(v, rate, slower) for v, rate in own], "response_ms")


def _at_rate(volume: MeasuredVolume, rate: float, slower: float) -> VolumeForecast:
    """The volume at this rate; the part of its wait that arrivals do not explain stays as measured."""
    found = row_of(replace(volume, growth=rate / volume.io_rate), volume.service_ms * slower)
    explained_ms = row_of(volume, volume.service_ms).wait_ms
    if math.isinf(explained_ms):
        return found
    wait_ms = max(volume.wait_ms + found.wait_ms - explained_ms, 0.0)
    return replace(found, wait_ms=wait_ms, response_ms=wait_ms + found.service_ms)
