"""Residuals of a box's curve at the fitted states, applied to nearby states.

A Gaussian process on the logarithm of measured over fitted rate (C. E. Rasmussen, C. K. I. Williams, *Gaussian
Processes for Machine Learning*, 2006, chapters 2 and 5) with three parts: one common to neighbouring states, one of the
individual state, and the measurement error. An unusually large residual is attributed to the individual state, so that
an outlier does not affect its neighbours.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from iosq.models.arrays import Floats

if TYPE_CHECKING:
    from iosq.models.pav.box import BoxLoad

ERROR, FREEDOM = 0.02, 3.0  # of a measured rate around the curve: scale and degrees of freedom of Student's t
TAIL = 2.2  # 90 % of that error are within this number of scales (slightly less than for Student's t)
DOUBT = 1.25  # a measurement above the curve by this factor is from another box, or an error
REPEATED = 0.007  # part of it due to the measurement: repeatability of rates of the published boxes
SAME = 0.05  # scaled distance within which states are the same: 2.5 % more or fewer I/Os in the box
_NEAR = np.array([0.5, 0.4, 0.7, 1.0, 1.0])  # unit of distance per feature; I/Os in the box and footprint as logarithms


@dataclass(frozen=True)
class Kernel:
    """The residual common to neighbouring states: its standard deviation (of the logarithm) and its reach in units of
    `_NEAR`."""

    scale: float
    reach: float


@dataclass(frozen=True)
class Left:
    """The fitted states of a curve and their residuals: logarithms of measured over fitted rate."""

    load: "BoxLoad"
    log_ratio: Floats
    kernel: Kernel

    def factor(self, load: "BoxLoad") -> Floats:
        """Factor on the curve's rate, of the load's shape; it is near 1 far from all measured states."""
        return np.asarray(np.exp(self.shares(load) @ self.log_ratio).reshape(load.in_box.shape))

    def shares(self, load: "BoxLoad") -> Floats:
        """Weights of the measured residuals at these states, shape (loads, measured states)."""
        return np.asarray((covariance(load, self.load, self.kernel) + self._own * self._same(load)) @ self._inverse)

    def measured(self, load: "BoxLoad") -> Floats:
        """Similarity of each state to the nearest measured one, from 0 to 1."""
        return np.asarray(self._same(load).max(axis=1))

    def error(self, load: "BoxLoad") -> Floats:
        """Scale of the prediction error at a measured state, wide enough to cover all its measurements."""
        return np.asarray(np.maximum(ERROR, (self._same(load) * self._misses).max(axis=1) / TAIL))

    @cached_property
    def _misses(self) -> Floats:
        """Difference of each measured rate from the prediction, or from the curve if that is above `DOUBT`."""
        off = np.abs(self.log_ratio)
        missed = np.abs(self.log_ratio - self.shares(self.load) @ self.log_ratio)
        return np.maximum(missed, np.where(off > np.log(DOUBT), off, 0.0))

    def _same(self, load: "BoxLoad") -> Floats:
        return covariance(load, self.load, Kernel(self.kernel.scale, SAME))

    @cached_property
    def _own(self) -> Floats:
        """Variance of each individual state, in units of `kernel.scale` squared."""
        same = self._same(self.load)
        wild = (FREEDOM + (same @ self.log_ratio / same.sum(axis=1) / ERROR) ** 2) / (FREEDOM + 1)
        return np.asarray((ERROR**2 * np.maximum(wild, 1) - REPEATED**2) / self.kernel.scale**2)

    @cached_property
    def _inverse(self) -> Floats:
        own = np.sqrt(self._own)
        total = covariance(self.load, self.load, self.kernel) + np.outer(own, own) * self._same(self.load)
        error = (REPEATED / self.kernel.scale) ** 2
        return np.asarray(np.linalg.inv(total + error * np.eye(len(own))))


def covariance(one: "BoxLoad", other: "BoxLoad", kernel: Kernel) -> Floats:
    """Covariance of the residuals at these states, in units of `kernel.scale` squared; shape (one, other)."""
    left, right = (features(load) / (kernel.reach * _NEAR) for load in (one, other))
    return np.asarray(np.exp(-0.5 * ((left[:, None, :] - right[None, :, :]) ** 2).sum(axis=2)))


def features(load: "BoxLoad") -> Floats:
    """Features, one row per state: I/Os in the box, mix, footprint, aliases in use, host queue."""
    parts = (np.log(load.in_box), load.read_ratio, np.log(load.footprint_gb), load.aliased, load.queued)
    return np.stack([np.asarray(part, float).ravel() for part in parts], axis=1)
