"""Widen prediction intervals so that nine of ten means measured after the change are inside.

Such a mean is over an hour of comparable intervals. A prediction interval includes the spread of the model's
parameters and the scatter of measured means, of the interval the prediction starts from and of the hour afterwards.
Scatter is measured around the curve of the box, so it includes errors of the curve. Intervals of the wait include
only the model's spread: they decide on counts, which should not depend on chance in one interval.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import exp, fsum, hypot, isclose, isinf, log, sqrt

from iosq.models.coverage import NORMAL_90
from iosq.models.pav.answers import Interval, Prediction, WhatIf
from iosq.models.pav.bounds import in_box
from iosq.models.pav.residual import ERROR, REPEATED
from iosq.toolkit.rows import Row

HOUR = 4  # intervals per hour, usually of 15 minutes
OPEN, CLOSED = ("service_ms", "response_ms"), ("rate", "service_ms", "response_ms")


def scatter_of(volumes: Sequence[Row]) -> float | None:
    """Standard deviation of ln(service time) of these volumes together in one interval; None if unknown.

    The part common to the box is constant; the rest falls with the number of volumes: rows with `io_rate`, and
    `scatter_ratio` and `box_scatter_ratio` of the curve of their box.
    """
    single, common = (volumes[0].get(name) for name in ("scatter_ratio", "box_scatter_ratio"))
    if single is None or common is None:
        return single
    own = max(single**2 - common**2, 0.0) * one_over([v["io_rate"] for v in volumes])
    return sqrt(min(single, common) ** 2 + own)


def one_over(rates: Sequence[float]) -> float:
    """Variance of a mean weighted by these rates / variance of one value; 1 / n for n equal rates."""
    return fsum(rate**2 for rate in rates) / fsum(rates) ** 2


def of_measured_means(what_if: WhatIf, now: int, scatter: float | None, parts: Sequence[str] = OPEN) -> WhatIf:
    """The answer with intervals for measured means; measurements and bounds stay, except impossibly short times.

    Args:
        now: today's count, whose row is the measurement.
        scatter: standard deviation of ln(service time) of one interval; None: that of published boxes.
        parts: the predicted means; for an open load the rate is given.
    """
    today = next((p for p in what_if.predictions if p.aliases == now), None)
    possible = [_no_quicker(p, today) for p in what_if.predictions]
    known = tuple(p if _is_certain(p, today, parts) else _wider(p, scatter, parts) for p in possible)
    return replace(what_if, predictions=known)


def _no_quicker(p: Prediction, today: Prediction | None) -> Prediction:
    """The prediction with times no shorter than the measured pend + disconnect + connect: aliases only save wait."""
    if today is None or p.aliases <= today.aliases or p.is_measured:
        return p
    least = today.service_ms.value
    service, response = (
        Interval(max(part.value, least), max(part.low, least), max(part.high, least))
        for part in (p.service_ms, p.response_ms)
    )
    return replace(p, service_ms=service, response_ms=response)


def of_measured_mean(predicted: Interval, scatter: float | None, intervals: int = HOUR) -> Interval:
    """The interval of a predicted mean, widened by the independent scatter of a mean over `intervals`."""
    value, share = predicted.value, half_width(scatter, intervals)
    if value <= 0 or isinf(value):
        return predicted
    low, high = (max(end, 0.0) for end in (predicted.low, predicted.high))
    low = value * exp(-hypot(log(value / low), share)) if low else 0.0
    return Interval(value, low, value * exp(hypot(log(high / value), share)))


def half_width(scatter: float | None, intervals: int) -> float:
    """Half the interval of a measured mean by scatter alone, as a logarithm.

    At least the value of the best repeated measurements.
    """
    return NORMAL_90 * max(ERROR if scatter is None else scatter, REPEATED) * sqrt(1 + 1 / intervals)


def _is_certain(p: Prediction, today: Prediction | None, parts: Sequence[str]) -> bool:
    if p.is_measured or not (p.identifiable and p.stable):
        return True
    # a closed load that uses no further alias stays in the measured state
    same = today is not None and (p is today or (parts is CLOSED and isclose(in_box(p), in_box(today))))
    return same and p.response_ms.low == p.response_ms.high


def _wider(p: Prediction, scatter: float | None, parts: Sequence[str]) -> Prediction:
    means = {part: of_measured_mean(getattr(p, part), scatter) for part in parts}
    return replace(p, **means)  # type: ignore[arg-type]
