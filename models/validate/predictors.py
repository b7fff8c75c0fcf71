"""The model under test; its only inputs are calibration cells and target conditions.

Baselines (`iosq.models.validate.baselines`) and your own models have the same signature, so no protocol can favour one.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from iosq.models.arrays import Floats
from iosq.models.fit.calibrate import Calibration, calibrate
from iosq.models.fit.prior import Prior
from iosq.models.studies.zvm_pav import Cells, Conditions, Configuration
from iosq.models.studies.zvm_pav.load import box_load, points_of, turnaround
from iosq.models.validate.other_boxes import SEED

DRAWS = 400
LEVELS = (50, 80, 90, 95)


@dataclass(frozen=True)
class Predicted:
    """Per volume: rate in I/Os per second and response in ms, one element per target.

    intervals: by level in percent, both ends of the interval for this share of measured rates, shape (2, targets);
    empty if the model has none. draws: rates that agree with the calibration, shape (draws, targets), without
    measurement errors; None if the model has only one prediction.
    """

    rate: Floats
    response_ms: Floats
    intervals: Mapping[int, Floats] = field(default_factory=dict)
    draws: Floats | None = None


Predictor = Callable[[Cells, Conditions, Configuration], Predicted]
Belief = Callable[[Configuration, float], Prior]
"""A prior for a box, given its configuration and the largest footprint in GB."""


def box_model(belief: Belief) -> Predictor:
    """The box model fitted to the calibration cells."""
    fits: dict[bytes, Calibration] = {}

    def predictor(calibration: Cells, targets: Conditions, configuration: Configuration) -> Predicted:
        largest = float(max(calibration.conditions.footprint_gb.max(), targets.footprint_gb.max()))
        key = configuration.controller.encode() + calibration.conditions.aliases.tobytes() + calibration.rate.tobytes()
        if key not in fits:
            fits[key] = fitted(calibration, configuration, belief(configuration, largest))
        return _predicted(fits[key], calibration, targets, configuration)

    return predictor


def fitted(calibration: Cells, configuration: Configuration, prior: Prior) -> Calibration:
    """Fit a box to cells."""
    rng = np.random.default_rng(SEED)
    return calibrate(configuration.controller, points_of(calibration, configuration), prior, rng)


def _predicted(fit: Calibration, calibration: Cells, targets: Conditions, configuration: Configuration) -> Predicted:
    outside = turnaround(calibration, targets)
    targets = replace(targets, population=targets.population + np.where(targets.inferred, outside, 0.0))
    load, volumes = box_load(targets, configuration.volumes), configuration.volumes
    rate = fit.known.rate(load) / volumes
    measured = fit.known.rates(load, np.random.default_rng(SEED), DRAWS) / volumes
    intervals = {level: np.quantile(measured, [0.5 - level / 200, 0.5 + level / 200], axis=0) for level in LEVELS}
    return Predicted(rate, (targets.population - outside) / rate * 1e3, intervals, fit.known.curves(load) / volumes)
