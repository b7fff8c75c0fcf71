"""The box curve: limits that have known answers, and the laws every curve obeys."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.models.pav.box import Box, BoxLoad, parameter_table, softmin
from iosq.toolkit.errors import RequestError
from tests.models.queueing.mva import mva

MODEST = settings(max_examples=40, deadline=None)
PLAIN = {name: row.median for name, row in parameter_table().items() if row.when == "always"}
WITH_ARMS = PLAIN | {name: row.median for name, row in parameter_table().items() if row.when == "misses"}


def load(in_box, reads=1.0, footprint=0.5, aliased=True, queued=False):
    return BoxLoad.of(in_box, reads, footprint, aliased, queued)


def test_an_idle_box_shows_its_latency():
    box = Box("x", PLAIN | {"front_end_rate": 1e9})
    assert box.rate(load(1)) == pytest.approx(1e3 / PLAIN["read_hit_ms"])


def test_a_crowded_box_shows_its_ceilings():
    box = Box("x", PLAIN | {"front_end_rate": 8000.0})
    assert box.rate(load(1e5)) == pytest.approx(8000, rel=1e-3)
    writes = box.rate(load(1e5, reads=[0.0, 0.33, 0.66], footprint=4)) * (1 - np.array([0.0, 0.33, 0.66]))
    assert writes == pytest.approx(writes[0], rel=0.01)


@pytest.mark.parametrize("latency_ms", [0.5, 12.0])
def test_misses_without_destage_are_balanced_arms(latency_ms):
    arms = 8
    ideal = {"cache_gb": 1e-9, "cache_edge_gb": 1e-3, "front_end_rate": 1e9, "destage_corner": 400.0}
    sizes = {"arms_count": arms, "arm_ms": 8.0, "back_end_limit_count": 1e6, "read_hit_ms": latency_ms}
    exact = 1e3 * mva(24, latency_ms, [8.0 / arms] * arms)[[0, 7, 23]]
    assert Box("x", WITH_ARMS | ideal | sizes).rate(load([1, 8, 24], footprint=5)) == pytest.approx(exact, rel=0.03)


def test_destage_slows_misses():
    quiet, busy = (Box("x", WITH_ARMS | {"destage_interference_ratio": eta}) for eta in (1e-6, 0.8))
    state = load(16, reads=0.6, footprint=6)
    assert busy.rate(state) < 0.95 * quiet.rate(state)


def test_back_end_limit_caps_what_more_exposures_give():
    box = Box("x", WITH_ARMS | {"back_end_limit_count": 32.0})
    assert box.rate(load(40, footprint=9)) == pytest.approx(box.rate(load(32, footprint=9)))


@MODEST
@given(st.floats(1, 64), st.floats(1.01, 3), st.floats(0, 1), st.floats(0.1, 10), st.booleans())
def test_more_in_the_box_is_never_slower_and_never_superlinear(n, factor, reads, footprint, arms):
    box = Box("x", WITH_ARMS if arms else PLAIN)
    few, many = box.rate(load([n, n * factor], reads=reads, footprint=footprint))
    assert few * (1 - 1e-6) <= many <= few * factor * (1 + 1e-6)


@MODEST
@given(st.floats(0.1, 1e5), st.floats(0.1, 1e5), st.floats(1, 60))
def test_softmin_is_below_both_and_tends_to_the_smaller(a, b, corner):
    value = softmin(np.asarray(a), np.asarray(b), np.asarray(corner))
    assert value <= min(a, b) * (1 + 1e-9)
    assert value >= min(a, b) * 2 ** (-1 / corner) * (1 - 1e-9)


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: load(0), "in_box"),
        (lambda: load(1, reads=1.2), "read_ratio"),
        (lambda: load(1, footprint=float("nan")), "footprint_gb"),
        (lambda: Box("x", {k: v for k, v in PLAIN.items() if k != "write_ms"}), "write_ms"),
        (lambda: Box("x", PLAIN | {"destage_rate": -1.0}), "destage_rate"),
    ],
)
def test_impossible_inputs_name_themselves(call, name):
    with pytest.raises(RequestError, match=name):
        call()
