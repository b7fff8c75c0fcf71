"""Closed networks against hand-worked answers, each other and the laws."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.models.queueing.closed import mva, repairman
from iosq.models.queueing.stations import mmc
from iosq.toolkit.errors import RequestError

MODEST = settings(max_examples=40, deadline=None)
DEMANDS = st.lists(st.floats(0.2, 20), min_size=1, max_size=4)


def birth_death(count, think, service, servers):
    """The repairman solved from its balance equations, an independent way to the same answer."""
    weights = [1.0]
    for inside in range(count):
        weights.append(weights[-1] * (count - inside) / think * service / min(inside + 1, servers))
    share = np.array(weights) / np.sum(weights)
    busy = np.minimum(np.arange(count + 1), servers)
    return float((share * busy).sum() / service * 1e3)


def test_hand_worked_network():
    # Z = 15 s, demands 0.605, 2.1, 1.35 s: the recursion done with a pocket calculator, three customers
    answer = mva(3, 15_000, [605, 2_100, 1_350])
    assert answer.rate == pytest.approx([0.05248, 0.10309, 0.15151], abs=2e-5)


def test_balanced_network_has_a_closed_form():
    # N customers, K equal stations, no delay: X = N / (D (N + K - 1))
    answer = mva(7, 0, [4.0] * 3)
    assert answer.rate[-1] == pytest.approx(7e3 / (4.0 * (7 + 3 - 1)))


@MODEST
@given(st.integers(1, 15), st.floats(0.5, 50), st.floats(0.5, 20), st.integers(1, 5))
def test_repairman_agrees_with_balance_equations(count, think, service, servers):
    assert repairman(count, think, service, servers).rate[-1] == pytest.approx(
        birth_death(count, think, service, servers), rel=1e-6
    )


@MODEST
@given(st.integers(1, 12), st.floats(0, 30), DEMANDS)
def test_laws(count, delay, demands):
    answer = mva(count, delay, demands)
    inside = answer.queue_lengths.sum(axis=1) + answer.rate * delay / 1e3
    assert inside == pytest.approx(answer.population)
    assert np.all(answer.rate * max(demands) / 1e3 <= 1 + 1e-9)
    assert np.all(np.diff(answer.rate) >= -1e-9)


@MODEST
@given(st.integers(1, 12), st.floats(0.1, 30), DEMANDS)
def test_a_flow_equivalent_station_replaces_what_it_was_made_from(count, delay, demands):
    inner = mva(count, 0, demands).rate
    assert mva(count, delay, [], [inner]).rate == pytest.approx(mva(count, delay, demands).rate, rel=1e-6)


def test_one_requester_never_queues():
    assert repairman(1, 7, 3).rate[-1] == pytest.approx(100)


def test_enough_servers_do_not_queue():
    assert repairman(6, 7, 3, servers=6).rate[-1] == pytest.approx(600)


def test_many_thinkers_become_poisson_arrivals():
    answer = repairman(400, 400 / 50 * 1e3, 10)
    assert answer.response_ms[-1] == pytest.approx(mmc(50, 10, 1).response_ms, rel=0.02)


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: mva(0, 1, [1]), "population"),
        (lambda: mva(1.5, 1, [1]), "population"),
        (lambda: mva(2, -1, [1]), "delay_ms"),
        (lambda: mva(2, 1, [1, 0]), "demands_ms"),
        (lambda: mva(2, 1, [], [[3, -1]]), "flows"),
        (lambda: mva(2, 0, []), "demands_ms"),
        (lambda: repairman(2, 1, 1, 0), "servers"),
    ],
)
def test_impossible_inputs_name_themselves(call, name):
    with pytest.raises(RequestError, match=name):
        call()
