"""Closed work queues for volumes or fills an alias pool: what more aliases give it, all volumes of the box together."""

import math
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from iosq.toolkit.advise import before_after
from iosq.toolkit.advise.before_after import pool_size
from iosq.toolkit.advise.closed import outlook
from iosq.toolkit.advise.crowds import Closed, ended_pool, ended_volume
from iosq.toolkit.advise.finding import Known
from iosq.toolkit.predict.closed_hours import Hours, Name, name_of, of_box, of_pool
from iosq.toolkit.predict.closed_load import Crowd
from iosq.toolkit.predict.evidence import Evidence, pool_cap
from iosq.toolkit.rows import NewRow, Row


def modelled(rows: list[Row], limits: Mapping[str, float], known: Known, evidence: Evidence) -> Iterator[Row]:
    """A row for each pool, for each volume whose queue ended, and for the volumes of a box with equal exposures."""
    for _, group in groupby(rows, key=lambda r: (r["platform"], r["system"], r["pool"], r["box"])):
        hours = list(_hours(group, evidence))
        if hours[0][0]["pool"]:
            closed = _pool(hours, limits, known, evidence)
            yield ended_pool(closed) or closed.columns()
            continue
        ended = {name_of(r): r for r in _ended([r for h in hours for r in h], limits)}
        yield from ended.values()
        yield from (closed.columns() for closed in _boxes(hours, set(ended), limits, known, evidence))


def _hours(rows: Iterable[Row], evidence: Evidence) -> Iterator[list[NewRow]]:
    """All volumes of a box or pool by hour, each row with all evidence."""
    for r in rows:
        key = {f"pool_{name}": r[name] for name in ("platform", "system")}
        key |= {n: r[n] for n in ("pool", "interval_start", *(() if r["pool"] else ("box",)))}
        members = evidence.joined(evidence.rows("closed_member", **key), {"curve": ("box",)})
        yield [{**r, **_own(m, evidence), **m} for m in members]


def _own(member: Row, evidence: Evidence) -> Row:
    """Evidence about a volume that waits for an exposure of its own."""
    if member["pool"] or not member["is_closed"]:
        return {}
    name = {key: member[key] for key in ("platform", "system", "volume")}
    addresses = evidence.row("addresses", platform=member["platform"], lcu=member["lcu"])
    return {**addresses, **evidence.row("volume_now", **name), **evidence.row("cost", **name)}


def _ended(rows: Iterable[Row], limits: Mapping[str, float]) -> Iterator[NewRow]:
    """Volumes whose queue ended when they moved, or got exposures: of each the interval with its longest queue."""
    queue = limits["queue_length"]
    closed = sorted((r for r in rows if r["is_closed"]), key=name_of)
    for every in (list(seen) for _, seen in groupby(closed, key=name_of)):
        has_left = any(before_after.has_left(r, queue) for r in every)
        if has_left or any(before_after.is_settled(r, queue) for r in every):
            yield ended_volume(max(every, key=lambda r: r["queue_length"]), limits, moved=has_left)


def _pool(hours: Hours, limits: Mapping[str, float], known: Known, evidence: Evidence) -> Closed:
    """The volumes of a pool, with aliases up to one per requester."""
    found = []
    for crowd in of_pool(hours, evidence):
        r = crowd.closed[0]
        found.append(outlook(crowd, crowd.aliases + math.ceil(crowd.queue), known, pool_cap(r, pool_size(r))))
    return Closed(found, limits)


def _boxes(
    hours: Hours, left_out: set[Name], limits: Mapping[str, float], known: Known, evidence: Evidence
) -> Iterator[Closed]:
    """The volumes of a box with equal exposures."""
    for crowds in of_box(hours, evidence, left_out):
        yield Closed([outlook(crowd, int(limits["most"]), known, _cap(crowd)) for crowd in crowds], limits)


def _cap(crowd: Crowd) -> int | None:
    """Aliases each of the volumes can get: the addresses of each LCU shared among those that wait there."""
    lcus = [(r["lcu"], r.get("free_addresses")) for r in crowd.closed]
    shares = [int(free) // sum(lcu == other for other, _ in lcus) for lcu, free in lcus if free is not None]
    return crowd.aliases + max(min(shares), 0) if shares else None
