"""What the form of the curve leaves out, and what a measured state keeps.

The logarithm of a rate that is predicted for a state never measured errs by Student's t; scale and tails are learnt
from boxes that were predicted without the cells in question. Smoothing the residuals of measured states over their
neighbours was tried instead: it helps where a mix was never seen and harms where a box is bistable.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import lgamma, log, pi

import numpy as np
from numpy.typing import NDArray

from iosq.models.pav.box import BoxLoad

Floats = NDArray[np.float64]
SCALES = tuple(0.005 * 1.2**step for step in range(20))
TAILS = (1.0, 1.5, 2.0, 3.0, 5.0)
MOST = float(np.log(10))
_SAME = (0.05, 1e-6, 1e-6, 0.5, 0.5)  # populations inferred by Little's law are no better than 5 %


@dataclass(frozen=True)
class Misfit:
    """Relative error of a predicted rate: scale and degrees of freedom of Student's t; few are heavy tails."""

    scale: float
    tails: float

    def drawn(self, rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
        """Errors of the logarithm; beyond a factor of ten they are cut."""
        return np.clip(self.scale * rng.standard_t(self.tails, shape), -MOST, MOST)


USUAL = Misfit(0.015, 1.0)  # of the published boxes, each mix between two others predicted from the rest


def learned_misfit(residuals: Sequence[Floats]) -> Misfit:
    """The error that makes residuals of other boxes most likely: logarithms of measured over predicted rate.

    Args:
        residuals: any number of arrays.
    """
    if not residuals:
        return USUAL
    every = np.concatenate(residuals)
    return Misfit(*max(product(SCALES, TAILS), key=lambda pair: _likelihood(every, *pair)))


def _likelihood(residuals: Floats, scale: float, tails: float) -> float:
    constant = lgamma((tails + 1) / 2) - lgamma(tails / 2) - 0.5 * log(pi * tails) - log(scale)
    return float(constant * len(residuals) - (tails + 1) / 2 * np.log1p((residuals / scale) ** 2 / tails).sum())


def same_state(measured: BoxLoad, asked: BoxLoad) -> Floats:
    """Weights of measured states for asked ones, shape (asked, measured): shares of one where they are the same.

    Unused aliases change nothing: what counts is mix, footprint, use of aliases, host queue and how many are inside.
    """
    apart = np.abs(_features(asked)[:, None, :] - _features(measured)[None, :, :])
    same = (apart < np.array(_SAME)).all(axis=2).astype(float)
    return np.asarray(same / np.maximum(same.sum(axis=1, keepdims=True), 1))


def _features(load: BoxLoad) -> Floats:
    parts = (np.log(load.in_box), load.read_ratio, np.log(load.footprint_gb), load.aliased, load.queued)
    return np.stack([np.asarray(part, float).ravel() for part in parts], axis=1)
