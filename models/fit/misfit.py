"""How far a rate predicted for a state never measured is off, learnt from other boxes.

The logarithm of such a rate errs by Student's t; scale and tails are learnt from boxes that were predicted without the
cells in question, and so is what neighbouring states share (`iosq.models.pav.residual`).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from iosq.models.pav.residual import ERROR, FREEDOM, Kernel

Floats = NDArray[np.float64]
HELD, MANY, SEED = 0.9, 100_000, 1  # of residuals, and how many are drawn to know Student's t


@dataclass(frozen=True)
class Misfit:
    """Relative error of a rate: scale and degrees of freedom of Student's t; few are heavy tails."""

    scale: float
    tails: float


USUAL = Misfit(0.015, 1.0)  # of the published boxes, each mix between two others predicted from the rest
USUAL_ERROR = Misfit(ERROR, FREEDOM)  # of one measured rate around a fitted curve, with no box in view
FAMILY_ERROR = Misfit(0.0104, 1.5)  # the same with the published boxes in view, by `tests.validate.misfit`
USUAL_KERNEL = Kernel(0.04, 1.0)  # of the published boxes, by `tests.validate.misfit`


def covering(misfit: Misfit, residuals: Floats) -> Misfit:
    """As wide as it takes to hold nine of ten of these residuals, if it is not."""
    usual = np.quantile(np.abs(np.random.default_rng(SEED).standard_t(misfit.tails, MANY)), HELD)
    return Misfit(max(misfit.scale, float(np.quantile(np.abs(residuals), HELD) / usual)), misfit.tails)
