"""Effect of more writes, more NVS or faster destage on a box of a lake: rows, sentences, picture."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from iosq.models.nvs import TRACK_BYTES
from iosq.toolkit.errors import RequestError
from iosq.toolkit.predict import nvs_box
from iosq.toolkit.predict.answer import Answer
from iosq.toolkit.predict.lines import banded
from iosq.toolkit.predict.nvs import Burst
from iosq.toolkit.predict.nvs_box import Change, Delayed, Interval, share
from iosq.toolkit.predict.spread import bounded
from iosq.toolkit.rows import NewRow
from iosq.toolkit.show.clock import in_file, moment
from iosq.toolkit.show.numbers import plural, shown
from iosq.toolkit.show.records import unread, untimed
from iosq.toolkit.show.theme import PINK, finished
from iosq.toolkit.units import human_bytes

if TYPE_CHECKING:
    from iosq.toolkit.show.theme import Picture
    from iosq.toolkit.sql.engine import Connection

GROWTHS = [0.5 + 0.05 * step for step in range(51)]  # of the picture: from half to three times the writes


@dataclass(frozen=True)
class Case:
    """A box, the requested change, and its effect; `more_bytes` is optional additional NVS."""

    then: Interval
    change: Change
    more_bytes: float | None

    @property
    def late(self) -> Delayed:
        """Writes per second that find no room."""
        return nvs_box.delayed(self.then, self.change)

    @property
    def verdict(self) -> str:
        """Whether more NVS helps."""
        return nvs_box.verdict(self.then, self.more_bytes, self.late)

    def full_after_s(self, more_bytes: float = 0.0) -> float | None:
        """Seconds until its NVS and so much more is full."""
        size = self.change.nvs_bytes
        return nvs_box.full_after_s(self.then, None if size is None else size + more_bytes, self.without_room)

    @property
    def without_room(self) -> Delayed:
        """The same without added NVS: the existing NVS fills."""
        return nvs_box.delayed(self.then, replace(self.change, room_bytes=0.0))


def lake_answer(
    con: Connection, name: str, burst: Burst, *, limits: Mapping[str, float], timeline: bool = False
) -> Answer:
    """The box of a subsystem as measured in its worst interval, and after the requested change.

    Args:
        con: connection with the views of `nvs_box.statement()`.
        name: of the subsystem.
        burst: changes to the measurement.
        limits: `delayed_ratio` (see `nvs_box.worst`) and `read_ratio` of the rule nvs_delay.
        timeline: refused, since no record has it.

    Raises:
        RequestError: no such subsystem, or an option that does not apply to a lake.
    """
    if timeline:
        what = "how writes are spread over an interval isn't recorded"
        raise RequestError(what, place="--timeline", remedy="leave it out, or give --machine in place of --subsystem")
    then, count = nvs_box.worst(con, name, limits["delayed_ratio"])
    change = nvs_box.change_of(then, burst)
    if burst.destage_rate is not None and not then.delayed_rate:
        then = replace(then, has_ceiling=True)
    now, asked = (Case(then, c, burst.more_bytes or c.nvs_bytes) for c in (_measured(then), change))
    cases = [now] if change.is_measured(then) else [now, asked]
    missing = unread(then.row["coverage_ratio"], limits["read_ratio"])
    texts = (*(text for case in cases for text in _sentences(case)), _part(then), missing, _calibrated(then, count))
    texts = tuple(text for text in texts if text)
    facts = {
        "box": then.row["box"],
        "subsystem": then.subsystem,
        in_file("interval_start", then.row["utc_offset_s"]): then.row["interval_start"],
        "utc_offset_s": then.row["utc_offset_s"],
        "calibrated_on": _calibrated(then, count).removeprefix("calibrated on "),
    }
    rows = tuple(_row(case) for case in cases)
    return Answer(rows, texts, facts, lambda: _draw(now, texts))


def _measured(then: Interval) -> Change:
    return Change(then.write_rate, then.row["nvs_bytes"] or None)


def _row(case: Case) -> NewRow:
    then, change, late = case.then, case.change, case.late
    now = change.is_measured(then)
    seconds, rate = then.row["interval_s"], change.write_rate
    row: NewRow = {
        "load": "measured" if now else "asked",
        "write_rate": rate,
        "carried_write_rate": nvs_box.held_to(then, change, late) if not now else rate,
        "delayed_writes": late.value * seconds,
        "delayed_ratio": share(late.value, rate),
        "delay_ms_per_delayed_write": nvs_box.delay_ms(then, "lost_s") if now else None,
        "destage_rate": then.row["destage_rate"] if now else None,
        "nvs_bytes": change.nvs_bytes,
        "full_after_s": case.full_after_s(),
        "full_after_with_more_s": None if case.more_bytes is None else case.full_after_s(case.more_bytes),
        "verdict": case.verdict,
    }
    ends = {
        "delayed_writes": (late.low * seconds, late.high * seconds),
        "delayed_ratio": (share(late.low, rate), share(late.high, rate)),
    }
    low, high = (nvs_box.delay_ms(then, which) for which in ("lost_low_s", "lost_high_s"))
    if now and low is not None and high is not None:
        ends["delay_ms_per_delayed_write"] = low, high
    return bounded(row, ends)


def _sentences(case: Case) -> list[str]:
    """One case in sentences."""
    if case.change.is_measured(case.then):
        return [f"{_where(case.then)}, as measured: {_now(case)}{_more(case)}", *_open(case)]
    return [f"{_asked(case)}{_more(case)}"]


def _where(then: Interval) -> str:
    at = moment(then.row["interval_start"], then.row["utc_offset_s"])
    return f"box {then.row['box']} (all its subsystems, {then.subsystem} too, share NVS and destage), {at}"


def _now(case: Case) -> str:
    then, writes = case.then, f"{shown(case.then.write_rate)} writes/s"
    if not case.late.value:
        return f"NVS absorbs every one of {writes}"
    wait = nvs_box.delay_ms(then, "lost_s")
    unknown = f" (the length of their wait {untimed(then.row['unknown_reason'])})"
    each = unknown if wait is None else f" by {shown(wait)} ms each, by estimate"
    tracks = f"{shown(then.row['destage_rate'])} tracks/s (a write may leave several)"
    at = f", with destage at its limit, {tracks}" if then.is_steady else ""
    return f"{_percent(then.delayed_rate, then.write_rate)} of {writes} delayed{each}{at}"


def _asked(case: Case) -> str:
    then, change, late = case.then, case.change, case.late
    asked, high = f"at {_case(change)}", _percent(late.high, change.write_rate)
    if not late.high:
        return f"{asked}, NVS absorbs every write{_lasting(case)}"
    if not then.is_steady:
        least = f", at least {_percent(late.low, change.write_rate)}" if late.low else ""
        return f"{asked} at most {high} of them are delayed{least}"
    if not late.value:
        return f"{asked}, NVS absorbs every write; at most {high} of them are delayed if that was no limit of destage"
    carried = nvs_box.held_to(then, change, late) or 0.0
    if carried < change.write_rate:
        held = f"requesters are held back to {shown(carried)} writes/s"
        return f"{asked} more writes come than are destaged: {held}"
    return f"{asked} {_percent(late.value, change.write_rate)} of them are delayed"


def _lasting(case: Case) -> str:
    """How long the added room lasts in a steady overload, in words; empty if that does not apply."""
    after = case.full_after_s()
    if not case.then.is_steady or case.change.room_bytes <= 0 or after is None or math.isinf(after):
        return ""
    return (
        f" of an overload as long as the measured one, {case.then.run_s:,.0f} s: it would be full after {after:,.0f} s"
    )


def _case(change: Change) -> str:
    """The requested change, in words."""
    size = f" and {human_bytes(change.nvs_bytes)} of NVS" if change.room_bytes and change.nvs_bytes else ""
    faster = f" and {shown(change.destage_ratio)} times the destage" if change.destage_ratio != 1 else ""
    return f"{shown(change.write_rate)} writes/s{size}{faster}"


def _more(case: Case) -> str:
    """Effect of more NVS, appended to a sentence."""
    if case.verdict in ("absorbed", "not identifiable"):
        return ""
    if case.then.is_steady:
        after = case.full_after_s(case.more_bytes or 0.0)
        by = "twice as much" if case.more_bytes == case.change.nvs_bytes else "with what is added it"
        each = f"with a track for each of the {shown(case.without_room.value)} writes/s without room"
        return f"; {case.verdict}" + ("" if after is None else f": {each}, {by} would be full after {after:,.0f} s")
    needed = case.late.value * case.then.row["interval_s"] * TRACK_BYTES
    return f"; {case.verdict}: {human_bytes(needed)} more would do"


def _open(case: Case) -> list[str]:
    """What remains unknown after the measurement."""
    then = case.then
    if then.is_steady:
        return []
    if not then.delayed_rate:
        return [
            "not identifiable: no interval delayed a write, so destage was never at its limit; the highest rate of "
            "writes is the least that the box takes, delays at higher ones are the most there may be",
            "to settle it: an interval in which NVS was full, or --destage-rate",
        ]
    texts = ["how a burst fills its interval isn't recorded: of added writes the same share waits, or more, up to all"]
    if held := then.row["as_busy_free"]:
        texts.append(f"in {plural(held, 'interval')} as busy none waited: iosq advise nvs says what to ask")
    return texts


def _part(then: Interval) -> str:
    """The requested subsystem within its box."""
    late = int(sum(r["nvs_delay_count"] or 0.0 for r in then.own))
    when = sum(1 for r in then.own if r["nvs_delay_count"])
    waited = f"{plural(late, 'write')} to it delayed in {when} of {plural(len(then.own), 'interval')}"
    part = f"{shown(then.own_rate)} of these writes/s ({_percent(then.own_rate, then.write_rate)})"
    return f"subsystem {then.subsystem} has {part}; {waited if late else 'no write to it was delayed'}"


def _calibrated(then: Interval, count: int) -> str:
    kind = "most delayed writes" if then.delayed_rate else "most writes"
    return f"calibrated on the interval with {kind} of {plural(count, 'interval')} of box {then.row['box']}"


def _percent(part: float, whole: float) -> str:
    return f"{shown(100 * share(part, whole))} %"


def _draw(now: Case, texts: tuple[str, ...]) -> Picture:
    """Delayed writes over growth, with their bounds."""
    import altair as alt

    points = []
    for growth in GROWTHS:
        rate = now.then.write_rate * growth
        late = nvs_box.delayed(now.then, replace(now.change, write_rate=rate))
        ends = {name: 100 * share(getattr(late, name), rate) for name in ("value", "low", "high")}
        points.append({"growth": growth, **ends})
    x = alt.X("growth:Q", title="writes, times those measured", scale=alt.Scale(nice=False))
    names = ("value", "low", "high")
    chart = banded(points, names, "delayed writes (% of all)", points=False, x=x, color=alt.value(PINK))
    return finished(chart, f"{_now(now)}{_more(now)}", _where(now.then), *texts[1:])
