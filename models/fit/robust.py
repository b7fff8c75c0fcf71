"""Maximises a posterior with heavy-tailed errors: Levenberg-Marquardt on reweighted residuals, numpy only.

Residuals follow Student's t, so that an outlier, such as a run with an idle minute, hardly affects the curve;
parameters have a normal prior. K. L. Lange, R. J. A. Little, J. M. G. Taylor, "Robust statistical modeling
using the t distribution", *Journal of the American Statistical Association* 84 (1989).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from iosq.models.arrays import Floats

Model = Callable[[Floats], Floats]
"""Maps parameters, shape (sets, parameters), to predictions, shape (sets, points)."""

_STEP = 1e-4
_LONGEST = 0.7  # no parameter more than doubles in one iteration


@dataclass(frozen=True)
class Problem:
    """Observations, their error (scale, degrees of freedom) and the parameters' prior (centre, inverse covariance)."""

    model: Model
    observed: Floats
    centre: Floats
    precision: Floats
    scale: float
    freedom: float


@dataclass(frozen=True)
class Maximum:
    """Best parameters, their covariance (Laplace) and the objective there (smaller is better)."""

    best: Floats
    covariance: Floats
    objective: float


def objectives(problem: Problem, rows: Floats) -> Floats:
    """Negative logarithm of the posterior of each row of parameters, up to a constant; infinite if it is undefined."""
    with np.errstate(all="ignore"):
        e = (problem.model(rows) - problem.observed) / problem.scale
        errors = 0.5 * (problem.freedom + 1) * np.log1p(e * e / problem.freedom).sum(axis=1)
        offset = rows - problem.centre
        values = errors + 0.5 * ((offset @ problem.precision) * offset).sum(axis=1)
    return np.where(np.isfinite(values), values, np.inf)


def objective(problem: Problem, at: Floats) -> float:
    """`objectives` for one set of parameters."""
    return float(objectives(problem, at[None, :])[0])


def climb(problem: Problem, start: Floats, iterations: int = 60, tolerance: float = 1e-4) -> Maximum:
    """The local maximum reached from `start`."""
    at, value, damping = start, objective(problem, start), 1e-2
    for _ in range(iterations):
        gradient, curvature = _slopes(problem, at)
        step = _better_step(problem, at, value, gradient, curvature, damping)
        if step is None:
            break
        at, gained, damping = at + step[0], value - step[1], step[2]
        value = step[1]
        if gained < tolerance:
            break
    return Maximum(at, np.asarray(np.linalg.inv(_slopes(problem, at)[1]), float), value)


def best_of(problem: Problem, starts: Floats) -> Maximum:
    """The highest of the maxima reached from several starts, each via the problem with wide, nearly normal errors."""
    soft = replace(problem, scale=3 * problem.scale, freedom=30.0)
    maxima = [climb(problem, climb(soft, start, 30).best) for start in starts]
    return min(maxima, key=lambda maximum: maximum.objective)


def _slopes(problem: Problem, at: Floats) -> tuple[Floats, Floats]:
    rows = problem.model(np.vstack([at, at + _STEP * np.eye(len(at))]))
    jacobian = ((rows[1:] - rows[0]) / _STEP / problem.scale).T
    e = (rows[0] - problem.observed) / problem.scale
    weights = (problem.freedom + 1) / (problem.freedom + e * e)
    curvature = jacobian.T @ (jacobian * weights[:, None]) + problem.precision
    return jacobian.T @ (weights * e) + problem.precision @ (at - problem.centre), curvature


def _better_step(
    problem: Problem, at: Floats, value: float, gradient: Floats, curvature: Floats, damping: float
) -> tuple[Floats, float, float] | None:
    for _ in range(9):
        step = -np.linalg.solve(curvature + damping * np.diag(np.diag(curvature)), gradient)
        step = np.clip(step, -_LONGEST, _LONGEST)
        reached = objective(problem, at + step)
        if reached < value:
            return step, reached, max(damping / 4, 1e-6)
        damping *= 5
    return None
