"""What findings about closed work say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from iosq.toolkit.advise import changed
from iosq.toolkit.advise.closed import Outlook, helped_when
from iosq.toolkit.advise.finding import Aliases, Finding, Number, Severity, Verdict
from iosq.toolkit.advise.pools import elsewhere as in_other_systems
from iosq.toolkit.advise.pools import gone, lcus_of, now
from iosq.toolkit.advise.pools import has_moved as pool_has_moved
from iosq.toolkit.advise.rules.closed_load.crowds import Closed
from iosq.toolkit.advise.subject import WAITS, Subject, box, lcus, volume, volumes
from iosq.toolkit.advise.window import episode, period, spoken
from iosq.toolkit.predict.measured import SEEN
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import aliases, plural, share
from iosq.toolkit.show.records import show_aliases
from iosq.toolkit.sql.raw import literal
from iosq.toolkit.units import human_number

Covered = tuple[str, Subject]


def counted(c: Closed, severity: Severity, advice: str) -> Finding:
    """The finding with what aliases do."""
    o = c.chosen
    return replace(
        _wait(c, advice, o if o.known else None, o),
        severity=severity,
        confidence="medium" if o.known else "low",
        effect=o.effect,
        curve=o.curve,
        aliases=o.aliases(bool(c.helped)),
    )


def against(c: Closed, verdict: Verdict, advice: str) -> Finding:
    """The finding where something stands against more aliases, whatever the curve says."""
    confidence = "medium" if c.chosen.known or c.is_pool else "low"
    return replace(_wait(c, advice, None, None), confidence=confidence, aliases=Aliases(verdict, c.now))


def _wait(c: Closed, advice: str, known: Outlook | None, bounds: Outlook | None) -> Finding:
    """The wait. `known`: whose gain is named; `bounds`: whose bounds are."""
    closed = {"lost_s": c.row["closed_s"]} if c.is_pool else {"lost_s": sum(m["closed_s"] or 0.0 for m in c.members)}
    return Finding(
        severity="watch",
        subject=_subject(c),
        text=_pool_text(c) if c.is_pool else _text(c.chosen),
        advice=advice,
        numbers=(
            *(_pool_numbers(c) if c.is_pool else _numbers(c)),
            Number("smallest count within 2 % of the best rate", known.best if known else None),
            Number("best rate over now", known.gain.value if known else None, "times"),
            Number("best rate over now, low", bounds.gain.low if bounds else None, "times"),
            Number("best rate over now, high", bounds.gain.high if bounds else None, "times"),
            Number("hours of the day looked at", len(c.found)),
            Number("hours in which aliases help", len(c.helped) if known else None),
        ),
        sql=_pool_sql(c.row) if c.is_pool else _sql(c.members),
        when=episode(c.row),
        covers=_pool_covers(c.row, c.limits) if c.is_pool else frozenset(_covers(c.found, c.limits["queue_length"])),
        **closed,
    )


def _subject(c: Closed) -> Subject:
    if c.is_pool:
        return lcus(lcus_of(c.row), c.row["pool_system"])
    return volumes((m["volume"] for m in c.members), (m["system"] for m in c.members))


def _numbers(c: Closed) -> tuple[Number, ...]:
    crowd = c.chosen.crowd
    return (
        Number("volumes", len(c.members)),
        Number("I/Os outstanding", crowd.requesters, "I/Os"),
        Number("of them queued in the host", crowd.queue, "I/Os"),
        Number("IOSQ", 1e3 * crowd.queue / crowd.rate, "ms"),
        Number("I/O rate, all of them", crowd.rate, "per s"),
        Number("aliases now, each", c.now),
    )


def _pool_numbers(c: Closed) -> tuple[Number, ...]:
    crowd = c.chosen.crowd
    return (
        Number("volumes", len(c.members)),
        Number("I/Os outstanding", crowd.requesters, "I/Os"),
        Number("of them queued in the host", crowd.queue, "I/Os"),
        Number("I/O rate, all of them", crowd.rate, "per s"),
        Number("aliases in the pool", crowd.aliases),
        Number("aliases in use by one base, high water", c.row["per_base"]),
        Number("refusals per I/O, worst interval and LCU", c.row["denied_ratio"]),
        Number("intervals like this", c.row["bad_intervals"]),
    )


def _text(o: Outlook) -> str:
    members, crowd = o.crowd.closed, o.crowd
    many, each = len(members) > 1, crowd.requesters / len(members)
    who = f"{len(members)} volumes of {box(members[0])}, {members[0]['volume']} first, carry"
    return (
        f"{who if many else 'Volume ' + members[0]['volume'] + ' carries'} a closed workload, whose "
        f"requesters wait for each answer ({period(members[0])}): {_then(members[0])}of {human_number(each)} I/Os "
        f"outstanding{' each' if many else ''}, "
        f"{human_number(crowd.queue / len(members))} wait in the host, {human_number(1e3 * crowd.queue / crowd.rate)} "
        "ms IOSQ per I/O"
    )


def _then(r: Row) -> str:
    """When the numbers are of another interval than the worst run."""
    if r["window_start"] <= r["local_start"] <= r["window_end"]:
        return ""
    return f"at {spoken(r['local_start'], r['local_end'])}, where aliases help, "


def _pool_text(c: Closed) -> str:
    crowd, r = c.chosen.crowd, c.row
    count = "only alias is" if crowd.aliases == 1 else f"{crowd.aliases} aliases are"
    return (
        f"A closed workload, whose requesters wait for each answer, fills the alias pool of {_subject(c)} "
        f"({period(r)}): its {count} busy {share(min(r['busy_ratio'], 1))} of the time at least, and of "
        f"{human_number(crowd.requesters)} I/Os outstanding {human_number(crowd.queue)} wait in the host, "
        f"{human_number(1e3 * crowd.queue / crowd.rate)} ms IOSQ per I/O"
    )


def advice(c: Closed) -> str:
    """How many aliases to add."""
    o, count = c.chosen, _count(c)
    helps = helped_when(c.helped, len(c.found))
    does = f"(now {o.crowd.aliases}): the rate rises by {o.gained}{o.measured}; {o.beyond}{helps}"
    if not c.is_pool:
        many = len(c.members) > 1
        return f"Give {'them' if many else 'it'} {count}{' each' if many else ''} {does}"
    where = " in any LCU of the group" if c.row["alias_group"] else ""
    return f"Define {count}{where} {does}{gone(c.row)}{in_other_systems(c.row, c.row['pool_system'])}"


def full(c: Closed, where: str) -> str:
    """What the pool lacks, where it has no room for it."""
    o, lack = c.chosen, _count(c).replace(" more", "", 1)
    return f"The pool lacks {lack} (now {o.crowd.aliases}): with them the rate would rise by {o.gained}. {where}"


def _count(c: Closed) -> str:
    count = c.chosen.best - c.chosen.crowd.aliases
    return f"{count} more alias{'es' if count > 1 else ''}"


def unknown(r: Row) -> str:
    """Where the number of aliases is not known."""
    return f"Can't be told: the number of aliases is unknown. {show_aliases(r['platform'])}"


def in_vain(c: Closed) -> str:
    """The same work ran with another count, and the larger one gave next to nothing: the next ones give less."""
    r, o = c.row, c.chosen
    if not c.is_pool:
        return changed.in_vain(r)
    fewer, more = sorted((r["tried_aliases"], r["aliases"]))
    where = f"; the fullest channel to disks is {share(o.channel_used)} used then" if o.is_channel_full else ""
    return (
        f"Aliases will not help (now {now(r)}), as was measured: with {more} in place of {fewer}, and as many I/Os "
        f"outstanding at the same hour, the rate was {share(r['tried_more_ratio'])} of that with {fewer}. The "
        f"wait only moves to what is behind the aliases{where}. Look there first, or move work to another hour"
    )


def enough_now(r: Row) -> str:
    """The pool has an alias for each I/O since."""
    return (
        f"Nothing is to be done: since then the pool has {now(r)} aliases in place of {r['aliases']}, one for "
        "each I/O that waited, and it was not seen to fill. Whether the rate rises with them, such work will show"
    )


def other_size(r: Row) -> str:
    """The pool has another size since, and this work was not seen to fill it."""
    return (
        f"Can't be told yet: since then the pool has {now(r)} aliases in place of {r['aliases']}. Measure the same "
        "work with them before the number is changed again"
    )


def ended(o: Outlook, limits: Mapping[str, float]) -> Finding:
    """A queue of a pool that ended with a larger one, or was of another box."""
    r = o.crowd.closed[0]
    subject, queue = lcus(lcus_of(r), r["pool_system"]), human_number(o.crowd.queue)
    filled = f"A closed workload filled the alias pool of {subject} ({period(r)})"
    return Finding(
        severity="note",
        subject=subject,
        text=f"{filled}: {queue} I/Os waited for its {aliases(r['aliases'])}",
        advice="",
        numbers=(),
        sql=_pool_sql(r),
        # the open reading that it stands for waited in the same time and between
        when=episode(r),
        lost_s=r["dry_s"] or r["closed_s"],
        covers=_pool_covers(r, limits, has_ended=True),
    )


def has_moved(r: Row, queue: float) -> bool:
    """Whether a volume is elsewhere since, or has become a HyperPAV base, and no longer waits."""
    is_elsewhere = r["now_lcu"] != r["lcu"] or bool(r["now_hyperpav"]) != bool(r["is_hyperpav"])
    is_elsewhere |= r["left_box_now"] not in (None, r["box"])
    later = r["now_start"] is not None and r["now_start"] > r["local_start"]
    return bool(is_elsewhere and later and (r["now_queue"] or 0.0) < queue)


def elsewhere(r: Row, queue: float) -> Finding:
    """A queue that ended when the volume moved."""
    waited = Finding(
        severity="watch",
        subject=volume(r["volume"], r["system"]),
        text=(
            f"Volume {r['volume']} had a queue of {human_number(r['queue_length'])} I/Os for its "
            f"{plural(round(r['exposures']), 'exposure')} in LCU {r['lcu']} ({period(r)})"
        ),
        advice="",
        numbers=(),
        sql=_sql([r]),
        when=episode(r),
        lost_s=r["closed_s"],
        confidence="low",
        covers=frozenset(waits([r], queue)),
        aliases=Aliases("cant_tell", changed.now(r)),
    )
    there = {f"moved_{name}": r[f"now_{name}"] for name in ("start", "rate", "response_ms")}
    found = changed.elsewhere({**r, **there, "moved_queue": r["now_queue"] or 0.0}, waited, _place(r))
    # a HyperPAV base has none of its own
    return replace(found, aliases=replace(found.aliases, now=None)) if found.aliases and r["now_hyperpav"] else found


def _place(r: Row) -> str:
    of_box = "" if r["left_box_now"] in (None, r["box"]) else f" of box {r['left_box_now']}"
    return f"LCU {r['now_lcu']}{of_box}{' with HyperPAV' if r['now_hyperpav'] else ''}"


def _covers(found: Sequence[Outlook], queue: float) -> Iterator[Covered]:
    """What the open reading says of these volumes, where they queue at no other time."""
    rows = [row for o in found for row in o.crowd.closed]
    yield from waits(rows, queue)
    yield "box_saturated", box(rows[0])


def waits(rows: Iterable[Row], queue: float) -> Iterator[Covered]:
    """The open reading of volumes that queue at no other time."""
    for row in rows:
        if (row["queue_else"] or 0.0) < queue:
            yield WAITS, volume(row["volume"], row["system"])


def _pool_covers(r: Row, limits: Mapping[str, float], has_ended: bool = False) -> frozenset[Covered]:
    """The open reading of the pool, where it runs dry at no other time, or as many I/Os came with more aliases."""
    only = (r["queue_else"] or 0.0) < limits["queue_length"]
    came = r["moved_rate"] if pool_has_moved(r) else r["since_rate"]
    only |= has_ended and came >= SEEN * (r["rate_else"] or 0.0)
    return frozenset([("alias_pool_dry", lcus(lcus_of(r), r["pool_system"]))] if only else [])


def _pool_sql(r: Row) -> str:
    return (
        "SELECT system, interval_start, lcu, queue_length, wait_ms, io_rate, hyperpav_aliases "
        f"FROM lcu_interval WHERE lcu IN ({', '.join(literal(name) for name in lcus_of(r))}) "
        f"AND system = {literal(r['pool_system'])} ORDER BY queue_length DESC"
    )


def _sql(members: Sequence[Row]) -> str:
    theirs = " OR ".join(_of(system, members) for system in sorted({m["system"] for m in members}))
    return (
        "SELECT volume, system, interval_start, io_rate, wait_ms, service_ms, in_service, queue_length, exposures "
        f"FROM volume_interval WHERE {theirs} ORDER BY queue_length DESC"
    )


def _of(system: str, members: Sequence[Row]) -> str:
    """The volumes of one system: another one may see the same names."""
    names = sorted({m["volume"] for m in members if m["system"] == system})
    return f"system = {literal(system)} AND volume IN ({', '.join(literal(name) for name in names)})"
