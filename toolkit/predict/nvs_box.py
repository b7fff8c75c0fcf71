"""More writes, more NVS or faster destage for a box of a lake, starting from its worst measured interval.

All subsystems of a box share NVS and destage, so the box is modelled as a whole. The model starts from the measured
interval: the writes that found room are what the box serves without delay. At the destage ceiling every added write
waits; below it (bursts) at least the same share of all writes waits, and at most all added writes.
"""

import datetime as dt
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace

from iosq.models.nvs import TRACK_BYTES, seconds_to_fill
from iosq.models.pav.answers import Interval as Bounds
from iosq.toolkit.errors import RequestError
from iosq.toolkit.late import alt
from iosq.toolkit.predict.answer import Answer
from iosq.toolkit.predict.lines import banded
from iosq.toolkit.predict.nvs import OPTIONS, Burst
from iosq.toolkit.predict.spread import bounded
from iosq.toolkit.rows import NewRow, Row
from iosq.toolkit.show.clock import in_file, moment
from iosq.toolkit.show.numbers import plural, shown
from iosq.toolkit.show.records import unread, untimed
from iosq.toolkit.show.theme import PINK, Picture, finished
from iosq.toolkit.sql.engine import Connection
from iosq.toolkit.sql.questions import ask, load
from iosq.toolkit.units import human_bytes

SUBSYSTEMS = load(__package__, "nvs_subsystems.sql")
BOXES = load(__package__, "nvs_boxes.sql")
# options that a measurement makes needless
MEASURED = ("seconds", "calm_rate", "write_bytes", "rewrite_ratio", "footprint_gb", "write_ratio", "read_hit_ratio")
GROWTHS = [0.5 + 0.05 * step for step in range(51)]  # for the picture: from half to three times the writes


@dataclass(frozen=True)
class Interval:
    """A box in its worst interval: the one with most delayed writes (in a steady overload, if there is one), else
    the one with most writes.

    `own`: rows of the subsystem in all intervals; `has_ceiling`: true if the destage ceiling was given.
    """

    row: Row
    subsystem: str
    own: Sequence[Row]
    has_ceiling: bool = False

    @property
    def is_refused(self) -> bool:
        """True if NVS is out of use: it takes no writes, whatever their rate."""
        return bool(self.row["is_refused"])

    @property
    def is_steady(self) -> bool:
        """True if writes wait, or would wait, because destage is at its ceiling."""
        return self.has_ceiling or bool(self.row["is_steady"] and not self.is_refused)

    @property
    def run_s(self) -> float:
        """Duration of the consecutive intervals with delayed writes around this one, s."""
        return float(self.row["run_s"])

    @property
    def write_rate(self) -> float:
        """Writes per second."""
        return float(self.row["write_count"] / self.row["interval_s"])

    @property
    def delayed_rate(self) -> float:
        """Writes per second that found no room in NVS."""
        return float((self.row["nvs_delay_count"] or 0.0) / self.row["interval_s"])

    @property
    def own_rate(self) -> float:
        """Writes per second of the requested subsystem in this interval."""
        ages = ((_seconds_into(self.row, r), r["write_count"]) for r in self.own)
        length = self.row["interval_s"]
        return float(sum(count for age, count in ages if 0 <= age < length) / length)

    def delay_ms(self, which: str) -> float | None:
        """Estimated wait of a delayed write, ms; `which`: `lost_s` or a bound of it; None if unknown."""
        lost = self.row[which]
        return None if lost is None or not self.delayed_rate else 1000 * lost / self.row["nvs_delay_count"]


def _seconds_into(around: Row, inside: Row) -> float:
    """Seconds from the start of an interval to the middle of another: the clocks of subsystem and box may differ."""
    apart: dt.timedelta = inside["interval_start"] - around["interval_start"]
    return apart.total_seconds() + float(inside["interval_s"] or 0.0) / 2


@dataclass(frozen=True)
class Change:
    """The requested change of a box: writes per second, and its NVS (None if unknown).

    `room_bytes`: the new part of `nvs_bytes`; `destage_ratio`: new destage ceiling / highest measured destage rate.
    """

    write_rate: float
    nvs_bytes: float | None
    room_bytes: float = 0.0
    destage_ratio: float = 1.0


@dataclass(frozen=True)
class Case:
    """A box, the requested change, and its effect; `more_bytes`: NVS that could be added."""

    measured: Interval
    change: Change
    more_bytes: float | None = None

    @property
    def is_measured(self) -> bool:
        """True if nothing differs from the measurement."""
        change = self.change
        return (change.write_rate, change.room_bytes, change.destage_ratio) == (self.measured.write_rate, 0.0, 1.0)

    @property
    def delays(self) -> Bounds:
        """Writes per second that find no room in NVS after the change, with bounds.

        Faster destage raises the rate of writes without delay in proportion. Added room takes one write per track,
        once: in an interval of bursts, or during a whole steady overload.
        """
        measured, change = self.measured, self.change
        if self.is_measured:
            return Bounds(*[measured.delayed_rate] * 3)
        room = change.room_bytes / TRACK_BYTES / (measured.run_s if measured.is_steady else measured.row["interval_s"])
        added = change.write_rate - measured.write_rate * change.destage_ratio
        at_ceiling = added + measured.delayed_rate * change.destage_ratio - room
        same_share = measured.delayed_rate * change.write_rate / measured.write_rate / change.destage_ratio - room
        low, high = (min(max(r, 0.0), change.write_rate) for r in sorted((at_ceiling, same_share)))
        return Bounds(min(max(at_ceiling, low), high) if measured.is_steady else high, low, high)

    @property
    def without_room(self) -> Bounds:
        """Writes per second that find no room if no NVS is added."""
        return replace(self, change=replace(self.change, room_bytes=0.0)).delays

    @property
    def carried_rate(self) -> float | None:
        """Writes per second that get through: all, or the ceiling; None if no ceiling was measured."""
        if self.is_measured or not self.delays.high:
            return self.change.write_rate
        most = self.measured.write_rate * self.change.destage_ratio
        return min(self.change.write_rate, most) if self.measured.is_steady else None

    def full_after_s(self, more_bytes: float = 0.0) -> float | None:
        """Seconds until an empty NVS and `more_bytes` more are full.

        None for bursts, whose length isn't recorded, and for unknown NVS size.
        """
        size, delays = self.change.nvs_bytes, self.without_room
        if size is None or (delays.high and not self.measured.is_steady):
            return None
        return seconds_to_fill(size + more_bytes, delays.value)

    @property
    def verdict(self) -> str:
        """Verdict on more NVS; a steady overload is assumed to last as long as the measured one."""
        measured, late, more_bytes = self.measured, self.delays.value, self.more_bytes
        if not late:
            return "absorbed"
        if measured.is_refused:
            return "NVS is out of use: more of it absorbs nothing"
        if measured.is_steady:
            enough = more_bytes is not None and late * measured.run_s * TRACK_BYTES <= more_bytes
            return "more NVS absorbs it" if enough else "more NVS only delays the overflow"
        if not measured.delayed_rate or measured.row["as_busy_free"] or more_bytes is None:
            return "not identifiable"
        enough = late * measured.row["interval_s"] * TRACK_BYTES <= more_bytes
        return "more NVS absorbs it" if enough else "more NVS absorbs a part of it"


def change_of(measured: Interval, burst: Burst) -> Change:
    """The requested change; RequestError for an option that the lake makes needless, or for which it lacks a value."""
    defaults = {f.name: f.default for f in fields(Burst)}
    for name in MEASURED:
        if getattr(burst, name) != defaults[name]:
            raise RequestError("the lake has measured this", place=OPTIONS[name], remedy="leave it out, or --subsystem")
    size = measured.row["nvs_bytes"] or None
    # without delays, the destage rate is only the demand of these writes, not a ceiling
    ceiling = measured.row["destage_rate_max" if measured.delayed_rate else "destage_rate"] or None
    if burst.nvs_bytes is not None and size is None:
        raise RequestError(
            "the lake doesn't have the size of the NVS it would replace", place="--nvs-mib", remedy="leave it out"
        )
    if burst.destage_rate is not None and ceiling is None:
        raise RequestError("the lake has no destage rate of it", place="--destage-rate", remedy="leave it out")
    room = 0.0 if burst.nvs_bytes is None or size is None else burst.nvs_bytes - size
    faster = 1.0 if burst.destage_rate is None or ceiling is None else burst.destage_rate / ceiling
    return Change((burst.write_rate or measured.write_rate) * burst.growth, burst.nvs_bytes or size, room, faster)


def worst(con: Connection, name: str, limits: Mapping[str, float]) -> tuple[Interval, int]:
    """The box of a subsystem in its worst interval, and the number of its intervals; RequestError if there is none.

    `limits`: `delayed_ratio`, the share of delayed writes from which two adjacent intervals at the ceiling are a steady
    overload, and `refused_ratio` and `refused_times`, from which on NVS is out of use.
    """
    every = ask(con, SUBSYSTEMS).to_pylist()
    own = [row for row in every if row["subsystem"] == name.upper()]
    given = {name: limits[name] for name in ("delayed_ratio", "refused_ratio", "refused_times")}
    rows = [row for row in ask(con, BOXES, **given).to_pylist() if own and row["box"] == own[0]["box"]]
    if not rows:
        known = ", ".join(sorted({row["subsystem"] for row in every}))
        what = f"no cache record counts writes to a subsystem {name.upper()} in these intervals"
        remedy = f"known are {known}" if known else "ingest type 74.5, or give --write-rate without it"
        raise RequestError(what, place="--subsystem", remedy=remedy)
    return Interval(rows[0], name.upper(), own), len(rows)


def statement() -> str:
    """SQL that names the views read here, for a connection with only those."""
    return f"{SUBSYSTEMS.sql} {BOXES.sql}"


def share(delays: float, write_rate: float) -> float:
    """Bounds writes / all writes."""
    return delays / write_rate if write_rate and math.isfinite(delays) else 0.0


def lake_answer(
    con: Connection, name: str, burst: Burst, *, limits: Mapping[str, float], timeline: bool = False
) -> Answer:
    """The box of a subsystem as measured in its worst interval, and after the requested change.

    `con` has the views of `statement()`. RequestError if there is no such subsystem, or for an option that does
    not apply to a lake, as `timeline`: no record has it.
    """
    if timeline:
        what = "how writes are spread over an interval isn't recorded"
        raise RequestError(what, place="--timeline", remedy="leave it out, or give --machine in place of --subsystem")
    measured, count = worst(con, name, limits)
    change = change_of(measured, burst)
    if burst.destage_rate is not None and not measured.delayed_rate:
        measured = replace(measured, has_ceiling=True)
    as_measured = Change(measured.write_rate, measured.row["nvs_bytes"] or None)
    now, asked = (Case(measured, c, burst.more_bytes or c.nvs_bytes) for c in (as_measured, change))
    cases = [now] if asked.is_measured else [now, asked]
    missing = unread(measured.row["coverage_ratio"], limits["read_ratio"])
    texts = [text for case in cases for text in _sentences(case)]
    texts = [text for text in (*texts, _part(measured), missing, _calibrated(measured, count)) if text]
    facts = {
        "box": measured.row["box"],
        "subsystem": measured.subsystem,
        in_file("interval_start", measured.row["utc_offset_s"]): measured.row["interval_start"],
        "utc_offset_s": measured.row["utc_offset_s"],
        "calibrated_on": _calibrated(measured, count).removeprefix("calibrated on "),
    }
    rows = tuple(_row(case) for case in cases)
    return Answer(rows, tuple(texts), facts, lambda: _draw(now, texts))


def _row(case: Case) -> NewRow:
    measured, delays, now = case.measured, case.delays, case.is_measured
    seconds, rate = measured.row["interval_s"], case.change.write_rate
    row: NewRow = {
        "load": "measured" if now else "asked",
        "write_rate": rate,
        "carried_write_rate": case.carried_rate,
        "delayed_writes": delays.value * seconds,
        "delayed_ratio": share(delays.value, rate),
        "delay_ms_per_delayed_write": measured.delay_ms("lost_s") if now else None,
        "destage_rate": measured.row["destage_rate"] if now else None,
        "nvs_bytes": case.change.nvs_bytes,
        "full_after_s": case.full_after_s(),
        "full_after_with_more_s": None if case.more_bytes is None else case.full_after_s(case.more_bytes),
        "verdict": case.verdict,
    }
    ends = {
        "delayed_writes": (delays.low * seconds, delays.high * seconds),
        "delayed_ratio": (share(delays.low, rate), share(delays.high, rate)),
    }
    low, high = (measured.delay_ms(which) for which in ("lost_low_s", "lost_high_s"))
    if now and low is not None and high is not None:
        ends["delay_ms_per_delayed_write"] = low, high
    return bounded(row, ends)


def _sentences(case: Case) -> list[str]:
    if case.is_measured:
        return [f"{_where(case.measured)}, as measured: {_now(case)}{_more(case)}", *_open(case)]
    return [f"{_asked(case)}{_more(case)}"]


def _where(measured: Interval) -> str:
    at = moment(measured.row["interval_start"], measured.row["utc_offset_s"])
    return f"box {measured.row['box']} (all its subsystems, {measured.subsystem} too, share NVS and destage), {at}"


def _now(case: Case) -> str:
    measured, writes = case.measured, f"{shown(case.measured.write_rate)} writes/s"
    if not case.delays.value:
        return f"NVS absorbs every one of {writes}"
    wait = measured.delay_ms("lost_s")
    unknown = f" (the length of their wait {untimed(measured.row['unknown_reason'])})"
    each = unknown if wait is None else f" by {shown(wait)} ms each, by estimate"
    tracks = f"{shown(measured.row['destage_rate'])} tracks/s (a write may leave several)"
    at = f", with destage at its limit, {tracks}" if measured.is_steady else ""
    return f"{_percent(measured.delayed_rate, measured.write_rate)} of {writes} delayed{each}{at}"


def _asked(case: Case) -> str:
    measured, change, delays = case.measured, case.change, case.delays
    asked, high = f"at {_case(change)}", _percent(delays.high, change.write_rate)
    if not delays.high:
        return f"{asked}, NVS absorbs every write{_lasting(case)}"
    if not measured.is_steady:
        least = f", at least {_percent(delays.low, change.write_rate)}" if delays.low else ""
        return f"{asked} at most {high} of them are delayed{least}"
    if not delays.value:
        return f"{asked}, NVS absorbs every write; at most {high} of them are delayed if that was no limit of destage"
    carried = case.carried_rate or 0.0
    if carried < change.write_rate:
        result = f"requesters are held back to {shown(carried)} writes/s"
        return f"{asked} more writes come than are destaged: {result}"
    return f"{asked} {_percent(delays.value, change.write_rate)} of them are delayed"


def _lasting(case: Case) -> str:
    """How long the added room lasts in a steady overload, in words; empty if that does not apply."""
    after, run_s = case.full_after_s(), case.measured.run_s
    if not case.measured.is_steady or case.change.room_bytes <= 0 or after is None or math.isinf(after):
        return ""
    return f" of an overload as long as the measured one, {run_s:,.0f} s: it would be full after {after:,.0f} s"


def _case(change: Change) -> str:
    """The requested change, in words."""
    size = f" and {human_bytes(change.nvs_bytes)} of NVS" if change.room_bytes and change.nvs_bytes else ""
    faster = f" and {shown(change.destage_ratio)} times the destage" if change.destage_ratio != 1 else ""
    return f"{shown(change.write_rate)} writes/s{size}{faster}"


def _more(case: Case) -> str:
    """Effect of more NVS, appended to a sentence."""
    if case.verdict in ("absorbed", "not identifiable"):
        return ""
    if case.measured.is_refused:
        return f"; {case.verdict}"
    if case.measured.is_steady:
        after = case.full_after_s(case.more_bytes or 0.0)
        by = "twice as much" if case.more_bytes == case.change.nvs_bytes else "with what is added it"
        each = f"with a track for each of the {shown(case.without_room.value)} writes/s without room"
        return f"; {case.verdict}" + ("" if after is None else f": {each}, {by} would be full after {after:,.0f} s")
    needed = case.delays.value * case.measured.row["interval_s"] * TRACK_BYTES
    return f"; {case.verdict}: {human_bytes(needed)} more would do"


def _open(case: Case) -> list[str]:
    """Sentences on what the measurement leaves unknown."""
    measured = case.measured
    if measured.is_steady or measured.is_refused:
        return []
    if not measured.delayed_rate:
        return [
            "not identifiable: no interval delayed a write, so destage was never at its limit; the highest rate of "
            "writes is the least that the box takes, delays at higher ones are the most there may be",
            "to settle it: an interval in which NVS was full, or --destage-rate",
        ]
    texts = ["how a burst fills its interval isn't recorded: of added writes the same share waits, or more, up to all"]
    if free := measured.row["as_busy_free"]:
        texts.append(f"in {plural(free, 'interval')} as busy none waited: iosq advise nvs says what to ask")
    return texts


def _part(measured: Interval) -> str:
    writes = int(sum(r["nvs_delay_count"] or 0.0 for r in measured.own))
    when = sum(1 for r in measured.own if r["nvs_delay_count"])
    waited = f"{plural(writes, 'write')} to it delayed in {when} of {plural(len(measured.own), 'interval')}"
    part = f"{shown(measured.own_rate)} of these writes/s ({_percent(measured.own_rate, measured.write_rate)})"
    return f"subsystem {measured.subsystem} has {part}; {waited if writes else 'no write to it was delayed'}"


def _calibrated(measured: Interval, count: int) -> str:
    kind = "most delayed writes" if measured.delayed_rate else "most writes"
    return f"calibrated on the interval with {kind} of {plural(count, 'interval')} of box {measured.row['box']}"


def _percent(part: float, whole: float) -> str:
    return f"{shown(100 * share(part, whole))} %"


def _draw(now: Case, texts: Sequence[str]) -> Picture:
    """Delayed writes over growth, with their bounds."""
    points = []
    for growth in GROWTHS:
        rate = now.measured.write_rate * growth
        delays = replace(now, change=replace(now.change, write_rate=rate)).delays
        ends = {name: 100 * share(getattr(delays, name), rate) for name in ("value", "low", "high")}
        points.append({"growth": growth, **ends})
    x = alt.X("growth:Q", title="writes, times those measured", scale=alt.Scale(nice=False))
    names = ("value", "low", "high")
    chart = banded(points, names, "delayed writes (% of all)", points=False, x=x, color=alt.value(PINK))
    return finished(chart, f"{_now(now)}{_more(now)}", _where(now.measured), *texts[1:])
