"""Measured volumes at other rates in the box that they are in."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from iosq.models.migrate.forecast import row_of, weighted
from iosq.models.migrate.workload import MeasuredVolume
from iosq.models.pav.answers import Interval
from iosq.models.pav.power_curve import PowerCurve


def response_at(curve: PowerCurve, volumes: Sequence[MeasuredVolume], rates: Sequence[float]) -> Interval:
    """Mean response at these rates, and at the ends of the curve's interval.

    Args:
        curve: of the box, through the state in which the volumes were measured.
        volumes: all that share the box, as measured.
        rates: I/Os per second of each.
    """
    low, high = curve.elasticity
    ends = [_response_ms(volumes, rates, e) for e in (high, (low + high) / 2, low)]
    return Interval(ends[1], *sorted(ends)[::2])


def inside_at(volumes: Sequence[MeasuredVolume], rates: Sequence[float], elasticity: float) -> float:
    """I/Os in the box over today's, by Little's law: the rate grows as a power of them."""
    now, then = (sum(n * v.service_ms for n, v in zip(of, volumes, strict=True)) for of in (_measured(volumes), rates))
    return math.inf if then > now and not elasticity else float((then / now) ** (1 / max(elasticity, 0.01)))


def _measured(volumes: Sequence[MeasuredVolume]) -> list[float]:
    return [v.io_rate for v in volumes]


def _response_ms(volumes: Sequence[MeasuredVolume], rates: Sequence[float], elasticity: float) -> float:
    slower = max(inside_at(volumes, rates, elasticity), 1.0) ** (1 - elasticity)
    grown = [replace(v, growth=rate / v.io_rate) for v, rate in zip(volumes, rates, strict=True)]
    return weighted([row_of(v, v.service_ms * slower) for v in grown], "response_ms")
