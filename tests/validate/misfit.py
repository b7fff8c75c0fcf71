"""Errors of other boxes: the scale, the tails and the kernel that make their residuals most likely."""

from collections.abc import Sequence
from itertools import product
from math import lgamma, log, pi

import numpy as np
from numpy.typing import NDArray

from iosq.models.fit.misfit import USUAL, USUAL_ERROR, USUAL_KERNEL, Misfit
from iosq.models.pav.box import BoxLoad
from iosq.models.pav.residual import Kernel, covariance

Floats = NDArray[np.float64]
SCALES = tuple(0.005 * 1.05**step for step in range(72))
ERRORS = tuple(0.005 * 1.2**step for step in range(20))  # coarser: a fit hangs on it, and it is not known better
TAILS = (1.0, 1.5, 2.0, 3.0, 5.0)
SHARED, REACHES = (0.015, 0.02, 0.03, 0.04, 0.06), (0.25, 0.35, 0.5, 0.7, 1.0, 1.4)


def learned_misfit(residuals: Sequence[Floats]) -> Misfit:
    """The error that makes residuals of other boxes most likely: logarithms of measured over predicted rate.

    Args:
        residuals: any number of arrays.
    """
    return _likeliest(residuals, SCALES) if residuals else USUAL


def learned_error(boxes: Sequence[Floats]) -> Misfit:
    """Error of one measured rate: what makes the residuals around the fits of other boxes most likely."""
    return _likeliest(boxes, ERRORS) if boxes else USUAL_ERROR


def learned_kernel(parts: Sequence[tuple[BoxLoad, Floats]]) -> Kernel:
    """The kernel that makes these residuals most likely, with the error of a measurement: states and logarithms of
    measured over predicted rate there, for each box that was predicted without them."""
    if not parts:
        return USUAL_KERNEL
    tried = (Kernel(*pair) for pair in product(SHARED, REACHES))
    return max(tried, key=lambda kernel: sum(_joint_likelihood(kernel, *part) for part in parts))


def _likeliest(residuals: Sequence[Floats], scales: Sequence[float]) -> Misfit:
    every = np.concatenate(residuals)
    return Misfit(*max(product(scales, TAILS), key=lambda pair: _likelihood(every, *pair)))


def _joint_likelihood(kernel: Kernel, load: BoxLoad, residuals: Floats) -> float:
    """Of residuals that are independent and of one scale once turned by the symmetric root: their order is nothing."""
    together = kernel.scale**2 * covariance(load, load, kernel) + USUAL_ERROR.scale**2 * np.eye(len(residuals))
    squared, turned = np.linalg.eigh(together)
    errors = turned @ ((turned.T @ residuals) / np.sqrt(squared))
    return _likelihood(errors, 1.0, USUAL_ERROR.tails) - 0.5 * float(np.log(squared).sum())


def _likelihood(residuals: Floats, scale: float, tails: float) -> float:
    constant = lgamma((tails + 1) / 2) - lgamma(tails / 2) - 0.5 * log(pi * tails) - log(scale)
    return float(constant * len(residuals) - (tails + 1) / 2 * np.log1p((residuals / scale) ** 2 / tails).sum())
