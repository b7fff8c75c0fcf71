"""Bounds for unknown alias counts from known ones, by two rules for any box.

Other I/Os in the box never make an I/O faster, so the rate grows at most in proportion to the I/Os in the box. With
more I/Os in the box the rate keeps at least the share `FALL`, the largest fall in the published z/VM PAV study.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from iosq.models.pav.answers import FALL, Interval, Prediction

SAME = 1e-9  # relative difference of I/Os in the box within which they are equal


def held(predictions: Sequence[Prediction]) -> list[Prediction]:
    """The predictions of a closed load in ascending order of counts; those that are not identifiable get bounds by the
    others, which were measured or follow from a curve."""
    known = [p for p in predictions if p.identifiable]
    return [p if p.identifiable else _with_rate(p, _between(p, known)) for p in predictions]


def in_box(p: Prediction) -> float:
    """I/Os in the box by Little's law."""
    return p.rate.value * p.service_ms.value / 1e3


def _between(p: Prediction, known: Sequence[Prediction]) -> Interval:
    inside, (low, high) = in_box(p), (p.rate.low, p.rate.high)
    fewer = [k for k in known if in_box(k) <= inside * (1 + SAME)]
    more = [k for k in known if in_box(k) > inside * (1 + SAME)]
    if fewer:
        kept = 1.0 if more else FALL  # between two known counts the bounds are those of the two
        low, high = kept * fewer[-1].rate.low, fewer[-1].rate.high * max(inside / in_box(fewer[-1]), 1.0)
    if more:
        # the measured rate may fall with more I/Os, so either count may give the lower bound
        least = more[0].rate.low * inside / in_box(more[0])
        low = max(min(low, more[0].rate.low), least) if fewer else least
        high = min(high, max(k.rate.high for k in (*fewer[-1:], more[0])))
    return Interval(float(np.sqrt(low * high)), low, high)


def _with_rate(p: Prediction, rate: Interval) -> Prediction:
    """The prediction at another rate, with the same I/Os in host and box."""
    wait, service, response = (
        _times(part.value * p.rate.value, rate) for part in (p.wait_ms, p.service_ms, p.response_ms)
    )
    return replace(p, rate=rate, wait_ms=wait, service_ms=service, response_ms=response)


def _times(requests: float, rate: Interval) -> Interval:
    return Interval(requests / rate.value, requests / rate.high, requests / rate.low)
