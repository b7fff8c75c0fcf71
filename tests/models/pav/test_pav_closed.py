"""Closed what-if: Little's law, the study's cells, volumes together and alone, and what cannot be known."""

from contextlib import nullcontext
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from iosq.models.fit.calibrate import calibrate
from iosq.models.fit.points import points
from iosq.models.fit.prior import weak_prior
from iosq.models.machine import load as load_machine
from iosq.models.pav import closed
from iosq.models.pav.answers import FALL
from iosq.models.pav.box import BoxLoad
from iosq.models.pav.closed import what_if_closed
from iosq.models.pav.machine import box_from_machine
from iosq.models.pav.volume import ClosedVolumes
from iosq.toolkit.errors import RequestError

RNG = np.random.default_rng(0)
DS8100 = box_from_machine(load_machine("ds8100"))
ESS = box_from_machine(load_machine("ess-f20"))
DS6800 = box_from_machine(load_machine("ds6800"))
MANY = ClosedVolumes.of(np.full(65_536, 5.0), 0.7, 1.0)
UNFENCED = [replace(box, seen=None) for box in (DS8100, ESS, DS6800)]  # a flag at the edge of what was seen is a step


def eight(workers, reads):
    return ClosedVolumes.of(np.full(8, float(workers)), reads, 0.0612 * workers)


def test_the_studys_own_question():
    answer = what_if_closed(DS8100, eight(5, 1.0), range(5), RNG)
    rates = [p.rate.value / 8 for p in answer.predictions]
    assert rates == pytest.approx([2037, 3053, 3852, 4298, 4522], rel=0.06)
    assert answer.clears_wait == 4 and answer.best == 4 and not answer.wait_moves


def test_a_wait_that_moves_into_the_box_is_named():
    answer = what_if_closed(ESS, eight(5, 0.0), range(5), RNG)
    assert answer.clears_wait == 4 and answer.best == 0 and answer.wait_moves
    assert answer.limit.startswith("destage")


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 12), st.floats(0, 1), st.floats(0.01, 1))
def test_laws(workers, reads, footprint):
    volumes = ClosedVolumes.of(np.full(8, float(workers)), reads, footprint)
    for p in what_if_closed(ESS, volumes, range(6), np.random.default_rng(1)).predictions:
        assert p.rate.value * p.response_ms.value / 1e3 == pytest.approx(8 * workers)
        assert p.wait_ms.value + p.service_ms.value == pytest.approx(p.response_ms.value)
        for interval in (p.rate, p.wait_ms, p.service_ms, p.response_ms):
            assert interval.low <= interval.value * (1 + 1e-9) and interval.value <= interval.high * (1 + 1e-9)


@settings(max_examples=10, deadline=None)
@given(st.sampled_from(UNFENCED), st.floats(1.0, 12.0), st.integers(0, 6), st.floats(0, 0.999), st.floats(0.05, 1))
@example(UNFENCED[0], 1.0, 4, 0.66, 0.1)  # the first request that needs an alias
@example(UNFENCED[0], 2.0, 1, 0.66, 0.1)  # the first that waits in the host
def test_a_thousandth_more_of_anything_makes_no_step(box, requesters, aliases, reads, footprint):
    def rate(population, share, data):
        volumes = ClosedVolumes.of(np.full(8, population), share, data)
        return what_if_closed(box, volumes, [aliases], np.random.default_rng(0)).predictions[0].rate.value

    here = rate(requesters, reads, footprint)
    for there in ((requesters * 1.001, reads, footprint), (requesters, reads + 0.001, footprint),
                  (requesters, reads, footprint * 1.001)):  # fmt: skip
        assert rate(*there) == pytest.approx(here, rel=0.02)


@settings(max_examples=10, deadline=None)
@given(st.sampled_from(UNFENCED), st.floats(2.0, 12.0), st.floats(0, 1), st.floats(0.05, 1))
def test_an_alias_costs_nothing_unless_the_box_was_measured_slower_with_aliases(box, requesters, reads, footprint):
    names = {"read_beside_writes_alias_ms": "read_beside_writes_base_ms"}
    equal = {name: box.values[names.get(name, name)] for name in box.values} | {
        "aliased_write_ratio": 1.0, "base_destage_ratio": 1.0, "queued_latency_ratio": 1.0}  # fmt: skip
    volumes = ClosedVolumes.of(np.full(8, requesters), reads, footprint)
    same = replace(box, values=equal, draws={})
    rates = [p.rate.value for p in what_if_closed(same, volumes, range(8), np.random.default_rng(0)).predictions]
    assert (np.diff(rates) >= -1e-9 * rates[0]).all()


def test_volumes_are_solved_together():
    alone = what_if_closed(ESS, eight(5, 0.0), [0, 4], RNG, subject=np.arange(8) == 0)
    everyone = what_if_closed(ESS, eight(5, 0.0), [0, 4], RNG)
    gain = alone.predictions[1].rate.value / alone.predictions[0].rate.value
    assert gain > 1.5  # one volume takes from the other seven
    assert everyone.predictions[1].rate.value / everyone.predictions[0].rate.value < 1.05


def test_a_pool_large_enough_is_as_good_as_dedicated_aliases():
    volumes = eight(4, 1.0)
    dedicated = what_if_closed(DS8100, volumes, [3], RNG).predictions[0]
    pooled = what_if_closed(DS8100, volumes, [0, 12, 24], RNG, pooled=True).predictions
    assert pooled[2].rate.value == pytest.approx(dedicated.rate.value)
    assert pooled[0].rate.value < pooled[1].rate.value < pooled[2].rate.value
    assert pooled[2].wait_ms.value == pytest.approx(0, abs=1e-6)


def test_a_pool_serves_uneven_volumes_better_than_equal_shares():
    volumes = ClosedVolumes.of([9.0, 1, 1, 1, 1, 1, 1, 1], 1.0, 0.06)
    dedicated = what_if_closed(DS8100, volumes, [1], RNG).predictions[0]
    assert what_if_closed(DS8100, volumes, [8], RNG, pooled=True).predictions[0].rate.value > 1.2 * dedicated.rate.value


def test_one_population_is_not_identifiable_and_says_what_would_settle_it():
    load = BoxLoad.of(np.full(4, 8.0), [0.0, 0.33, 0.66, 1.0], 1.0, False, True)
    fitted = calibrate("mine", points(load, DS8100.rate(load)), weak_prior(), np.random.default_rng(0)).known
    answer = what_if_closed(fitted, eight(2, 1.0), [0, 1], RNG)
    now, more = answer.predictions
    assert now.identifiable and not more.identifiable and not answer.identifiable
    assert more.rate.low == pytest.approx(FALL * now.rate.low)
    assert more.rate.high == pytest.approx(2 * now.rate.high, rel=0.02)
    assert "16 I/Os in the box" in answer.settle


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: what_if_closed(ESS, eight(5, 0.0), [], RNG), "aliases"),
        (lambda: what_if_closed(ESS, eight(5, 0.0), [-1], RNG), "aliases"),
        (lambda: what_if_closed(ESS, MANY, range(4097), RNG), "4,097 alias counts of 65,536 volumes"),
        (lambda: what_if_closed(ESS, MANY, range(4097), RNG, pooled=True), "aliases: .*; name fewer counts or volumes"),
        (lambda: ClosedVolumes.of([0.0], 0.5, 1), "population"),
    ],
)
def test_impossible_inputs_name_themselves(call, name):
    with pytest.raises(RequestError, match=name):
        call()


def test_more_cases_than_memory_holds_are_refused():
    """Two counts of eight million volumes are as many as there may be."""
    for many, refused in ((1 << 23, False), ((1 << 23) + 1, True)):
        volumes = SimpleNamespace(population=range(many))
        with pytest.raises(RequestError, match="are more than 16,777,216 cases") if refused else nullcontext():
            closed._few_enough(np.arange(2), volumes)
