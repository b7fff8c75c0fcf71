"""Response of measured volumes at other rates in the box that they are in, by the box's own curve."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from iosq.models.migrate.forecast import row_of
from iosq.models.migrate.same_box import inside_at, response_at
from iosq.models.migrate.workload import MeasuredVolume
from iosq.models.pav.answers import Interval
from iosq.models.pav.box import REACH
from iosq.models.pav.power_curve import PowerCurve
from iosq.models.pav.residual import ERROR
from iosq.toolkit.predict.closed_hours import name_of
from iosq.toolkit.predict.given import NOTHING
from iosq.toolkit.predict.lake import Reading
from iosq.toolkit.predict.migrate import Wish, volumes_of
from iosq.toolkit.predict.open_load import MEASURED, BoxState, box_state, own_curve
from iosq.toolkit.predict.pav_box import box_then
from iosq.toolkit.predict.scatter import of_measured_mean
from iosq.toolkit.sql.questions import ask, load
from iosq.toolkit.units import human_number

if TYPE_CHECKING:
    from iosq.toolkit.sql.engine import Connection

MEAN = load(__package__, "box_mean.sql")
_AS_MEASURED = Wish("the same box", given=replace(NOTHING, read_ratio=0.5))  # the read share changes nothing here


@dataclass(frozen=True, slots=True)
class AtRates:
    """A mean response as a measured mean will show it; `note` says why it is only bounds, and is empty if it is not."""

    response_ms: Interval
    note: str


def at_rates(
    con: Connection, measured: Sequence[Reading], rates: Sequence[float], subject: Sequence[bool] | None = None
) -> AtRates:
    """Mean response of volumes at other rates.

    Args:
        con: the lake that has the curve of the box.
        measured: all volumes of the box with usable times, in one interval.
        rates: I/Os per second of each.
        subject: those in the mean; all by default.

    Raises:
        RequestError: a measured value is impossible.
    """
    curve, state = _box(con, measured)
    volumes = [volumes_of([r], _AS_MEASURED)[0] for r in measured]
    found = response_at(curve, volumes, rates, subject)
    inside = inside_at(volumes, rates, sum(curve.elasticity) / 2) * state.in_service
    return AtRates(of_measured_mean(found, state.scatter, 1), _why_bounds(curve, found, inside))


def joined(con: Connection, there: Sequence[Reading], coming: Sequence[Reading]) -> AtRates:
    """Mean response of volumes that come from another box, at the rates measured there.

    What is of the box, pend and disconnect, they get like its own volumes on average. Their connect time comes with
    their data; how much of it is of the old box is unknown, so the interval reaches from theirs to that of the new one.

    Args:
        con: the lake that has the curve of the box.
        there: all volumes of the box with usable times, in one interval.
        coming: the volumes in the other box, in the same interval.

    Raises:
        RequestError: a measured value is impossible.
    """
    curve, state = _box(con, there)
    own, new = ([volumes_of([r], _AS_MEASURED)[0] for r in of] for of in (there, coming))
    arriving = [False] * len(own) + [True] * len(new)
    rates = [v.io_rate for v in (*own, *new)]
    box_ms, conn_ms = _mean(own, lambda v: v.pend_ms + v.disc_ms), _mean(own, lambda v: v.conn_ms)
    kept, usual = ([*own, *(_placed(v, box_ms, ms or v.conn_ms) for v in new)] for ms in (None, conn_ms))
    likely, other = (response_at(curve, volumes, rates, arriving, arriving) for volumes in (kept, usual))
    found = Interval(likely.value, min(likely.low, other.low), max(likely.high, other.high))
    inside = inside_at(kept, rates, sum(curve.elasticity) / 2, arriving) * state.in_service
    differing = _apart(own) * math.sqrt(1 / len(new) + 1 / len(own))
    scatter = math.hypot(ERROR if state.scatter is None else state.scatter, differing)
    return AtRates(of_measured_mean(found, scatter), _why_bounds(curve, found, inside))


def _box(con: Connection, measured: Sequence[Reading]) -> tuple[PowerCurve, BoxState]:
    """The box in the interval of these readings: its curve as far as it was measured at any time, its own scatter."""
    names = {r.name for r in measured}
    state = box_state([r for r in box_then(con, measured[:1]) if name_of(r) in names], NOTHING)
    curve, (mean,) = own_curve(state, NOTHING), ask(con, MEAN, box=measured[0].box).to_pylist() or [{}]
    if mean.get("scatter_ratio") is None:
        return curve, state
    state = replace(state, scatter=_of_all(measured, mean["scatter_ratio"], state.scatter))
    most = max(mean["in_service_max"], state.in_service)
    if curve.calibrated_on != MEASURED:
        return curve, state
    steep = mean["steepest_ratio"] * (state.in_service / most) ** 2
    return replace(curve, in_box_max=most, elasticity=_bent(curve.elasticity, steep)), state


def _of_all(measured: Sequence[Reading], common: float, single: float | None) -> float:
    """Scatter of the mean over these volumes: what the box has in common stays, the rest falls with their number."""
    own = max((ERROR if single is None else single) ** 2 - common**2, 0.0)
    return math.sqrt(common**2 + own * sum(r.rate**2 for r in measured) / sum(r.rate for r in measured) ** 2)


def _bent(straight: tuple[float, float], steep: float) -> tuple[float, float]:
    """The elasticity at this number in the box.

    A queue bends its curve: the fuller the box, the steeper. Where more is asked than was there, one slope over all
    intervals is too flat. `steep` is the slope of a service time that grows with the square of the number. How much it
    bends is unknown, so the interval reaches from the straight line to as far on the other side.
    """
    low, high = straight
    bent = min((low + high) / 2, 1 - steep)
    apart = math.hypot((high - low) / 2, (low + high) / 2 - bent)
    return max(bent - apart, 0.0), min(bent + apart, 1.0)


def _placed(volume: MeasuredVolume, box_ms: float, conn_ms: float) -> MeasuredVolume:
    """The volume with the times of another box, and the burstiness of its own wait."""
    wait_ms = row_of(volume, box_ms + conn_ms).wait_ms
    return replace(
        volume, pend_ms=0.0, disc_ms=box_ms, conn_ms=conn_ms, wait_ms=wait_ms if math.isfinite(wait_ms) else 0.0
    )


def _mean(volumes: Sequence[MeasuredVolume], of: Callable[[MeasuredVolume], float]) -> float:
    return sum(v.io_rate * of(v) for v in volumes) / sum(v.io_rate for v in volumes)


def _apart(volumes: Sequence[MeasuredVolume]) -> float:
    """How much volumes of a box differ: standard deviation of ln(pend and disconnect time)."""
    logs = [math.log(max(v.pend_ms + v.disc_ms, 1e-3)) for v in volumes]
    return statistics.stdev(logs) if len(logs) > 1 else math.inf


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
