"""More writes, more NVS or faster destage for a box of a lake: its worst interval as measured, and what changes it.

NVS and destage are the box's, so a subsystem is never looked at alone. What the model says is anchored at the measured
interval: writes that found room then are what the box serves at once. At the destage ceiling every write that is added
waits; below it (bursts) at least the same share of all writes does, and at most all that are added.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from iosq.models.nvs import TRACK_BYTES, seconds_to_fill
from iosq.toolkit.errors import RequestError
from iosq.toolkit.predict.nvs import Burst
from iosq.toolkit.rows import Row
from iosq.toolkit.sql.questions import ask, load

if TYPE_CHECKING:
    from iosq.toolkit.sql.engine import Connection

SUBSYSTEMS = load(__package__, "nvs_subsystems.sql")
BOXES = load(__package__, "nvs_boxes.sql")
# the measurement includes how and when a write fills NVS
MEASURED = {
    "seconds": "--seconds",
    "calm_rate": "--calm-rate",
    "write_bytes": "--block-bytes",
    "rewrite_ratio": "--rewrite-ratio",
    "footprint_gb": "--footprint-gb",
    "write_ratio": "--write-ratio",
    "read_hit_ratio": "--read-hit-ratio",
}


@dataclass(frozen=True)
class Interval:
    """A box in its worst interval: the one with most delayed writes (of a steady overload, if it has one), else
    the one with most writes.

    Attributes:
        row: of `nvs_boxes.sql`.
        subsystem: the requested one.
        own: its rows, all intervals.
        has_ceiling: the ceiling of destage was given.
    """

    row: Row
    subsystem: str
    own: Sequence[Row]
    has_ceiling: bool = False

    @property
    def is_steady(self) -> bool:
        """True if writes wait, or would, because destage is at its ceiling."""
        return self.has_ceiling or bool(self.row["is_steady"])

    @property
    def run_s(self) -> float:
        """Duration of the run of delayed writes around it."""
        return float(self.row["run_s"])

    @property
    def write_rate(self) -> float:
        """Writes per second."""
        return float(self.row["write_count"] / self.row["interval_s"])

    @property
    def delayed_rate(self) -> float:
        """Writes per second that found no room."""
        return float((self.row["nvs_delay_count"] or 0.0) / self.row["interval_s"])

    @property
    def own_rate(self) -> float:
        """Writes per second of the requested subsystem in this interval."""
        ages = ((_seconds_into(self.row, r), r["write_count"]) for r in self.own)
        length = self.row["interval_s"]
        return float(sum(count for age, count in ages if 0 <= age < length) / length)


def _seconds_into(around: Row, inside: Row) -> float:
    """From the start of an interval to the middle of another: a subsystem may have another clock than its box."""
    apart: dt.timedelta = inside["interval_start"] - around["interval_start"]
    return apart.total_seconds() + float(inside["interval_s"] or 0.0) / 2


@dataclass(frozen=True)
class Change:
    """The requested change of a box.

    Attributes:
        write_rate: writes per second of the whole box.
        nvs_bytes: its NVS; None if unknown.
        room_bytes: part of it that the measured box lacks.
        destage_ratio: its destage ceiling over what it destaged at most when measured.
    """

    write_rate: float
    nvs_bytes: float | None
    room_bytes: float = 0.0
    destage_ratio: float = 1.0

    def is_measured(self, then: Interval) -> bool:
        """True if nothing differs from the measurement."""
        return (self.write_rate, self.room_bytes, self.destage_ratio) == (then.write_rate, 0.0, 1.0)


@dataclass(frozen=True)
class Delayed:
    """Writes per second that find no room, and their bounds."""

    value: float
    low: float
    high: float


def delayed(then: Interval, change: Change) -> Delayed:
    """Effect of a change on the delayed writes.

    Writes without delay count as served at once; faster destage adds writes in proportion to the freed room. Added room
    takes one write per track, once: in an interval of bursts, or during a whole steady overload.
    """
    if change.is_measured(then):
        return Delayed(*[then.delayed_rate] * 3)
    room = change.room_bytes / TRACK_BYTES / (then.run_s if then.is_steady else then.row["interval_s"])
    added = change.write_rate - then.write_rate * change.destage_ratio
    at_ceiling = added + then.delayed_rate * change.destage_ratio - room
    same_share = then.delayed_rate * change.write_rate / then.write_rate / change.destage_ratio - room
    low, high = (min(max(r, 0.0), change.write_rate) for r in sorted((at_ceiling, same_share)))
    return Delayed(min(max(at_ceiling, low), high) if then.is_steady else high, low, high)


def held_to(then: Interval, change: Change, late: Delayed) -> float | None:
    """Writes per second that get through: all, or the ceiling; None if no ceiling was measured."""
    if not late.high:
        return change.write_rate
    return min(change.write_rate, then.write_rate * change.destage_ratio) if then.is_steady else None


def full_after_s(then: Interval, nvs_bytes: float | None, late: Delayed) -> float | None:
    """Seconds until an empty NVS is full; None for bursts, whose length isn't recorded, and without a ceiling."""
    if nvs_bytes is None or (late.high and not then.is_steady):
        return None
    return seconds_to_fill(nvs_bytes, late.value)


def verdict(then: Interval, more_bytes: float | None, late: Delayed) -> str:
    """Verdict on more NVS; a steady overload is assumed to last as long as the measured one."""
    if not late.value:
        return "absorbed"
    if then.is_steady:
        enough = more_bytes is not None and late.value * then.run_s * TRACK_BYTES <= more_bytes
        return "more NVS absorbs it" if enough else "more NVS only delays the overflow"
    if not then.delayed_rate or then.row["as_busy_free"] or more_bytes is None:
        return "not identifiable"
    enough = late.value * then.row["interval_s"] * TRACK_BYTES <= more_bytes
    return "more NVS absorbs it" if enough else "more NVS absorbs a part of it"


def change_of(then: Interval, burst: Burst) -> Change:
    """The change requested by the options.

    Raises:
        RequestError: an option about what the lake has measured, or one it has no number to compare with.
    """
    defaults = {f.name: f.default for f in fields(Burst)}
    for name, option in MEASURED.items():
        if getattr(burst, name) != defaults[name]:
            raise RequestError("the lake has measured this", place=option, remedy="leave it out, or --subsystem")
    size = then.row["nvs_bytes"] or None
    # without delays, the destage rate is not a ceiling, only the demand of these writes
    ceiling = then.row["destage_rate_max" if then.delayed_rate else "destage_rate"] or None
    if burst.nvs_bytes is not None and size is None:
        raise RequestError(
            "the lake doesn't have the size of the NVS it would replace", place="--nvs-mib", remedy="leave it out"
        )
    if burst.destage_rate is not None and ceiling is None:
        raise RequestError("the lake has no destage rate of it", place="--destage-rate", remedy="leave it out")
    room = 0.0 if burst.nvs_bytes is None or size is None else burst.nvs_bytes - size
    faster = 1.0 if burst.destage_rate is None or ceiling is None else burst.destage_rate / ceiling
    return Change((burst.write_rate or then.write_rate) * burst.growth, burst.nvs_bytes or size, room, faster)


def worst(con: Connection, name: str, least: float) -> tuple[Interval, int]:
    """The box of a subsystem in its worst interval, and the number of its intervals.

    Args:
        con: connection with the views of `statement()`.
        name: of the subsystem.
        least: share of delayed writes from which two adjoining intervals at the ceiling are a steady overload.

    Raises:
        RequestError: no such subsystem.
    """
    every = ask(con, SUBSYSTEMS).to_pylist()
    own = [row for row in every if row["subsystem"] == name.upper()]
    rows = [row for row in ask(con, BOXES, delayed_ratio=least).to_pylist() if own and row["box"] == own[0]["box"]]
    if not rows:
        known = ", ".join(sorted({row["subsystem"] for row in every})) or "none"
        what = f"no writes to a subsystem {name.upper()} in these intervals"
        raise RequestError(what, place="--subsystem", remedy=f"known are {known}")
    return Interval(rows[0], name.upper(), own), len(rows)


def statement() -> str:
    """The views this reads, for a connection that makes only those."""
    return f"{SUBSYSTEMS.sql} {BOXES.sql}"


def delay_ms(then: Interval, which: str) -> float | None:
    """Estimated wait of a delayed write as measured: `lost_s` or a bound of it; None if unknown."""
    lost = then.row[which]
    return None if lost is None or not then.delayed_rate else 1000 * lost / then.row["nvs_delay_count"]


def share(late: float, write_rate: float) -> float:
    """Delayed writes over writes."""
    return late / write_rate if write_rate and math.isfinite(late) else 0.0
