"""Volumes with closed work that share a box or an alias pool, by hour, for the table of `closed_load`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from iosq.toolkit.advise import before_after, path, reserved, subject
from iosq.toolkit.advise.before_after import pool_has_moved, pool_is_settled, pool_size, since
from iosq.toolkit.advise.closed import Outlook
from iosq.toolkit.advise.window import spoken
from iosq.toolkit.predict import measured
from iosq.toolkit.predict.closed_hours import chosen, name_of
from iosq.toolkit.predict.evidence import SEEN
from iosq.toolkit.predict.work import Work
from iosq.toolkit.rows import NewRow, Row
from iosq.toolkit.sql.raw import literal

# columns of a pool's row that one of volumes lacks, and the other way round
NOTHING: Row = dict.fromkeys((
    "alias_group", "other_system", "other_aliases", "other_high_water", "larger_aliases", "larger_until", "per_base",
    "denied_ratio", "aliases", "tried_aliases", "tried_more_ratio", "busy_share", "lcu_names", "names", "where",
    "box_name", "since_exposures", "before_exposures", "tried_ratio", "tried_gain_ratio", "covered_lcus",
    "covered_volumes", "volumes", "now_lcu", "left_box_now", "now_hyperpav", "aliases_each", "aliases_in_pool",
))  # fmt: skip


@dataclass(frozen=True)
class Closed:
    """One group of volumes: its forecast for each hour of the day."""

    every: Sequence[Outlook]
    limits: Mapping[str, float]

    @cached_property
    def found(self) -> Sequence[Outlook]:
        """The hours that are judged: those in which neither path nor reserves delay I/Os, if there are any."""
        free = [o for o in self.every if not self._is_held_up(o)]
        return [o for o in free if not self._is_reserved(o)] or free or self.every

    @cached_property
    def helped(self) -> Sequence[Outlook]:
        """The hours that aliases help: more of them were not measured to give nothing, whatever a curve says."""
        helped = [o for o in self.found if o.gain.value > self.limits["gain"]]
        return [o for o in helped if not (self.is_pool and self._is_without_gain(o))]

    @property
    def is_pool(self) -> bool:
        """True if they share a pool."""
        return self.every[0].crowd.closed[0]["pool"] is not None

    @property
    def worst(self) -> Outlook:
        """The hour with the longest queue."""
        return max(self.every, key=lambda o: o.crowd.queue)

    def columns(self) -> NewRow:
        """The row of the table: the first volume, what is known of its pool, and the effect of aliases."""
        helped = self.helped
        reported = chosen(self.found, lambda o: o.crowd.lost_s, lambda o: any(o is h for h in helped))
        members = reported.crowd.closed
        r = members[0]
        best = max(helped, key=lambda o: o.gain.value).crowd.rows[0] if helped else r
        way, release = path.columns(path.crowd(members)), reserved.columns(members, self.limits)
        tried_aliases, tried_more_ratio = self._tried(reported)
        about = _of_pool(r, self.limits) if self.is_pool else _of_volumes(members, self.found, self.limits)
        return {
            **NOTHING,
            **r,
            **(way | release | before_after.since(r, None, 0.0) | reported.columns() | about),
            "is_reserved": self._is_reserved(reported),
            "aliases_each": None if self.is_pool else about["size"],
            "aliases_in_pool": reported.crowd.size,
            "tried_aliases": tried_aliases,
            "tried_more_ratio": tried_more_ratio,
            "has_ended": False,
            "has_moved": False,
            "covers_box": not self.is_pool,
            "is_without_gain": self._is_without_gain(reported),
            "is_unseen": self._is_unseen(members),
            "is_held_up": self._is_held_up(reported),
            "helps": bool(helped),
            "hours_looked_at": len(self.found),
            "hours_helped": len(helped) if reported.known else None,
            "best_hour": spoken(best["local_start"], best["local_end"]),
            "at_hour": f"{r['local_start']:%H:%M on %Y-%m-%d}",
        }

    def _is_held_up(self, o: Outlook) -> bool:
        """True if path delay is a good part of the time that an I/O holds an alias."""
        return path.is_bottleneck(path.crowd(o.crowd.closed), self.limits)

    def _is_reserved(self, o: Outlook) -> bool:
        """True if reserves of other systems are a good part of the time that an I/O holds an alias of the pool."""
        return self.is_pool and bool(reserved.columns(o.crowd.closed, self.limits)["is_reserved"])

    def _is_without_gain(self, o: Outlook) -> bool:
        """True if a larger count was measured with the same work, and gave next to nothing."""
        if not self.is_pool:
            return all(before_after.is_without_gain(r, self.limits["gain"]) for r in o.crowd.closed)
        _, ratio = self._tried(o)
        return ratio is not None and ratio <= self.limits["gain"]

    def _tried(self, o: Outlook) -> tuple[int, float] | tuple[None, None]:
        """Another size that the pool had with the same work, and what the larger one gave."""
        found = measured.tried(o.crowd.trials, o.crowd.work, self.limits["tried_more"]) if self.is_pool else None
        return found or (None, None)

    def _is_unseen(self, members: Sequence[Row]) -> bool:
        """True if the alias count changed later and such work has not run since."""
        if self.is_pool:
            return bool(pool_size(members[0]) != members[0]["aliases"])
        return all(before_after.is_unseen(r, self.limits["queue_length"]) for r in members)


def _of_pool(r: Row, limits: Mapping[str, float], *, has_ended: bool = False) -> NewRow:
    """Columns of a row about a pool."""
    # the open model applies if the pool is exhausted at no other time, or the rate was comparable with more aliases
    only = (r["queue_else"] or 0.0) < limits["queue_length"]
    came = r["moved_rate"] if pool_has_moved(r) else r["since_rate"]
    only |= has_ended and came >= SEEN * (r["rate_else"] or 0.0)
    return {
        "is_pool": True,
        "systems": r["pool_system"],
        "size": pool_size(r),
        "has_more": pool_size(r) > (r["aliases"] or 0),
        "busy_share": min(r["busy_ratio"], 1),
        "covered_lcus": r["lcu_names"] if only else None,
        "covered_systems": r["pool_system"],
        "closed_s": (has_ended and r["dry_s"]) or r["closed_s"],
    }


def _of_volumes(members: Sequence[Row], found: Sequence[Outlook], limits: Mapping[str, float]) -> NewRow:
    """Columns of a row about volumes."""
    rows = {name_of(r): r for o in found for r in o.crowd.closed} if found else {name_of(r): r for r in members}
    covered = sorted(n for n, r in rows.items() if (r["queue_else"] or 0.0) < limits["queue_length"])
    size = before_after.volume_aliases(members[0])
    return {
        "is_pool": False,
        "has_more": True,
        "names": "|".join(m["volume"] for m in members),
        "systems": "|".join(sorted({m["system"] for m in members})),
        "where": " OR ".join(_where(system, members) for system in sorted({m["system"] for m in members})),
        "box_name": str(subject.box(members[0])),
        "size": size if all(map(before_after.has_known_exposures, members)) else None,
        "tried_gain_ratio": before_after.residual_gain(members[0]) - 1 if members[0]["since_exposures"] else None,
        "tried_ratio": members[0]["since_rate"] / members[0]["before_rate"] if members[0]["since_exposures"] else None,
        "covered_volumes": "|".join(volume for _, volume in covered),
        "covered_systems": "|".join(system for system, _ in covered),
        "closed_s": sum(m["closed_s"] or 0.0 for m in members),
    }


def _where(system: str, members: Sequence[Row]) -> str:
    """The volumes of one system: another one may see the same names."""
    names = sorted({m["volume"] for m in members if m["system"] == system})
    return f"system = {literal(system)} AND volume IN ({', '.join(map(literal, names))})"


def ended_pool(c: Closed) -> NewRow | None:
    """A pool that moved to another box, or was enlarged and then had free aliases at a comparable I/O rate."""
    o = c.worst
    r = o.crowd.closed[0]
    moved = c.is_pool and pool_has_moved(r)
    freed = c.is_pool and pool_size(r) > r["aliases"] and (r["since_queue"] or 0.0) < c.limits["queue_length"]
    if not moved and not (freed and pool_is_settled(r, o.crowd.rate)):
        return None
    then = since(r, o.crowd.work, o.crowd.queue, "moved" if moved else "since")
    return {**NOTHING, **r, **then, **_of_pool(r, c.limits, has_ended=True), **_ended(moved)}


def ended_volume(r: Row, limits: Mapping[str, float], *, moved: bool) -> NewRow:
    """A volume whose queue ended when it moved, or when it got exposures."""
    then = Work(0, r["io_rate"], r["wait_ms"] or 0.0, r["service_ms"] or 0.0, None, r["interval_start"])
    of_volume = _of_volumes([r], (), limits)
    size = None if moved and r["now_hyperpav"] else before_after.volume_aliases(r)
    came = since(r, then, r["queue_length"], "now" if moved else "since")
    return {**NOTHING, **r, **came, **of_volume, **_ended(moved), "size": size, "volumes": 1}


def _ended(moved: bool) -> NewRow:
    return {"has_ended": True, "has_moved": moved, "covers_box": False, "is_known": True, "volumes": None}
