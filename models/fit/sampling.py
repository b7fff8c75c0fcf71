"""Draws parameter sets from a posterior by chains that step by differences between each other.

C. J. F. ter Braak, "A Markov Chain Monte Carlo version of the genetic algorithm Differential Evolution", *Statistics
and Computing* 16 (2006). The chains start around the maximum, spread according to its curvature.
"""

import numpy as np

from iosq.models.arrays import Floats, Ints
from iosq.models.fit.robust import Maximum, Problem, objectives

CHAINS, STEPS, FIRST, EVERY = 48, 150, 50, 10
STRIDES = (0.35, 0.7, 1.0)  # multiples of the optimal step for a normal posterior
_JITTER = 1e-3


def drawn(problem: Problem, maximum: Maximum, rng: np.random.Generator) -> Floats:
    """Draw parameter sets, shape (draws, parameters)."""
    spread = np.linalg.cholesky(maximum.covariance)
    rows = maximum.best + rng.standard_normal((CHAINS, len(spread))) @ spread.T
    values = objectives(problem, rows)
    kept = []
    for step in range(STEPS):
        order = rng.permutation(CHAINS).reshape(2, -1)
        for movers, others in (order, order[::-1]):
            _move(problem, rows, values, movers, others, rng)
        if step >= FIRST and step % EVERY == 0:
            kept.append(rows.copy())
    return np.vstack(kept)


def _move(
    problem: Problem,
    rows: Floats,
    values: Floats,
    movers: Ints,
    others: Ints,
    rng: np.random.Generator,
) -> None:
    """Do one Metropolis step for half of the chains, in place."""
    parameters = rows.shape[1]
    stride = 2.38 / np.sqrt(2 * parameters) * rng.choice(STRIDES, (len(movers), 1))
    one, other = rng.choice(others, (2, len(movers)))
    tried = rows[movers] + stride * (rows[one] - rows[other])
    tried += _JITTER * rng.standard_normal(tried.shape)
    reached = objectives(problem, tried)
    accepted = np.log(rng.random(len(movers))) < values[movers] - reached
    rows[movers[accepted]], values[movers[accepted]] = tried[accepted], reached[accepted]
