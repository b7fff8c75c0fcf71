"""Closed work queues for volumes or fills an alias pool: what more aliases give it, all volumes of the box together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from iosq.toolkit.advise import changed, pools
from iosq.toolkit.advise.asked import Evidence
from iosq.toolkit.advise.cases import Case, always, decided
from iosq.toolkit.advise.closed import channels_full
from iosq.toolkit.advise.finding import Finding, Known
from iosq.toolkit.advise.path import advice as on_the_way
from iosq.toolkit.advise.path import crowd as together
from iosq.toolkit.advise.pools import now
from iosq.toolkit.advise.reserved import advice as reserved
from iosq.toolkit.advise.reserved import is_reserved
from iosq.toolkit.advise.rules.closed_load import crowds, words
from iosq.toolkit.advise.rules.closed_load.crowds import Closed, Name, hours_of, name_of
from iosq.toolkit.rows import Row


def judge(rows: list[Row], limits: Mapping[str, float], known: Known, evidence: Evidence) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    for _, group in groupby(rows, key=lambda r: (r["platform"], r["system"], r["pool"], r["box"])):
        hours = list(hours_of(group, evidence))
        if hours[0][0]["pool"]:
            yield decided(CASES, crowds.pools(hours, limits, known, evidence))
            continue
        ended = list(_ended([r for rows in hours for r in rows if r["is_closed"]], limits))
        yield from (finding for _, finding in ended)
        found = crowds.boxes(hours, {name for name, _ in ended}, limits, known, evidence)
        yield from (decided(CASES, closed) for closed in found)


def _ended(closed: Sequence[Row], limits: Mapping[str, float]) -> Iterator[tuple[Name, Finding]]:
    """Volumes whose queue ended when they moved, or got exposures."""
    queue = limits["queue_length"]
    gone = {name_of(r) for r in closed if words.has_moved(r, queue)}
    eased = {name_of(r) for r in closed if changed.is_settled(r, queue)} - gone
    yield from ((name_of(r), words.elsewhere(r, queue)) for r in _worst_of(closed, gone))
    for r in _worst_of(closed, eased):
        yield name_of(r), replace(changed.settled(r, r["closed_s"]), covers=frozenset(words.waits([r], queue)))


def _worst_of(rows: Iterable[Row], names: set[Name]) -> Iterator[Row]:
    """Of each volume the interval with its longest queue."""
    for _, seen in groupby(sorted((r for r in rows if name_of(r) in names), key=name_of), key=name_of):
        yield max(seen, key=lambda r: r["queue_length"])


def _pool_ended(c: Closed) -> Finding:
    o = c.worst
    ended = pools.moved if pools.has_moved(o.crowd.closed[0]) else pools.settled
    return ended(o.crowd.closed[0], words.ended(o, c.limits), o.crowd.queue, o.crowd.work)


def _unseen(c: Closed) -> Finding:
    if c.is_pool and now(c.row) >= c.row["aliases"] + c.chosen.crowd.queue:
        return replace(words.against(c, "enough", words.enough_now(c.row)), severity="note")
    return words.against(c, "cant_tell", words.other_size(c.row) if c.is_pool else changed.unseen(c.row))


CASES: Sequence[Case[Closed]] = (
    Case("the pool moved or grew, and as many I/Os came", "note or watch", "nothing, if they wait less",
         lambda c: c.has_ended, _pool_ended),
    Case("the number of aliases is unknown", "watch", "see how many there are",
         lambda c: not c.has_known_aliases, lambda c: words.against(c, "cant_tell", words.unknown(c.row))),
    Case("more aliases were measured to be in vain", "watch", "look at what is behind them",
         lambda c: c.is_in_vain(c.chosen), lambda c: words.against(c, "wont_help", words.in_vain(c))),
    Case("aliases of the pool help in no hour", "watch", "take work off the box", lambda c: c.helps_in_no_hour,
         lambda c: words.counted(c, "watch", c.chosen.no_count)),
    Case("there are others since, and such work was not seen", "note or watch", "measure it",
         lambda c: c.is_unseen, _unseen),
    Case("other systems hold volumes of the pool", "watch", "end these reserves",
         lambda c: c.is_pool and is_reserved(c.members, c.limits),
         lambda c: words.against(c, "cant_tell", reserved(c.members, now(c.row)))),
    Case("path or control unit holds I/Os up", "watch", "look there first", lambda c: c.is_held_up(c.chosen),
         lambda c: words.against(c, "wont_help", on_the_way(together(c.members)))),
    Case("more I/Os at once would queue for a channel", "watch", "more or faster channels", lambda c: c.is_full,
         lambda c: words.against(c, "cant_tell", channels_full(c.chosen, c.now or 0))),
    Case("aliases help in no hour, or what they do is unknown", "watch", "take work off the box, or measure",
         lambda c: not (c.chosen.known and c.helped), lambda c: words.counted(c, "watch", c.chosen.no_count)),
    Case("the LCU has no address left", "act", "move volumes, or let it borrow", lambda c: c.no_room,
         lambda c: words.counted(c, "act", words.full(c, c.no_room))),
    Case("more aliases raise the rate", "act", "define aliases", always,
         lambda c: words.counted(c, "act", words.advice(c))),
)  # fmt: skip
