"""Residuals of a box's curve at the states it was fitted to, carried to nearby states.

A Gaussian process on the logarithm of measured over fitted rate (C. E. Rasmussen, C. K. I. Williams, *Gaussian
Processes for Machine Learning*, 2006, chapters 2 and 5) of three parts: what neighbouring states share, what a state
has of its own, and the error of the measurement. A residual too large to be usual is taken for the
state's own, so a box that was in another state for once does not spoil its neighbours.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from iosq.models.pav.box import BoxLoad

Floats = NDArray[np.float64]
ERROR, FREEDOM = 0.02, 3.0  # of a measured rate around the curve: scale and degrees of freedom of Student's t
TAIL = 2.2  # nine in ten of that error are within this number of scales, a little fewer than Student's t has
DOUBT = 1.25  # a measurement above the curve by this factor comes from another box, or is a mistake
REPEATED = 0.007  # the measurement's part of it: rates of the published boxes repeat that well
SAME = 0.05  # round distances within which states are one: two and a half percent more or fewer in the box
_NEAR = np.array([0.5, 0.4, 0.7, 1.0, 1.0])  # of number in the box and footprint the logarithms


@dataclass(frozen=True)
class Kernel:
    """The residual that neighbouring states share: its standard deviation (of the logarithm) and its reach in round
    distances (`_NEAR`)."""

    scale: float
    reach: float


@dataclass(frozen=True)
class Left:
    """The states of a curve's fit and their residuals: logarithms of measured over fitted rate."""

    load: "BoxLoad"
    log_ratio: Floats
    kernel: Kernel

    def factor(self, load: "BoxLoad") -> Floats:
        """Factor on the curve's rate, of the load's shape: near 1 far from every measured state."""
        return np.asarray(np.exp(self.shares(load) @ self.log_ratio).reshape(load.in_box.shape))

    def shares(self, load: "BoxLoad") -> Floats:
        """Weights of the measured residuals at these states, shape (loads, measured states)."""
        return np.asarray((covariance(load, self.load, self.kernel) + self._own * self._same(load)) @ self._inverse)

    def measured(self, load: "BoxLoad") -> Floats:
        """Closeness of each state to a measured one: from 0 to 1, continuous."""
        return np.asarray(self._same(load).max(axis=1))

    def error(self, load: "BoxLoad") -> Floats:
        """Scale of an answer's error at a measured state, wide enough to cover all measurements there."""
        return np.asarray(np.maximum(ERROR, (self._same(load) * self._apart).max(axis=1) / TAIL))

    @cached_property
    def _apart(self) -> Floats:
        """Difference of each measured rate from the answer at its state, and from the curve if the answer doubts it."""
        off = np.abs(self.log_ratio)
        missed = np.abs(self.log_ratio - self.shares(self.load) @ self.log_ratio)
        return np.maximum(missed, np.where(off > np.log(DOUBT), off, 0.0))

    def _same(self, load: "BoxLoad") -> Floats:
        return covariance(load, self.load, Kernel(self.kernel.scale, SAME))

    @cached_property
    def _own(self) -> Floats:
        """Variance of each state alone, in units of `kernel.scale` squared."""
        same = self._same(self.load)
        wild = (FREEDOM + (same @ self.log_ratio / same.sum(axis=1) / ERROR) ** 2) / (FREEDOM + 1)
        return np.asarray((ERROR**2 * np.maximum(wild, 1) - REPEATED**2) / self.kernel.scale**2)

    @cached_property
    def _inverse(self) -> Floats:
        own = np.sqrt(self._own)
        together = covariance(self.load, self.load, self.kernel) + np.outer(own, own) * self._same(self.load)
        error = (REPEATED / self.kernel.scale) ** 2
        return np.asarray(np.linalg.inv(together + error * np.eye(len(own))))


def covariance(one: "BoxLoad", other: "BoxLoad", kernel: Kernel) -> Floats:
    """Covariance of the residuals at these states, in units of `kernel.scale` squared; shape (one, other)."""
    here, there = (features(load) / (kernel.reach * _NEAR) for load in (one, other))
    return np.asarray(np.exp(-0.5 * ((here[:, None, :] - there[None, :, :]) ** 2).sum(axis=2)))


def features(load: "BoxLoad") -> Floats:
    """Features of states, a row per state: number in the box, mix, footprint, aliases at work, a host queue."""
    parts = (np.log(load.in_box), load.read_ratio, np.log(load.footprint_gb), load.aliased, load.queued)
    return np.stack([np.asarray(part, float).ravel() for part in parts], axis=1)
