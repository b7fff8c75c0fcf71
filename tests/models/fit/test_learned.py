"""A prior learnt from other boxes: their mean, as wide as they differ, and a faster box is faster in everything."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.models.fit.learned import Known, learned_prior
from iosq.models.fit.misfit import (
    USUAL,
    USUAL_ERROR,
    USUAL_KERNEL,
    learned_error,
    learned_kernel,
    learned_misfit,
)
from iosq.models.fit.prior import neutral_prior, speed_signs
from iosq.models.pav.box import Box, BoxLoad, parameter_table
from iosq.models.pav.residual import Kernel, Left

MEDIANS = {name: row.median for name, row in parameter_table().items() if row.when == "always"}
EXACT = dict.fromkeys(MEDIANS, 1e-6)


def box(name="one", **changed):
    return Known(Box(name, MEDIANS | changed, spreads=EXACT), 2.0)


def learned(*known, channels=2.0):
    return learned_prior(known, neutral_prior(channels), channels, USUAL, USUAL_ERROR, USUAL_KERNEL)


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
    itself, near, far = Left(measured, np.array([0.03, 0.0]), Kernel(0.03, 0.5)).shares(asked)[:, 0]
    assert itself == pytest.approx(1, abs=0.06)
    assert 0.3 < near < itself
    assert abs(far) < 0.05


def test_a_wild_residual_is_kept_where_it_was_measured_and_not_carried():
    measured, asked = state([16.0], [0.33]), state([16.0, 19.0], [0.33, 0.33])
    calm, wild = (Left(measured, np.array([left]), Kernel(0.03, 1.0)).shares(asked) for left in (0.01, 0.8))
    assert wild[0, 0] == pytest.approx(1, abs=0.001)
    assert wild[1, 0] * 0.8 < calm[1, 0] * 0.1


def test_measuring_a_state_again_adds_nothing_to_its_neighbours():
    """Ten runs of one state are one fact about the form of the curve, not ten."""
    once, often = (Left(state([16.0] * n, [0.33] * n), np.full(n, 0.02), Kernel(0.03, 1.0)) for n in (1, 10))
    itself, next_to = (np.log([one.factor(state([at], [0.33]))[0] for one in (once, often)]) for at in (16.0, 20.0))
    assert itself == pytest.approx([0.02, 0.02], rel=0.1)
    assert next_to[1] == pytest.approx(next_to[0], rel=0.1)


def drifting(shared, reach, rng):
    """States in a row, and errors with a part that neighbours share and that fades over `reach` round distances."""
    load = BoxLoad.of(np.geomspace(8, 80, 40), 0.5, 1.0, True, True)
    apart = (np.log(load.in_box)[:, None] - np.log(load.in_box)[None, :]) / (0.5 * reach)
    together = shared**2 * np.exp(-0.5 * apart**2) + 0.02**2 * np.eye(len(load))
    return load, np.linalg.cholesky(together) @ rng.standard_normal(len(load))


@pytest.mark.parametrize(("shared", "reach"), [(0.06, 1.0), (0.06, 0.25), (0.015, 1.0)])
def test_what_neighbours_share_and_how_far_it_reaches_is_found(shared, reach):
    rng = np.random.default_rng(4)
    found = learned_kernel([drifting(shared, reach, rng) for _ in range(12)])
    assert found.scale == pytest.approx(shared, rel=0.5)
    assert found.reach == pytest.approx(reach, rel=0.5) or shared < 0.02  # too small to show how far it reaches


def test_the_order_of_points_changes_nothing_that_is_learnt():
    load, left = drifting(0.04, 0.7, np.random.default_rng(2))
    turned = np.random.default_rng(3).permutation(len(left))
    assert learned_kernel([(load, left)]) == learned_kernel([(load.pick(turned), left[turned])])
    assert learned_kernel([]) == USUAL_KERNEL
