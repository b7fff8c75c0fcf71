"""Closed network of one FCFS station with Erlang service and a delay, solved exactly."""

import math

import numpy as np

from iosq.toolkit.errors import RequestError

_SATURATED = 20.0  # a population this many times the balanced one saturates the station to better than 1e-4
_IDLE = 1e-9  # below this share of the delay there is no contention for the station
_PHASES_MAX = 32


def throughput(population: float, delay_ms: float, service_ms: float, variability: float = 1.0) -> float:
    """Requests per ms. Interpolates fractional populations and variabilities between two Erlang distributions.

    Args:
        delay_ms: mean time outside the station, exponential; with 0 the station is always busy.
        variability: squared coefficient of variation of service, above 0; 1 is the machine repairman, 1/k an Erlang
            distribution of k phases, values above 1 count as 1.

    RequestError for a time that is negative or not finite, or a variability outside the range.
    """
    _check(population, delay_ms, service_ms, variability)
    phases = 1.0 / min(variability, 1.0)
    few, many = math.floor(phases), math.ceil(phases)
    if few == many:
        return _fractional(population, delay_ms, service_ms, few)
    share = (1 / few - variability) / (1 / few - 1 / many)
    smooth, rough = (_fractional(population, delay_ms, service_ms, n) for n in (many, few))
    return share * smooth + (1 - share) * rough


def _check(population: float, delay_ms: float, service_ms: float, variability: float) -> None:
    for name, value in (("population", population), ("delay_ms", delay_ms), ("service_ms", service_ms)):
        if not math.isfinite(value) or value < 0:
            raise RequestError(f"{name} = {value} must be finite and not negative")
    if delay_ms + service_ms == 0:
        raise RequestError("delay_ms + service_ms must be positive")
    if not variability >= 1 / _PHASES_MAX:
        raise RequestError(f"variability = {variability} must be at least 1/{_PHASES_MAX}")


def _fractional(population: float, delay_ms: float, service_ms: float, phases: int) -> float:
    low = math.floor(population)
    share = population - low
    below = _whole(low, delay_ms, service_ms, phases)
    return below if share == 0 else (1 - share) * below + share * _whole(low + 1, delay_ms, service_ms, phases)


def _whole(population: int, delay_ms: float, service_ms: float, phases: int) -> float:
    if population == 0:
        return 0.0
    if population * service_ms < _IDLE * delay_ms:
        return population / (delay_ms + service_ms)
    if delay_ms == 0 or population * service_ms > _SATURATED * (delay_ms + service_ms):
        return 1.0 / service_ms
    return (1.0 - _idle(population, delay_ms, service_ms, phases)) / service_ms


def _idle(population: int, delay_ms: float, service_ms: float, phases: int) -> float:
    """Probability of an empty station, from the balance equations of (requests present, phase in service)."""
    rates = _generator(population, delay_ms, service_ms, phases)
    system = np.vstack([rates.T[:-1], np.ones(len(rates))])
    right = np.zeros(len(rates))
    right[-1] = 1.0
    return float(np.linalg.solve(system, right)[0])


def _generator(population: int, delay_ms: float, service_ms: float, phases: int) -> np.ndarray:
    """Transition rates per ms; state 0 is empty, state 1 + (n-1) phases + p has n present and phase p in service."""
    states = 1 + population * phases
    rates = np.zeros((states, states))
    for state in range(states):
        present, phase = (0, 0) if state == 0 else ((state - 1) // phases + 1, (state - 1) % phases)
        if present < population:
            rates[state, 1 if state == 0 else state + phases] += (population - present) / delay_ms
        if present:
            last = phase + 1 == phases
            after = (0 if present == 1 else 1 + (present - 2) * phases) if last else state + 1
            rates[state, after] += phases / service_ms
    np.fill_diagonal(rates, -rates.sum(axis=1))
    return rates
