"""The line of a growth, and the day on which the highest weekday's line meets a limit."""

from dataclasses import dataclass
from math import hypot, inf, isinf, sqrt
from statistics import NormalDist

import numpy as np

from iosq.toolkit.trend.week import WEEK, Days, Floats, flattened, levels, rest, scatter

CONFIDENCE = 0.95
Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
_OF_A_MEDIAN = 1.25  # standard error of a median / standard error of a mean
_NEAR = 3.0  # weekdays whose levels differ by fewer standard errors count as equal


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """Growth per day of a usual day with its 95 % interval, and the share of the growth by weekday, for each day."""

    share: Floats
    per_day: float
    low: float
    high: float

    def meets(self, days: Days, values: Floats, limit: float) -> tuple[float, float, float]:
        """The day on which the highest weekday's line meets a limit, earliest and latest; see `Slope.reaches`."""
        error = _OF_A_MEDIAN * scatter(rest(days, values, self.per_day * self.share)) * sqrt(WEEK / len(days))
        near = _NEAR * error
        middle = self._met(days, values, limit, self.per_day, near)
        if isinf(middle):
            return inf, inf, inf
        fast, slow = (self._met(days, values, limit, s, near) for s in (self.high, self.low))
        # among weekdays that count as equal the highest is due to chance, but it may really be higher
        high = self._met(days, values + Z * error, limit, self.per_day, 0.0)
        low = self._met(days, values - Z * error, limit, self.per_day, near)
        return middle, middle - hypot(middle - fast, middle - high), middle + hypot(slow - middle, low - middle)

    def _met(self, days: Days, values: Floats, limit: float, per_day: float, near: float) -> float:
        """The day on which the line meets the limit; weekdays within `near` of the highest level share the line."""
        if per_day <= 0:
            return inf
        flat = flattened(days, values, per_day * self.share)
        level = levels(days, flat)
        top = level >= level.max() - near
        ahead = (limit - float(np.median(flat[top]))) / (per_day * float(np.median(self.share[top])))
        return float(np.median(days)) + ahead
