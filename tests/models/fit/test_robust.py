"""The optimizer against problems with known answers."""

import numpy as np
import pytest

from iosq.models.fit.robust import Problem, best_of, climb, objective


def line(x):
    return lambda rows: rows[:, :1] + rows[:, 1:] * x


def problem(x, y, *, spread=1e3, freedom=1e6, scale=0.1, centre=(0.0, 0.0)):
    return Problem(line(x), y, np.array(centre), np.eye(2) / spread**2, scale, freedom)


def test_a_line_is_found_with_the_textbook_covariance():
    x = np.linspace(-1, 1, 21)
    found = climb(problem(x, 2 + 3 * x), np.zeros(2), tolerance=1e-12)
    assert found.best == pytest.approx([2, 3], abs=1e-4)
    assert found.covariance[1, 1] == pytest.approx(0.01 / (x @ x), rel=1e-3)


def test_one_wild_point_hardly_moves_the_line():
    x = np.linspace(-1, 1, 21)
    y = 2 + 3 * x
    y[4] += 50
    robust = climb(problem(x, y, freedom=3), np.array([1.0, 1.0]), tolerance=1e-9).best
    assert robust == pytest.approx([2, 3], abs=0.1)
    assert abs(climb(problem(x, y), np.zeros(2)).best[0] - 2) > 1


def test_the_prior_decides_what_the_data_do_not_say():
    same_place = np.zeros(5)
    found = climb(problem(same_place, np.full(5, 2.0), spread=0.5, centre=(2.0, 7.0)), np.array([2.0, 6.0]))
    assert found.best[1] == pytest.approx(7, abs=1e-3)
    assert np.sqrt(found.covariance[1, 1]) == pytest.approx(0.5, rel=1e-3)


def test_several_starts_escape_a_local_hill():
    wave = Problem(lambda rows: np.cos(rows) + 0.1 * rows, np.array([1.0]), np.zeros(1), np.eye(1) / 100**2, 0.05, 1e6)
    stuck = climb(wave, np.array([-6.0]))
    assert best_of(wave, np.array([[-6.0], [0.2]])).objective < stuck.objective - 1


def test_objective_is_infinite_where_the_model_breaks():
    broken = Problem(lambda rows: np.full((len(rows), 1), np.nan), np.array([1.0]), np.zeros(1), np.eye(1), 1.0, 3.0)
    assert objective(broken, np.zeros(1)) == np.inf
