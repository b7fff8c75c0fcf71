"""Runs a protocol: passes calibration cells and target conditions to a model, and scores its predictions."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from iosq.models.arrays import Floats, Ints, Mask
from iosq.models.studies.zvm_pav import cells, configurations
from iosq.models.validate.predictors import Predicted, Predictor
from iosq.models.validate.protocols import Split, extrapolated
from iosq.models.validate.score import Score, error_statistics

STUDY = "zvm_pav"
ALL = "all boxes"
STATED = 90  # percent; the level compared with the bars


@dataclass(frozen=True)
class Run:
    """All predictions of one model under one protocol: arrays with an element per target of all splits."""

    protocol: str
    model: str
    at: Ints
    predicted: Predicted
    beyond: Mask

    def error(self, quantity: str) -> Floats:
        """Absolute error of the `rate` or the `response_ms` in percent."""
        measured = getattr(cells(), quantity)[self.at]
        return np.asarray(100 * np.abs(getattr(self.predicted, quantity) / measured - 1))

    @property
    def sound(self) -> Mask:
        """Mask of targets that satisfy Little's law."""
        return ~cells().defective[self.at]


def run(protocol: str, model: str, splits: Iterable[Split], predictor: Predictor) -> Run:
    """Predictions of one model for all splits; the model gets only calibration cells and target conditions."""
    return concatenated(
        [Run(protocol, model, split.targets, predict(split, predictor), extrapolated(split)) for split in splits]
    )


def predict(split: Split, predictor: Predictor) -> Predicted:
    """Predictions of one model for one split."""
    return predictor(cells().pick(split.calibration), split.asked, configurations()[split.controller])


def scored(done: Run, quantity: str, subset: str, mask: Mask, note: str = "") -> Score:
    """The errors of a run for a subset of its targets, as one line of the table."""
    errors = done.error("rate" if quantity == "rate" else "response_ms")
    statistics = error_statistics(errors[mask])
    controllers = cells().conditions.controller[done.at]
    masks = {ALL: mask} | {name: mask & (controllers == name) for name in configurations()}
    masks = {name: chosen for name, chosen in masks.items() if chosen.any()}
    coverage = _coverage(done, masks) if quantity == "rate" and done.predicted.intervals else {}
    if coverage:
        statistics["coverage"] = coverage[ALL][STATED]
    by_machine = {name: float(errors[chosen].mean()) for name, chosen in masks.items() if name != ALL}
    return Score(
        STUDY, done.protocol, done.model, quantity, subset, int(mask.sum()), statistics, by_machine,
        note=note, coverage=coverage,
    )  # fmt: skip


def _coverage(done: Run, masks: Mapping[str, Mask]) -> dict[str, dict[int, float]]:
    """Percent of measured rates inside the predicted intervals, for all boxes and for each, by level."""
    rate, intervals = cells().rate[done.at], sorted(done.predicted.intervals.items())
    inside = {level: (low <= rate) & (rate <= high) for level, (low, high) in intervals}
    return {
        name: {level: float(100 * covered[chosen].mean()) for level, covered in inside.items()}
        for name, chosen in masks.items()
    }


def concatenated(parts: list[Run]) -> Run:
    """Concatenate runs of one protocol."""
    answers = [part.predicted for part in parts]
    rate, response = (np.concatenate([getattr(a, name) for a in answers]) for name in ("rate", "response_ms"))
    intervals = {level: np.concatenate([a.intervals[level] for a in answers], axis=1) for level in answers[0].intervals}
    draws = [a.draws for a in answers if a.draws is not None]
    several = np.hstack([d[: min(map(len, draws))] for d in draws]) if len(draws) == len(parts) else None
    at, beyond = np.concatenate([part.at for part in parts]), np.concatenate([part.beyond for part in parts])
    return Run(parts[0].protocol, parts[0].model, at, Predicted(rate, response, intervals, several), beyond)
