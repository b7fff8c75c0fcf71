"""A box from measured points, with what the points leave open."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from iosq.models.fit.points import Points
from iosq.models.fit.prior import Prior
from iosq.models.fit.robust import Maximum, Model, Problem, best_of
from iosq.models.pav.box import Box, BoxLoad, throughput

Floats = NDArray[np.float64]
SCALE, FREEDOM = 0.02, 3.0  # error of one measured rate (relative) and how heavy its tails are
RANDOM_STARTS = 3
REACH = 1.25  # a curve is trusted a quarter beyond the numbers in the box it was measured at
SAME_IN_BOX = 0.05  # within this the number in the box is the same: populations inferred by Little's law are no better


@dataclass(frozen=True)
class Calibration:
    """A box fitted to points: best values, covariance of their logarithms, and how far the points scatter around it."""

    name: str
    prior: Prior
    maximum: Maximum
    points: Points
    scatter: float

    @property
    def box(self) -> Box:
        values = dict(zip(self.prior.names, np.exp(self.maximum.best).tolist(), strict=True))
        spreads = dict(zip(self.prior.names, np.sqrt(np.diag(self.maximum.covariance)).tolist(), strict=True))
        return Box(self.name, values, self.prior.law, f"{len(self.points)} measured points", spreads)

    def rate(self, load: BoxLoad) -> Floats:
        """Predicted I/Os per second of the box; a state that was measured keeps its measured rate."""
        box = self.box
        return np.asarray(box.rate(load) * np.exp(_residual_where_measured(box, load, self.points)))

    @property
    def calibrated_on(self) -> str:
        return f"{len(self.points)} measured points, {self.points.in_box_span}; prior: {self.prior.source}"

    def reaches(self, load: BoxLoad) -> NDArray[np.bool_]:
        """Whether the points say anything there: not beyond the numbers in the box that were measured."""
        seen = self.points.load.in_box
        inside = (load.in_box < REACH * seen.max()) & (load.in_box > seen.min() / REACH)
        return np.asarray(inside)

    def rates(self, load: BoxLoad, rng: np.random.Generator, count: int = 200) -> Floats:
        """Rates under `count` parameter sets drawn from what the points leave open, shape (count, loads)."""
        root = np.linalg.cholesky(self.maximum.covariance)
        draws = self.maximum.best + rng.standard_normal((count, len(root))) @ root.T
        noise = np.exp(self.scatter * rng.standard_t(FREEDOM, (count, len(load))))
        return np.exp(_log_rate(self.prior.names, draws, load)) * noise


def calibrate(name: str, points: Points, prior: Prior, rng: np.random.Generator) -> Calibration:
    """Fit a box to points.

    Args:
        name: the box's name, for messages.
        points: measured loads and rates; a dozen well-chosen ones are enough (see `docs/explanation/models/pav.md`).
        prior: where parameters stay that the points say nothing about.
        rng: draws some of the starting points.
    """
    model: Model = lambda rows: _log_rate(prior.names, rows, points.load)  # noqa: E731
    problem = Problem(model, np.log(points.rate), prior.centre, prior.spread, SCALE, FREEDOM)
    maximum = best_of(problem, _starts(points, prior, rng))
    residual = model(maximum.best[None, :])[0] - problem.observed
    scatter = 1.4826 * float(np.median(np.abs(residual)))
    return Calibration(name, prior, maximum, points, max(scatter, SCALE))


def _log_rate(names: tuple[str, ...], rows: Floats, load: BoxLoad) -> Floats:
    values = {name: np.exp(column)[:, None] for name, column in zip(names, rows.T, strict=True)}
    return np.asarray(np.log(throughput(values, load)))


def _starts(points: Points, prior: Prior, rng: np.random.Generator) -> Floats:
    """The prior's centre, draws around it, and the guess that the slowest writes seen are the destage ceiling."""
    around = prior.centre + 0.7 * prior.spread * rng.standard_normal((RANDOM_STARTS, len(prior.centre)))
    starts = [prior.centre, *around]
    writes = points.rate * (1 - points.load.read_ratio)
    if writes.max() > 0:
        ceiling = prior.centre.copy()
        ceiling[prior.names.index("destage_rate")] = np.log(writes[writes > 0].min())
        starts.append(ceiling)
    return np.array(starts)


def _residual_where_measured(box: Box, load: BoxLoad, points: Points) -> Floats:
    """Unused aliases change nothing: a state that was measured keeps its measured rate, so its residual is carried.

    The same state is the same mix, footprint, use of aliases and host queue, with nearly as many in the box.
    """
    residual = np.log(points.rate / box.rate(points.load))
    near = np.abs(load.in_box[:, None] / points.load.in_box[None, :] - 1) < SAME_IN_BOX
    near &= (np.abs(_kind(load)[:, None, :] - _kind(points.load)[None, :, :]) < 1e-6).all(axis=2)
    return np.asarray((near @ residual) / np.maximum(near.sum(axis=1), 1))


def _kind(load: BoxLoad) -> Floats:
    parts = (load.read_ratio, load.footprint_gb, load.aliased, load.queued)
    return np.stack([np.asarray(part, float) for part in parts], axis=1)
