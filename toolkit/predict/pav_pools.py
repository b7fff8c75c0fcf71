"""PAV what-if from a lake: the pool of an LCU, or of LCUs that lend to each other; includes the rest of the box.

The interval with the longest queue is used. A pool kept full by a closed workload is solved as such, as in the
rule `closed_load`.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from iosq.models.pav.answers import WhatIf
from iosq.models.pav.open_load import OpenVolumes
from iosq.models.pav.pools import UnexplainedWaitError, borrowing
from iosq.toolkit.errors import RequestError
from iosq.toolkit.predict import closed_load, evidence, lake, measured, open_load, pav_rows
from iosq.toolkit.predict.answer import Answer
from iosq.toolkit.predict.given import CLOSED
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
from iosq.toolkit.rows import Row
from iosq.toolkit.show import stages
from iosq.toolkit.show.numbers import aliases, plural, shown
from iosq.toolkit.show.records import by_platform

if TYPE_CHECKING:
    from iosq.toolkit.sql.engine import Connection


@dataclass(frozen=True)
class _Interval:
    """The volumes of a pool in one interval, and the aliases of each LCU at that time."""

    readings: Sequence[Reading]
    own: Sequence[int]
    size: int
    limits: Mapping[str, float] = field(default_factory=CLOSED.copy)

    @property
    def began(self) -> dt.datetime:
        """Start of the interval."""
        return self.readings[0].began

    @property
    def queue(self) -> float:
        """I/Os that wait for the pool."""
        return sum(r.queue for r in self.readings)

    @property
    def boxes(self) -> frozenset[str]:
        """Their boxes."""
        return frozenset(r.box for r in self.readings)

    @property
    def rate(self) -> float:
        """I/Os per second."""
        return sum(r.rate for r in self.readings)

    @property
    def is_dry(self) -> bool:
        """True if I/Os queued that were refused an alias."""
        return self.queue >= self.limits["queue_length"] and any(r.refused_ratio for r in self.readings)

    @property
    def lost_s(self) -> float:
        """I/O time lost to waits, summed over I/Os."""
        return sum(r.queue * r.interval_s for r in self.readings)

    @property
    def is_closed(self) -> bool:
        """True if a closed workload fills the pool; its bases, always busy, are not aliases in use."""
        in_use = sum(max(r.in_service - 1, 0.0) for r in self.readings)
        return self.size > 0 and closed_load.is_closed(in_use, self.queue, self.size, self.limits)

    @property
    def work(self) -> measured.Work:
        """The same as one load."""
        return measured.of_group(self.size, self.readings)


def pool_answer(
    con: Connection, lcus: Sequence[str], system: str | None, asked: Asked, of: Place | None = None
) -> Answer:
    """Pool size for an LCU (HyperPAV) or for several that lend to each other (SuperPAV), as one system sees them.

    Args:
        of: the requested volume, which draws on the pool.

    Raises:
        RequestError: no such LCU, several systems and none named, unknown read share, no steady state.
    """
    stages.progress("longest queue")
    platform = lake.find_lcus(con, lcus).platform
    wanted = sorted({lcu.upper() for lcu in lcus})
    everything = lake.readings(con, platform, {"lcu": wanted}, closed=asked.given.closed)
    drawing = [r for r in everything if r.lcu in wanted]
    name = _system(drawing, system, lcus)
    intervals = _intervals([r for r in drawing if r.system == name], wanted, asked)
    pool = _pool(con, platform, name, wanted)
    moved, size = pool.get("other_start"), pool.get("aliases_now")
    there = evidence.latest(intervals, lambda i: not moved or i.began > moved, lambda i: i.is_dry)
    # given requesters were not measured, and another box serves in other times
    every = [] if asked.requesters is not None else [i.work for i in there]

    as_now = evidence.latest(there, lambda i: size is None or i.size in (size, asked.pool), lambda i: i.is_dry)
    peak = _peak(as_now, None if asked.requesters is None else of)
    is_closed = peak.is_closed or asked.requesters is not None
    hours = _closed_hours(as_now) if is_closed and asked.requesters is None else [peak]

    def closed_at(then: _Interval) -> Closed:
        anchors = {r.box: r for r in then.readings}.values()
        around = [r for a in anchors for r in lake.together(everything, a)]
        return _closed(box_then(con, around, then.readings[0], platform), then, asked, of, every)

    peak, which = helped_hour(hours, closed_at, asked.given)
    closed = closed_at(peak)
    what_if, texts = _closed_answer(closed, asked, of) if is_closed else _open(closed.box, peak, asked, every)
    texts = (
        *texts,
        *_resized(intervals[-1], peak, pool),
        *_base(of),
        *notes(closed.box, peak.readings[0], asked, which),
    )
    subject = f"LCU {'+'.join(wanted)} on {name}"
    cap = evidence.pool_cap(pool, peak.size if size is None else size)
    room = None if cap is None else cap - peak.size
    question = pav_rows.Question(subject, "pool_aliases", peak.size, 1, texts, asked.most is None, room)
    own = {} if of is None else {"volume": of.volume}
    pools = {"lcus": wanted, "pools": dict(zip(wanted, peak.own, strict=True)), "is_closed_workload": is_closed}
    return pav_rows.answer(question, what_if, facts(peak.readings[0]) | own | pools)


def pool_of_volume(con: Connection, place: Place, asked: Asked) -> Answer:
    """The pool a HyperPAV volume waits for; requesters that are given are this volume's.

    Raises:
        RequestError: as `pool_answer`; no source ties the volume to a pool.
    """
    if not place.lcu:
        records = by_platform(place.platform, "ingest types 74.1 and 78.3", "collect D6R28 (MONITOR SAMPLE ENABLE I/O)")
        what = f"the pool size of HyperPAV volume {place.volume} is unknown"
        raise RequestError(what, place="VOLUME", remedy=records)
    return pool_answer(con, [place.lcu], place.system, asked, place)


def _pool(con: Connection, platform: str, system: str, lcus: Sequence[str]) -> Row:
    """The pool of these LCUs and its changes; empty where no record shows that they share one."""
    of = {"platform": platform, "system": system, "lcu_names": "|".join(lcus)}
    found = evidence.row(con, "pool", of)
    changes = {"platform": platform, "system": system, "pool": found.get("pool")}
    return {**found, **evidence.row(con, "pool_now", changes)}


def _resized(last: _Interval, peak: _Interval, pool: Row) -> tuple[str, ...]:
    sizes = f"the pool has {aliases(last.size)} in its last interval, {peak.size} in this one"
    there, here = (", ".join(sorted(i.boxes)) for i in (last, peak))
    has_moved = bool(pool.get("other_start") and peak.began <= pool["other_start"])
    moved = f"the pool is in {there} in its last interval, in {here} in this one"
    return *([sizes] if last.size != peak.size else []), *([moved] if has_moved else [])


def _base(of: Place | None) -> tuple[str, ...]:
    if of is None:
        return ()
    return (f"{of.volume} is a HyperPAV base: it waits for the pool of LCU {of.lcu}, so the pool is what counts",)


def _open(box: Then, peak: _Interval, asked: Asked, every: Sequence[measured.Work]) -> tuple[WhatIf, tuple[str, ...]]:
    loads = [load_of(r) for r in peak.readings]
    state, counts = box.state(peak.readings, asked.given), counts_of(asked, _usual(peak))
    try:
        predicted = open_load.pool(loads, peak.size, state, asked.given, counts)
    except UnexplainedWaitError as error:
        raise _ran_dry(peak, every) or error from None
    what_if, note = measured.with_measured(predicted, every, peak.work, closed=False)
    return what_if, (*filter(None, [note]), *_lending(peak))


def _ran_dry(peak: _Interval, every: Sequence[measured.Work]) -> RequestError | None:
    """If I/Os found no free alias, the pool is the cause, even if its mean use is low."""
    refused = max((r.refused_ratio or 0.0 for r in peak.readings), default=0.0)
    if not refused:
        return None
    seen = measured.enough(every, peak.work)
    enough = "" if seen is None else f"; with {aliases(seen)} the same rate did not wait, as measured"
    return RequestError(
        f"not identifiable: the pool was exhausted ({shown(refused)} refusals per I/O), but in bursts: by the mean of "
        f"the interval its {aliases(peak.size)} would do",
        place=f"LCU {'+'.join(sorted({r.lcu for r in peak.readings}))}",
        remedy=f"at least {math.ceil(peak.queue)} more for the mean queue, as iosq advise pav says{enough}; shorter "
        "intervals would show how many",
    )


def _closed(box: Then, peak: _Interval, asked: Asked, of: Place | None, every: Sequence[measured.Work]) -> Closed:
    """The volumes of the pool; requesters that are given are those of one volume."""
    names = {(r.system, r.volume): r for r in peak.readings}
    own = names.get((of.system, of.volume)) if of and asked.requesters is not None else None
    queues = {(own.system, own.volume): max((asked.requesters or 0.0) - own.in_service, 0.0)} if own else {}
    waiting = [r for r in box.readings if (r.system, r.volume) in names]
    return Closed(box, waiting, _usual(peak), every, peak.work, peak.size, queues)


def _closed_answer(closed: Closed, asked: Asked, of: Place | None) -> tuple[WhatIf, tuple[str, ...]]:
    what_if, _, note = closed.answer(asked)
    if asked.requesters is not None and of is not None:
        return what_if, (f"a closed workload of {plural(asked.requesters, 'requester')} on {of.volume}, as given",)
    return what_if, (
        *filter(None, [note]),
        "the pool is always busy while its queue is shorter than random arrivals would make it: the workload is closed "
        "(requesters wait for each answer): aliases raise its rate as far as the box serves more at once",
    )


def _usual(peak: _Interval) -> range:
    most = peak.size + math.ceil(peak.queue) if peak.is_closed else 0
    return max(open_load.pool_counts(peak.size), range(most + 1), key=len)


def _intervals(mine: Sequence[Reading], lcus: Sequence[str], asked: Asked) -> list[_Interval]:
    """One system's volumes of the pool by interval, in order of time."""
    _refuse_dedicated(mine)
    groups: dict[object, list[Reading]] = {}
    for r in sorted(mine, key=lambda r: (r.began, r.volume)):
        groups.setdefault(r.began, []).append(r)
    latest = [_latest([r for r in mine if r.lcu == lcu], asked) for lcu in lcus]
    return [_interval(group, lcus, latest, asked) for group in groups.values()]


def _interval(group: Sequence[Reading], lcus: Sequence[str], latest: Sequence[int], asked: Asked) -> _Interval:
    """An LCU without I/O in the interval has the alias count of other intervals."""
    own = [
        max((r.pool for r in group if r.lcu == lcu and r.pool is not None), default=otherwise)
        for lcu, otherwise in zip(lcus, latest, strict=True)
    ]
    return _Interval(group, own, sum(own) if asked.pool is None else asked.pool, asked.given.closed)


def _latest(seen: Sequence[Reading], asked: Asked) -> int:
    """Aliases in the LCU's pool as last configured."""
    pools = [(r.began, r.pool) for r in seen if r.pool is not None]
    if not pools and asked.pool is None:
        raise RequestError(f"the pool of LCU {seen[0].lcu} is not in the lake", remedy="give it with --pool")
    return max(pools, default=(None, 0))[1]


def _peak(intervals: Sequence[_Interval], of: Place | None) -> _Interval:
    """That with the longest queue, else with most in service; of a closed workload the one that lost most.

    Where requesters of a volume are given, `of` is the one whose queue counts.
    """
    if of is not None:
        return max(intervals, key=lambda i: sum(r.queue for r in i.readings if r.volume == of.volume))
    longest = max(intervals, key=lambda i: (i.queue, sum(r.in_service for r in i.readings)))
    if not longest.is_closed:
        return longest
    return max((i for i in intervals if i.is_closed), key=lambda i: i.lost_s)


def _closed_hours(intervals: Sequence[_Interval]) -> list[_Interval]:
    """For each hour of the day the interval in which a closed workload loses most; the worst first."""
    closed = sorted((i for i in intervals if i.is_closed), key=lambda i: (-i.lost_s, i.began))
    return hours_of(closed, lambda i: i.readings[0].local_hour)


def works(seen: Sequence[Reading], lcus: Sequence[str]) -> list[measured.Work]:
    """The load of a pool in each interval, of one system's readings."""
    return [i.work for i in _intervals([r for r in seen if r.lcu in lcus], lcus, Asked())]


def _system(seen: Sequence[Reading], system: str | None, lcus: Sequence[str]) -> str:
    """The one system meant; an alias pool serves each system on its own."""
    systems = sorted({r.system for r in seen})
    if system in systems:
        return str(system)
    if system is None and len(systems) == 1:
        return systems[0]
    where = f"LCU {', '.join(lcus)}"
    known = ", ".join(systems) or "none"
    raise RequestError(f"{where} is used by {known}", place="--system", remedy="name one of them")


def _refuse_dedicated(group: Sequence[Reading]) -> None:
    if not any(r.is_hyperpav for r in group):
        lcu = f"LCU {group[0].lcu}"
        raise RequestError("its aliases are dedicated to volumes", place=lcu, remedy="ask for a volume, not for --lcu")


def _lending(peak: _Interval) -> tuple[str, ...]:
    """SuperPAV: aliases that each pool needs beyond its own."""
    if len(peak.own) < 2:
        return ()
    lcus = sorted({r.lcu for r in peak.readings})
    pools = [max(r.pool or 0 for r in peak.readings if r.lcu == lcu) for lcu in lcus]
    borrowers = borrowing([_volumes([r for r in peak.readings if r.lcu == lcu]) for lcu in lcus], pools)
    return tuple(
        f"LCU {lcu} owns {aliases(pool)}, needs {b.needed_count:.2f} on average, borrows {b.borrowed_count:.3f}"
        for (lcu, pool), b in zip(zip(lcus, pools, strict=True), borrowers, strict=True)
    )


def _volumes(group: Sequence[Reading]) -> OpenVolumes:
    rate, wait, service, exposures = (
        [getattr(r, n) for r in group] for n in ("rate", "wait_ms", "service_ms", "exposures")
    )
    return OpenVolumes.of(rate, wait, service, exposures, 0.5, 1.0)
