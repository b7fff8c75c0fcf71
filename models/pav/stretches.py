"""Growth of service times with the load of a box, by a machine file or an elasticity."""

import numpy as np

from iosq.models.arrays import Floats
from iosq.models.pav.answers import RateSource
from iosq.models.pav.crowd import blocks, chain
from iosq.models.pav.open_load import MOST_ALIASES, OpenVolumes, box_curve, box_stretch, stretched
from iosq.models.pav.power_curve import PowerCurve
from iosq.models.pav.station import Stretch
from iosq.models.queueing.stations import mmc_wait_ms


def stretches(source: RateSource, volumes: OpenVolumes) -> tuple[Stretch, ...]:
    """Possible growth of service times with the load: by the curve, or by both ends of the elasticity.

    If measured service times are longer than by the file, there are two explanations: the whole box is slower,
    including its ceilings, or the I/Os have additional latency.
    """
    if isinstance(source, PowerCurve):
        inside = float(volumes.in_service.sum())
        return tuple(_power_stretch(inside, 1 - elasticity) for elasticity in source.elasticity)
    extra = float(len(volumes.rate) + MOST_ALIASES)
    latent = latent_stretch(source, volumes, extra)
    return (box_stretch(source, volumes, extra), *([latent] if latent else []))


def latent_stretch(source: RateSource, volumes: OpenVolumes, extra: float) -> Stretch | None:
    """As `box_stretch`, but service time beyond the file's is latency that occupies no station.

    Ceilings are then the file's, and more I/Os than by the file are in the box at any rate. None if service is no
    longer than that of such arrivals in the file's box.
    """
    grid, rate = box_curve(source, volumes, extra)
    arrivals, now, time = float(volumes.rate.sum()) / 1e3, float(volumes.in_service.sum()), grid / rate * 1e3
    steady = float(np.interp(arrivals, np.maximum.accumulate(rate / 1e3), time))
    latent = now / arrivals - steady - _randomness(volumes) * (_random_ms(volumes, grid, time) - steady)
    return stretched(grid + grid / time * latent, time + latent, now) if latent > 0 else None


def _random_ms(volumes: OpenVolumes, inside: Floats, time: Floats) -> float:
    """Mean time of Poisson arrivals in a box with these service times, without waits for exposures."""
    start, _ = blocks()
    measured = float(volumes.in_service.sum() / volumes.rate.sum() * 1e3)
    return float(chain(volumes, start[None], lambda n: np.interp(n, inside, time / measured), 1.0, 0.0).service_ms[0])


def _randomness(volumes: OpenVolumes) -> float:
    """Measured wait over that of Poisson arrivals, at most 1: 0 for even arrivals, 1 for Poisson and bursty ones."""
    steady = volumes.steady
    random_ms = mmc_wait_ms(steady.rate, steady.service_ms, steady.exposures)
    random, measured = (float((ms * volumes.rate).sum()) for ms in (random_ms, volumes.wait_ms))
    return min(measured / random, 1.0) if random > 0 else 1.0


def _power_stretch(now: float, power: float) -> Stretch:
    return lambda inside: np.maximum(inside / now, 1.0) ** power
