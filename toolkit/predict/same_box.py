"""Response of measured volumes at other rates in the box that they are in, by the box's own curve."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from iosq.models.migrate.same_box import inside_at, response_at
from iosq.models.pav.answers import Interval
from iosq.models.pav.box import REACH
from iosq.models.pav.power_curve import PowerCurve
from iosq.toolkit.predict.closed_hours import name_of
from iosq.toolkit.predict.given import NOTHING
from iosq.toolkit.predict.lake import Reading
from iosq.toolkit.predict.migrate import Wish, volumes_of
from iosq.toolkit.predict.open_load import box_state, own_curve
from iosq.toolkit.predict.pav_box import box_then
from iosq.toolkit.predict.scatter import of_measured_mean
from iosq.toolkit.units import human_number

if TYPE_CHECKING:
    from iosq.toolkit.sql.engine import Connection

_AS_MEASURED = Wish("the same box", given=replace(NOTHING, read_ratio=0.5))  # the read share changes nothing here


@dataclass(frozen=True, slots=True)
class AtRates:
    """A mean response as a measured mean will show it; `note` says why it is only bounds, and is empty if it is not."""

    response_ms: Interval
    note: str


def at_rates(
    con: Connection,
    platform: str,
    measured: Sequence[Reading],
    rates: Sequence[float],
    subject: Sequence[bool] | None = None,
) -> AtRates:
    """Mean response of volumes at other rates.

    Args:
        con: the lake that has the curve of the box.
        platform: operating system of the first reading.
        measured: all volumes of the box with usable times, in one interval.
        rates: I/Os per second of each.
        subject: those in the mean; all by default.

    Raises:
        RequestError: a measured value is impossible.
    """
    names = {r.name for r in measured}
    state = box_state([r for r in box_then(con, platform, measured[:1]) if name_of(r) in names], NOTHING)
    curve = own_curve(state, NOTHING)
    volumes = [volumes_of([r], _AS_MEASURED)[0] for r in measured]
    found = response_at(curve, volumes, rates, subject)
    inside = inside_at(volumes, rates, sum(curve.elasticity) / 2) * state.in_service
    return AtRates(of_measured_mean(found, state.scatter), _why_bounds(curve, found, inside))


def _why_bounds(curve: PowerCurve, found: Interval, inside: float) -> str:
    most = REACH * curve.in_box_max
    if math.isinf(found.value):
        return "no steady response: more I/Os would arrive than the exposures of some volumes let in"
    if inside <= most:
        return ""
    if not most:
        return curve.calibrated_on
    there, known = human_number(inside), human_number(most)
    return f"bounds only: about {there} I/Os would be in the box at once, and its curve is known up to {known}"
