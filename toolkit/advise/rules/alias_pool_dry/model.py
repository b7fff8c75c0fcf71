"""Effect of more aliases on an exhausted pool, and evidence about it."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from iosq.toolkit.advise import path, reserved
from iosq.toolkit.advise.aliases import NO_NEED, Need, more, pool_need
from iosq.toolkit.advise.before_after import pool_has_moved, pool_is_settled, pool_size, since
from iosq.toolkit.advise.finding import Known
from iosq.toolkit.predict import open_load
from iosq.toolkit.predict.evidence import Evidence, pool_cap
from iosq.toolkit.predict.measured import enough
from iosq.toolkit.predict.open_load import box_state, loads_of
from iosq.toolkit.predict.work import Work, of_rows, of_trial
from iosq.toolkit.rows import NewRow, Row

# pools whose need is also worked out hour by hour: those that deny most. An hour takes a tenth of a second
WITH_HOURS = 5


def modelled(rows: list[Row], limits: Mapping[str, float], known: Known, evidence: Evidence) -> Iterator[Row]:
    """A row for each pool, of the interval that is judged."""
    pools = groupby(rows, key=lambda r: (r["platform"], r["system"], r["pool"]))
    for place, (_, intervals) in enumerate(pools):
        yield _pool(list(intervals), limits, known, evidence, with_hours=place < WITH_HOURS)


@dataclass(frozen=True)
class Then:
    """One interval of a pool: its row, volumes and path, and measurements of comparable intervals."""

    row: Row
    members: Sequence[Row]
    path: Row
    trials: Sequence[Work]
    known: Known

    @cached_property
    def work(self) -> Work | None:
        """The load of the volumes; None if none was measured."""
        return of_rows(int(self.row["aliases"] or 0), self.members) if self.members else None

    @cached_property
    def need(self) -> Need | None:
        """Effect of more aliases. None if volumes or pool are unknown, or the pool was exhausted only in bursts."""
        if not self.work or not self.work.aliases:
            return None
        box, cap = box_state(self.members, self.known), pool_cap(self.row, pool_size(self.row))
        room = open_load.room_for(self.work.aliases, self.row["queue_length"] or 0.0, self.row["queued_most"])
        return pool_need(loads_of(self.members), self.work.aliases, box, self.known, self.trials, self.work, cap, room)


def _pool(
    rows: Sequence[Row], limits: Mapping[str, float], known: Known, evidence: Evidence, *, with_hours: bool
) -> Row:
    key = {name: rows[0][name] for name in ("platform", "system", "pool")}
    way = evidence.row("path", **key, interval_start=None)
    every = [_then(r, {**key, "interval_start": r["interval_start"]}, way, known, evidence) for r in rows]
    free = [then for then in every if not path.is_bottleneck(then.path, limits)]
    fit = [then for then in free if not reserved.columns(then.members, limits)["is_reserved"]]
    # hours in which the path is as usual and no other system holds volumes are judged by themselves
    then = min(fit or free or every, key=lambda t: t.row["place"])
    r, moved = then.row, pool_has_moved(then.row)
    is_slow = path.is_bottleneck(way, limits)
    queued = [t for t in fit if (t.row["queue_length"] or 0.0) >= limits["queue_length"]] if with_hours else []
    return {
        **r,
        **path.columns(way if is_slow else then.path),
        **reserved.columns(then.members, limits),
        **since(r, then.work, r["queue_length"] or 0.0, "moved" if moved else "since"),
        **_needed(then),
        **({} if r["alias_group"] else {"dry_lcus": None, "lcus": None}),
        "configured": r["aliases"] if r["is_size_known"] else None,
        "throttled_ios": int(r["throttled"] or 0) or None,
        "is_pool": True,
        "has_moved": moved,
        "has_more": pool_size(r) > (r["aliases"] or 0),
        "has_ended": moved or bool(then.work and pool_is_settled(r, then.work.rate)),
        "is_held_up": not free or (then.path["way_above_ms"] is None and is_slow),
        "hours": tuple(t.need.hour(t.row) for t in queued if t.need),
    }


def _needed(then: Then) -> NewRow:
    """Aliases needed: from the model, otherwise from measurements, otherwise from the queue."""
    r, size, need = then.row, pool_size(then.row), then.need
    seen = enough(then.trials, then.work) if then.work and r["aliases"] else None
    found = need.columns(size) if need else {**NO_NEED, "fewest": seen and size + 1, "most": seen}
    lack, was_seen = math.ceil(r["peak_queue"] or 0), (seen or 0) > size
    by_queue = f"at least {lack} more {'alias' if lack == 1 else 'aliases'}"
    count = found["count"] or (more(None, None, seen, size) if was_seen else by_queue if lack else "more aliases")
    known = {"size": None if r["aliases"] is None else size, "seen": seen if was_seen else None}
    return found | known | {"count": count, "by_queue": count == by_queue and not was_seen}


def _then(r: Row, at: Row, way: Row, known: Known, evidence: Evidence) -> Then:
    then = path.held({**evidence.row("path", **at), "io_rate": way["path_rate"]})
    members = evidence.joined(evidence.rows("member", **at), {"curve": ("box",)})
    return Then(r, members, then, [of_trial(t) for t in evidence.rows("trial", **at)], known)
