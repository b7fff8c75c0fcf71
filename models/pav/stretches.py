"""Growth of service times with the load of a box: by a machine file, a measured elasticity or neither."""

import numpy as np

from iosq.models.pav.answers import RateSource
from iosq.models.pav.crowd import blocks, chain
from iosq.models.pav.open_load import MOST_ALIASES, Floats, OpenVolumes, box_curve, box_stretch, stretched
from iosq.models.pav.power_curve import PowerCurve
from iosq.models.pav.station import Stretch
from iosq.models.queueing.stations import mmc


def stretches(source: RateSource, volumes: OpenVolumes) -> tuple[Stretch, ...]:
    """Possible growth of service times with the load: by its curve, or the two ends of a measured elasticity.

    If they are longer today than in the file, there are two readings. Either the whole box is slower, ceilings
    included, or the I/Os do additional work.
    """
    if isinstance(source, PowerCurve):
        inside = float(volumes.in_service.sum())
        return tuple(_power_stretch(inside, 1 - elasticity) for elasticity in source.elasticity)
    extra = float(len(volumes.rate) + MOST_ALIASES)
    latent = latent_stretch(source, volumes, extra)
    return (box_stretch(source, volumes, extra), *([latent] if latent else []))


def latent_stretch(source: RateSource, volumes: OpenVolumes, extra: float) -> Stretch | None:
    """As `box_stretch`, where what service is longer than the file's today is time that no station takes.

    Then the ceilings are the file's, and more I/Os than it says are in the box at any rate. None where service is no
    longer than that of such arrivals at the file's box.
    """
    grid, rate = box_curve(source, volumes, extra)
    asked, now, time = float(volumes.rate.sum()) / 1e3, float(volumes.in_service.sum()), grid / rate * 1e3
    steady = float(np.interp(asked, np.maximum.accumulate(rate / 1e3), time))
    latent = now / asked - steady - _randomness(volumes) * (_random_ms(volumes, grid, time) - steady)
    return stretched(grid + grid / time * latent, time + latent, now) if latent > 0 else None


def _random_ms(volumes: OpenVolumes, inside: Floats, time: Floats) -> float:
    """Mean time of arrivals at random in a box that takes these times, none waiting for an exposure."""
    start, _ = blocks()
    measured = float(volumes.in_service.sum() / volumes.rate.sum() * 1e3)
    return float(chain(volumes, start[None], lambda n: np.interp(n, inside, time / measured), 1.0, 0.0).service_ms[0])


def _randomness(volumes: OpenVolumes) -> float:
    """Measured wait over that of arrivals at random: 0 for even ones, 1 for those and for any burst."""
    steady = volumes.steady
    random_ms = mmc(steady.rate, steady.service_ms, steady.exposures).wait_ms
    random, measured = (float((ms * volumes.rate).sum()) for ms in (random_ms, volumes.wait_ms))
    return min(measured / random, 1.0) if random > 0 else 1.0


def _power_stretch(now: float, power: float) -> Stretch:
    return lambda inside: np.maximum(inside / now, 1.0) ** power
