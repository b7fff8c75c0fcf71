"""PAV what-if from a lake: a volume, an LCU's pool, or LCUs that lend; what else is in the box counts.

The interval with the longest queue is asked about, as `iosq advise pav` does.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from iosq.models.pav.open_load import OpenVolumes
from iosq.models.pav.pools import borrowing
from iosq.toolkit.errors import RequestError
from iosq.toolkit.predict import closed_load, headroom, lake, measured, open_load, pav_rows
from iosq.toolkit.predict.answer import Answer
from iosq.toolkit.predict.closed_load import Crowd, Member
from iosq.toolkit.predict.elasticity import elasticity_bounds, elasticity_scatter
from iosq.toolkit.predict.given import NOTHING, Given
from iosq.toolkit.predict.lake import Place, Reading
from iosq.toolkit.predict.open_load import BoxState, Load
from iosq.toolkit.rows import NewRow
from iosq.toolkit.show.numbers import aliases, plural

if TYPE_CHECKING:
    import duckdb


@dataclass(frozen=True)
class Asked:
    """What is wanted of the volumes: counts up to `most` (None: as far as it matters), what is known of the box.

    pool: aliases in the pool, where the lake doesn't say; requesters: of the volume, where its workload is closed;
    utc: whether times are told in UTC.
    """

    given: Given = NOTHING
    most: int | None = None
    pool: int | None = None
    requesters: float | None = None
    utc: bool = False


@dataclass(frozen=True)
class _Box:
    """A box in one interval, with its measured curve."""

    readings: Sequence[Reading]
    curve: NewRow
    headrooms: Mapping[tuple[str, str], NewRow]

    def headroom(self, waiting: Sequence[Reading], queues: Sequence[float], given: Given) -> float | None:
        """How many times as much the way of those that wait could carry; see `iosq.toolkit.predict.headroom`."""
        rows = [self.headrooms.get((r.system, r.volume), headroom.NOTHING) for r in waiting]
        return headroom.headroom(headroom.longest(rows, queues, given.headroom), given.headroom)

    def state(self, waiting: Sequence[Reading], given: Given) -> BoxState:
        """What those that wait, with an open load, find there."""
        known = [r for r in self.readings if r.read_ratio is not None]
        rate = sum(r.rate for r in known)
        reads = sum(r.rate * (r.read_ratio or 0.0) for r in known) / rate if rate else None
        inside = sum(r.in_service for r in self.readings)
        eased = self.headroom(waiting, [r.queue for r in waiting], given)
        return BoxState(inside, len(self.readings), reads, elasticity_bounds(self.curve), eased)


def volume_answer(con: duckdb.DuckDBPyConnection, volume: str, system: str | None, asked: Asked) -> Answer:
    """Alias counts for one volume; for a HyperPAV volume the pool of its LCU, which is what it waits for.

    A volume with a closed workload, as its queue tells or `asked` says, is answered as such, together
    with the others of its box that do.

    Raises:
        RequestError: no such volume, unknown read share, no steady state.
    """
    place = lake.find_volume(con, volume, system)
    if place.is_hyperpav:
        if asked.requesters is not None:
            raise RequestError("its aliases are the pool's", place="--requesters", remedy="ask without")
        note = (
            f"{place.volume} is a HyperPAV base: it waits for the pool of LCU {place.lcu}, so the pool is what counts"
        )
        return pool_answer(con, [place.lcu], place.system, asked, notes=(note,))
    everything = lake.readings(con, place.platform)
    mine = [r for r in everything if _is(r, place)]
    if not mine:
        raise RequestError(f"{place.volume} did no I/O in the lake's intervals", place="VOLUME")
    peak = _peak(mine)
    closed = _is_closed(peak)
    if closed and asked.requesters is None:
        peak = _closed_peak([r for r in everything if r.box == peak.box], place)
    box = _box(con, lake.together(everything, peak), peak, place.platform)
    if closed or asked.requesters is not None:
        return _closed_answer(box, peak, asked, mine)
    return _open_answer(box, peak, asked, mine)


def _box(con: duckdb.DuckDBPyConnection, readings: Sequence[Reading], peak: Reading, platform: str) -> _Box:
    return _Box(readings, lake.curve(con, peak.box), lake.headrooms(con, platform, peak.began))


def _open_answer(box: _Box, peak: Reading, asked: Asked, mine: Sequence[Reading]) -> Answer:
    what_if = open_load.volume(
        _load(peak), box.state([peak], asked.given), asked.given, _counts(asked, pav_rows.USUAL_ALIASES)
    )
    what_if, told = measured.with_measured(what_if, mine, peak, closed=False)
    question = pav_rows.Question(
        f"{peak.volume} on {peak.system}",
        current=open_load.aliases_now(_load(peak)),
        notes=(*filter(None, [told]), *_notes(box, peak, asked)),
        trimmed=asked.most is None,
    )
    return pav_rows.answer(question, what_if, _facts(peak) | {"is_closed_workload": False})


def _closed_answer(box: _Box, peak: Reading, asked: Asked, mine: Sequence[Reading]) -> Answer:
    """All volumes of the box that are like that get as many aliases; a number of requesters given is this one's."""
    queue = None if asked.requesters is None else max(asked.requesters - peak.in_service, 0.0)
    members = [_member(r, peak, queue) for r in box.readings]
    known = elasticity_scatter(box.curve), box.curve["in_service_max"]
    waiting = [(r, m.queue) for r, m in zip(box.readings, members, strict=True) if m.waits]
    eased = box.headroom([r for r, _ in waiting], [queue for _, queue in waiting], asked.given)
    crowd = Crowd(peak.box, members, *known, headroom=eased)
    most = max(pav_rows.USUAL_ALIASES, crowd.aliases + 1)
    what_if = closed_load.solved(crowd, _counts(asked, most), asked.given)
    if not what_if.identifiable and not what_if.settle:
        what_if = replace(what_if, settle=f"not identifiable: {what_if.calibrated_on}")
    others, told = len(crowd.waiting) - 1, ""
    if not others and asked.requesters is None:
        what_if, told = measured.with_measured(what_if, mine, peak, closed=True)
    who = f"{peak.volume} on {peak.system}" + (f" and {plural(others, 'volume')} like it" if others else "")
    note = (
        f"all exposures of {peak.volume} are busy while its queue is shorter than random arrivals would make it: its "
        "workload is closed (requesters wait for each answer), so the rate rises with aliases"
        if asked.requesters is None
        else f"a closed workload of {plural(asked.requesters, 'requester')}, as given"
    )
    question = pav_rows.Question(
        who,
        "aliases",
        crowd.aliases,
        len(crowd.waiting),
        (*filter(None, [told]), note, *_notes(box, peak, asked)),
        asked.most is None,
    )
    return pav_rows.answer(question, what_if, _facts(peak) | {"is_closed_workload": True})


def _member(r: Reading, peak: Reading, queue: float | None) -> Member:
    own = r is peak
    waits = own if queue is not None else own or (_is_closed(r) and _like(r, peak))
    waiting = queue if own and queue is not None else r.queue
    return Member(r.volume, r.rate, r.in_service, waiting, r.measured_exposures, r.read_ratio, waits)


def _like(r: Reading, peak: Reading) -> bool:
    """As many exposures: what a volume with ten of them would do with two is not asked."""
    return round(r.measured_exposures) == round(peak.measured_exposures)


def _is_closed(r: Reading) -> bool:
    return not r.is_hyperpav and closed_load.is_closed(r.in_service, r.queue, r.measured_exposures)


def pool_answer(
    con: duckdb.DuckDBPyConnection,
    lcus: Sequence[str],
    system: str | None,
    asked: Asked,
    notes: tuple[str, ...] = (),
) -> Answer:
    """Pool size for an LCU (HyperPAV) or for several that lend to each other (SuperPAV), as one system sees them.

    Raises:
        RequestError: no such LCU, several systems and none named, unknown read share, no steady state.
    """
    platform = lake.find_lcus(con, lcus).platform
    wanted = sorted({lcu.upper() for lcu in lcus})
    everything = lake.readings(con, platform)
    mine = [r for r in everything if r.lcu in wanted]
    name = _system(mine, system, lcus)
    mine = [r for r in mine if r.system == name]
    _refuse_dedicated(mine)
    own = [_pool([r for r in mine if r.lcu == lcu], asked) for lcu in wanted]
    current = sum(own) if asked.pool is None else asked.pool
    peak = _pool_peak(mine)
    first = peak[0]
    anchors = {r.box: r for r in peak}.values()
    box = _box(con, [r for a in anchors for r in lake.together(everything, a)], first, platform)
    counts = _counts(asked, max(pav_rows.USUAL_POOL, current + pav_rows.USUAL_ALIASES))
    what_if = open_load.pool([_load(r) for r in peak], current, box.state(peak, asked.given), asked.given, counts)
    texts = (*_lending(peak, wanted, own), *notes, *_notes(box, first, asked))
    subject = f"LCU {'+'.join(wanted)} on {name}"
    question = pav_rows.Question(subject, "pool_aliases", current, 1, texts, asked.most is None)
    return pav_rows.answer(question, what_if, _facts(first) | {"pools": dict(zip(wanted, own, strict=True))})


def _counts(asked: Asked, usual: int) -> range:
    return range((usual if asked.most is None else asked.most) + 1)


def _is(reading: Reading, place: Place) -> bool:
    return (reading.system, reading.volume) == (place.system, place.volume)


def _peak(mine: Sequence[Reading]) -> Reading:
    """The interval with the longest queue; where nothing ever waits, with most in service; the first of equals."""
    return max(sorted(mine, key=lambda r: r.began), key=lambda r: (r.queue, r.in_service))


def _pool_peak(mine: Sequence[Reading]) -> list[Reading]:
    """One system's volumes in the interval in which they queue most, else have most in service."""
    intervals: dict[dt.datetime, list[Reading]] = {}
    for r in mine:
        intervals.setdefault(r.began, []).append(r)
    groups = [intervals[began] for began in sorted(intervals)]
    return max(groups, key=lambda g: (sum(r.queue for r in g), sum(r.in_service for r in g)))


def _closed_peak(of_box: Sequence[Reading], place: Place) -> Reading:
    """The volume where it and all others of its box with closed workload together queue most, as `advise pav` asks."""
    lost: dict[dt.datetime, float] = {}
    queues: dict[dt.datetime, float] = {}
    for r in of_box:
        if _is_closed(r):
            lost[r.start] = lost.get(r.start, 0.0) + r.queue * r.interval_s
            queues[r.began] = queues.get(r.began, 0.0) + r.queue
    mine = [r for r in of_box if _is(r, place) and _is_closed(r)]
    return max(sorted(mine, key=lambda r: r.began), key=lambda r: (lost[r.start], queues[r.began]))


def _load(r: Reading) -> Load:
    return Load(r.rate, r.wait_ms, r.service_ms, r.measured_exposures)


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


def _pool(seen: Sequence[Reading], asked: Asked) -> int:
    """Aliases in the LCU's pool as configured."""
    pools = [r.pool for r in seen if r.pool is not None]
    if not pools and asked.pool is None:
        raise RequestError(f"the pool of LCU {seen[0].lcu} is not in the lake", remedy="give it with --pool")
    return max(pools, default=0)


def _notes(box: _Box, measured: Reading, asked: Asked) -> tuple[str, ...]:
    lcus = sorted({r.lcu for r in box.readings if r.lcu})
    named = f"{measured.box} (LCU {', '.join(lcus)})" if lcus else measured.box
    texts = [
        f"the interval with the longest queue: {lake.when(measured, asked.utc)}; "
        f"{plural(len(box.readings), 'volume')} of {named} together"
    ]
    if asked.given.machine:
        texts.append("of the machine file only the growth of service time with load is taken, not its level")
    return tuple(texts)


def _facts(measured: Reading) -> NewRow:
    return {"interval_start_utc": measured.began, "utc_offset_s": measured.utc_offset_s, "box": measured.box}


def _refuse_dedicated(group: Sequence[Reading]) -> None:
    if not any(r.is_hyperpav for r in group):
        lcu = f"LCU {group[0].lcu}"
        raise RequestError("its aliases are dedicated to volumes", place=lcu, remedy="ask for a volume, not for --lcu")


def _lending(peak: Sequence[Reading], lcus: Sequence[str], own: Sequence[int]) -> tuple[str, ...]:
    """SuperPAV: what each pool needs beyond its own."""
    if len(lcus) < 2:
        return ()
    present = [(lcu, pool) for lcu, pool in zip(lcus, own, strict=True) if any(r.lcu == lcu for r in peak)]
    volumes = [_volumes([r for r in peak if r.lcu == lcu]) for lcu, _ in present]
    borrowers = borrowing(volumes, [pool for _, pool in present])
    return tuple(
        f"LCU {lcu} owns {aliases(pool)}, needs {b.needed_count:.2f} on average, borrows {b.borrowed_count:.3f}"
        for (lcu, pool), b in zip(present, borrowers, strict=True)
    )


def _volumes(group: Sequence[Reading]) -> OpenVolumes:
    rate, wait, service, exposures = (
        [getattr(r, n) for r in group] for n in ("rate", "wait_ms", "service_ms", "exposures")
    )
    return OpenVolumes.of(rate, wait, service, exposures, 0.5, 1.0)
