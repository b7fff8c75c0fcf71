"""PAV what-if from a lake: the pool of an LCU, or of LCUs that lend aliases to each other, with the rest of the box.

The interval with the longest queue is used. A pool kept busy by a closed workload is solved as closed, as in the
rule `closed_load`.
"""

import datetime as dt
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from iosq.models.pav.answers import WhatIf
from iosq.models.pav.open_load import OpenVolumes
from iosq.models.pav.pools import UnexplainedWaitError, borrowing
from iosq.toolkit.errors import RequestError
from iosq.toolkit.predict import closed_load, evidence, lake, measured, open_load, pav_box, pav_rows
from iosq.toolkit.predict.answer import Answer
from iosq.toolkit.predict.closed_hours import crowds_of_pool, name_of
from iosq.toolkit.predict.closed_load import Crowd
from iosq.toolkit.predict.given import CLOSED
from iosq.toolkit.predict.lake import Place, Reading
from iosq.toolkit.predict.pav_box import Asked
from iosq.toolkit.predict.work import Work, of_group
from iosq.toolkit.rows import Row, grouped
from iosq.toolkit.show import stages
from iosq.toolkit.show.numbers import aliases, plural, shown
from iosq.toolkit.show.records import by_platform
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
        return self.readings[0].began

    @property
    def queue(self) -> float:
        """Mean I/Os that wait for the pool."""
        return sum(r.queue for r in self.readings)

    @property
    def queued_most(self) -> int | None:
        """Most I/Os that queued at once, at most; None if no record has it."""
        most = max((r.queued_most or 0 for r in self.readings), default=0)
        return len({r.lcu for r in self.readings}) * most or None

    @property
    def names(self) -> frozenset[tuple[str, str]]:
        return frozenset(r.name for r in self.readings)

    @property
    def rate(self) -> float:
        """I/Os per second."""
        return sum(r.rate for r in self.readings)

    @property
    def is_exhausted(self) -> bool:
        """True if I/Os queued and some found no free alias."""
        return self.queue >= self.limits["queue_length"] and any(r.refused_ratio for r in self.readings)

    @property
    def in_use(self) -> float:
        """Lower bound of aliases in use: I/Os in service less one on the base of each volume."""
        return sum(max(r.in_service - 1, 0.0) for r in self.readings)

    @property
    def work(self) -> Work:
        return of_group(self.size, self.readings)


def pool_answer(
    con: Connection, lcus: Sequence[str], system: str | None, asked: Asked, place: Place | None = None
) -> Answer:
    """Pool size for an LCU (HyperPAV) or for several that lend to each other (SuperPAV), on one system.

    `place`: the requested volume, which uses the pool. RequestError if there is no such LCU, no system is named of
    several, the read ratio is unknown, or there is no steady state.
    """
    stages.progress("longest queue")
    platform = lake.find_lcus(con, lcus).platform
    wanted = sorted({lcu.upper() for lcu in lcus})
    readings = lake.readings(con, platform, only={"lcu": wanted}, closed=asked.given.closed)
    name = _system(readings, system, lcus)
    intervals = _intervals([r for r in readings if r.system == name], wanted, asked)
    pool = _pool(con, platform, name, wanted)
    moved, size = pool.get("other_start"), pool.get("aliases_now")
    in_box = evidence.latest(intervals, lambda i: not moved or i.began > moved, lambda i: i.is_exhausted)
    # given requesters were not measured, and service times of another box differ
    trials = [] if asked.requesters is not None else [i.work for i in in_box]

    current = evidence.latest(in_box, lambda i: size is None or i.size in (size, asked.pool), lambda i: i.is_exhausted)
    peak = _peak(current, None if asked.requesters is None else place)
    rows: Sequence[Row] = pav_box.box_then(con, peak.readings)
    which = pav_box.LONGEST
    crowds = _closed_hours(con, pool, current, peak, asked)
    if not crowds and (asked.requesters is not None or _is_closed(con, peak, asked)):
        crowds = [_crowd(rows, peak, asked, place, trials)]
    if crowds:
        crowd, which = pav_box.helped_hour(crowds, _usual, asked.given)
        peak = min(current, key=lambda i: abs(i.began - crowd.closed[0]["interval_start"]))
        rows, (what_if, texts) = crowd.rows, _closed_answer(crowd, asked, place)
    else:
        what_if, texts = _open(rows, peak, asked, trials)
    base = "{} is a HyperPAV base: it waits for the pool of LCU {}, so the pool is what counts"
    texts = (
        *texts,
        *_resized(intervals[-1], peak, pool),
        *([] if place is None else [base.format(place.volume, place.lcu)]),
        *pav_box.notes(rows, peak.readings[0], asked, which),
    )
    subject = f"LCU {'+'.join(wanted)} on {name}"
    cap = evidence.pool_cap(pool, peak.size if size is None else size)
    room = None if cap is None else cap - peak.size
    question = pav_rows.Question(subject, "pool_aliases", peak.size, 1, texts, asked.most is None, room)
    own = {} if place is None else {"volume": place.volume}
    pools = {"lcus": wanted, "pools": dict(zip(wanted, peak.own, strict=True)), "is_closed_workload": bool(crowds)}
    return pav_rows.answer(question, what_if, pav_box.facts(peak.readings[0]) | own | pools)


def pool_of_volume(con: Connection, place: Place, asked: Asked) -> Answer:
    """The pool a HyperPAV volume waits for, with requesters of this volume; RequestError if no source shows it."""
    if not place.lcu:
        records = by_platform(place.platform, "ingest types 74.1 and 78.3", "collect D6R28 (MONITOR SAMPLE ENABLE I/O)")
        what = f"the pool size of HyperPAV volume {place.volume} is unknown"
        raise RequestError(what, place="VOLUME", remedy=records)
    return pool_answer(con, [place.lcu], place.system, asked, place)


def _pool(con: Connection, platform: str, system: str, lcus: Sequence[str]) -> Row:
    """The pool of these LCUs and its changes; empty if no record shows that they share one."""
    key = {"platform": platform, "system": system, "lcu_names": "|".join(lcus)}
    found = evidence.row(con, "pool", key)
    changes = {"platform": platform, "system": system, "pool": found.get("pool")}
    return {**found, **evidence.row(con, "pool_now", changes)}


def _resized(last: _Interval, peak: _Interval, pool: Row) -> tuple[str, ...]:
    sizes = f"the pool has {aliases(last.size)} in its last interval, {peak.size} in this one"
    last_box, peak_box = (", ".join(sorted({r.box for r in i.readings})) for i in (last, peak))
    has_moved = bool(pool.get("other_start") and peak.began <= pool["other_start"])
    moved = f"the pool is in {last_box} in its last interval, in {peak_box} in this one"
    return *([sizes] if last.size != peak.size else []), *([moved] if has_moved else [])


def _open(rows: Sequence[Row], peak: _Interval, asked: Asked, trials: Sequence[Work]) -> tuple[WhatIf, tuple[str, ...]]:
    own = [r for r in rows if name_of(r) in peak.names]
    loads, state = open_load.loads_of(own), open_load.box_state(own, asked.given)
    try:
        counts = asked.counts(open_load.pool_counts(peak.size))
        predicted = open_load.pool(loads, peak.size, state, asked.given, counts)
        predicted = open_load.with_room(predicted, open_load.room_for(peak.size, peak.queue, peak.queued_most))
    except UnexplainedWaitError as error:
        raise _exhausted(peak, trials) or error from None
    what_if, note = measured.with_measured(predicted, trials, peak.work, closed=False)
    return what_if, (*filter(None, [note]), *_lending(peak))


def _exhausted(peak: _Interval, trials: Sequence[Work]) -> RequestError | None:
    """The error that the pool is the cause though its mean use is low; None if every I/O found an alias."""
    refused = max((r.refused_ratio or 0.0 for r in peak.readings), default=0.0)
    if not refused:
        return None
    count = measured.enough(trials, peak.work)
    enough = "" if count is None else f"; with {aliases(count)} the same rate hardly waited, as measured"
    return RequestError(
        f"not identifiable: the pool was exhausted ({shown(refused)} refusals per I/O), but in bursts: by the mean of "
        f"the interval its {aliases(peak.size)} would do",
        place=f"LCU {'+'.join(sorted({r.lcu for r in peak.readings}))}",
        remedy=f"at least {math.ceil(peak.queue)} more for the mean queue, as iosq advise pav says{enough}; shorter "
        "intervals would show how many",
    )


def _closed_hours(
    con: Connection, pool: Row, current: Sequence[_Interval], peak: _Interval, asked: Asked
) -> list[Crowd]:
    """The hours of closed work that advice examines, if the longest queue is in one of them."""
    if asked.requesters is not None or asked.pool is not None:
        return []
    now = {i.began for i in current}
    found = {c.closed[0]["interval_start"]: c for c in crowds_of_pool(con, asked.given.closed, pool)}
    return [c for start, c in found.items() if start in now] if peak.began in found else []


def _is_closed(con: Connection, peak: _Interval, asked: Asked) -> bool:
    """True if a closed workload keeps the pool busy, with the pool size assumed in the request."""
    return peak.size > 0 and closed_load.is_closed(con, peak.in_use, peak.queue, peak.size, asked.given.closed)


def _crowd(rows: Sequence[Row], peak: _Interval, asked: Asked, place: Place | None, trials: Sequence[Work]) -> Crowd:
    """The volumes of the pool in this interval; given requesters are those of `place`."""
    own = next((r for r in peak.readings if place and r.name == (place.system, place.volume)), None)
    if own is not None and asked.requesters is not None:
        rows = pav_box.given_requesters(rows, own, asked.requesters)
    return replace(pav_box.crowd_then(rows, peak.names, peak.size), trials=trials)


def _closed_answer(crowd: Crowd, asked: Asked, place: Place | None) -> tuple[WhatIf, tuple[str, ...]]:
    what_if, note = pav_box.solved(crowd, _usual(crowd), asked)
    if asked.requesters is not None and place is not None:
        return what_if, (f"a closed workload of {plural(asked.requesters, 'requester')} on {place.volume}, as given",)
    return what_if, (
        *filter(None, [note]),
        "the pool is always busy while its queue is shorter than random arrivals would make it: the workload is closed "
        "(requesters wait for each answer): aliases raise its rate as far as the box serves more at once",
    )


def _usual(crowd: Crowd) -> range:
    return max(open_load.pool_counts(crowd.aliases), range(crowd.aliases + math.ceil(crowd.queue) + 1), key=len)


def _intervals(readings: Sequence[Reading], lcus: Sequence[str], asked: Asked) -> list[_Interval]:
    """The volumes of the pool on one system by interval, in order of time."""
    if not any(r.is_hyperpav for r in readings):
        lcu = f"LCU {readings[0].lcu}"
        raise RequestError("its aliases are dedicated to volumes", place=lcu, remedy="ask for a volume, not for --lcu")
    groups = grouped(sorted(readings, key=lambda r: (r.began, r.volume)), lambda r: r.began)
    latest = [_latest([r for r in readings if r.lcu == lcu], asked) for lcu in lcus]
    return [_interval(group, lcus, latest, asked) for group in groups.values()]


def _interval(group: Sequence[Reading], lcus: Sequence[str], latest: Sequence[int], asked: Asked) -> _Interval:
    """One interval of the pool; an LCU without I/O in it gets its latest alias count."""
    own = [
        max((r.pool for r in group if r.lcu == lcu and r.pool is not None), default=default)
        for lcu, default in zip(lcus, latest, strict=True)
    ]
    return _Interval(group, own, sum(own) if asked.pool is None else asked.pool, asked.given.closed)


def _latest(readings: Sequence[Reading], asked: Asked) -> int:
    """Aliases in the LCU's pool in its latest interval."""
    pools = [(r.began, r.pool) for r in readings if r.pool is not None]
    if not pools and asked.pool is None:
        raise RequestError(f"the pool of LCU {readings[0].lcu} is not in the lake", remedy="give it with --pool")
    return max(pools, default=(None, 0))[1]


def _peak(intervals: Sequence[_Interval], place: Place | None) -> _Interval:
    """The interval with the longest queue, else with most I/Os in service.

    If requesters of a volume are given, only the queue of that volume (`place`) counts.
    """
    if place is not None:
        return max(intervals, key=lambda i: sum(r.queue for r in i.readings if r.volume == place.volume))
    return max(intervals, key=lambda i: (i.queue, sum(r.in_service for r in i.readings)))


def works(readings: Sequence[Reading], lcus: Sequence[str]) -> list[Work]:
    """The load of a pool in each interval, from the readings of one system."""
    return [i.work for i in _intervals([r for r in readings if r.lcu in lcus], lcus, Asked())]


def _system(readings: Sequence[Reading], system: str | None, lcus: Sequence[str]) -> str:
    """The requested or only system; each system has its own use of an alias pool."""
    systems = sorted({r.system for r in readings})
    if system in systems:
        return str(system)
    if system is None and len(systems) == 1:
        return systems[0]
    where = f"LCU {', '.join(lcus)}"
    known = ", ".join(systems) or "none"
    raise RequestError(f"{where} is used by {known}", place="--system", remedy="name one of them")


def _lending(peak: _Interval) -> tuple[str, ...]:
    """SuperPAV: the aliases that each pool borrows, in words; empty for a single LCU."""
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
