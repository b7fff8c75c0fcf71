"""Calibration finds back a box it was given points of, and says what they leave open."""

import numpy as np
import pytest

from iosq.models.fit.calibrate import calibrate
from iosq.models.fit.points import points, points_from_intervals
from iosq.models.fit.prior import weak_prior
from iosq.models.pav.box import Box, BoxLoad, parameter_table
from iosq.toolkit.errors import RequestError

MEDIANS = {name: row.median for name, row in parameter_table().items() if row.when == "always"}
TRUE = Box("true", MEDIANS | {"read_hit_ms": 0.6, "write_ms": 2.4, "front_end_rate": 11_000.0, "destage_rate": 1300.0})


def grid():
    n, reads, footprint = (a.ravel() for a in np.meshgrid([8, 16, 40], [0.0, 0.66, 1.0], [0.5, 2.5, 10]))
    return BoxLoad.of(n, reads, footprint, n > 8, n > 8)


def test_a_known_box_is_found_back():
    load = grid()
    fitted = calibrate("x", points(load, TRUE.rate(load)), weak_prior(), np.random.default_rng(0))
    other = BoxLoad.of([12, 24], [0.33, 0.9], [1.2, 5.0], True, True)
    assert fitted.known.rate(other) == pytest.approx(TRUE.rate(other), rel=0.02)


def test_the_interval_covers_new_measurements_of_the_same_box():
    load, rng = grid(), np.random.default_rng(1)
    measured = TRUE.rate(load) * np.exp(0.02 * rng.standard_normal(len(load)))
    fitted = calibrate("x", points(load, measured), weak_prior(), rng)
    other = BoxLoad.of(rng.uniform(8, 40, 200), rng.uniform(0, 1, 200), rng.uniform(0.5, 10, 200), True, True)
    low, high = np.quantile(fitted.known.rates(other, rng), [0.05, 0.95], axis=0)
    again = TRUE.rate(other) * np.exp(0.02 * rng.standard_normal(len(other)))
    assert np.mean((low <= again) & (again <= high)) > 0.8


def test_one_population_leaves_more_open_than_several():
    everywhere, rng = grid(), np.random.default_rng(2)
    alone = everywhere.pick(everywhere.in_box == 8)
    target = BoxLoad.of([40.0], [1.0], [0.5], True, True)
    widths = []
    for load in (everywhere, alone):
        fitted = calibrate("x", points(load, TRUE.rate(load)), weak_prior(), rng)
        widths.append(np.std(np.log(fitted.known.rates(target, rng))))
    assert widths[1] > 3 * widths[0]


def test_a_measured_state_keeps_its_rate():
    load = grid()
    measured = TRUE.rate(load)
    measured[0] *= 1.3
    fitted = calibrate("x", points(load, measured), weak_prior(), np.random.default_rng(0))
    assert fitted.known.rate(load.pick([0])) == pytest.approx(measured[:1], rel=2e-3)
    assert fitted.box.rate(load.pick([0])) < 1.2 * TRUE.rate(load.pick([0]))


def test_intervals_become_points_and_unusable_ones_are_left_out():
    found = points_from_intervals(
        [900, 0, 1200, np.nan], [4.0, 1.0, 9.0, 3.0], 0.7, 5.0, volumes=8, queue=[0, 0, 3.0, 0]
    )
    assert found.rate.tolist() == [900, 1200]
    assert found.load.aliased.tolist() == [False, True]
    assert found.load.queued.tolist() == [False, True]
    assert found.in_box_range == pytest.approx(9 / 4)


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: points(grid(), [1.0, 2.0]), "rate"),
        (lambda: points(grid(), np.zeros(27)), "rate"),
        (lambda: points_from_intervals([0], [1], 0.5, 1, volumes=1, queue=0), "intervals"),
        (lambda: weak_prior(cache_gb=-1), "cache_gb"),
    ],
)
def test_impossible_inputs_name_themselves(call, name):
    with pytest.raises(RequestError, match=name):
        call()


class Still:
    """Draws as any generator does, with errors of nought."""

    choice = np.random.default_rng(0).choice

    @staticmethod
    def standard_t(_freedom, shape):
        return np.zeros(shape)


def test_every_curve_is_drawn_once_where_as_many_are_wanted_and_again_where_more_are():
    load = grid()
    fitted = calibrate("x", points(load, TRUE.rate(load)), weak_prior(), np.random.default_rng(0))
    known = load.pick(load.in_box == 8)
    curves = fitted.known.curves(known)
    drawn = fitted.known.rates(known, Still(), len(curves))
    assert np.sort(drawn[:, 0]) == pytest.approx(np.sort(curves[:, 0]))
    assert len(fitted.known.rates(known, Still(), 2 * len(curves))) == 2 * len(curves)
