"""Changes as trials: the what-if before a change, and comparable work after it.

Of load growth the busiest intervals of the last days are held out, and predicted from the days before.
"""

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import replace

from iosq.models.pav.answers import Interval
from iosq.toolkit.errors import RequestError
from iosq.toolkit.predict import lake, measured, pav_pools
from iosq.toolkit.predict.answer import Answer
from iosq.toolkit.predict.lake import Reading
from iosq.toolkit.predict.moved import busiest, joined
from iosq.toolkit.predict.pav_box import Asked
from iosq.toolkit.predict.pav_lake import volume_answer
from iosq.toolkit.predict.same_box import at_rates
from iosq.toolkit.predict.site.accuracy import Trial
from iosq.toolkit.predict.site.experiments import BUSIEST, PEAKS, Before, Change
from iosq.toolkit.predict.work import Work, of_group, of_volume
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import human_number
from iosq.toolkit.sql.engine import Connection
from iosq.toolkit.sql.questions import ask

HELD_OUT = 4  # one day in this number is held out
GREW = 1.05  # minimum rate / highest rate of the days before; our choice
SAME_VOLUMES = 0.9  # minimum share of I/Os by volumes that did I/O before, else it is other work; our choice
NOT_COMPARABLE = "such work did not come after the change"


def trial(con: Connection, past: Connection, change: Change) -> Trial:
    """The prediction and the measurement of a change; `note` says why one is missing; `past` ends before it."""
    try:
        return (_moved if change.kind == "box" else _resized)(con, past, change)
    except RequestError as error:
        return Trial(change, note=str(error))


def _resized(con: Connection, past: Connection, change: Change) -> Trial:
    base = 1 if change.kind == "exposures" else 0
    most, after = max(int(change.before), int(change.after)) - base, int(change.after) - base
    answer = _what_if(past, change, most)
    row = next((r for r in answer.rows if r.get("aliases", r.get("pool_aliases")) == after), None)
    if row is None or not row["stable"]:
        return Trial(change, note=answer.conclusions[0])
    low, high, middle = row["response_low_ms"], row["response_high_ms"], row["response_ms"]
    predicted = Interval((low + high) / 2 if middle is None else middle, low, high)
    began = answer.common.get("interval_start") or answer.common["interval_start_local"]
    works = _works(con, change)
    peak = next((work for work in works if work.at == began), None)
    if peak is None:
        return Trial(change, note=answer.conclusions[0])
    known = [work for work in works if work.at < change.start or change.covers(work.at)]
    closed = bool(answer.common["is_closed_workload"])
    seen = measured.seen_with(after, known, peak, closed=closed)
    return Trial(
        change,
        io_rate=peak.rate,
        predicted=predicted,
        is_closed=closed,
        is_identifiable=row["identifiable"],
        measured_ms=None if seen is None else seen.response_ms.value,
        note=NOT_COMPARABLE if seen is None else "" if row["identifiable"] else str(answer.common["settle"]),
    )


def _what_if(con: Connection, change: Change, most: int) -> Answer:
    if change.kind == "pool":
        return pav_pools.pool_answer(con, change.subjects, change.system, Asked(most=most))
    return volume_answer(con, change.subjects[0], change.system, Asked(most=most))


def _works(con: Connection, change: Change) -> list[Work]:
    """The load of the volume or pool in each interval, in order of time."""
    column = "lcu" if change.kind == "pool" else "volume"
    readings = lake.readings(con, change.platform, only={"system": [change.system], column: change.subjects})
    if change.kind == "pool":
        return pav_pools.works(readings, change.subjects)
    return [of_volume(r) for r in readings if r.is_fit]


def _moved(con: Connection, past: Connection, change: Change) -> Trial:
    """The trial of moved volumes: predicted by the curve of the new box from data before the move."""
    readings = lake.readings(con, change.platform, only={"box": [change.before, change.after]})
    in_new_box = [r for r in readings if r.box == change.after]
    own = lake.by_interval(r for r in in_new_box if r.began < change.start and r.is_fit)
    groups = {at: group for at, group in _groups(readings, change).items() if at < change.start}
    at = busiest(groups, own)
    if at is None:
        what = f"no interval of box {change.after} came before the change"
        return Trial(change, note=f"{what}: iosq simulate migrate predicts it from a machine file")
    answer = joined(past, own[at], groups[at])
    after = _groups([r for r in in_new_box if change.covers(r.began)], change)
    works = [of_group(moved, group) for moved, of in enumerate((groups, after)) for group in of.values()]
    peak = of_group(0, groups[at])
    seen = measured.seen_with(1, works, peak, closed=False)
    note = NOT_COMPARABLE if seen is None else answer.note
    return Trial(
        change,
        io_rate=peak.rate,
        predicted=answer.measured_ms,
        is_identifiable=not answer.note,
        measured_ms=None if seen is None else seen.response_ms.value,
        note=note,
    )


def _groups(seen: Sequence[Reading], change: Change) -> dict[dt.datetime, list[Reading]]:
    """The moved volumes on the system of the change, by interval of their box."""
    mine = [r for r in seen if r.system == change.system and r.volume in change.subjects]
    boxes = {change.before, change.after}
    return lake.by_interval(r for r in mine if r.box in boxes)


def growth(con: Connection, before: Before) -> Iterator[Trial]:
    """A trial for each held-out day on which a box had more I/Os than on any day before."""
    peaks = ask(con, PEAKS, **BUSIEST).to_pylist()
    days = sorted({row["local_day"] for row in peaks})
    first = days[-max(len(days) // HELD_OUT, 1)] if len(days) > 1 else None
    if first is None:
        return
    pairs = [pair for box in dict.fromkeys(row["box"] for row in peaks) for pair in _grown(peaks, box, first)]
    starts = {row["interval_start"] for pair in pairs for row in pair}
    if not starts:
        return
    readings = lake.by_interval(lake.on_all_platforms(con, {"start": starts}))
    at = min(row["local_day"] - dt.timedelta(seconds=row["utc_offset_s"] or 0) for _, row in pairs)
    with before(at) as past:
        for pair in pairs:
            old, new = pair
            groups = ([r for r in readings.get(row["interval_start"], []) if r.box == row["box"]] for row in (old, new))
            yield _grown_trial(past, old, new, *groups)


def _grown(peaks: Sequence[Row], box: str, first: dt.datetime) -> Iterator[tuple[Row, Row]]:
    """Pairs of the busiest interval of the days before, and that of a later day with a higher rate."""
    known = [row for row in peaks if row["box"] == box and row["local_day"] < first]
    if not known:
        return
    most = max(known, key=lambda row: float(row["io_rate"]))
    for row in peaks:
        if row["box"] == box and row["local_day"] >= first and row["io_rate"] >= GREW * most["io_rate"]:
            yield most, row


def _grown_trial(con: Connection, old: Row, new: Row, before: Sequence[Reading], later: Sequence[Reading]) -> Trial:
    """The trial for the volumes that did I/O in both intervals."""
    rate, grown = (f"{human_number(row['io_rate'])} I/Os per s" for row in (old, new))
    change = Change("load", "", "", (new["box"],), rate, grown, new["interval_start"], None, new["utc_offset_s"])
    trial = Trial(change, new["io_rate"])
    by_name = {r.name: r for r in later}
    both = [r for r in before if r.name in by_name and r.is_fit]
    after = [by_name[r.name] for r in both]
    if sum(r.rate for r in after) < SAME_VOLUMES * new["io_rate"]:
        return replace(trial, note="other volumes did part of the I/Os before: the box holds other work")
    measured_ms = lake.mean_response_ms(after)
    try:
        found = at_rates(con, both, [r.rate for r in after])
    except RequestError as error:
        return replace(trial, note=str(error), measured_ms=measured_ms)
    return replace(
        trial,
        predicted=found.measured_ms,
        measured_ms=measured_ms,
        is_identifiable=not found.note,
        note=found.note,
    )
