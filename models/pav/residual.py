"""What the curve of a box leaves out at the states it was fitted to, and what that tells of states near them.

A Gaussian process on the logarithm of measured over fitted rate: what the form of the curve leaves out is alike in
states that are near each other (C. E. Rasmussen, C. K. I. Williams, *Gaussian Processes for Machine Learning*, 2006,
chapters 2 and 5). A residual too large for the error of a measurement counts less, so a box that was in another state
for once does not spoil its neighbours.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from iosq.models.pav.box import BoxLoad

Floats = NDArray[np.float64]
ERROR, FREEDOM = 0.02, 3.0  # a measured state measured again: scale and degrees of freedom of Student's t
_NEAR = np.array([0.5, 0.4, 0.7, 1.0, 1.0])  # of number in the box and footprint the logarithms


@dataclass(frozen=True)
class Alike:
    """What the form leaves out in neighbouring states alike: its standard deviation (of the logarithm), and how far it
    reaches, in round distances (`_NEAR`)."""

    scale: float
    reach: float


@dataclass(frozen=True)
class Left:
    """States a curve was fitted to and what it leaves there: logarithms of measured over fitted rate."""

    load: "BoxLoad"
    log_ratio: Floats
    alike: Alike

    def factor(self, load: "BoxLoad") -> Floats:
        """What the curve's rate is to be multiplied by, of the load's shape: near 1 far from every measured state."""
        carried = covariance(load, self.load, self.alike) @ self._weights
        return np.asarray(np.exp(carried).reshape(load.in_box.shape))

    @cached_property
    def _weights(self) -> Floats:
        return np.asarray(np.linalg.solve(noisy(self.load, self.log_ratio, self.alike), self.log_ratio))


def noisy(load: "BoxLoad", left: Floats, alike: Alike) -> Floats:
    """Covariance of measured residuals in units of `alike.scale` squared: what they share and the error of each."""
    trust = np.minimum((FREEDOM + 1) / (FREEDOM + (left / ERROR) ** 2), 1.0)
    return covariance(load, load, alike) + np.diag((ERROR / alike.scale) ** 2 / trust)


def covariance(one: "BoxLoad", other: "BoxLoad", alike: Alike) -> Floats:
    """Of what the curve leaves out at these states, in units of `alike.scale` squared; shape (one, other)."""
    here, there = (features(load) / (alike.reach * _NEAR) for load in (one, other))
    return np.asarray(np.exp(-0.5 * ((here[:, None, :] - there[None, :, :]) ** 2).sum(axis=2)))


def features(load: "BoxLoad") -> Floats:
    """What tells states apart, a row per state: number in the box, mix, footprint, aliases at work, a host queue."""
    parts = (np.log(load.in_box), load.read_ratio, np.log(load.footprint_gb), load.aliased, load.queued)
    return np.stack([np.asarray(part, float).ravel() for part in parts], axis=1)
