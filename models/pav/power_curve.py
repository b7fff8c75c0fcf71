"""A box known only by how its rate grew with the number of I/Os inside: a power law through the measured state."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from iosq.models.coverage import NORMAL_90
from iosq.models.pav.box import REACH, BoxLoad

Floats = NDArray[np.float64]
SETTLE = "name a machine file, or fit one to intervals with different numbers of I/Os in the box"
SAME = 1e-6  # of the I/Os in the box: rounding


@dataclass(frozen=True)
class PowerCurve:
    """X(n) = measured_rate * (n / measured_in_box) ** elasticity, a `RateSource`.

    elasticity: ends of its 90 % interval, within 0 (the rate stands still) and 1 (it keeps pace with n);
    in_box_max: most the box was seen to hold; nothing is claimed beyond that. 0 where the elasticity isn't measured:
    then nothing is claimed but of the measured state itself.
    """

    name: str
    measured_rate: float
    measured_in_box: float
    elasticity: tuple[float, float]
    in_box_max: float
    calibrated_on: str

    def rate(self, load: BoxLoad) -> Floats:
        """I/Os per second of the whole box, an array of the load's shape."""
        return self._grown(load, np.array(sum(self.elasticity) / 2))

    def rates(self, load: BoxLoad, rng: np.random.Generator, count: int = 200) -> Floats:
        """Rates under elasticities drawn from the interval, shape (count, loads)."""
        low, high = self.elasticity
        spread = (high - low) / 2 / NORMAL_90
        drawn = (low + high) / 2 + spread * rng.standard_normal((count, 1))
        return self._grown(load, np.clip(drawn, 0.0, 1.0))

    def reaches(self, load: BoxLoad) -> NDArray[np.bool_]:
        """True if the box held about the same number, or the number is small."""
        if not self.in_box_max:
            return np.isclose(load.in_box, self.measured_in_box, rtol=SAME)
        return np.asarray(load.in_box <= max(REACH * self.in_box_max, self.measured_in_box))

    def away(self, load: BoxLoad) -> Floats:
        """It is measured at one point; all other states depend on that."""
        return np.ones(load.in_box.shape)

    def nearest(self, load: BoxLoad) -> BoxLoad:
        """The same: it begins at none."""
        return load

    def unseen(self, load: BoxLoad) -> str:
        """What to measure at unknown states."""
        return f"measure one interval with about {load.in_box.max():.0f} I/Os in the box, or name a machine file"

    def settle(self) -> str:
        """The measurement that would show how the box grows with an open load."""
        return SETTLE

    def utilization(self, load: BoxLoad) -> Mapping[str, Floats]:  # noqa: ARG002 - asked as a box is
        """Empty: a curve has no separate stations."""
        return {}

    def _grown(self, load: BoxLoad, elasticity: Floats) -> Floats:
        return np.asarray(self.measured_rate * (load.in_box / self.measured_in_box) ** elasticity)
