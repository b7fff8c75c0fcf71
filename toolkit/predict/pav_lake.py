"""PAV what-if from a lake: a volume with aliases of its own, with the load of the rest of its box.

The interval with the longest queue is used, as in `iosq advise pav`. Measurements can't predict more exposures if
another system reserves the volume, SET THROTTLE delays I/Os, or values contradict each other (view `unfit_interval`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from iosq.models.pav.answers import NO_STATIONS, Measured, WhatIf
from iosq.models.pav.volume import whole_exposures
from iosq.toolkit.errors import RequestError
from iosq.toolkit.predict import closed_load, evidence, lake, measured, open_load, pav_box, pav_rows
from iosq.toolkit.predict.answer import Answer
from iosq.toolkit.predict.closed_hours import crowds_of_volume, name_of
from iosq.toolkit.predict.closed_load import Crowd
from iosq.toolkit.predict.lake import Place, Reading
from iosq.toolkit.predict.pav_box import Asked
from iosq.toolkit.predict.pav_pools import pool_of_volume
from iosq.toolkit.predict.work import of_volume
from iosq.toolkit.rows import NewRow, Row
from iosq.toolkit.show import stages
from iosq.toolkit.show.numbers import plural
from iosq.toolkit.show.records import queue_records, show_aliases
from iosq.toolkit.sql.engine import Connection
from iosq.toolkit.units import human_number

HELD = "aliases will not help: another system or guest holds it, and I/Os with an alias wait for the same release"


def volume_answer(con: Connection, volume: str, system: str | None, asked: Asked) -> Answer:
    """Alias counts for one volume; for a HyperPAV volume, sizes of its LCU's pool, which is what it waits for.

    A volume with a closed workload, recognised by its queue or stated in `asked`, is solved together with the other
    such volumes of its box. RequestError if there is no such volume, it takes no aliases, its read ratio is unknown, or
    there is no steady state.
    """
    stages.progress("longest queue")
    place = lake.find_volume(con, volume, system)
    if place.fixed_block:
        raise RequestError(
            f"{place.volume} is a device of type {place.fixed_block}, which takes no aliases",
            place="VOLUME",
            remedy="look at its FCP paths, the SAN and the box: more paths, or its data on more devices",
        )
    if place.is_hyperpav:
        return pool_of_volume(con, place, asked)
    addresses = evidence.row(con, "addresses", {"platform": place.platform, "lcu": place.lcu})
    asked = replace(asked, room=addresses.get("free_addresses"))
    own = {"system": [place.system], "volume": [place.volume]}
    readings = lake.readings(con, place.platform, only=own, closed=asked.given.closed)
    if not readings:
        raise RequestError(f"{place.volume} did no I/O in the lake's intervals", place="VOLUME")
    if asked.requesters is None and not any(r.has_known_queue for r in readings):
        raise _unknown_queue(place)
    readings = [_with_exposures(con, r, asked) for r in readings]
    least = asked.given.closed["queue_length"]
    current = _informative(_current(con, readings, place, least), least)
    peak = _peak(current)
    if peak.is_fit and not peak.has_known_exposures:
        raise _unknown_aliases(place)
    rows = pav_box.box_then(con, [peak])
    if not peak.is_fit:
        return _unfit_answer(rows, peak, asked)
    if peak.unused_aliases:
        return _unused_answer(rows, peak, asked)
    if not (peak.is_closed or peak.is_rest) and asked.requesters is None:
        return _open_answer(rows, peak, asked, readings)
    return _closed_answer(_crowds(con, rows, peak, asked), readings, peak, asked)


def _with_exposures(con: Connection, r: Reading, asked: Asked) -> Reading:
    """The reading with the requested exposures if the lake does not have their number."""
    exposures = asked.exposures
    if r.has_known_exposures or exposures is None:
        return r
    whole = whole_exposures(exposures, r.in_service)
    closed = closed_load.is_closed(con, r.in_service, r.queue, exposures, asked.given.closed)
    known = replace(r, measured_exposures=exposures, exposures=whole, has_known_exposures=True)
    return replace(known, is_closed=closed, is_rest=False)


def _unknown_aliases(place: Place) -> RequestError:
    return RequestError(
        f"the number of aliases of {place.volume} is unknown: no device row shows it",
        place="VOLUME",
        remedy=f"give base and aliases with --exposures. {show_aliases(place.platform)}",
    )


def _unknown_queue(place: Place) -> RequestError:
    return RequestError(
        f"whether I/Os wait for {place.volume} is unknown: no record shows its queue",
        place="VOLUME",
        remedy=f"ingest what shows it, {queue_records(place.platform)}",
    )


def _open_answer(rows: Sequence[Row], peak: Reading, asked: Asked, readings: Sequence[Reading]) -> Answer:
    now = open_load.aliases_now(pav_box.load_of(peak))
    counts = asked.counts(open_load.alias_counts(now))
    own = [r for r in rows if name_of(r) == peak.name]
    what_if = open_load.volume(pav_box.load_of(peak), open_load.box_state(own, asked.given), asked.given, counts)
    # service times of another box differ
    works = [of_volume(r) for r in readings if r.is_fit and r.box == peak.box]
    what_if, note = measured.with_measured(what_if, works, of_volume(peak), closed=False)
    question = pav_rows.Question(
        f"{peak.volume} on {peak.system}",
        current=now,
        notes=(*filter(None, [note]), *pav_box.notes(rows, peak, asked)),
        trimmed=asked.most is None,
        room=asked.room,
    )
    return pav_rows.answer(question, what_if, _about(peak))


def _unused_answer(rows: Sequence[Row], peak: Reading, asked: Asked) -> Answer:
    """Counts from the aliases used to the aliases defined, as measured; if more would be used is unknown."""
    now = open_load.aliases_now(pav_box.load_of(peak))
    used = max(now - peak.unused_aliases, 0)
    values = Measured(peak.rate, peak.wait_ms, peak.service_ms)
    predictions = tuple(values.prediction(count, known=True) for count in range(used, now + 1))
    what_if = WhatIf(
        predictions, None, used, False, NO_STATIONS, "what was measured: an alias without I/O is no exposure"
    )
    note = (
        f"{peak.unused_aliases} of {plural(now, 'alias', 'aliases')} did no I/O while I/Os queued: find out why "
        "before you choose a count"
    )
    question = pav_rows.Question(
        f"{peak.volume} on {peak.system}", current=now, notes=(note, *pav_box.notes(rows, peak, asked))
    )
    return pav_rows.answer(question, what_if, _about(peak) | {"unused_aliases": peak.unused_aliases})


def _about(peak: Reading) -> NewRow:
    return pav_box.facts(peak) | {"volume": peak.volume, "is_closed_workload": False}


def _crowds(con: Connection, rows: Sequence[Row], peak: Reading, asked: Asked) -> list[Crowd]:
    """The volume and similar ones in the hours that advice examines; else the volume alone in this interval.

    Given requesters and exposures apply to this volume only and are not measured, so they exclude other hours.
    """
    if asked.requesters is None and asked.exposures is None:
        found = crowds_of_volume(con, asked.given.closed, peak.box, peak.name)
        if found:
            return found
    rows = rows if asked.requesters is None else pav_box.given_requesters(rows, peak, asked.requesters)
    rows = [{**r, "exposures": peak.measured_exposures} if name_of(r) == peak.name else r for r in rows]
    return [pav_box.crowd_then(rows, {peak.name})]


def _closed_answer(crowds: Sequence[Crowd], readings: Sequence[Reading], peak: Reading, asked: Asked) -> Answer:
    """The answer if all closed volumes of the box with the same exposures get the same aliases."""

    def usual(crowd: Crowd) -> range:
        return range(max(int(asked.given.closed["most"]), crowd.aliases + 1) + 1)

    crowd, which = pav_box.helped_hour(crowds, usual, asked.given)
    peak = min(readings, key=lambda r: abs(r.began - crowd.closed[0]["interval_start"]))
    what_if, measured_note = pav_box.solved(crowd, usual(crowd), asked)
    others = len(crowd.closed) - 1
    who = f"{peak.volume} on {peak.system}" + (f" and {plural(others, 'volume')} like it" if others else "")
    note = (
        f"all exposures of {peak.volume} are busy while its queue is shorter than random arrivals would make it: its "
        "workload is closed (requesters wait for each answer): aliases raise its rate as far as the box serves more at "
        "once"
        if asked.requesters is None
        else f"a closed workload of {plural(asked.requesters, 'requester')}, as given"
    )
    texts = (*filter(None, [measured_note]), note, *pav_box.notes(crowd.rows, peak, asked, which))
    shared_by, trimmed = len(crowd.closed), asked.most is None
    question = pav_rows.Question(who, "aliases", crowd.aliases, shared_by, texts, trimmed, asked.room)
    return pav_rows.answer(question, what_if, _about(peak) | {"is_closed_workload": True})


def _informative(mine: Sequence[Reading], least: float) -> list[Reading]:
    """The intervals of a volume to use: those that are fit, unless `least` I/Os queue only in unfit ones."""
    fit = [r for r in mine if r.is_fit]
    if _queue(fit) >= least or _queue(r for r in mine if not r.is_fit) < least:
        return fit or list(mine)
    return list(mine)


def _queue(readings: Iterable[Reading]) -> float:
    return max((r.queue for r in readings), default=0.0)


def _why_unfit(r: Reading) -> str:
    """The reason, in words: throttle, reserve or contradicting fields."""
    if r.throttled_rate:
        return (
            f"aliases will not help: SET THROTTLE delays {human_number(r.throttled_rate)} I/Os per s to it "
            "(QUERY THROTTLE shows the limit)"
        )
    if not r.is_overfull:
        return HELD
    exposures = human_number(r.measured_exposures)
    return (
        f"unknown: the measurement contradicts itself. {human_number(r.rate)} I/Os a second of "
        f"{human_number(r.service_ms)} ms service (pend {human_number(r.pend_ms)}, disc {human_number(r.disc_ms)}, "
        f"conn {human_number(r.conn_ms)}) are {human_number(r.in_service)} in progress, and {exposures} "
        f"exposure{'s hold' if exposures != '1' else ' holds'} one each: rate, times or exposures are recorded wrong"
    )


def _unfit_answer(rows: Sequence[Row], peak: Reading, asked: Asked) -> Answer:
    """The measurement, and why it can't predict other counts."""
    now = open_load.aliases_now(pav_box.load_of(peak)) if not peak.is_overfull else round(peak.measured_exposures) - 1
    seen = Measured(peak.rate, peak.wait_ms, peak.service_ms).prediction(now, known=False)
    what_if = WhatIf((seen,), None, now, False, NO_STATIONS, "what was measured", _why_unfit(peak))
    question = pav_rows.Question(f"{peak.volume} on {peak.system}", current=now)
    kind = "throttled" if peak.throttled_rate else "overfull" if peak.is_overfull else "held"
    found = pav_rows.answer(question, what_if, _about(peak) | {"unfit": kind})
    known = found.rows if peak.has_known_exposures else tuple({**row, "aliases": None} for row in found.rows)
    return replace(
        found, rows=known, conclusions=(f"{question.subject}: {_why_unfit(peak)}", *pav_box.notes(rows, peak, asked))
    )


def _peak(readings: Sequence[Reading]) -> Reading:
    """The interval with the longest queue; if nothing ever waits, with most I/Os in service; the first of equals."""
    return max(sorted(readings, key=lambda r: r.began), key=lambda r: (r.queue, r.in_service))


def _current(con: Connection, readings: Sequence[Reading], place: Place, least: float) -> Sequence[Reading]:
    """The intervals in the current box and with the latest exposures, if their load is comparable or `least` queue."""
    name = {"platform": place.platform, "system": place.system, "volume": place.volume}
    now = evidence.row(con, "volume_now", name, queue_length=least)
    moved, changed = now.get("other_start"), now.get("changed_start") if now.get("is_new") else None
    in_box = evidence.latest(readings, lambda r: not moved or r.began > moved, lambda r: r.queue >= least)
    return evidence.latest(in_box, lambda r: not changed or r.began >= changed, lambda r: r.queue >= least)
