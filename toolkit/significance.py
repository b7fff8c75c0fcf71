"""Certainty of a difference (Student's t), false discoveries (Benjamini and Hochberg 1995), relevance."""

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any

# a smaller change is never relevant, whatever its share and certainty (our choice)
LEAST_CHANGE: Mapping[str, float] = MappingProxyType(
    {"wait_ms": 0.01, "service_ms": 0.01, "response_ms": 0.01, "queue_length": 0.01}
)
_STEPS = 300
_TINY = 1e-300


def _fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete beta function (Abramowitz and Stegun 26.5.8), by Lentz's method."""
    c, d = 1.0, 1.0 / max(1.0 - (a + b) * x / (a + 1.0), _TINY)
    total = d
    for m in range(1, _STEPS):
        for odd in (False, True):
            if odd:
                step = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
            else:
                step = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
            d = 1.0 / (1.0 + step * d or _TINY)
            c = 1.0 + step / c or _TINY
            total *= c * d
        if abs(c * d - 1.0) < 1e-14:
            break
    return total


def incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularized incomplete beta function I_x(a, b), 0 <= x <= 1."""
    if x <= 0.0 or x >= 1.0:
        return 0.0 if x <= 0.0 else 1.0
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    if x < (a + 1.0) / (a + b + 2.0):
        return front * _fraction(a, b, x) / a
    return 1.0 - front * _fraction(b, a, 1.0 - x) / b


def two_sided_p(t: float, freedom: float) -> float:
    """Probability that Student's t is at least as far from 0 as `t` by chance."""
    return incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t)) if math.isfinite(t) else 0.0


@lru_cache(maxsize=4096)
def t_quantile(confidence: float, freedom: float) -> float:
    """The half width, in standard errors, of an interval with this coverage (`confidence`)."""
    low, high = 0.0, 1e4
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if two_sided_p(middle, freedom) > 1 - confidence else (low, middle)
    return high


def false_discovery(p_values: Sequence[float] | Any) -> list[float]:
    """For each p-value the smallest false discovery rate at which it would count, in the order given.

    Benjamini and Hochberg's step-up procedure; holds for independent and for positively dependent tests.
    """
    count = len(p_values)
    adjusted, smallest = [1.0] * count, 1.0
    for rank, place in zip(range(count, 0, -1), sorted(range(count), key=lambda i: -p_values[i]), strict=True):
        smallest = min(smallest, float(p_values[place]) * count / rank)
        adjusted[place] = smallest
    return adjusted
