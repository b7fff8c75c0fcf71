"""Prior of a box before any measurement: log-normal and deliberately weak."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from iosq.models.arrays import Floats
from iosq.models.fit.misfit import FAMILY_ERROR, USUAL, USUAL_ERROR, USUAL_KERNEL, Misfit
from iosq.models.pav.box import parameter_names, parameter_table
from iosq.models.pav.residual import Kernel
from iosq.models.queueing.checks import positive

SPEED: Mapping[str, int] = MappingProxyType({"time": 1, "rate": -1})  # sign of slowness for a kind of parameter
DEFAULTS = "family defaults"
USUAL_SPEED = 0.7  # boxes of one decade differ by a factor of two in speed


@dataclass(frozen=True)
class Prior:
    """Logarithm of the median and its standard deviation for each parameter, with their `source`.

    speed: standard deviation of the logarithm of a box's speed, common to all its times and rates: a box that
    completes a single I/O twice as fast likely carries twice the load. misfit: error of rates predicted for unmeasured
    states; error: error of one measured rate around the curve; kernel: correlation of misfit between similar states.
    """

    names: tuple[str, ...]
    centre: Floats
    spread: Floats
    source: str
    speed: float = 0.0
    misfit: Misfit = USUAL
    error: Misfit = USUAL_ERROR
    kernel: Kernel = USUAL_KERNEL

    @property
    def covariance(self) -> Floats:
        """Covariance of the logarithms, shape (parameters, parameters)."""
        signs = speed_signs(self.names)
        return np.asarray(np.diag(self.spread**2) + self.speed**2 * np.outer(signs, signs))

    @property
    def total_spread(self) -> Floats:
        """Standard deviation of each parameter's logarithm, including the speed of the box."""
        return np.asarray(np.sqrt(np.diag(self.covariance)))


def speed_signs(names: Sequence[str]) -> Floats:
    """1 for a time, -1 for a rate, 0 for a parameter unrelated to speed."""
    return np.array([SPEED.get(parameter_table()[name].kind, 0) for name in names], float)


def weak_prior(cache_gb: float | None = None) -> Prior:
    """The family defaults, learnt from the boxes of the library (`iosq/models/pav/parameters.csv`).

    Args:
        cache_gb: cache available to the volumes if their footprint exceeds it; None if it fits and nothing misses.

    RequestError if cache_gb is not positive.
    """
    return _prior(cache_gb, "median", "spread", DEFAULTS, FAMILY_ERROR)


def unseen_prior(cache_gb: float | None = None) -> Prior:
    """The prior for a user's box: family defaults with unknown speed; arguments as `weak_prior`."""
    return replace(weak_prior(cache_gb), speed=USUAL_SPEED)


def neutral_prior(channels: float, cache_gb: float | None = None) -> Prior:
    """The prior without other boxes: round numbers, wide enough for any box of the last decades.

    Args:
        channels: paths from the hosts; the front-end rate is proportional to them.
    """
    positive(channels=channels)
    return _prior(cache_gb, "neutral", "neutral_spread", "no box in view", USUAL_ERROR, channels)


def _prior(
    cache_gb: float | None, median: str, spread: str, source: str, error: Misfit, channels: float = 1.0
) -> Prior:
    """The prior by these columns of the table of parameters, for a box with this number of channels."""
    names = parameter_names(misses=cache_gb is not None)
    medians = {name: getattr(parameter_table()[name], median) for name in names} | _caches(cache_gb)
    medians["front_end_rate"] *= channels
    spreads = np.array([getattr(parameter_table()[name], spread) for name in names])
    return Prior(names, np.log([medians[name] for name in names]), spreads, source, error=error)


def _caches(cache_gb: float | None) -> dict[str, float]:
    """Cache parameters: half of the cache is for writes and directories."""
    if cache_gb is None:
        return {}
    positive(cache_gb=cache_gb)
    return {"cache_gb": cache_gb / 2, "cache_edge_gb": cache_gb / 2}
