"""Results of a PAV what-if: a prediction with an interval for each alias count, and conclusions."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from iosq.models.arrays import Floats
from iosq.models.pav.box import Box, BoxLoad
from iosq.models.pav.power_curve import PowerCurve

RateSource = Box | PowerCurve
"""Source of a box's curve: a machine file or fit, or a measured elasticity."""
NO_STATIONS = "the stations of the box are not known"
CLEARED_MS = 0.1  # resolution of listings: a shorter wait is not visible
# share of the response, and I/Os queued: a wait below both is negligible (thresholds of pav_add_alias)
CLEARED_SHARE, CLEARED_QUEUE = 0.1, 0.5
# share of the response above which a wait is long, however few I/Os queue
SLOW_SHARE = 0.25
BEST = 0.98  # counts within 2 % of the best rate or response are equally good
# lowest ratio of rates with more I/Os in a published box: DS6800, 33 % reads, 2 workers, 0.806 with one alias
FALL = 0.8
MOVED = 0.95  # share of the old response from which the wait has only moved


@dataclass(frozen=True)
class Interval:
    """A value with its 90 % interval."""

    value: float
    low: float
    high: float

    @staticmethod
    def around(value: float, draws: Floats) -> "Interval":
        """The middle 90 % of the draws, widened to include the value."""
        low, high = np.quantile(draws, [0.05, 0.95])
        return Interval(value, min(value, float(low)), max(value, float(high)))

    @staticmethod
    def beyond(value: float, draws: Floats, away: float) -> "Interval":
        """Bounds for an unmeasured state: 98 % of the draws, widened by the possible error `away`."""
        low, high = np.quantile(draws, [0.01, 0.99])
        return Interval(value, min(value, float(low)) / away, max(value, float(high)) * away)

    def grown(self, ratio: float) -> "Interval":
        """Bounds of this rate with `ratio` times the I/Os in the box: largest known fall to perfect scaling."""
        if np.isclose(ratio, 1.0):
            return self
        low, high = (FALL, ratio) if ratio > 1 else (ratio, 1 / FALL)
        return Interval(self.value * float(np.sqrt(low * high)), self.low * low, self.high * high)


def is_clear(wait_ms: float, service_ms: float, rate: float) -> bool:
    """True if the wait is so short that no further alias is worth its address.

    It is short compared with the response; or it is no large part of it and fewer than 0.5 I/Os queue, so that a
    further exposure would be idle most of the time.
    """
    share = SLOW_SHARE if rate * wait_ms / 1e3 < CLEARED_QUEUE else CLEARED_SHARE
    return wait_ms < max(CLEARED_MS, share * (wait_ms + service_ms))


@dataclass(frozen=True)
class Prediction:
    """One alias count: I/Os per second and milliseconds per I/O.

    identifiable: False if the measurements do not determine it; the interval is then [largest known fall, perfect
    scaling] and the value only its middle. stable: False if arrivals exceed capacity; waits are then infinite.
    is_measured: the work was measured with this number of aliases.
    """

    aliases: int
    rate: Interval
    wait_ms: Interval
    service_ms: Interval
    response_ms: Interval
    identifiable: bool = True
    stable: bool = True
    is_measured: bool = False

    def is_clear(self, end: str = "value") -> bool:
        """`is_clear` for the value or one end of the interval of the wait."""
        return is_clear(getattr(self.wait_ms, end), self.service_ms.value, self.rate.value)


@dataclass(frozen=True)
class Measured:
    """Measurements of the requested volumes: I/Os per second, ms per I/O."""

    rate: float
    wait_ms: float
    service_ms: float

    @property
    def response_ms(self) -> float:
        return self.wait_ms + self.service_ms

    def prediction(self, aliases: int, known: bool) -> Prediction:
        """The measurement as a prediction without uncertainty."""
        rate, wait, service, response = (
            Interval(value, value, value) for value in (self.rate, self.wait_ms, self.service_ms, self.response_ms)
        )
        return Prediction(aliases, rate, wait, service, response, known)


@dataclass(frozen=True)
class WhatIf:
    """Predictions by alias count and the conclusions from them.

    clears_wait: smallest count with a clear predicted wait (`is_clear`), None if there is none; best: smallest count
    within 2 % of the best (rate of a closed load, response of an open one); wait_moves: removing the wait shortens the
    response by less than 5 % and by less than half of the wait, so the wait only moves into the box; limit: the fullest
    station at the best count; settle: the measurement that would make all counts identifiable, '' if they are.
    """

    predictions: tuple[Prediction, ...]
    clears_wait: int | None
    best: int
    wait_moves: bool
    limit: str
    calibrated_on: str
    settle: str = ""

    @property
    def fewest(self) -> int | None:
        """Smallest count that clears the wait in the best case; None if there is none."""
        return next((p.aliases for p in self.predictions if p.is_clear("low")), None)

    @property
    def most(self) -> int | None:
        """Smallest count that clears the wait in the worst case; None if there is none."""
        return next((p.aliases for p in self.predictions if p.is_clear("high")), None)

    def of(self, count: int) -> Prediction:
        return next(p for p in self.predictions if p.aliases == count)

    @property
    def identifiable(self) -> bool:
        return all(prediction.identifiable for prediction in self.predictions)


def concluded(
    predictions: Sequence[Prediction], goal: Sequence[float], limit: str, calibrated_on: str, settle: str
) -> WhatIf:
    """Conclusions from predictions in ascending order of counts; `goal` is maximised: the rate, or 1 / response."""
    cleared = [p.aliases for p in predictions if p.is_clear()]
    best = concluded_best(goal)
    moves = _moves(predictions)
    return WhatIf(
        tuple(predictions), min(cleared, default=None), predictions[best].aliases, moves, limit, calibrated_on, settle
    )


def concluded_best(goal: Sequence[float]) -> int:
    """Position of the first value within 2 % of the best."""
    return int(np.argmax(np.asarray(goal) >= BEST * max(goal)))


def fullest_station(source: RateSource, load: BoxLoad, asked: float | None = None) -> str:
    """Text naming the fullest station at one load; latency if none is more than half full.

    Args:
        asked: measured I/Os per second. If they are fewer than by the file, utilisation is stated as a range, for the
            measured rate and for the measured I/Os inside.
    """
    stations = [(name, float(u[0])) for name, u in source.utilization(load).items()]
    if not stations:
        return NO_STATIONS
    name, share = max(stations, key=lambda pair: pair[1])
    if share <= 0.5:
        return "latency, as no station is half full"
    least = share if asked is None else share * min(asked / float(source.rate(load)[0]), 1.0)
    ends = dict.fromkeys(f"{100 * end:.0f}" for end in (least, share))
    return f"{name}, {' to '.join(ends)} % of its ceiling"


def _moves(predictions: Sequence[Prediction]) -> bool:
    first, last = predictions[0], predictions[-1]
    waited = first.wait_ms.value > CLEARED_MS and last.wait_ms.value < first.wait_ms.value
    removed, gained = first.wait_ms.value - last.wait_ms.value, first.response_ms.value - last.response_ms.value
    return bool(waited and last.response_ms.value > MOVED * first.response_ms.value and has_moved(removed, gained))


def has_moved(wait_gone: float, gained: float) -> bool:
    """True if most of a removed wait returns as service time; if not, a small gain means that the wait was short."""
    return gained < wait_gone / 2
