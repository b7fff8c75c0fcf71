"""One line of the validation table."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike


@dataclass(frozen=True)
class Limit:
    """The bar for a score's statistic; `at_least` if higher is better."""

    statistic: str
    bar: float
    stretch: float
    at_least: bool = False

    def reaches(self, value: float, goal: float) -> bool:
        return value >= goal if self.at_least else value <= goal


@dataclass(frozen=True)
class Score:
    """Score of one model for one quantity, on cells outside its calibration.

    study, protocol, model, quantity (`rate`, `response`, `right answers`, ...), subset of the cells;
    statistics, percent: `mean`, `median`, `p90`, `worst` of absolute errors, `coverage` of the predicted 90 % interval,
    `right` for the share of correct answers; by_machine: mean error (or share correct) per machine; coverage: for all
    boxes and each box, percent of measured rates inside the predicted interval, by level in percent.
    """

    study: str
    protocol: str
    model: str
    quantity: str
    subset: str
    cells: int
    statistics: Mapping[str, float]
    by_machine: Mapping[str, float] = field(default_factory=dict)
    limits: tuple[Limit, ...] = ()
    note: str = ""
    coverage: Mapping[str, Mapping[int, float]] = field(default_factory=dict)

    @property
    def met(self) -> bool | None:
        """True if every bar is met; None if there is none."""
        return self._reach("bar")

    @property
    def stretched(self) -> bool | None:
        """True if every stretch goal is met; None if there is no bar."""
        return self._reach("stretch")

    def _reach(self, goal: str) -> bool | None:
        reached = [limit.reaches(self.statistics[limit.statistic], getattr(limit, goal)) for limit in self.limits]
        return all(reached) if reached else None


def error_statistics(errors_pct: ArrayLike) -> dict[str, float]:
    """Mean, median, p90 and worst of absolute errors in percent."""
    errors = np.asarray(errors_pct, float)
    p90 = float(np.percentile(errors, 90))
    return {"mean": float(errors.mean()), "median": float(np.median(errors)), "p90": p90, "worst": float(errors.max())}
