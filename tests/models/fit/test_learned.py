"""A prior learnt from other boxes: their mean, as wide as they differ, and a faster box is faster in everything."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.models.fit.learned import Known, learned_prior
from iosq.models.fit.misfit import USUAL, USUAL_ERROR, Misfit, carried, learned_error, learned_misfit
from iosq.models.fit.prior import neutral_prior, speed_signs
from iosq.models.pav.box import Box, BoxLoad, parameter_table

MEDIANS = {row.name: row.median for row in parameter_table() if row.when in ("always", "power")}
EXACT = dict.fromkeys(MEDIANS, 1e-6)


def box(name="one", **changed):
    return Known(Box(name, MEDIANS | changed, spreads=EXACT), 2.0)


def learned(*known, channels=2.0):
    return learned_prior(known, neutral_prior(channels), channels, USUAL, USUAL_ERROR)


def median(prior, name):
    return float(np.exp(prior.centre[prior.names.index(name)]))


def test_no_box_leaves_what_was_believed_without_one():
    prior = learned()
    assert prior.centre == pytest.approx(neutral_prior(2.0).centre)


def test_the_middle_of_boxes_lies_between_them_and_far_ones_leave_more_open():
    near = learned(box(destage_rate=900.0), box("two", destage_rate=1100.0))
    far = learned(box(destage_rate=300.0), box("two", destage_rate=9000.0))
    assert 900 < median(near, "destage_rate") < 1100
    assert 300 < median(far, "destage_rate") < 9000
    at = near.names.index("destage_rate")
    assert far.total_spread[at] > 1.3 * near.total_spread[at]


def test_more_channels_carry_more():
    assert median(learned(box(), channels=4.0), "front_end_rate") == pytest.approx(
        2 * median(learned(box(), channels=2.0), "front_end_rate")
    )


def test_a_box_slower_in_everything_says_that_boxes_differ_in_speed():
    signs = dict(zip(learned().names, speed_signs(learned().names), strict=True))
    slower = {name: value * 4 ** signs[name] for name, value in MEDIANS.items() if signs[name]}
    mixed = {name: MEDIANS[name] * 4 ** (1 if at % 2 else -1) for at, name in enumerate(slower)}
    assert learned(box(), box("two", **slower)).speed > 1.1 * learned(box(), box("two", **mixed)).speed


def test_times_and_rates_are_expected_to_move_together():
    prior = learned(box(), box("two"))
    covariance = prior.covariance
    read, front = prior.names.index("read_hit_ms"), prior.names.index("front_end_rate")
    assert covariance[read, front] == pytest.approx(-(prior.speed**2))
    assert np.linalg.eigvalsh(covariance).min() > 0


def test_wider_and_shifted_beliefs():
    prior = learned(box(), box("two"))
    assert prior.widened(3).total_spread == pytest.approx(3 * prior.total_spread)
    moved = prior.shifted(np.random.default_rng(1)).centre - prior.centre
    assert np.abs(moved) == pytest.approx(prior.total_spread)


@settings(max_examples=8, deadline=None)
@given(scale=st.floats(0.01, 0.1), tails=st.sampled_from([1.0, 3.0]))
def test_the_misfit_of_known_errors_is_found(scale, tails):
    errors = scale * np.random.default_rng(0).standard_t(tails, 3000)
    found = learned_misfit([errors[:1000], errors[1000:]])
    assert found.scale == pytest.approx(scale, rel=0.2)
    assert abs(found.tails - tails) <= 1


def test_without_residuals_the_usual_misfit():
    assert learned_misfit([]) == USUAL


def test_without_boxes_the_usual_error_of_a_measurement():
    assert learned_error([]) == USUAL_ERROR
    assert learned_error([np.random.default_rng(0).standard_t(5, 400) * 0.008]).scale < 0.01


def state(n, reads):
    return BoxLoad.of(n, reads, 1.0, True, True)


def test_a_residual_is_carried_to_neighbours_and_no_farther():
    """One state was 3 % faster than the curve: so is itself, a neighbour nearly, a far one not at all."""
    measured, asked = state([16.0, 32.0], [0.33, 0.33]), state([16.0, 17.0, 16.0], [0.33, 0.4, 1.0])
    weights = carried(measured, asked, np.array([0.03, 0.0]), Misfit(0.02, 3.0), Misfit(0.03, 1.0, 0.5))
    itself, near, far = weights[:, 0]
    assert itself == 1
    assert 0.3 < near < 1
    assert abs(far) < 0.05
    assert carried(measured, asked, np.zeros(2), USUAL_ERROR, Misfit(0.03, 1.0))[1:] == pytest.approx(np.zeros((2, 2)))


def test_a_wild_residual_is_kept_where_it_was_measured_and_not_carried():
    measured, asked = state([16.0], [0.33]), state([16.0, 17.0], [0.33, 0.33])
    calm, wild = (
        carried(measured, asked, np.array([left]), Misfit(0.02, 3.0), Misfit(0.03, 1.0, 1.0)) for left in (0.01, 0.8)
    )
    assert wild[0, 0] == 1
    assert wild[1, 0] * 0.8 < calm[1, 0] * 0.1
