"""What a curve leaves out at measured states is carried to those nearby, smoothly, and to no others."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.models.pav.box import BoxLoad
from iosq.models.pav.residual import Kernel, Left

THERE = BoxLoad.of([8.0, 16.0, 40.0], [0.66, 0.66, 0.0], [0.5, 0.5, 5.0], [0, 1, 1], [1, 1, 0])
LEFT = Left(THERE, np.log([1.02, 0.985, 1.015]), Kernel(0.04, 0.7))


def test_a_measured_state_keeps_it_and_a_far_one_nothing():
    assert LEFT.factor(THERE) == pytest.approx([1.02, 0.985, 1.015], abs=0.002)
    assert LEFT.measured(THERE) == pytest.approx(np.ones(3))
    far = BoxLoad.of([[400.0, 8.0]], 1.0, 50.0, 0, 0)
    assert LEFT.factor(far) == pytest.approx(np.ones((1, 2)), abs=1e-3)
    assert LEFT.measured(far) == pytest.approx(np.zeros(2), abs=1e-3)


def test_by_hand_one_state():
    """Variances: 0.02^2 shared with neighbours, as much not shared; 0.007^2 of it is error of the measurement."""
    one = Left(THERE.pick([0]), np.array([0.02]), Kernel(0.02, 1.0))
    kept = 1 - 0.007**2 / (2 * 0.02**2)
    assert np.log(one.factor(THERE.pick([0]))) == pytest.approx([0.02 * kept], rel=1e-6)
    apart = BoxLoad.of([8 * np.exp(0.5)], 0.66, 0.5, 0, 1)  # one round distance: exp(-1/2) of the half that is shared
    assert np.log(one.factor(apart)) == pytest.approx([0.01 * np.exp(-0.5)], rel=1e-6)


@settings(max_examples=60, deadline=None)
@given(st.floats(1, 100), st.floats(0, 1), st.floats(0.1, 20), st.floats(0, 1), st.floats(0, 1))
def test_it_has_no_cliff(inside, reads, footprint, aliased, queued):
    here = (inside, reads, footprint, aliased, queued)
    first = LEFT.factor(BoxLoad.of(*([value] for value in here)))
    for at, value in enumerate(here):
        moved = [*here[:at], value * 0.999 + 1e-9 * (value == 0), *here[at + 1 :]]
        assert LEFT.factor(BoxLoad.of(*([v] for v in moved))) == pytest.approx(first, rel=1e-3)


def test_a_wild_residual_does_not_spoil_its_neighbours():
    calm, wild = (Left(THERE.pick([0]), np.array([left]), Kernel(0.04, 0.7)) for left in (0.04, 0.8))
    near = BoxLoad.of([9.0], 0.66, 0.5, 0, 1)
    assert np.log(wild.factor(near))[0] < np.log(calm.factor(near))[0]
