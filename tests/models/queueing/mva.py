"""Exact mean value analysis of a closed network (Reiser and Lavenberg 1980), which closed models are compared with."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def mva(population: int, delay_ms: float, demands_ms: Sequence[float]) -> NDArray[np.float64]:
    """Requests per ms with 1, 2, ... requesters: a delay, and stations of one server each."""
    demands, queued, rates = np.asarray(demands_ms, float), np.zeros(len(demands_ms)), []
    for n in range(1, population + 1):
        times = demands * (1 + queued)
        rates.append(n / (delay_ms + times.sum()))
        queued = rates[-1] * times
    return np.array(rates)
