"""Closed loads beyond what a machine file saw: bounds that hold what could be, and equal states equal answers."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from iosq.models.fit.calibrate import calibrate
from iosq.models.fit.points import Points
from iosq.models.fit.prior import unseen_prior, weak_prior
from iosq.models.machine import load as load_machine
from iosq.models.pav.box import BoxLoad, Seen
from iosq.models.pav.closed import what_if_closed
from iosq.models.pav.machine import box_from_machine
from iosq.models.pav.volume import ClosedVolumes
from iosq.models.studies.zvm_pav import cells, configurations
from iosq.models.studies.zvm_pav.load import points_of

DS8100 = box_from_machine(load_machine("ds8100"))
KNOWN = replace(DS8100, seen=None)


def asked(box, requesters, reads, footprint_gb, counts=range(8)):
    volumes = ClosedVolumes.of(np.full(8, requesters), reads, footprint_gb)
    return what_if_closed(box, volumes, counts, np.random.default_rng(1))


@settings(max_examples=30, deadline=None)
@given(st.floats(1.0, 6.0), st.floats(0.0, 1.0), st.floats(0.05, 1.2))
def test_unused_aliases_do_not_change_the_answer(requesters, reads, footprint_gb):
    *_, last, unused = asked(DS8100, requesters, reads, footprint_gb).predictions
    assert replace(unused, aliases=last.aliases) == last


@settings(max_examples=20, deadline=None)
@given(st.floats(0.0, 1.0), st.floats(2.0, 12.0), st.floats(0.1, 1.2), st.floats(8.0, 40.0), st.booleans())
def test_today_as_a_machine_never_saw_it_has_bounds_that_hold_what_could_be(reads, requesters, gb, inside, of_mix):
    """The box that saw everything is what could be; every count hangs on today's bounds."""
    seen = Seen((8.0, inside), (min(reads + 0.2, 1.0), 1.0) if of_mix else (0.0, 1.0), (0.1, 6.0 * gb), (False, True))
    every, fenced = (asked(box, requesters, reads, gb).predictions for box in (KNOWN, replace(DS8100, seen=seen)))
    for known, bounds in zip(every, fenced, strict=True):
        if not fenced[0].identifiable:
            assert not bounds.identifiable
            assert bounds.rate.low <= known.rate.value <= bounds.rate.high
            assert bounds.aliases or bounds.rate.high / bounds.rate.low > known.rate.high / known.rate.low


@pytest.mark.parametrize(("box", "bar"), [("ESS F20", 0.99), ("DS8100", 0.99), ("DS6800", 0.85)])
def test_bounds_hold_what_was_published_beyond_the_few_runs_a_file_was_fitted_to(box, bar):
    """Of the DS6800 the data outgrew the cache in most cells: runs that fitted it show no misses."""
    every = cells()
    asked_for = every.conditions
    mine = (asked_for.controller == box) & ~every.defective
    few = mine & (asked_for.workers <= 2) & (asked_for.aliases == 0) & (asked_for.read_ratio > 0.5)
    ours = points_of(every.pick(few), configurations()[box])
    known = calibrate("few", ours, weak_prior(), np.random.default_rng(1)).known
    there = points_of(every.pick(mine), configurations()[box])
    there = there.pick(~known.reaches(there.load))
    low, high = np.quantile(known.rates(there.load, np.random.default_rng(1)), [0.01, 0.99], axis=0)
    away = known.away(there.load)
    assert len(there) > 50
    assert np.mean((there.rate > low / away) & (there.rate < high * away)) >= bar


@settings(max_examples=5, deadline=None)
@example(3, 0.12, 12_945.0, 0.5)  # what is known of other boxes makes the fitted curve grow by a twentieth
@given(st.integers(3, 9), st.floats(0.12, 1.0), st.floats(50.0, 20_000.0), st.sampled_from([0.0, 0.5, 1.0]))
def test_a_box_that_was_full_with_the_fewest_it_saw_may_be_slow_with_fewer(fewest, knee, ceiling, reads):
    """What is full from `knee * fewest` I/Os on looks the same whatever the knee: a file of such points knows of fewer
    only that the rate falls by no more than they do."""
    inside = np.repeat(float(fewest), 4) * [1, 2, 4, 8]
    load = BoxLoad.of(inside, reads, 1.0, inside > 1, 0.0)
    known = calibrate("full", Points(load, np.full(4, ceiling)), unseen_prior(), np.random.default_rng(1)).known
    for requesters in range(1, fewest):
        truth = ceiling * min(requesters / (knee * fewest), 1.0)
        volume = ClosedVolumes.of([float(requesters)], reads, 1.0)
        (shown,) = what_if_closed(known, volume, [requesters - 1], np.random.default_rng(1)).predictions
        assert not shown.identifiable and shown.rate.low <= truth <= shown.rate.high
