"""Event simulation: an event list that is always exact, and job stepping that is fast where it is exact."""

from iosq.models.events import heap, stepping
from iosq.models.events.model import HIT, MISS, WRITE, Box, Host, Samples, Trace, draw
from iosq.models.events.results import (
    Agreement,
    Interval,
    Summary,
    batch_means,
    compare,
    interval,
    over_time,
    percentiles,
    student,
    summarize,
)

__all__ = [
    "HIT",
    "MISS",
    "WRITE",
    "Agreement",
    "Box",
    "Host",
    "Interval",
    "Samples",
    "Summary",
    "Trace",
    "batch_means",
    "compare",
    "draw",
    "heap",
    "interval",
    "over_time",
    "percentiles",
    "simulate",
    "stepping",
    "student",
    "summarize",
]


def simulate(host: Host, box: Box, samples: Samples) -> Trace:
    """The fast engine where it is exact, the event list otherwise."""
    if stepping.is_exact(box):
        return stepping.simulate(host, box, samples)
    return heap.simulate(host, box, samples)
