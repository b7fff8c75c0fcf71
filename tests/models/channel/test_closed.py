"""The closed station against known answers and against its own laws."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.models.channel.closed import throughput
from iosq.toolkit.errors import RequestError


def _repairman(population: int, delay: float, service: float) -> float:
    """Machine repairman by exact MVA."""
    queue = rate = 0.0
    for n in range(1, population + 1):
        response = service * (1 + queue)
        rate = n / (delay + response)
        queue = rate * response
    return rate


@pytest.mark.parametrize("population", [1, 2, 5, 12])
@pytest.mark.parametrize(("delay", "service"), [(1.0, 0.2), (0.2, 1.0), (3.0, 1.0)])
def test_exponential_service_is_the_machine_repairman(population: int, delay: float, service: float) -> None:
    assert throughput(population, delay, service) == pytest.approx(_repairman(population, delay, service), rel=1e-9)


def test_constant_service_is_approached_from_below() -> None:
    rates = [throughput(6, 1.0, 0.2, 1 / phases) for phases in (1, 2, 4, 16)]
    assert rates == sorted(rates)
    assert rates[-1] < 5.0


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 20), st.floats(0.01, 5), st.floats(0.01, 5), st.floats(0.1, 1))
def test_asymptotic_bounds_and_growth(population: int, delay: float, service: float, variability: float) -> None:
    rate = throughput(population, delay, service, variability)
    assert rate <= min(population / (delay + service), 1 / service) * (1 + 1e-9)
    assert rate <= throughput(population + 1, delay, service, variability) * (1 + 1e-9)


def test_ends() -> None:
    assert throughput(0, 1.0, 1.0) == 0
    assert throughput(1, 0.3, 0.2, 0.25) == pytest.approx(2.0)
    assert throughput(4, 2.0, 0.0) == 2.0
    assert throughput(4, 0.0, 0.5) == 2.0
    assert throughput(10_000, 1.0, 0.5) == 2.0
    assert throughput(2.5, 1.0, 1.0) == pytest.approx((throughput(2, 1.0, 1.0) + throughput(3, 1.0, 1.0)) / 2)
    mixed = throughput(5, 1.0, 0.3, 0.4)
    assert throughput(5, 1.0, 0.3, 0.5) < mixed < throughput(5, 1.0, 0.3, 1 / 3)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ((-1, 1, 1, 1), "population"),
        ((1, math.nan, 1, 1), "delay_ms"),
        ((1, 1, -2, 1), "service_ms"),
        ((1, 0, 0, 1), "must be positive"),
        ((1, 1, 1, 0), "variability"),
    ],
)
def test_nonsense_is_named(arguments: tuple[float, float, float, float], named: str) -> None:
    with pytest.raises(RequestError, match=named):
        throughput(*arguments)
