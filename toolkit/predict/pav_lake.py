"""PAV what-if from a lake: a volume with aliases of its own, with the load of the rest of its box.

The interval with the longest queue is used, as in `iosq advise pav`.
"""

from collections.abc import Sequence
from dataclasses import replace

from iosq.models.pav.answers import NO_STATIONS, Measured, WhatIf
from iosq.models.pav.volume import whole_exposures
from iosq.toolkit.errors import RequestError
from iosq.toolkit.predict import closed_load, evidence, lake, measured, open_load, pav_rows, unfit
from iosq.toolkit.predict.answer import Answer
from iosq.toolkit.predict.closed_hours import crowds_of_volume, name_of
from iosq.toolkit.predict.closed_load import Crowd
from iosq.toolkit.predict.lake import Place, Reading
from iosq.toolkit.predict.pav_box import (
    Asked,
    box_then,
    crowd_then,
    facts,
    given_requesters,
    helped_hour,
    load_of,
    notes,
    solved,
)
from iosq.toolkit.predict.pav_pools import pool_of_volume
from iosq.toolkit.predict.work import of_volume
from iosq.toolkit.rows import Row
from iosq.toolkit.show import stages
from iosq.toolkit.show.numbers import plural
from iosq.toolkit.show.records import queue_records, show_aliases
from iosq.toolkit.sql.engine import Connection


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
    current = unfit.informative(_current(con, readings, place, least), least)
    peak = _peak(current)
    if peak.is_fit and not peak.has_known_exposures:
        raise _unknown_aliases(place)
    rows = box_then(con, [peak])
    if not peak.is_fit:
        return unfit.answer(rows, peak, asked)
    if peak.unused_aliases:
        return _unused_answer(rows, peak, asked)
    if not peak.queues_closed and asked.requesters is None:
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
    now = open_load.aliases_now(load_of(peak))
    counts = asked.counts(open_load.alias_counts(now))
    own = [r for r in rows if name_of(r) == peak.name]
    what_if = open_load.volume(load_of(peak), open_load.box_state(own, asked.given), asked.given, counts)
    # service times of another box differ
    works = [of_volume(r) for r in readings if r.is_fit and r.box == peak.box]
    what_if, note = measured.with_measured(what_if, works, of_volume(peak), closed=False)
    question = pav_rows.Question(
        f"{peak.volume} on {peak.system}",
        current=now,
        notes=(*filter(None, [note]), *notes(rows, peak, asked)),
        trimmed=asked.most is None,
        room=asked.room,
    )
    return pav_rows.answer(question, what_if, facts(peak) | {"volume": peak.volume, "is_closed_workload": False})


def _unused_answer(rows: Sequence[Row], peak: Reading, asked: Asked) -> Answer:
    """Counts from the aliases used to the aliases defined, as measured; if more would be used is unknown."""
    now = open_load.aliases_now(load_of(peak))
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
        f"{peak.volume} on {peak.system}", current=now, notes=(note, *notes(rows, peak, asked))
    )
    about = {"volume": peak.volume, "is_closed_workload": False, "unused_aliases": peak.unused_aliases}
    return pav_rows.answer(question, what_if, facts(peak) | about)


def _crowds(con: Connection, rows: Sequence[Row], peak: Reading, asked: Asked) -> list[Crowd]:
    """The volume and similar ones in the hours that advice examines; else the volume alone in this interval.

    Given requesters and exposures apply to this volume only and are not measured, so they exclude other hours.
    """
    if asked.requesters is None and asked.exposures is None:
        found = crowds_of_volume(con, asked.given.closed, peak.box, peak.name)
        if found:
            return found
    rows = rows if asked.requesters is None else given_requesters(rows, peak, asked.requesters)
    rows = [{**r, "exposures": peak.measured_exposures} if name_of(r) == peak.name else r for r in rows]
    return [crowd_then(rows, {peak.name})]


def _closed_answer(crowds: Sequence[Crowd], readings: Sequence[Reading], peak: Reading, asked: Asked) -> Answer:
    """The answer if all closed volumes of the box with the same exposures get the same aliases."""

    def usual(crowd: Crowd) -> range:
        return range(max(int(asked.given.closed["most"]), crowd.aliases + 1) + 1)

    crowd, which = helped_hour(crowds, usual, asked.given)
    peak = min(readings, key=lambda r: abs(r.began - crowd.closed[0]["interval_start"]))
    what_if, measured_note = solved(crowd, usual(crowd), asked)
    others = len(crowd.closed) - 1
    who = f"{peak.volume} on {peak.system}" + (f" and {plural(others, 'volume')} like it" if others else "")
    note = (
        f"all exposures of {peak.volume} are busy while its queue is shorter than random arrivals would make it: its "
        "workload is closed (requesters wait for each answer): aliases raise its rate as far as the box serves more at "
        "once"
        if asked.requesters is None
        else f"a closed workload of {plural(asked.requesters, 'requester')}, as given"
    )
    texts = (*filter(None, [measured_note]), note, *notes(crowd.rows, peak, asked, which))
    shared_by, trimmed = len(crowd.closed), asked.most is None
    question = pav_rows.Question(who, "aliases", crowd.aliases, shared_by, texts, trimmed, asked.room)
    return pav_rows.answer(question, what_if, facts(peak) | {"volume": peak.volume, "is_closed_workload": True})


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
