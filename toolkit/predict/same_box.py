"""Response of measured volumes at other rates in the same box, by the box's own curve."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from iosq.models.migrate.same_box import inside_at, response_at
from iosq.models.pav.answers import Interval
from iosq.models.pav.box import REACH
from iosq.models.pav.power_curve import PowerCurve
from iosq.toolkit.predict.closed_hours import name_of
from iosq.toolkit.predict.given import NOTHING
from iosq.toolkit.predict.lake import Reading
from iosq.toolkit.predict.migrate import Wish, volumes_of
from iosq.toolkit.predict.open_load import MEASURED, BoxState, box_state, own_curve
from iosq.toolkit.predict.pav_box import box_then
from iosq.toolkit.predict.scatter import HOUR, of_measured_mean
from iosq.toolkit.sql.engine import Connection
from iosq.toolkit.units import human_number

AS_MEASURED = Wish("the same box", given=replace(NOTHING, read_ratio=0.5))  # the read ratio has no effect here


@dataclass(frozen=True, slots=True)
class AtRates:
    """A mean response; `note` is the reason why it is only bounds, else empty.

    scatter: standard deviation of ln(response) of one interval, None if unknown; intervals: number measured afterwards.
    """

    response_ms: Interval
    note: str
    scatter: float | None = None
    intervals: int = HOUR

    @property
    def measured_ms(self) -> Interval:
        """The response with bounds for a mean measured at another time."""
        return of_measured_mean(self.response_ms, self.scatter, self.intervals)


def at_rates(
    con: Connection, measured: Sequence[Reading], rates: Sequence[float], subject: Sequence[bool] | None = None
) -> AtRates:
    """Mean response of volumes in their interval, at other rates; more load never makes it shorter.

    `measured`: all volumes of the box with usable times, in one interval; `subject`: true for volumes in the mean, by
    default all. RequestError if a measured value is impossible.
    """
    curve, state = of_box(con, measured)
    volumes = [volumes_of([r], AS_MEASURED)[0] for r in measured]
    found = response_at(curve, volumes, rates, subject)
    inside = inside_at(volumes, rates, sum(curve.elasticity) / 2) * state.in_service
    return AtRates(found, why_bounds(curve, found, inside), state.scatter, 1)


def of_box(con: Connection, measured: Sequence[Reading]) -> tuple[PowerCurve, BoxState]:
    """The box in the interval of these readings: its curve, valid up to the highest measured load, and its scatter."""
    names = {r.name for r in measured}
    rows = [r for r in box_then(con, measured[:1]) if name_of(r) in names]
    state = box_state(rows, NOTHING)
    curve, steepest = own_curve(state, NOTHING), rows[0].get("steepest_ratio")
    if curve.calibrated_on != MEASURED or steepest is None:
        return curve, state
    most = max(rows[0]["in_service_max"], state.in_service)
    steep = steepest * (state.in_service / most) ** 2
    return replace(curve, in_box_max=most, elasticity=_bent(curve.elasticity, steep)), state


def _bent(straight: tuple[float, float], steep: float) -> tuple[float, float]:
    """Bounds of the elasticity at the current number of I/Os in the box.

    Queueing bends the curve of service time: it gets steeper as the box fills, so beyond the measured load one slope
    over all intervals is too flat. `steep` is the slope if service time grows with the square of the number. The real
    bend is unknown, so the interval extends from the straight line to the same distance on the other side.
    """
    low, high = straight
    bent = min((low + high) / 2, 1 - steep)
    apart = math.hypot((high - low) / 2, (low + high) / 2 - bent)
    return max(bent - apart, 0.0), min(bent + apart, 1.0)


def why_bounds(curve: PowerCurve, found: Interval, inside: float) -> str:
    """Why an answer with `inside` I/Os in the box is only bounds; empty if it is more."""
    most = REACH * curve.in_box_max
    if math.isinf(found.value):
        return "no steady response: more I/Os would arrive than the exposures of some volumes let in"
    if inside <= most:
        return ""
    if not most:
        return curve.calibrated_on
    there, known = human_number(inside), human_number(most)
    return f"bounds only: about {there} I/Os would be in the box at once, and its curve is known up to {known}"
