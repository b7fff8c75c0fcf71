"""Crowds: volumes with closed work that share a box or an alias pool, and what more aliases would do for them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import or_

from iosq.toolkit.advise import changed
from iosq.toolkit.advise.asked import Evidence
from iosq.toolkit.advise.closed import Crowd, Outlook, PoolCrowd, choose, outlook, trials
from iosq.toolkit.advise.finding import Known
from iosq.toolkit.advise.path import crowd as together
from iosq.toolkit.advise.path import is_bottleneck
from iosq.toolkit.advise.pools import has_moved, is_as_busy_since, no_room, now
from iosq.toolkit.rows import Row

Name = tuple[str, str]


@dataclass(frozen=True)
class Closed:
    """One crowd: what is expected of it in each hour of the day."""

    every: Sequence[Outlook]
    limits: Mapping[str, float]

    @cached_property
    def found(self) -> Sequence[Outlook]:
        """The hours that are judged: those in which the way to the box is as usual, if there are any."""
        return [o for o in self.every if not self.is_held_up(o)] or self.every

    @cached_property
    def choice(self) -> tuple[Outlook, list[Outlook]]:
        """The hour that loses most of those that aliases help, else of all; and those that they help."""
        in_vain = [o for o in self.found if self.is_pool and self.is_in_vain(o)]
        return choose(self.found, self.limits["gain"], in_vain)

    @property
    def chosen(self) -> Outlook:
        """The first of these."""
        return self.choice[0]

    @property
    def helped(self) -> list[Outlook]:
        """The others."""
        return self.choice[1]

    @property
    def members(self) -> list[Row]:
        """The waiting volumes of the chosen hour."""
        return self.chosen.crowd.closed

    @property
    def row(self) -> Row:
        """The first of them; of a pool every one has what is known of the pool."""
        return self.members[0]

    @property
    def is_pool(self) -> bool:
        """Whether they share a pool."""
        return self.every[0].crowd.closed[0]["pool"] is not None

    @property
    def now(self) -> int | None:
        """Aliases there are now, in the pool or each; None where they are unknown."""
        if self.is_pool:
            return now(self.row)
        return self.chosen.crowd.aliases if self.has_known_aliases else None

    @property
    def has_known_aliases(self) -> bool:
        """Whether the number of aliases is known."""
        return self.is_pool or all(changed.has_known_exposures(m) for m in self.members)

    @property
    def worst(self) -> Outlook:
        """The hour with the longest queue."""
        return max(self.every, key=lambda o: o.crowd.queue)

    def is_held_up(self, o: Outlook) -> bool:
        """Whether the way to the box takes a good part of the time that an I/O holds an alias."""
        return is_bottleneck(together(o.crowd.closed), self.limits)

    def is_in_vain(self, o: Outlook) -> bool:
        """Whether a larger count was measured with the same work, and gave next to nothing."""
        rows, gain = o.crowd.closed, self.limits["gain"]
        if rows[0]["pool"] is None:
            return all(changed.is_in_vain(r, gain) for r in rows)
        return rows[0]["tried_aliases"] is not None and rows[0]["tried_more_ratio"] <= gain

    @property
    def helps_in_no_hour(self) -> bool:
        """Whether aliases of a pool are known to help in no hour."""
        return self.is_pool and self.chosen.known and not self.helped

    @property
    def is_unseen(self) -> bool:
        """Whether there are other aliases since, and such work was not seen with them."""
        if self.is_pool:
            return bool(now(self.row) != self.row["aliases"])
        return all(changed.is_unseen(r, self.limits["queue_length"]) for r in self.members)

    @property
    def is_full(self) -> bool:
        """Whether more I/Os at once would queue for a channel, and no measurement says otherwise."""
        o = self.chosen
        return bool(self.helped and o.known and not o.is_measured and o.is_channel_full)

    @property
    def no_room(self) -> str:
        """Where to go if the LCU of a pool has too few addresses."""
        size = self.chosen.crowd.aliases
        return no_room(self.row, self.chosen.best - size, size) if self.is_pool else ""

    @property
    def has_ended(self) -> bool:
        """Whether a pool is in another box since, or was enlarged and as many I/Os came since and found an alias."""
        r = self.worst.crowd.closed[0]
        if not self.is_pool or has_moved(r):
            return self.is_pool
        freed = now(r) > r["aliases"] and (r["since_queue"] or 0.0) < self.limits["queue_length"]
        return freed and is_as_busy_since(r, self.worst.crowd.rate)


def hours_of(rows: Iterable[Row], evidence: Evidence) -> Iterator[list[Row]]:
    """All volumes of a box or around a pool, hour by hour, each row with all that is known."""
    for r in rows:
        pool = {name: r[name] for name in ("platform", "system", "pool")}
        facts = [evidence.row(name, **pool) for name in ("pool", "pool_now", "cost")] if r["pool"] else []
        about: Row = reduce(or_, [*map(dict, facts), dict(r)], {})
        key = {"pool_platform": r["platform"], "pool_system": r["system"], "pool": r["pool"]}
        key |= {"interval_start": r["interval_start"]} | ({} if r["pool"] else {"box": r["box"]})
        yield [{**about, **_own(m, evidence), **m} for m in evidence.rows("member", **key)]


def _own(member: Row, evidence: Evidence) -> Row:
    """What is known of a volume that waits for an exposure of its own."""
    if member["pool"] or not member["is_closed"]:
        return {}
    name = {key: member[key] for key in ("platform", "system", "volume")}
    return {**evidence.row("volume_now", **name), **evidence.row("cost", **name)}


def pools(hours: Sequence[Sequence[Row]], limits: Mapping[str, float], known: Known, evidence: Evidence) -> Closed:
    """The crowd of a pool, up to as many aliases as find a requester."""
    found = []
    for rows in hours:
        r = next(row for row in rows if row["is_closed"])
        key = {"platform": r["pool_platform"], "system": r["pool_system"], "pool": r["pool"]}
        tried = trials(evidence.rows("trial", **key, interval_start=r["interval_start"]))
        crowd = PoolCrowd(rows, [m["is_closed"] for m in rows], r["aliases"], trials=tried)
        found.append(outlook(crowd, crowd.size + math.ceil(crowd.queue), known))
    return Closed(found, limits)


def boxes(
    hours: Sequence[Sequence[Row]], left_out: set[Name], limits: Mapping[str, float], known: Known, evidence: Evidence
) -> Iterator[Closed]:
    """The crowds of a box. Volumes of unequal counts are asked about apart: what two need says nothing of ten."""
    having = _exposures(r for rows in hours for r in rows if r["is_closed"] and name_of(r) not in left_out)
    for exposures in sorted(set(having.values())):
        found = []
        for rows in hours:
            waiting = [
                bool(r["is_closed"] and having.get(name_of(r)) == round(r["exposures"]) == exposures) for r in rows
            ]
            if any(waiting):
                key = {"box": rows[0]["box"], "interval_start": rows[0]["interval_start"], "asked_exposures": exposures}
                crowd = Crowd(rows, waiting, trials=trials(evidence.rows("trial", **key)))
                found.append(outlook(crowd, int(limits["most"]), known))
        yield Closed(found, limits)


def _is_asked(r: Row, having: Mapping[Name, int], exposures: int) -> bool:
    return bool(r["is_closed"] and having.get(name_of(r)) == round(r["exposures"]) == exposures)


def _exposures(closed: Iterable[Row]) -> dict[Name, int]:
    """How many each volume had in the interval that lost most: what it lost with other counts is the same trouble."""
    worst: dict[Name, Row] = {}
    for r in closed:
        before = worst.setdefault(name_of(r), r)
        if r["interval_lost_s"] > before["interval_lost_s"]:
            worst[name_of(r)] = r
    return {name: round(r["exposures"]) for name, r in worst.items()}


def name_of(r: Row) -> Name:
    """The volume of a row."""
    return r["system"], r["volume"]
