"""PAV what-if from a lake: a volume with aliases of its own, and the load of the rest of its box.

The interval with the longest queue is used, as in `iosq advise pav`.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from iosq.models.pav.answers import NO_STATIONS, Measured, WhatIf
from iosq.models.pav.volume import whole_exposures
from iosq.toolkit.errors import RequestError
from iosq.toolkit.predict import closed_load, evidence, lake, measured, open_load, pav_rows, unfit
from iosq.toolkit.predict.answer import Answer
from iosq.toolkit.predict.lake import Place, Reading
from iosq.toolkit.predict.pav_box import (
    Asked,
    Closed,
    Then,
    box_then,
    counts_of,
    facts,
    helped_hour,
    hours_of,
    load_of,
    notes,
)
from iosq.toolkit.predict.pav_pools import pool_of_volume
from iosq.toolkit.show import stages
from iosq.toolkit.show.numbers import plural
from iosq.toolkit.show.records import show_aliases

if TYPE_CHECKING:
    from iosq.toolkit.sql.engine import Connection


def volume_answer(con: Connection, volume: str, system: str | None, asked: Asked) -> Answer:
    """Alias counts for one volume; for a HyperPAV volume the pool of its LCU, which is what it waits for.

    A volume with a closed workload, by its queue or by `asked`, is answered as such, together
    with the others of its box that do.

    Raises:
        RequestError: no such volume, one that takes no aliases, unknown read share, no steady state.
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
    of, closed = {"system": [place.system], "volume": [place.volume]}, asked.given.closed
    everything = lake.readings(con, place.platform, of, closed=closed)
    if not any(_is(r, place) for r in everything):
        raise RequestError(f"{place.volume} did no I/O in the lake's intervals", place="VOLUME")
    everything = [_with_exposures(r, asked) if _is(r, place) else r for r in everything]
    mine = [r for r in everything if _is(r, place)]
    mine_now = unfit.informative(_present(con, mine, place, closed["queue_length"]), closed["queue_length"])
    peak = _peak(mine_now)
    if not peak.is_fit:
        return unfit.answer(box_then(con, lake.together(everything, peak), peak, place.platform), peak, asked)
    if not peak.has_known_exposures:
        raise _unknown_aliases(place)
    if peak.unused_aliases:
        return _unused_answer(box_then(con, lake.together(everything, peak), peak, place.platform), peak, asked)
    if not peak.queues_closed and asked.requesters is None:
        return _open_answer(box_then(con, lake.together(everything, peak), peak, place.platform), peak, asked, mine)
    of_box = [r for r in everything if r.box == peak.box]
    hours = _closed_peaks(of_box, mine_now) if asked.requesters is None else []

    def closed_at(at: Reading) -> Closed:
        return _closed(box_then(con, lake.together(everything, at), at, place.platform), at, asked, everything)

    peak, which = helped_hour(hours or [peak], closed_at, asked.given)
    return _closed_answer(closed_at(peak), peak, asked, which)


def _with_exposures(r: Reading, asked: Asked) -> Reading:
    """The same with a number of exposures that the lake does not have."""
    exposures = asked.exposures
    if r.has_known_exposures or exposures is None:
        return r
    whole = whole_exposures(exposures, r.in_service)
    closed = closed_load.is_closed(r.in_service, r.queue, exposures, asked.given.closed) and not r.is_hyperpav
    known = replace(r, measured_exposures=exposures, exposures=whole, has_known_exposures=True)
    return replace(known, is_closed=closed, is_rest=False)


def _unknown_aliases(place: Place) -> RequestError:
    return RequestError(
        f"the number of aliases of {place.volume} is unknown: no device row shows it",
        place="VOLUME",
        remedy=f"give base and aliases with --exposures. {show_aliases(place.platform)}",
    )


def _open_answer(box: Then, peak: Reading, asked: Asked, mine: Sequence[Reading]) -> Answer:
    now = open_load.aliases_now(load_of(peak))
    counts = counts_of(asked, open_load.alias_counts(now))
    what_if = open_load.volume(load_of(peak), box.state([peak], asked.given), asked.given, counts)
    # another box serves in other times
    every = [measured.of_volume(r) for r in mine if r.is_fit and r.box == peak.box]
    what_if, note = measured.with_measured(what_if, every, measured.of_volume(peak), closed=False)
    question = pav_rows.Question(
        f"{peak.volume} on {peak.system}",
        current=now,
        notes=(*filter(None, [note]), *notes(box, peak, asked)),
        trimmed=asked.most is None,
        room=asked.room,
    )
    return pav_rows.answer(question, what_if, facts(peak) | {"volume": peak.volume, "is_closed_workload": False})


def _unused_answer(box: Then, peak: Reading, asked: Asked) -> Answer:
    """The counts from aliases used to aliases defined, as measured; whether more would be used is unknown."""
    now = open_load.aliases_now(load_of(peak))
    used = max(now - peak.unused_aliases, 0)
    then = Measured(peak.rate, peak.wait_ms, peak.service_ms)
    predictions = tuple(then.prediction(count, known=True) for count in range(used, now + 1))
    what_if = WhatIf(
        predictions, None, used, False, NO_STATIONS, "what was measured: an alias without I/O is no exposure"
    )
    note = (
        f"{peak.unused_aliases} of {plural(now, 'alias', 'aliases')} did no I/O while I/Os queued: find out why "
        "before you choose a count"
    )
    question = pav_rows.Question(f"{peak.volume} on {peak.system}", current=now, notes=(note, *notes(box, peak, asked)))
    about = {"volume": peak.volume, "is_closed_workload": False, "unused_aliases": peak.unused_aliases}
    return pav_rows.answer(question, what_if, facts(peak) | about)


def _closed(box: Then, peak: Reading, asked: Asked, everything: Sequence[Reading]) -> Closed:
    """The volume and those like it; requesters that are given are this volume's, and no measured work."""
    own = [r for r in box.readings if (r.system, r.volume) == (peak.system, peak.volume)]
    if asked.requesters is not None:
        queues = {(peak.system, peak.volume): max(asked.requesters - peak.in_service, 0.0)}
        return Closed(box, own, _usual(own), [], measured.of_crowd(own), queues=queues)
    waiting = [r for r in box.readings if r in own or (r.queues_closed and _like(r, peak))]
    return Closed(box, waiting, _usual(waiting), measured.trials(everything, waiting), measured.of_crowd(waiting))


def _usual(waiting: Sequence[Reading]) -> range:
    return closed_load.usual_counts(min(round(r.measured_exposures) for r in waiting) - 1)


def _closed_answer(closed: Closed, peak: Reading, asked: Asked, which: str) -> Answer:
    """All volumes of this kind in the box get the same aliases."""
    what_if, crowd, measured_note = closed.answer(asked)
    others = len(crowd.waiting) - 1
    who = f"{peak.volume} on {peak.system}" + (f" and {plural(others, 'volume')} like it" if others else "")
    note = (
        f"all exposures of {peak.volume} are busy while its queue is shorter than random arrivals would make it: its "
        "workload is closed (requesters wait for each answer): aliases raise its rate as far as the box serves more at "
        "once"
        if asked.requesters is None
        else f"a closed workload of {plural(asked.requesters, 'requester')}, as given"
    )
    texts = (*filter(None, [measured_note]), note, *notes(closed.box, peak, asked, which))
    many, trimmed = len(crowd.waiting), asked.most is None
    question = pav_rows.Question(who, "aliases", crowd.aliases, many, texts, trimmed, asked.room)
    return pav_rows.answer(question, what_if, facts(peak) | {"volume": peak.volume, "is_closed_workload": True})


def _like(r: Reading, peak: Reading) -> bool:
    """Volumes with the same number of exposures: ten of them do not predict a volume with two."""
    return round(r.measured_exposures) == round(peak.measured_exposures)


def _is(reading: Reading, place: Place) -> bool:
    return (reading.system, reading.volume) == (place.system, place.volume)


def _peak(mine: Sequence[Reading]) -> Reading:
    """The interval with the longest queue; where nothing ever waits, with most in service; the first of equals."""
    return max(sorted(mine, key=lambda r: r.began), key=lambda r: (r.queue, r.in_service))


def _present(con: Connection, mine: Sequence[Reading], place: Place, least: float) -> Sequence[Reading]:
    """Intervals in its current box and with its final exposures, where such work or a queue of `least` came."""
    name = {"platform": place.platform, "system": place.system, "volume": place.volume}
    now = evidence.row(con, "volume_now", name, queue_length=least)
    moved, changed = now.get("other_start"), now.get("changed_start") if now.get("is_new") else None
    there = evidence.latest(mine, lambda r: not moved or r.began > moved, lambda r: r.queue >= least)
    return evidence.latest(there, lambda r: not changed or r.began >= changed, lambda r: r.queue >= least)


def _closed_peaks(of_box: Sequence[Reading], mine: Sequence[Reading]) -> list[Reading]:
    """The hourly intervals in which it and the other closed-workload volumes of its box queue most.

    The hour with most lost time is first. `advise pav` reports the first one that aliases help, or the first one.
    """
    lost: dict[dt.datetime, float] = {}
    queues: dict[dt.datetime, float] = {}
    for r in of_box:
        if r.is_closed and r.is_fit:
            lost[r.start] = lost.get(r.start, 0.0) + r.queue * r.interval_s
            queues[r.began] = queues.get(r.began, 0.0) + r.queue
    closed = (r for r in mine if r.is_closed and r.is_fit)
    ordered = sorted(closed, key=lambda r: (-lost[r.start], -queues[r.began], r.began))
    return hours_of(ordered, lambda r: r.local_hour)
