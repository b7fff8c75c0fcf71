"""Closed networks compared with hand-worked answers, mean value analysis and balance equations."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.models.queueing.stations import balanced, mmc_wait_ms, repairman
from tests.models.queueing.mva import mva

MODEST = settings(max_examples=40, deadline=None)


def birth_death(count, think, service, servers):
    """The repairman solved from its balance equations, without logarithms."""
    weights = [1.0]
    for inside in range(count):
        weights.append(weights[-1] * (count - inside) / think * service / min(inside + 1, servers))
    share = np.array(weights) / np.sum(weights)
    busy = np.minimum(np.arange(count + 1), servers)
    return float((share * busy).sum() / service)


def test_hand_worked_network():
    # Z = 15 s, demands 0.605, 2.1, 1.35 s: the recursion done with a pocket calculator, three customers
    assert 1e3 * mva(3, 15_000, [605, 2_100, 1_350]) == pytest.approx([0.05248, 0.10309, 0.15151], abs=2e-5)


def test_balanced_network_has_a_closed_form():
    # N customers, K equal stations, no delay: X = N / (D (N + K - 1))
    assert balanced(7, 0, 4.0, 3) == pytest.approx(7 / (4.0 * (7 + 3 - 1)))


@MODEST
@given(st.integers(1, 12), st.floats(0, 30), st.floats(0.2, 20), st.integers(1, 6))
def test_balanced_network_agrees_with_mean_value_analysis(count, think, demand, stations):
    assert balanced(count, think, demand, stations) == pytest.approx(mva(count, think, [demand] * stations)[-1])


@MODEST
@given(st.integers(1, 15), st.floats(0.5, 50), st.floats(0.5, 20), st.integers(1, 5))
def test_repairman_agrees_with_balance_equations(count, think, service, servers):
    assert repairman(count, think, service, servers) == pytest.approx(birth_death(count, think, service, servers))


@MODEST
@given(st.integers(1, 15), st.floats(0.5, 50), st.floats(0.5, 20))
def test_repairman_with_one_server_is_a_network_of_one_station(count, think, service):
    assert repairman(count, think, service, 1) == pytest.approx(mva(count, think, [service])[-1])


def test_one_requester_never_queues():
    assert repairman(1, 7, 3, 1) == pytest.approx(0.1)


def test_enough_servers_do_not_queue():
    assert repairman(6, 7, 3, servers=6) == pytest.approx(0.6)


def test_without_thinking_every_server_is_busy():
    assert repairman(9, 0, 3, 4) == pytest.approx(4 / 3)
    assert repairman(2, 0, 3, 4) == pytest.approx(2 / 3)


def test_many_thinkers_become_poisson_arrivals():
    rate = repairman(400, 400 / 50 * 1e3, 10, 1)
    assert 400 / rate - 400 / 50 * 1e3 == pytest.approx(10 + mmc_wait_ms(50, 10, 1), rel=0.02)


def test_thousands_of_requesters_stay_finite():
    assert repairman(4096, 1.0, 1.0, 8) == pytest.approx(8)
