"""Prior of a box before any measurement: log-normal values, weak on purpose."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from iosq.models.fit.misfit import FAMILY_ERROR, USUAL, USUAL_ERROR, USUAL_KERNEL, Misfit
from iosq.models.pav.box import parameter_names, parameter_table
from iosq.models.pav.residual import Kernel
from iosq.models.queueing.checks import positive

Floats = NDArray[np.float64]
SPEED: Mapping[str, int] = MappingProxyType({"time": 1, "rate": -1})  # how a faster box moves parameters of that kind
DEFAULTS = "family defaults"
USUAL_SPEED = 0.7  # boxes of one decade differ by a factor of two in speed


@dataclass(frozen=True)
class Prior:
    """Logarithm of the median and its standard deviation for each parameter; `source` says where they come from.

    speed: standard deviation of the logarithm of a box's speed, which all its times and rates share: a box that
    answers its first I/O twice as fast is likely to carry twice the load. misfit: error of rates predicted for a state
    that was not measured; error: of one measured rate around the curve; kernel: what neighbouring states share of it.
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
        """Of the logarithms, shape (parameters, parameters)."""
        signs = speed_signs(self.names)
        return np.asarray(np.diag(self.spread**2) + self.speed**2 * np.outer(signs, signs))

    @property
    def total_spread(self) -> Floats:
        """Standard deviation of each parameter's logarithm, the speed of the box included."""
        return np.asarray(np.sqrt(np.diag(self.covariance)))


def speed_signs(names: Sequence[str]) -> Floats:
    """1 for a time, -1 for a rate, 0 for a parameter unrelated to speed."""
    kinds = {row.name: row.kind for row in parameter_table()}
    return np.array([SPEED.get(kinds[name], 0) for name in names], float)


def weak_prior(cache_gb: float | None = None) -> Prior:
    """The family defaults, common to the boxes of the library (`iosq/models/pav/parameters.csv`).

    Args:
        cache_gb: cache the volumes can use, where their footprint outgrows it; None where it fits and nothing misses.

    Raises:
        RequestError: cache not above zero.
    """
    names = parameter_names(misses=cache_gb is not None)
    rows = {row.name: row for row in parameter_table()}
    medians = {name: rows[name].median for name in names} | _caches(cache_gb)
    return Prior(
        names, _logs(names, medians), np.array([rows[name].spread for name in names]), DEFAULTS, error=FAMILY_ERROR
    )


def unseen_prior(cache_gb: float | None = None) -> Prior:
    """For a box of the user's: the family defaults, faster or slower as boxes are; arguments as `weak_prior`."""
    return replace(weak_prior(cache_gb), speed=USUAL_SPEED)


def neutral_prior(channels: float, cache_gb: float | None = None) -> Prior:
    """With no box in view: round numbers, so wide that any box of the last decades lies within.

    Args:
        channels: paths from the hosts; the front end grows with them.
        cache_gb: as for `weak_prior`.
    """
    positive(channels=channels)
    names = parameter_names(misses=cache_gb is not None)
    rows = {row.name: row for row in parameter_table()}
    medians = {name: rows[name].neutral for name in names} | _caches(cache_gb)
    medians["front_end_rate"] *= channels
    spread = np.array([rows[name].neutral_spread for name in names])
    return Prior(names, _logs(names, medians), spread, "no box in view")


def _caches(cache_gb: float | None) -> dict[str, float]:
    """Half of the cache holds writes and directories."""
    if cache_gb is None:
        return {}
    positive(cache_gb=cache_gb)
    return {"cache_gb": cache_gb / 2, "cache_edge_gb": cache_gb / 2}


def _logs(names: Sequence[str], values: Mapping[str, float]) -> Floats:
    return np.asarray(np.log([values[name] for name in names]))
