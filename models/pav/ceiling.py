"""The write ceiling: writes per second a box takes in the long run, as a function of the footprint they fall on.

Two interchangeable laws over F, the data touched:

* power law, Y = D (1 + (Fa / F)^q), three parameters;
* NVS law, Y = D (1 + u): destage units of b blocks leave a first-in-first-out store of S bytes while writes fall evenly
  on F; a unit waits long enough to be rewritten u times on average, where
  (b u - b (b - 1) (1 - exp(-u / b))) / (u + 1) = b S / F. With b = 1 it is D / (1 - S / F).
"""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_LOG_REWRITES = (-14.0, 9.0)
_HALVINGS = 34


def power_ceiling(destage_rate: Floats, spread: Floats, exponent: Floats) -> Floats:
    """Writes per second; `spread` is the doubling footprint over the footprint."""
    return np.asarray(destage_rate * (1 + spread**exponent))


def nvs_ceiling(destage_rate: Floats, share: Floats, unit_blocks: Floats) -> Floats:
    """Writes per second; `share` is non-volatile storage over footprint (1 or more: all rewrites stay inside)."""
    return np.asarray(destage_rate * (1 + rewrites(share, unit_blocks)))


def rewrites(share: Floats, unit_blocks: Floats) -> Floats:
    """u: how often a unit is written again while it waits for destage; grows with `share`, solved by halving."""
    b, target = np.broadcast_arrays(np.asarray(unit_blocks, float), np.asarray(share, float))
    low, high = np.full(target.shape, _LOG_REWRITES[0]), np.full(target.shape, _LOG_REWRITES[1])
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        u = np.exp(middle)
        more = (u + (b - 1) * np.expm1(-u / b)) / (u + 1) < target
        low, high = np.where(more, middle, low), np.where(more, high, middle)
    return np.asarray(np.exp(0.5 * (low + high)))
