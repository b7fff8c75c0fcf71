"""A box known only by the growth of its rate with the I/Os inside: a power law through the measured state."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from iosq.models.arrays import Floats, Mask
from iosq.models.coverage import NORMAL_90
from iosq.models.pav.box import REACH, BoxLoad

SETTLE = "name a machine file, or fit one to intervals with different numbers of I/Os in the box"
SAME = 1e-6  # relative difference of I/Os in the box due to rounding


@dataclass(frozen=True)
class PowerCurve:
    """X(n) = measured_rate * (n / measured_in_box) ** elasticity, a `RateSource`.

    elasticity: ends of its 90 % interval, between 0 (constant rate) and 1 (rate proportional to n);
    in_box_max: most I/Os measured in the box, up to which the curve is valid. 0 if the elasticity isn't measured: then
    it is valid only for the measured state. advice: what to do about unknown states, if not to measure them.
    """

    name: str
    measured_rate: float
    measured_in_box: float
    elasticity: tuple[float, float]
    in_box_max: float
    calibrated_on: str
    advice: str = ""

    def rate(self, load: BoxLoad) -> Floats:
        """I/Os per second of the whole box, an array of the load's shape."""
        return self._grown(load, np.array(sum(self.elasticity) / 2))

    def rates(self, load: BoxLoad, rng: np.random.Generator, count: int = 200) -> Floats:
        """Rates under elasticities drawn from the interval, shape (count, loads)."""
        low, high = self.elasticity
        spread = (high - low) / 2 / NORMAL_90
        drawn = (low + high) / 2 + spread * rng.standard_normal((count, 1))
        return self._grown(load, np.clip(drawn, 0.0, 1.0))

    def reaches(self, load: BoxLoad) -> Mask:
        """Mask of loads with at most about the measured number of I/Os in the box."""
        if not self.in_box_max:
            return np.isclose(load.in_box, self.measured_in_box, rtol=SAME)
        return np.asarray(load.in_box <= max(REACH * self.in_box_max, self.measured_in_box))

    def away(self, load: BoxLoad) -> Floats:
        """Always 1: no additional error, as all states depend on one measured state."""
        return np.ones(load.in_box.shape)

    def nearest(self, load: BoxLoad) -> BoxLoad:
        """The load itself: the curve starts at 0."""
        return load

    def unseen(self, load: BoxLoad) -> str:
        """Text on what to measure for unknown states."""
        measured = f"measure one interval with about {load.in_box.max():.0f} I/Os in the box, or name a machine file"
        return self.advice or measured

    def settle(self) -> str:
        """Text on the measurement that would show the growth of the box's rate for an open load."""
        return self.advice or SETTLE

    def utilization(self, load: BoxLoad) -> Mapping[str, Floats]:  # noqa: ARG002 - signature of RateSource
        """Empty: a curve has no separate stations."""
        return {}

    def _grown(self, load: BoxLoad, elasticity: Floats) -> Floats:
        return np.asarray(self.measured_rate * (load.in_box / self.measured_in_box) ** elasticity)
