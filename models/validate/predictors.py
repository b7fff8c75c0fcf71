"""Models under test: each gets calibration cells and target conditions, nothing else, and answers with predictions.

The structural model and the three baselines it has to beat have the same signature, so no protocol can favour one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from iosq.models.fit.calibrate import Calibration, calibrate
from iosq.models.fit.prior import Prior, prior_from_boxes
from iosq.models.pav.box import Box
from iosq.models.studies.zvm_pav import Cells, Conditions, Configuration
from iosq.models.studies.zvm_pav.load import box_load, points_of, turnaround, weak_prior_for

Floats = NDArray[np.float64]
SEED = 20071
DRAWS = 200


@dataclass(frozen=True)
class Predicted:
    """Per volume: rate and its stated 90 % interval (I/Os per second), response in ms; one element per target."""

    rate: Floats
    low: Floats
    high: Floats
    response_ms: Floats


Predictor = Callable[[Cells, Conditions, Configuration], Predicted]


def structural(calibration: Cells, targets: Conditions, configuration: Configuration) -> Predicted:
    """The box model fitted to the calibration cells under the weak prior."""
    return structural_with(())(calibration, targets, configuration)


def structural_with(boxes: Sequence[Box], widening: float = 1.0) -> Predictor:
    """The box model under the weak prior, or priors learnt from other boxes.

    Args:
        boxes: boxes fitted elsewhere; their priors are tried together and each alone, and the range of the answers is
            the interval. None: the weak prior.
        widening: factor on the spreads of the priors, to see how much hangs on them.
    """

    def predictor(calibration: Cells, targets: Conditions, configuration: Configuration) -> Predicted:
        largest = max(calibration.conditions.footprint_gb.max(), targets.footprint_gb.max())
        weak = weak_prior_for(configuration, float(largest))
        weak = replace(weak, spread=widening * weak.spread)
        groups = [boxes, *([box] for box in boxes)] if boxes else []
        priors = [prior_from_boxes(group, weak) for group in groups] or [weak]
        fits = [_fit(calibration, configuration, prior) for prior in priors]
        return _predicted(fits, calibration, targets, configuration)

    return predictor


def fitted_box(calibration: Cells, configuration: Configuration) -> Calibration:
    """A box fitted to cells, for use as another box's prior."""
    prior = weak_prior_for(configuration, float(calibration.conditions.footprint_gb.max()))
    return _fit(calibration, configuration, prior)


def no_change(calibration: Cells, targets: Conditions, _: Configuration) -> Predicted:
    """Baseline: aliases change nothing; the rate of the nearest smaller alias count measured for this mix and level."""
    rate = np.array([_reference(calibration, targets, at)[0] for at in range(len(targets))])
    return _certain(rate, targets)


def perfect_scaling(calibration: Cells, targets: Conditions, _: Configuration) -> Predicted:
    """Baseline: the textbook M/M/c, every exposure as fast as the first."""
    pairs = np.array([_reference(calibration, targets, at) for at in range(len(targets))])
    return _certain(pairs[:, 0] * targets.exposures / pairs[:, 1], targets)


def _fit(calibration: Cells, configuration: Configuration, prior: Prior) -> Calibration:
    rng = np.random.default_rng(SEED)
    return calibrate(configuration.controller, points_of(calibration, configuration), prior, rng)


def _predicted(
    fits: list[Calibration], calibration: Cells, targets: Conditions, configuration: Configuration
) -> Predicted:
    outside = turnaround(calibration, targets)
    targets = replace(targets, population=targets.population + np.where(targets.inferred, outside, 0.0))
    load, rng = box_load(targets, configuration.volumes), np.random.default_rng(SEED)
    rate = fits[0].rate(load) / configuration.volumes
    draws = np.vstack([fit.rates(load, rng, DRAWS) for fit in fits]) / configuration.volumes
    low, high = np.quantile(draws, [0.05, 0.95], axis=0)
    response = (targets.population - outside) / rate * 1e3
    return Predicted(rate, np.minimum(low, rate), np.maximum(high, rate), response)


def _certain(rate: Floats, targets: Conditions) -> Predicted:
    return Predicted(rate, rate, rate, targets.population / rate * 1e3)


def _reference(calibration: Cells, targets: Conditions, at: int) -> tuple[float, float]:
    """Rate and exposures of the calibration cell a baseline starts from; NaN where mix and level were not measured."""
    have = calibration.conditions
    same = (have.read_ratio == targets.read_ratio[at]) & (have.workers == targets.workers[at])
    same &= (have.aliases <= targets.aliases[at]) & (have.controller == targets.controller[at])
    if not same.any():
        return np.nan, np.nan
    nearest = np.flatnonzero(same)[np.argmax(have.aliases[same])]
    return float(calibration.rate[nearest]), float(have.exposures[nearest])
