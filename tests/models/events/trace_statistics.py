"""Statistics of a trace: rates and times with confidence intervals, percentiles, course over time."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from tests.models.events.queues import Array, Trace


@dataclass(frozen=True)
class Interval:
    """Mean of independent values and the half-width of its confidence interval."""

    mean: float
    half_width: float
    confidence: float

    def covers(self, value: float) -> bool:
        """Whether the value lies inside."""
        return abs(value - self.mean) <= self.half_width


@dataclass(frozen=True)
class Summary:
    """I/Os per ms and mean times in ms, each over the replications."""

    io_rate: Interval
    response_ms: Interval
    wait_ms: Interval


def summarize(trace: Trace, *, warm_up: float = 0.1, confidence: float = 0.99) -> Summary:
    """Drop the first `warm_up` share of each replication, then treat replications as independent."""
    first = int(len(trace.arrival_ms) * warm_up)
    entries = trace.entry_ms[first:]
    rates = (len(entries) - 1) / (entries[-1] - entries[0])
    return Summary(
        interval(rates, confidence),
        interval(trace.response_ms[first:].mean(axis=0), confidence),
        interval(trace.wait_ms[first:].mean(axis=0), confidence),
    )


def interval(values: Array | Sequence[float], confidence: float = 0.99) -> Interval:
    """Student interval of independent values (replications)."""
    x = np.asarray(values, dtype=np.float64)
    error = float(x.std(ddof=1)) / math.sqrt(len(x))
    return Interval(float(x.mean()), student(confidence, len(x) - 1) * error, confidence)


def student(confidence: float, degrees: int) -> float:
    """Two-sided Student quantile by Cornish-Fisher expansion around the normal (Abramowitz and Stegun 26.7.5)."""
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    g = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + math.fsum(term / degrees ** (k + 1) for k, term in enumerate(g))


def percentiles(trace: Trace, levels: Sequence[float], *, warm_up: float = 0.1) -> dict[float, float]:
    """Response times in ms not exceeded by each share of the I/Os (0.95, …), all replications pooled."""
    values = np.quantile(trace.response_ms[int(len(trace.arrival_ms) * warm_up) :], list(levels))
    return {level: float(value) for level, value in zip(levels, values, strict=True)}


def over_time(trace: Trace, step_ms: float) -> tuple[Array, Array, Array]:
    """Ends of equal steps in ms, completions per ms and mean response in each (NaN where none), all replications."""
    end = float(trace.completion_ms.max(axis=0).min())
    edges = np.arange(0.0, end + step_ms, step_ms)
    count, _ = np.histogram(trace.completion_ms, edges)
    total, _ = np.histogram(trace.completion_ms, edges, weights=trace.response_ms)
    mean = np.divide(total, count, out=np.full(len(count), np.nan), where=count > 0)
    return edges[1:], count / step_ms / trace.arrival_ms.shape[1], mean
