"""Accuracy of predictions by later measurements of the site, and the widening of intervals that follows."""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from iosq.models.coverage import LEVEL, NORMAL_90, ONE_SIDED, STUDENT
from iosq.models.pav.answers import Interval
from iosq.toolkit.predict.site.experiments import Change


@dataclass(frozen=True, slots=True)
class Trial:
    """A change, the mean response predicted from data before it, and the mean measured at a comparable load.

    predicted, measured_ms: None if not predicted, or no comparable load was measured; `note` has the reason.
    is_identifiable: False if the prediction is only bounds. is_closed: all volumes of a closed workload together.
    """

    change: Change
    io_rate: float | None = None
    predicted: Interval | None = None
    measured_ms: float | None = None
    is_identifiable: bool = True
    note: str = ""
    is_closed: bool = False

    @property
    def is_judged(self) -> bool:
        """True with a measurement and a prediction that is more than bounds."""
        return self.predicted is not None and self.measured_ms is not None and self.is_identifiable

    @property
    def error_ratio(self) -> float | None:
        """Predicted / measured - 1; None if not judged."""
        if not self.is_judged or self.predicted is None or not self.measured_ms:
            return None
        return self.predicted.value / self.measured_ms - 1

    @property
    def is_inside(self) -> bool | None:
        """True if the measured mean is inside the predicted interval; None if either is missing."""
        if self.predicted is None or self.measured_ms is None:
            return None
        return self.predicted.low <= self.measured_ms <= self.predicted.high


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Number of judged predictions of a site, number inside their interval, median error, and widening.

    widening: factor by which intervals grow to each side; 1 if nine in ten are inside without it.
    """

    tried: int
    inside: int
    median_error: float
    widening: float

    def widened(self, low: float, high: float) -> tuple[float, float]:
        return low / self.widening, high * self.widening

    @property
    def text(self) -> str:
        """The accuracy in words, for a line next to a prediction."""
        found = f"on this site: median error {100 * self.median_error:.0f} %, {self.inside} of {self.tried} inside"
        if self.widening == 1:
            return f"{found} the stated interval"
        more = f"{100 * (self.widening - 1):.0f}" if self.widening >= 1.01 else "less than 1"
        return f"{found} the interval as computed; intervals are widened by {more} % to each side for that"


def accuracy(trials: Sequence[Trial]) -> Accuracy | None:
    """The accuracy over all judged trials; None without any.

    If fewer than nine in ten are inside, intervals grow by the excess that a future prediction of the site stays within
    at that level: by rank (conformalized quantile regression: Y. Romano et al., NeurIPS 2019), or by Student's t with
    too few trials for a rank.
    """
    judged = [t for t in trials if t.is_judged]
    if not judged:
        return None
    inside = sum(bool(t.is_inside) for t in judged)
    median = statistics.median(abs(t.error_ratio or 0.0) for t in judged)
    short = inside < LEVEL * len(judged)
    return Accuracy(len(judged), inside, median, max(math.exp(_needed(judged)), 1.0) if short else 1.0)


def _needed(judged: Sequence[Trial]) -> float:
    """The excess that nine in ten future predictions stay within."""
    logs = [_logs(trial) for trial in judged]
    # distances outside the intervals, negative inside
    scores, count = sorted(max(low - measured, measured - high) for low, measured, high in logs), len(judged)
    rank = math.ceil((count + 1) * LEVEL)
    if rank <= count:
        return scores[rank - 1]
    if count == 1:  # the scatter is that of its own interval
        low, _, high = logs[0]
        return scores[0] + (high - low) / 2 * ONE_SIDED / NORMAL_90 * math.sqrt(2)
    return statistics.mean(scores) + STUDENT[count - 2] * statistics.stdev(scores) * math.sqrt(1 + 1 / count)


def _logs(trial: Trial) -> tuple[float, ...]:
    assert trial.predicted is not None and trial.measured_ms is not None
    return tuple(math.log(max(ms, 1e-9)) for ms in (trial.predicted.low, trial.measured_ms, trial.predicted.high))
