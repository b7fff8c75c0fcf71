"""Baseline predictors for comparison with the model, on the same cells.

Each starts from the measured cell nearest to the target: by read mix, then number of workers, then exposures in use.
"""

import numpy as np

from iosq.models.arrays import Floats, Ints
from iosq.models.studies.zvm_pav import Cells, Conditions, Configuration
from iosq.models.validate.predictors import Predicted, Predictor


def no_change(calibration: Cells, targets: Conditions, _: Configuration) -> Predicted:
    """Assume no effect of aliases: the rate of the nearest measured cell."""
    return _stated(calibration.rate[_nearest(calibration, targets)], targets)


def perfect_scaling(calibration: Cells, targets: Conditions, _: Configuration) -> Predicted:
    """Textbook M/M/c: every exposure is as fast as in the nearest measured cell."""
    at = _nearest(calibration, targets)
    return _stated(calibration.rate[at] * targets.exposures / calibration.conditions.exposures[at], targets)


def linear_time(calibration: Cells, targets: Conditions, _: Configuration) -> Predicted:
    """Time in the box linear in the I/Os in it (Amdahl; the universal scalability law without crosstalk).

    The line is fitted to the cells of the nearest mix and number of workers; if they all have the same number in the
    box, it passes through the origin, which means no change.
    """
    at = _nearest(calibration, targets)
    times = np.array([_line(calibration, near, used) for near, used in zip(at, targets.exposures, strict=True)])
    return _stated(targets.exposures / times, targets)


BASELINES: tuple[tuple[str, Predictor], ...] = (
    ("no change", no_change),
    ("naive M/M/c", perfect_scaling),
    ("time linear in n", linear_time),
)


def _line(calibration: Cells, near: np.int_, used: float) -> float:
    """Seconds in the box with `used` exposures in use; the line neither falls nor starts below 0."""
    have = calibration.conditions
    same = (have.read_ratio == have.read_ratio[near]) & (have.workers == have.workers[near])
    n = have.exposures[same]
    seconds = n / calibration.rate[same]
    if np.ptp(n) == 0:
        return float(np.mean(seconds / n) * used)
    slope, start = np.polyfit(n, seconds, 1)
    if slope < 0:
        return float(np.mean(seconds))
    return float(start + slope * used) if start > 0 else float(np.mean(seconds / n) * used)


def _nearest(calibration: Cells, targets: Conditions) -> Ints:
    """Position of the nearest calibration cell of each target: by mix, then workers, then exposures."""
    have = calibration.conditions
    mixes = np.abs(have.read_ratio[None, :] - targets.read_ratio[:, None])
    workers = np.abs(np.log(have.workers[None, :] / targets.workers[:, None]))
    used = np.abs(np.log(have.exposures[None, :] / targets.exposures[:, None]))
    return np.asarray(np.argmin(1e6 * mixes + 1e3 * workers + used, axis=1))


def _stated(rate: Floats, targets: Conditions) -> Predicted:
    return Predicted(rate, targets.population / rate * 1e3)
