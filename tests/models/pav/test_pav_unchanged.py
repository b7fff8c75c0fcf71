"""Where aliases change nothing, an answer is what was measured: no curve is asked, so none can be wrong."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from iosq.models.machine import load as load_machine
from iosq.models.pav.answers import Measured
from iosq.models.pav.closed import what_if_closed
from iosq.models.pav.machine import box_from_machine
from iosq.models.pav.open_answers import what_if_open, what_if_pool
from iosq.models.pav.open_load import OpenVolumes
from iosq.models.pav.volume import ClosedVolumes

DS8100 = box_from_machine(load_machine("ds8100"))
rngs = np.random.default_rng


def ends(p):
    return [(i.low, i.value, i.high) for i in (p.rate, p.wait_ms, p.service_ms, p.response_ms)]


@settings(max_examples=20, deadline=None)
@given(st.floats(5, 60), st.floats(0.5, 6), st.integers(1, 4), st.integers(1, 6), st.booleans())
def test_who_does_not_wait_gets_what_was_measured(rate, service_ms, exposures, volumes, of_pool):
    measured = OpenVolumes.of([rate] * volumes, 0.0, service_ms, 1 if of_pool else exposures, 0.5, 0.3)
    if of_pool:
        found = what_if_pool(DS8100, measured, range(8), rngs(1), current=exposures)
    else:
        found = what_if_open(DS8100, measured, range(8), rngs(1))
    now = found.predictions[exposures if of_pool else exposures - 1]
    for p in found.predictions[now.aliases :]:
        assert p.service_ms.high <= p.response_ms.high * (1 + 1e-9)
        assert ends(p) == [pytest.approx(parts, rel=1e-6) for parts in ends(now)]


@settings(max_examples=20, deadline=None)
@given(st.floats(5, 250), st.floats(0, 8), st.floats(0.5, 3.9), st.integers(1, 3))
def test_no_service_is_longer_than_its_response(rate, wait_ms, service_ms, volumes):
    measured = OpenVolumes.of([rate] * volumes, wait_ms, service_ms, 1, 0.5, 0.3)
    for p in what_if_open(DS8100, measured, range(6), rngs(1)).predictions:
        assert p.service_ms.high <= p.response_ms.high * (1 + 1e-3)


@settings(max_examples=20, deadline=None)
@given(st.floats(1.0, 6.0), st.integers(0, 5), st.floats(0, 1), st.floats(100, 500), st.booleans())
@example(1.0000000000000002, 0, 0.0, 100.0, False)
def test_settings_of_a_closed_load_that_are_todays_are_as_measured(requesters, current, reads, rate, of_pool):
    volumes = ClosedVolumes.of(np.full(4, requesters), reads, 0.2)
    inside = min(requesters, current + 1)
    now = Measured(4 * rate, (requesters - inside) / rate * 1e3, inside / rate * 1e3)
    if of_pool:
        current = 4 * current
        inside = min(requesters, 1 + current / 4)
    found = what_if_closed(
        DS8100, volumes, range(28), rngs(1), current=current, pooled=of_pool, measured=now
    ).predictions
    for p in found:
        # a hair above one requester is one requester
        same = min(requesters, 1 + p.aliases / (4 if of_pool else 1)) == pytest.approx(inside, rel=1e-9)
        assert (p.rate.low == pytest.approx(p.rate.high, rel=1e-9)) == same
