"""What was measured lies within what a file says of that state, or the points are refused as no box's."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.models.fit.calibrate import calibrate
from iosq.models.fit.points import contradiction, points
from iosq.models.fit.prior import unseen_prior
from iosq.models.machine import load as load_machine
from iosq.models.pav.box import BoxLoad
from iosq.models.pav.machine import box_from_machine
from iosq.models.studies.zvm_pav import cells, configurations
from iosq.models.studies.zvm_pav.load import points_of

DS8100 = box_from_machine(load_machine("ds8100"))


def runs(requesters, aliases, read_ratio, footprint_gb):
    """Of eight volumes."""
    in_use = np.minimum(requesters, np.asarray(aliases) + 1)
    return BoxLoad.of(8 * in_use, read_ratio, footprint_gb, in_use > 1, np.asarray(requesters) > in_use)


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 9), st.sampled_from([0.02, 0.1, 0.5]))
def test_every_point_lies_within_the_interval_of_its_own_state(seed, count, scatter):
    """Points of one box that scatter as single intervals do, or as those of several boxes: some states come twice."""
    rng = np.random.default_rng(seed)
    requesters, aliases = rng.choice([1, 2, 5], count), rng.choice([0, 1, 4], count)
    load = runs(requesters, aliases, rng.choice([0.0, 0.66], count), 0.48 * requesters)
    rate = DS8100.rate(load) * np.exp(scatter * rng.standard_normal(count))
    box = calibrate("x", points(load, rate), unseen_prior(), rng).known
    low, high = np.quantile(box.rates(load, np.random.default_rng(1)), [0.05, 0.95], axis=0)
    assert (low <= rate).all() and (rate <= high).all()


@given(st.integers(0, 10**6), st.floats(1.6, 20.0), st.booleans())
def test_points_that_no_box_has_at_once_are_found_and_those_of_one_box_are_not(seed, times, faster):
    """With more in the box a rate is between the one before and in proportion; a slip beyond that is reported."""
    rng = np.random.default_rng(seed)
    inside = np.sort(rng.uniform(1, 100, 6))
    paces = rng.uniform(0, 1, 6)
    rate = 1000 * np.exp(np.cumsum(paces * np.append(0, np.diff(np.log(inside)))))
    load = BoxLoad.of(inside, 0.5, 2.4, rng.integers(0, 2, 6), rng.integers(0, 2, 6))
    assert contradiction(points(load, rate)) is None
    at = int(rng.integers(0, 6))
    slip = BoxLoad.of(inside[at], 0.5, 2.4001, load.aliased[at], load.queued[at])
    again = points(load.joined(slip), np.append(rate, rate[at] * (times if faster else 1 / times)))
    assert contradiction(again) is not None


def test_no_published_box_contradicts_itself():
    every = cells()
    for box, configuration in configurations().items():
        mine = every.conditions.controller == box
        assert contradiction(points_of(every.pick(mine), configuration)) is None
