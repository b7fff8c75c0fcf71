"""The write ceiling: sustainable writes per second of a box as a function of their footprint.

Two laws of F, the data accessed:

* power law, Y = D (1 + (Fa / F)^q), with three parameters, used for every fitted box;
* NVS law, Y = D (1 + u): destage units of b blocks leave a first-in-first-out store of S bytes while writes are spread
  evenly over F; a unit is rewritten u times on average while it waits, where
  (b u - b (b - 1) (1 - exp(-u / b))) / (u + 1) = b S / F. With b = 1 it is D / (1 - S / F). With tracks as units two
  footprints determine it.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from iosq.models.arrays import Floats
from iosq.models.queueing.checks import positive
from iosq.toolkit.errors import RequestError

TRACK_BLOCKS = 12  # 4 KiB blocks on a 3390 track, the unit of boxes that destage whole tracks
_LOG_REWRITES = (-14.0, 9.0)
_HALVINGS = 34


@dataclass(frozen=True)
class NvsLaw:
    """A write ceiling determined by two footprints: effective store in GB and destage operations per second."""

    nvs_gb: float
    destage_rate: float

    def ceiling(self, footprint_gb: ArrayLike) -> Floats:
        """Writes per second at these footprints."""
        positive(footprint_gb=footprint_gb)
        share = self.nvs_gb / np.asarray(footprint_gb, float)
        return np.asarray(self.destage_rate * (1 + rewrites(share)))


def power_ceiling(destage_rate: Floats, spread: Floats, exponent: Floats) -> Floats:
    """Writes per second; `spread` is the doubling footprint over the footprint."""
    return np.asarray(destage_rate * (1 + spread**exponent))


def rewrites(share: Floats, b: float = TRACK_BLOCKS) -> Floats:
    """u: mean rewrites of a unit of b blocks while it waits for destage, solved by bisection.

    It increases with `share`, non-volatile storage over footprint (1 or more: all rewrites are absorbed).
    """
    target = np.asarray(share, float)
    low, high = np.full(target.shape, _LOG_REWRITES[0]), np.full(target.shape, _LOG_REWRITES[1])
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        u = np.exp(middle)
        more = (u + (b - 1) * np.expm1(-u / b)) / (u + 1) < target
        low, high = np.where(more, middle, low), np.where(more, high, middle)
    return np.asarray(np.exp(0.5 * (low + high)))


def law_from_two(footprints_gb: ArrayLike, ceilings: ArrayLike) -> NvsLaw:
    """The NVS law through two measured write ceilings (writes per second at two footprints).

    RequestError unless there are two distinct footprints, or for a ceiling that does not fall with the footprint.
    """
    f, y = np.asarray(footprints_gb, float), np.asarray(ceilings, float)
    positive(footprints_gb=f, ceilings=y)
    if f.shape != (2,) or y.shape != (2,) or f[0] == f[1]:
        raise RequestError("two ceilings at two different footprints are needed", place="footprints_gb")
    order = np.argsort(f)
    small, large = f[order]
    wanted = y[order][0] / y[order][1]
    if wanted <= 1:
        raise RequestError("the ceiling must fall as the footprint grows", place="ceilings", remedy="measure again")
    store = _store_for(wanted, float(small), float(large))
    return NvsLaw(store, float(y[order][1] / (1 + rewrites(store / large))))


def _store_for(wanted: float, small: float, large: float) -> float:
    """The store for this ratio of ceilings; the ratio increases with the store, up to the smaller footprint."""
    low, high = np.log(small * 1e-6), np.log(small)
    for _ in range(60):
        middle = 0.5 * (low + high)
        u_small, u_large = rewrites(np.exp(middle) / np.array([small, large]))
        low, high = (middle, high) if (1 + u_small) / (1 + u_large) < wanted else (low, middle)
    return float(np.exp(0.5 * (low + high)))
