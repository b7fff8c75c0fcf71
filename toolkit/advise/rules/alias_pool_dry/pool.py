"""A pool that runs dry, with what is known of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from iosq.models.pav.pools import UnexplainedWaitError
from iosq.toolkit.advise.aliases import Need, pool_need
from iosq.toolkit.advise.asked import Evidence
from iosq.toolkit.advise.closed import trials
from iosq.toolkit.advise.finding import Hour, Known
from iosq.toolkit.advise.path import held, is_bottleneck
from iosq.toolkit.advise.pools import has_moved, is_as_busy_since, no_room, now, pool_loads, pool_work
from iosq.toolkit.predict import headroom
from iosq.toolkit.predict.elasticity import elasticity_bounds
from iosq.toolkit.predict.measured import Work, enough
from iosq.toolkit.predict.open_load import BoxState
from iosq.toolkit.rows import Row


@dataclass(frozen=True)
class Then:
    """One interval of a pool: its row, its volumes, the path to them, and what was measured in comparable intervals."""

    row: Row
    members: Sequence[Row]
    path: Row
    trials: Sequence[Work]
    known: Known

    @cached_property
    def work(self) -> Work | None:
        """What the volumes did; None where none was measured."""
        return pool_work(self.members, int(self.row["aliases"] or 0)) if self.members else None

    @cached_property
    def need(self) -> Need | None:
        """What more aliases would do.

        None where volumes or pool aren't known, or where the model has no wait for that pool: it was dry in bursts.
        """
        if not self.work or not self.work.aliases:
            return None
        loads, size, r = pool_loads(self.members), self.work.aliases, self.members[0]
        waiting = headroom.longest(self.members, [load.rate * load.wait_ms for load in loads], self.known.headroom)
        eased = headroom.headroom(waiting, self.known.headroom)
        count = r["volumes"] or len(self.members)
        box = BoxState(r["in_box"] or 0.0, count, r["read_ratio"], elasticity_bounds(r), eased)
        try:
            return pool_need(loads, size, box, self.known, self.trials, self.work)
        except UnexplainedWaitError:
            return None

    @property
    def hour(self) -> Hour | None:
        """What it would take in this hour; None where that is unknown."""
        r, n = self.row, self.need
        if n is None:
            return None
        wait_ms = r["wait_ms"] or 0.0
        return Hour(r["local_start"], r["local_end"], r["queue_length"], wait_ms, n.fewest, n.most, n.likely)


@dataclass(frozen=True)
class Pool:
    """A pool with the interval that is judged, the fit ones (in which the path is as usual) and the path when dry."""

    then: Then
    fit: Sequence[Then]
    path: Row
    limits: Mapping[str, float]
    with_hours: bool

    @property
    def row(self) -> Row:
        """Everything known of the pool, and the interval that is judged."""
        return self.then.row

    @property
    def members(self) -> Sequence[Row]:
        """Its volumes in that interval."""
        return self.then.members

    @property
    def work(self) -> Work | None:
        """What these did."""
        return self.then.work

    @property
    def need(self) -> Need | None:
        """What more aliases would do for them."""
        return self.then.need

    @property
    def path_then(self) -> Row:
        """The path in that interval."""
        return self.then.path

    @property
    def queue(self) -> float:
        """I/Os that waited."""
        return self.row["queue_length"] or 0.0

    @property
    def has_moved(self) -> bool:
        """Whether it is in another box than in that interval."""
        return has_moved(self.row)

    @property
    def is_settled(self) -> bool:
        """Whether as many I/Os came with another size."""
        return bool(self.work and is_as_busy_since(self.row, self.work.rate))

    @property
    def is_held_up(self) -> bool:
        """Whether path or control unit is the bottleneck in all hours."""
        is_unknown = self.path_then["way_above_ms"] is None
        return not self.fit or (is_unknown and is_bottleneck(self.path, self.limits))

    @property
    def has_hardly_waited(self) -> bool:
        """Whether the models clear the wait with the aliases there are: refusals that cost nothing."""
        return self.need is not None and self.need.fewest == self.need.most == now(self.row)

    @property
    def no_room(self) -> str:
        """Where to go if the LCU has too few addresses."""
        size = now(self.row)
        return no_room(self.row, (self.need.fewest or 0) - size if self.need else 0, size)

    @cached_property
    def seen(self) -> int | None:
        """The size with which as many I/Os were measured not to wait."""
        return enough(self.then.trials, self.work) if self.work and self.row["aliases"] else None

    @property
    def hours(self) -> tuple[Hour, ...]:
        """The need of each hour with a queue, where it is worked out."""
        queued = [t for t in self.fit if (t.row["queue_length"] or 0.0) >= self.limits["queue_length"]]
        return tuple(filter(None, (t.hour for t in queued))) if self.with_hours else ()


def pool(
    rows: Sequence[Row], limits: Mapping[str, float], known: Known, evidence: Evidence, *, with_hours: bool
) -> Pool:
    """The pool of some rows of the rule's query."""
    key = {name: rows[0][name] for name in ("platform", "system", "pool")}
    path = evidence.row("path", **key, interval_start=None)
    every = list(_intervals(rows, key, path, known, evidence))
    fit = [then for then in every if not is_bottleneck(then.path, limits)]
    # hours in which the path is as usual are judged by themselves
    return Pool(min(fit or every, key=lambda t: t.row["place"]), fit, path, limits, with_hours)


def _intervals(rows: Sequence[Row], key: Row, path: Row, known: Known, evidence: Evidence) -> Iterator[Then]:
    facts = {**evidence.row("pool", **key), **evidence.row("pool_now", **key), **evidence.row("use", **key)}
    for r in rows:
        at = {**key, "interval_start": r["interval_start"]}
        then = held({**evidence.row("path", **at), "io_rate": path["path_rate"]})
        tried = trials(evidence.rows("trial", **at))
        yield Then({**facts, **r}, evidence.rows("member", **at), then, tried, known)
