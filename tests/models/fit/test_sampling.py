"""Draws of a posterior whose shape is known."""

import numpy as np
import pytest

from iosq.models.fit.robust import Problem, climb
from iosq.models.fit.sampling import drawn


def test_a_normal_posterior_is_drawn_with_its_mean_and_covariance():
    x = np.linspace(-1, 1, 21)
    line = Problem(lambda rows: rows[:, :1] + rows[:, 1:] * x, 2 + 3 * x, np.zeros(2), np.eye(2) * 1e-6, 0.1, 1e6)
    maximum = climb(line, np.zeros(2), tolerance=1e-12)
    draws = drawn(line, maximum, np.random.default_rng(3))
    assert draws.mean(axis=0) == pytest.approx([2, 3], abs=0.02)
    assert np.cov(draws, rowvar=False) == pytest.approx(maximum.covariance, abs=0.25 * maximum.covariance.max())


def test_a_bent_posterior_is_not_taken_for_its_curvature():
    """Only a sum of exponentials is measured: draws lie along a bend, not on the tangent at the maximum."""
    problem = Problem(
        lambda rows: np.exp(rows).sum(axis=1, keepdims=True), np.array([2.0]), np.zeros(2), np.eye(2), 0.05, 1e6
    )
    draws = drawn(problem, climb(problem, np.zeros(2)), np.random.default_rng(3))
    assert np.exp(draws).sum(axis=1) == pytest.approx(2.0, abs=0.25)
    assert np.ptp(draws[:, 0]) > 1


def test_the_same_generator_draws_the_same():
    problem = Problem(lambda rows: rows, np.zeros(1), np.zeros(1), np.eye(1), 0.1, 3.0)
    maximum = climb(problem, np.ones(1))
    one, other = (drawn(problem, maximum, np.random.default_rng(1)) for _ in range(2))
    assert np.array_equal(one, other)
