"""Learns the error of rates predicted for unmeasured states from other boxes.

The error of the logarithm of such a rate follows Student's t. Its scale, its tails and the share common to neighbouring
states are learnt from boxes predicted without the states in question (`iosq.models.pav.residual`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import lgamma, log, pi

import numpy as np

from iosq.models.arrays import Floats
from iosq.models.pav.box import BoxLoad
from iosq.models.pav.residual import ERROR, FREEDOM, Kernel, covariance

SCALES = tuple(0.005 * 1.05**step for step in range(72))
ERRORS = tuple(0.005 * 1.2**step for step in range(20))  # coarser: fits depend on it, and it is not known better
HELD, MANY, SEED = 0.9, 100_000, 1  # share of residuals to cover; draws to determine the quantile of Student's t
TAILS = (1.0, 1.5, 2.0, 3.0, 5.0)
SHARED, REACHES = (0.015, 0.02, 0.03, 0.04, 0.06), (0.25, 0.35, 0.5, 0.7, 1.0, 1.4)


@dataclass(frozen=True)
class Misfit:
    """Relative error of a rate: scale and degrees of freedom (`tails`) of Student's t; few mean heavy tails."""

    scale: float
    tails: float


USUAL = Misfit(0.015, 1.0)  # of published boxes, each read/write mix between two others predicted from the rest
USUAL_ERROR = Misfit(ERROR, FREEDOM)  # of one measured rate around a fitted curve, without other boxes
FAMILY_ERROR = Misfit(0.0104, 1.5)  # the same learnt from the published boxes, by `learned_error`
USUAL_KERNEL = Kernel(0.04, 1.0)  # learnt from the published boxes, by `learned_kernel`


def learned_misfit(residuals: Sequence[Floats]) -> Misfit:
    """The likeliest error, by residuals of other boxes: logarithms of measured over predicted rate."""
    return _likeliest(residuals, SCALES) if residuals else USUAL


def covering(misfit: Misfit, residuals: Floats) -> Misfit:
    """Widen the error, if necessary, to cover 90 % of these residuals."""
    usual = np.quantile(np.abs(np.random.default_rng(SEED).standard_t(misfit.tails, MANY)), HELD)
    return Misfit(max(misfit.scale, float(np.quantile(np.abs(residuals), HELD) / usual)), misfit.tails)


def learned_error(boxes: Sequence[Floats]) -> Misfit:
    """Error of one measured rate that maximises the likelihood of the residuals around the fits of other boxes."""
    return _likeliest(boxes, ERRORS) if boxes else USUAL_ERROR


def _likeliest(residuals: Sequence[Floats], scales: Sequence[float]) -> Misfit:
    every = np.concatenate(residuals)
    return Misfit(*max(product(scales, TAILS), key=lambda pair: _likelihood(every, *pair)))


def learned_kernel(parts: Sequence[tuple[BoxLoad, Floats]]) -> Kernel:
    """The kernel that maximises the likelihood of these residuals, given the error of a measurement: states and
    logarithms of measured over predicted rate, for each box that was predicted without them."""
    if not parts:
        return USUAL_KERNEL
    tried = (Kernel(*pair) for pair in product(SHARED, REACHES))
    return max(tried, key=lambda kernel: sum(_joint_likelihood(kernel, *part) for part in parts))


def _joint_likelihood(kernel: Kernel, load: BoxLoad, residuals: Floats) -> float:
    """Log-likelihood of correlated residuals; the symmetric root decorrelates them independently of their order."""
    joint = kernel.scale**2 * covariance(load, load, kernel) + USUAL_ERROR.scale**2 * np.eye(len(residuals))
    squared, turned = np.linalg.eigh(joint)
    errors = turned @ ((turned.T @ residuals) / np.sqrt(squared))
    return _likelihood(errors, 1.0, USUAL_ERROR.tails) - 0.5 * float(np.log(squared).sum())


def _likelihood(residuals: Floats, scale: float, tails: float) -> float:
    constant = lgamma((tails + 1) / 2) - lgamma(tails / 2) - 0.5 * log(pi * tails) - log(scale)
    return float(constant * len(residuals) - (tails + 1) / 2 * np.log1p((residuals / scale) ** 2 / tails).sum())
