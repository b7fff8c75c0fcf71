"""Configuration changes as trials: the what-if before the change, and comparable work after it."""

import datetime as dt
from collections.abc import Sequence

from iosq.models.pav.answers import Interval
from iosq.toolkit.errors import RequestError
from iosq.toolkit.predict import lake, measured, pav_pools
from iosq.toolkit.predict.answer import Answer
from iosq.toolkit.predict.lake import Reading
from iosq.toolkit.predict.moved import busiest, joined
from iosq.toolkit.predict.pav_box import Asked
from iosq.toolkit.predict.pav_lake import volume_answer
from iosq.toolkit.predict.site.accuracy import Trial
from iosq.toolkit.predict.site.experiments import Change
from iosq.toolkit.predict.work import Work, of_group, of_volume
from iosq.toolkit.sql.engine import Connection

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
