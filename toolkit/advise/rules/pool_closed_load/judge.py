"""A closed workload fills a HyperPAV pool: what more aliases give it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from iosq.toolkit.advise.closed import (
    Obstacle,
    Outlook,
    PoolCrowd,
    channels_full,
    choose,
    helped_when,
    members,
    outlook,
    pool_trials,
)
from iosq.toolkit.advise.finding import Aliases, Finding, Known, Number, Severity
from iosq.toolkit.advise.path import advice as on_the_way
from iosq.toolkit.advise.path import crowd, is_bottleneck
from iosq.toolkit.advise.pools import elsewhere, gone, is_as_busy_since, lcus_of, moved, no_room, now, settled
from iosq.toolkit.advise.reserved import advice, is_reserved
from iosq.toolkit.advise.subject import Subject, lcus
from iosq.toolkit.advise.window import episode, period
from iosq.toolkit.predict.measured import SEEN
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import aliases, share
from iosq.toolkit.sql.raw import literal
from iosq.toolkit.units import human_number


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    for _, of_pool in groupby(rows, key=lambda r: (r["platform"], r["pool_system"], r["pool"])):
        hours = [list(rows) for _, rows in groupby(of_pool, key=lambda r: r["interval_start"])]
        outlooks = [_outlook(rows, known) for rows in hours]
        worst = max(outlooks, key=lambda o: o.crowd.queue)
        # hours in which the way to the box is as usual are judged by themselves
        fit = [o for o in outlooks if not _is_held_up(o, limits)]
        yield _ended(worst, limits) if _has_ended(worst, limits) else _finding(fit or outlooks, limits)


def _outlook(rows: Sequence[Row], known: Known) -> Outlook:
    """Up to as many aliases as find a requester."""
    then = members(rows)
    crowd = PoolCrowd(then, [m["is_closed"] for m in then], int(then[0]["aliases"]), trials=pool_trials(rows))
    return outlook(crowd, crowd.size + math.ceil(crowd.queue), known)


def _has_ended(o: Outlook, limits: Mapping[str, float]) -> bool:
    """Whether it is in another box since, or was enlarged and as many I/Os came since and found an alias."""
    r = o.crowd.closed[0]
    if r["moved_start"] is not None:
        return True
    freed = now(r) > r["aliases"] and (r["since_queue"] or 0.0) < limits["queue_length"]
    return freed and is_as_busy_since(r, o.crowd.rate)


def _ended(o: Outlook, limits: Mapping[str, float]) -> Finding:
    """A queue that ended with a larger pool, or was of another box."""
    r = o.crowd.closed[0]
    subject, queue = lcus(lcus_of(r), r["pool_system"]), human_number(o.crowd.queue)
    wait = Finding(
        severity="note",
        subject=subject,
        text=(
            f"A closed workload filled the alias pool of {subject} ({period(r)}): {queue} I/Os waited for its "
            f"{aliases(r['aliases'])}"
        ),
        advice="",
        numbers=(),
        sql=_shown(r),
        # the open reading that it stands for waited in the same time and between
        when=episode(r),
        lost_s=r["dry_s"] or r["closed_s"],
        covers=_covers(r, limits, has_ended=True),
    )
    return (moved if r["moved_start"] else settled)(r, wait, o.crowd.queue, o.crowd.work)


def _covers(r: Row, limits: Mapping[str, float], has_ended: bool = False) -> frozenset[tuple[str, Subject]]:
    """The open reading of the pool, where it runs dry at no other time, or as many I/Os came with more aliases."""
    only = (r["queue_else"] or 0.0) < limits["queue_length"]
    came = r["moved_rate"] if r["moved_start"] else r["since_rate"]
    only |= has_ended and came >= SEEN * (r["rate_else"] or 0.0)
    return frozenset([("alias_pool_dry", lcus(lcus_of(r), r["pool_system"]))] if only else [])


def _shown(r: Row) -> str:
    return (
        "SELECT system, interval_start, lcu, queue_length, wait_ms, io_rate, hyperpav_aliases "
        f"FROM lcu_interval WHERE lcu IN ({', '.join(literal(name) for name in lcus_of(r))}) "
        f"AND system = {literal(r['pool_system'])} ORDER BY queue_length DESC"
    )


def _aliases_are(count: int) -> str:
    return "only alias is" if count == 1 else f"{count} aliases are"


def _finding(found: Sequence[Outlook], limits: Mapping[str, float]) -> Finding:
    chosen, helped = choose(found, limits["gain"], [o for o in found if _in_vain(o, limits)])
    crowd, r = chosen.crowd, chosen.crowd.closed[0]
    against = _against(chosen, helped, limits)
    is_told = chosen.known and not against
    subject = lcus(lcus_of(r), r["pool_system"])
    return Finding(
        severity=_severity(bool(helped and is_told), against),
        subject=subject,
        text=(
            f"A closed workload, whose requesters wait for each answer, fills the alias pool of {subject} "
            f"({period(r)}): its "
            f"{_aliases_are(crowd.aliases)} busy {share(min(r['busy_ratio'], 1))} of the time at least, and of "
            f"{human_number(crowd.requesters)} I/Os outstanding {human_number(crowd.queue)} wait in the host, "
            f"{human_number(1e3 * crowd.queue / crowd.rate)} ms IOSQ per I/O"
        ),
        advice=against[1] if against else _advice(chosen, helped, len(found)),
        numbers=(
            Number("volumes", len(crowd.closed)),
            Number("I/Os outstanding", crowd.requesters, "I/Os"),
            Number("of them queued in the host", crowd.queue, "I/Os"),
            Number("I/O rate, all of them", crowd.rate, "per s"),
            Number("aliases in the pool", crowd.aliases),
            Number("aliases in use by one base, high water", r["per_base"]),
            Number("refusals per I/O, worst interval and LCU", r["denied_ratio"]),
            Number("intervals like this", r["bad_intervals"]),
            Number("smallest count within 2 % of the best rate", chosen.best if is_told else None),
            Number("best rate over now", chosen.gain.value if is_told else None, "times"),
            Number("best rate over now, low", None if against else chosen.gain.low, "times"),
            Number("best rate over now, high", None if against else chosen.gain.high, "times"),
            Number("hours of the day looked at", len(found)),
            Number("hours in which aliases help", len(helped) if is_told else None),
        ),
        sql=_shown(r),
        when=episode(r),
        lost_s=r["closed_s"],
        confidence="medium" if chosen.known or against else "low",
        effect=None if against else chosen.effect,
        covers=_covers(r, limits),
        curve=None if against else chosen.curve,
        aliases=Aliases(against[0], now(r)) if against else chosen.aliases(bool(helped)),
    )


def _severity(helps: bool, against: Obstacle | None) -> Severity:
    if against and against[0] == "enough":
        return "note"
    return "act" if helps else "watch"


def _against(o: Outlook, helped: Sequence[Outlook], limits: Mapping[str, float]) -> Obstacle | None:
    """What was measured speaks before what a curve predicts."""
    vain = _in_vain(o, limits)
    if vain or (o.known and not helped):
        return vain
    return _changed(o) or _reserved(o, limits) or _held_up(o, limits) or _full(o)


def _reserved(o: Outlook, limits: Mapping[str, float]) -> Obstacle | None:
    if not is_reserved(o.crowd.closed, limits):
        return None
    return "cant_tell", advice(o.crowd.closed, now(o.crowd.closed[0]))


def _is_held_up(o: Outlook, limits: Mapping[str, float]) -> bool:
    return is_bottleneck(crowd(o.crowd.closed), limits)


def _held_up(o: Outlook, limits: Mapping[str, float]) -> Obstacle | None:
    """The way to the box takes a good part of the time that an I/O holds an alias."""
    return ("wont_help", on_the_way(crowd(o.crowd.closed))) if _is_held_up(o, limits) else None


def _full(o: Outlook) -> Obstacle | None:
    return channels_full(o, now(o.crowd.closed[0])) if o.known and not o.is_measured else None


def _in_vain(o: Outlook, limits: Mapping[str, float]) -> Obstacle | None:
    """The same work ran with another count, and the larger one gave next to nothing: the next ones give less."""
    r = o.crowd.closed[0]
    if r["tried_aliases"] is None or r["tried_more_ratio"] > limits["gain"]:
        return None
    fewer, more = sorted((r["tried_aliases"], r["aliases"]))
    where = f"; the fullest channel to disks is {share(o.channel_used)} used then" if o.is_channel_full else ""
    return "wont_help", (
        f"Aliases will not help (now {now(r)}), as was measured: with {more} in place of {fewer}, and as many I/Os "
        f"outstanding at the same hour, the rate was {share(r['tried_more_ratio'])} of that with {fewer}. The "
        f"wait only moves to what is behind the aliases{where}. Look there first, or move work to another hour"
    )


def _changed(o: Outlook) -> Obstacle | None:
    """The pool has another size since, and this work was not seen to fill it."""
    r = o.crowd.closed[0]
    if now(r) == r["aliases"]:
        return None
    if now(r) >= r["aliases"] + o.crowd.queue:
        return "enough", (
            f"Nothing is to be done: since then the pool has {now(r)} aliases in place of {r['aliases']}, one for "
            "each I/O that waited, and it was not seen to fill. Whether the rate rises with them, such work will show"
        )
    return "cant_tell", (
        f"Can't be told yet: since then the pool has {now(r)} aliases in place of {r['aliases']}. Measure the same "
        "work with them before the number is changed again"
    )


def _advice(o: Outlook, helped: Sequence[Outlook], hours: int) -> str:
    today, count = f"(now {o.crowd.aliases})", o.best - o.crowd.aliases
    if not (o.known and helped):
        return o.no_count
    r = o.crowd.closed[0]
    if full := no_room(r, count, o.crowd.aliases):
        return (
            f"The pool lacks {count} alias{'es' if count > 1 else ''} {today}: with them the rate would rise by "
            f"{o.gained}. {full}"
        )
    where = " in any LCU of the group" if r["alias_group"] else ""
    return (
        f"Define {count} more alias{'es' if count > 1 else ''}{where} {today}: the rate rises by "
        f"{o.gained}{o.measured}; {o.beyond}{helped_when(helped, hours)}{gone(r)}{elsewhere(r, r['pool_system'])}"
    )
