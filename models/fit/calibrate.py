"""Fits a box to measured points, with the remaining uncertainty."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from iosq.models.arrays import Floats
from iosq.models.fit.misfit import USUAL_ERROR
from iosq.models.fit.points import Points
from iosq.models.fit.prior import Prior
from iosq.models.fit.robust import Maximum, Model, Problem, best_of
from iosq.models.fit.sampling import drawn
from iosq.models.pav.box import Box, BoxLoad, Seen, throughput
from iosq.models.pav.residual import Left

SCALE = USUAL_ERROR.scale  # error of a repeated measurement of a state
KEPT = 144  # parameter sets in a machine file: the last three of each chain
MOST_POINTS = 200  # a machine file keeps the residuals of at most these
RANDOM_STARTS = 3
MANY = 2  # points per parameter from which their scatter is that of measurements
SEED = 5


@dataclass(frozen=True)
class Calibration:
    """A box fitted to points: best values, covariance of their logarithms, and scatter of the points around the fit."""

    name: str
    prior: Prior
    maximum: Maximum
    points: Points
    scatter: float

    @property
    def box(self) -> Box:
        """The most likely parameters."""
        values = dict(zip(self.prior.names, np.exp(self.maximum.best).tolist(), strict=True))
        spreads = dict(zip(self.prior.names, np.sqrt(np.diag(self.maximum.covariance)).tolist(), strict=True))
        return Box(self.name, values, f"{len(self.points)} measured points", spreads)

    @cached_property
    def known(self) -> Box:
        """The box with everything that a machine file has: also parameter sets that agree with the points, the last
        ones of each chain, and the loads of the points."""
        kept = self.draws[-KEPT:]
        return replace(
            self.box,
            draws=dict(zip(self.prior.names, np.exp(kept).T, strict=True)),
            misfit=self.prior.misfit.scale,
            tails=self.prior.misfit.tails,
            seen=Seen.of(self.points.load),
            left=self._left(kept),
        )

    def _left(self, rows: Floats) -> Left | None:
        """Median residuals of these curves; None for many points, where they cost too much for little gain."""
        if len(self.points) > MOST_POINTS:
            return None
        left = np.log(self.points.rate) - _log_rate(self.prior.names, rows, self.points.load)
        return Left(self.points.load, np.median(left, axis=0), self.prior.kernel)

    @cached_property
    def draws(self) -> Floats:
        """Logarithms of parameter sets that agree with the points, shape (draws, parameters)."""
        return drawn(_problem(self.points, self.prior), self.maximum, np.random.default_rng(SEED))

    @property
    def residual(self) -> Floats:
        """Logarithm of measured over fitted rate for each point."""
        return np.asarray(np.log(self.points.rate / self.box.rate(self.points.load)))


def calibrate(name: str, points: Points, prior: Prior, rng: np.random.Generator) -> Calibration:
    """Fit a box to points.

    Args:
        points: measured loads and rates; a dozen well-chosen ones are enough (see `docs/explanation/models/pav.md`).
    """
    problem = _problem(points, prior)
    maximum = best_of(problem, _starts(points, prior, rng))
    residual = problem.model(maximum.best[None, :])[0] - problem.observed
    scatter = 1.4826 * float(np.median(np.abs(residual)))
    return Calibration(name, prior, maximum, points, max(scatter, SCALE))


def _problem(points: Points, prior: Prior) -> Problem:
    model: Model = lambda rows: _log_rate(prior.names, rows, points.load)  # noqa: E731
    precision = np.asarray(np.linalg.inv(prior.covariance), float)
    # errors of the curve's form average out only over many points
    error = prior.error if len(points) >= MANY * len(prior.names) else USUAL_ERROR
    return Problem(model, np.log(points.rate), prior.centre, precision, error.scale, error.tails)


def _log_rate(names: tuple[str, ...], rows: Floats, load: BoxLoad) -> Floats:
    values = {name: np.exp(column)[:, None] for name, column in zip(names, rows.T, strict=True)}
    return np.asarray(np.log(throughput(values, load)))


def _starts(points: Points, prior: Prior, rng: np.random.Generator) -> Floats:
    """Starting points: the prior's centre, draws around it, and two guesses: the lowest write rate is the destage
    rate, the highest rate is two thirds of the front-end rate."""
    root = np.linalg.cholesky(prior.covariance)
    around = prior.centre + 0.7 * rng.standard_normal((RANDOM_STARTS, len(prior.centre))) @ root.T
    starts = [prior.centre, *around]
    writes = points.rate * (1 - points.load.read_ratio)
    if writes.max() > 0:
        starts.append(_guessed(prior, "destage_rate", writes[writes > 0].min()))
    return np.array([*starts, _guessed(prior, "front_end_rate", 1.5 * points.rate.max())])


def _guessed(prior: Prior, name: str, value: float) -> Floats:
    start = prior.centre.copy()
    start[prior.names.index(name)] = np.log(value)
    return start
