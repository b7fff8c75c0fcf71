"""Scores of all studies."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from iosq.models.arrays import Floats
from iosq.models.coverage import NORMAL_90
from iosq.models.studies.check import Check
from iosq.models.studies.zvm_pav import cells
from iosq.models.validate import zvm_pav
from iosq.models.validate.predictors import Predictor
from iosq.models.validate.protocols import planned_runs
from iosq.models.validate.score import Score, error_statistics
from iosq.toolkit.errors import RequestError

if TYPE_CHECKING:
    from iosq.models.studies.catalog import Study


ROLES = ("scored", "defective")  # of predicted cells
ENOUGH = 10  # scored numbers of a study needed to estimate its model's error: our choice


@dataclass(frozen=True)
class Point:
    """One cell of the predicted-versus-measured chart; I/Os per second per volume, 90 % interval low..high."""

    machine: str
    read_pct: int
    workers: int
    aliases: int
    measured_rate: float
    predicted_rate: float
    low: float
    high: float
    role: str


def studies() -> tuple[str, ...]:
    """Names of all studies, sorted."""
    return tuple(sorted((zvm_pav.NAME, *_published())))


def validate(names: Sequence[str] | None = None) -> list[Score]:
    """Scores of the named studies, or of all; takes about five minutes on one core.

    Raises:
        RequestError: an unknown study.
    """
    for name in names or ():
        if name not in studies():
            raise RequestError(f"unknown study {name!r}", remedy=f"choose from {', '.join(studies())}")
    table = []
    for name in names or studies():
        table += zvm_pav.scores() if name == zvm_pav.NAME else _from_checks(name, _published()[name].checks())
    return table


def score_predictor(name: str, predictor: Predictor, protocols: Sequence[str] | None = None) -> list[Score]:
    """Score your own model on the same cells as the shipped model.

    Args:
        name: its name in the table.
        predictor: gets calibration cells, target conditions and the box's configuration, and returns `Predicted`: a
            rate and a response for every condition, and optional intervals.
        protocols: any of CR, B', D15, D15 across, D15 planned, D15 in stages, E and A; None for all. CR also scores
            alias recommendations.

    Raises:
        RequestError: an unknown protocol.
    """
    for protocol in protocols or ():
        if protocol not in zvm_pav.PROTOCOLS:
            known = ", ".join(zvm_pav.PROTOCOLS)
            raise RequestError(f"unknown protocol {protocol!r}", remedy=f"choose from {known}")
    return zvm_pav.scores_of(name, predictor, tuple(protocols or zvm_pav.PROTOCOLS))


def predicted_vs_measured() -> list[Point]:
    """All 420 cells of the z/VM study under D15: fifteen runs per box are for calibration, the others predicted."""
    done = zvm_pav.profile_run()
    known = np.concatenate([split.calibration for split in planned_runs()])
    rates = np.vstack([done.predicted.rate, done.predicted.intervals[90]])
    predicted = {at: _point(at, rates[:, row], ROLES[int(cells().defective[at])]) for row, at in enumerate(done.at)}
    predicted |= {at: _point(at, np.repeat(cells().rate[at], 3), "calibration") for at in known}
    return [predicted[at] for at in sorted(predicted)]


def _published() -> dict[str, "Study"]:
    from iosq.models.studies import catalog  # imported here, so that the PAV harness needs no machine files

    return catalog.studies()


def _from_checks(name: str, checks: Sequence[Check]) -> list[Score]:
    """Scores of a study with individual published numbers."""
    errors = [100 * abs(c.error_ratio) for c in checks if c.role == "scored" and c.error_ratio is not None]
    fitted = [100 * abs(c.error_ratio) for c in checks if c.role == "calibration" and c.error_ratio is not None]
    holds = [100 * c.predicted for c in checks if c.role == "direction" and c.predicted is not None]
    table = []
    for subset, values in (("scored", errors), ("calibration", fitted)):
        if values:
            statistics = error_statistics(values) | (_coverage(checks) if subset == "scored" else {})
            table.append(Score(name, "published numbers", "machine file", "value", subset, len(values), statistics))
    if holds:
        right = {"right": sum(holds) / len(holds)}
        table.append(Score(name, "stated directions", "machine file", "right answers", "all", len(holds), right))
    return table


def _coverage(checks: Sequence[Check]) -> dict[str, float]:
    """Percent of scored numbers within the 90 % interval given by the errors of all others (leave-one-out)."""
    ratios = [c.error_ratio for c in checks if c.role == "scored" and c.error_ratio is not None]
    if len(ratios) < ENOUGH:
        return {}
    squares = np.log1p(ratios) ** 2
    others = (squares.sum() - squares) / (len(squares) - 1)
    return {"coverage": float(100 * (squares <= NORMAL_90**2 * others).mean())}


def _point(at: int, rates: Floats, role: str) -> Point:
    """The point of a cell; `rates`: predicted, low, high."""
    have = cells().conditions
    rate, low, high = rates.tolist()
    return Point(
        machine=str(have.controller[at]),
        read_pct=round(100 * have.read_ratio[at]),
        workers=int(have.workers[at]),
        aliases=int(have.aliases[at]),
        measured_rate=float(cells().rate[at]),
        predicted_rate=rate,
        low=low,
        high=high,
        role=role,
    )
