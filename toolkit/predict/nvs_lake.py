"""Effect of more writes, more NVS or faster destage on a box of a lake, as rows, sentences and a picture."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from iosq.models.nvs import TRACK_BYTES
from iosq.toolkit.errors import RequestError
from iosq.toolkit.late import alt
from iosq.toolkit.predict import nvs_box
from iosq.toolkit.predict.answer import Answer
from iosq.toolkit.predict.lines import banded
from iosq.toolkit.predict.nvs import Burst
from iosq.toolkit.predict.nvs_box import Case, Change, Interval, share
from iosq.toolkit.predict.spread import bounded
from iosq.toolkit.rows import NewRow
from iosq.toolkit.show.clock import in_file, moment
from iosq.toolkit.show.numbers import plural, shown
from iosq.toolkit.show.records import unread, untimed
from iosq.toolkit.show.theme import PINK, Picture, finished
from iosq.toolkit.sql.engine import Connection
from iosq.toolkit.units import human_bytes

GROWTHS = [0.5 + 0.05 * step for step in range(51)]  # for the picture: from half to three times the writes


def lake_answer(
    con: Connection, name: str, burst: Burst, *, limits: Mapping[str, float], timeline: bool = False
) -> Answer:
    """The box of a subsystem as measured in its worst interval, and after the requested change.

    `con` has the views of `nvs_box.statement()`. RequestError if there is no such subsystem, or for an option that does
    not apply to a lake, as `timeline`: no record has it.
    """
    if timeline:
        what = "how writes are spread over an interval isn't recorded"
        raise RequestError(what, place="--timeline", remedy="leave it out, or give --machine in place of --subsystem")
    measured, count = nvs_box.worst(con, name, limits)
    change = nvs_box.change_of(measured, burst)
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
