"""Open stations: textbook answers first, then the laws every station obeys."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.models.queueing.stations import erlang_b, erlang_c, mmc_wait_ms
from iosq.toolkit.errors import RequestError

RATES = st.floats(0.1, 900)
MODEST = settings(max_examples=40, deadline=None)


def test_mm1_at_half_load_waits_one_service_time():
    assert mmc_wait_ms(50, 10, 1) == pytest.approx(10)


def test_erlang_tables():
    assert erlang_b(2, 5) == pytest.approx(0.0367, abs=5e-5)
    assert erlang_b(10, 10) == pytest.approx(0.2146, abs=5e-5)
    assert erlang_c(2, 3) == pytest.approx(4 / 9)


@MODEST
@given(st.lists(st.tuples(st.floats(0, 60), st.integers(0, 64)), min_size=1, max_size=8))
def test_one_number_answers_as_among_many(asked):
    loads, servers = (np.array(column, float) for column in zip(*asked, strict=True))
    assert [float(erlang_b(a, c)) for a, c in zip(loads, servers, strict=True)] == erlang_b(loads, servers).tolist()


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -1.0, [1.0, float("nan")], [1.0, float("inf")]])
def test_no_number_and_no_array_of_them_is_let_through(bad):
    with pytest.raises(RequestError, match="service_ms: must be above zero, not"):
        mmc_wait_ms(1, bad, 2)


def test_mmc_with_two_servers():
    # rho = 0.8: C = 2 rho^2 / (1 + rho), wait = C s / (2 (1 - rho))
    assert mmc_wait_ms(160, 10, 2) == pytest.approx(0.64 * 2 / 1.8 * 10 / 0.4)


@MODEST
@given(RATES, st.floats(0.1, 0.9), st.integers(1, 8))
def test_more_servers_never_wait_longer(rate, load_ratio, servers):
    service = load_ratio * servers / rate * 1e3
    waits = mmc_wait_ms(rate, service, np.arange(servers, servers + 5))
    assert np.all(np.diff(waits) < 0)


def test_many_servers_do_not_wait():
    assert mmc_wait_ms(100, 10, 60) < 1e-9


@pytest.mark.parametrize(
    ("call", "name", "text"),
    [
        (lambda: mmc_wait_ms(200, 10, 1), "M/M/c station", "its demand is 2 times its capacity"),
        (lambda: mmc_wait_ms(-1, 10, 1), "rate", "negative"),
        (lambda: mmc_wait_ms(1, 0, 2), "service_ms", "above zero"),
        (lambda: mmc_wait_ms(1, 1, float("nan")), "servers", "above zero"),
    ],
)
def test_impossible_inputs_name_themselves(call, name, text):
    with pytest.raises(RequestError) as caught:
        call()
    assert str(caught.value).startswith(name) and text in str(caught.value) and "\n" not in str(caught.value)
