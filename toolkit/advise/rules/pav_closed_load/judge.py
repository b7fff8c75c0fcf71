"""Volumes with a closed workload: what more aliases give them, all volumes of the box together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from iosq.toolkit.advise import changed
from iosq.toolkit.advise.closed import (
    Crowd,
    Obstacle,
    Outlook,
    channels_full,
    choose,
    helped_when,
    members,
    outlook,
    trials,
)
from iosq.toolkit.advise.finding import Aliases, Finding, Known, Number
from iosq.toolkit.advise.path import advice as on_the_way
from iosq.toolkit.advise.path import crowd as together
from iosq.toolkit.advise.path import is_bottleneck
from iosq.toolkit.advise.subject import WAITS, Subject, box, volume, volumes
from iosq.toolkit.advise.window import episode, period, spoken
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import plural
from iosq.toolkit.show.records import show_aliases
from iosq.toolkit.sql.raw import literal
from iosq.toolkit.units import human_number


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    for _, of_box in groupby(rows, key=lambda r: r["box"]):
        every = [list(members) for _, members in groupby(of_box, key=lambda r: r["interval_start"])]
        hours, tried = [members(rows) for rows in every], [trials(rows) for rows in every]
        closed = [r for members in hours for r in members if r["is_closed"]]
        queue = limits["queue_length"]
        gone = {_name(r) for r in closed if _has_moved(r, limits)}
        eased = {_name(r) for r in closed if changed.is_settled(r, queue)} - gone
        moved = gone | eased
        yield from (_elsewhere(r, limits) for r in _worst_of(r for r in closed if _name(r) in gone))
        for r in _worst_of(r for r in closed if _name(r) in eased):
            covers = frozenset(_waits([r], queue))
            yield replace(changed.settled(r, r["closed_s"]), covers=covers)
        having = _exposures(r for r in closed if _name(r) not in moved)
        # volumes of unlike counts are asked about apart: what two need says nothing of ten
        for exposures in sorted(set(having.values())):
            asked = [(m, [_is_asked(r, having, exposures) for r in m]) for m in hours]
            crowds = [
                Crowd(members, waiting, trials=seen[exposures])
                for (members, waiting), seen in zip(asked, tried, strict=True)
                if any(waiting)
            ]
            outlooks = [outlook(crowd, int(limits["most"]), known) for crowd in crowds]
            # hours in which the way to the box is as usual are judged by themselves
            fit = [o for o in outlooks if not is_bottleneck(together(o.crowd.closed), limits)]
            yield _finding(fit or outlooks, limits)


def _exposures(closed: Iterable[Row]) -> dict[tuple[str, str], int]:
    """How many each volume had in the interval that lost most: what it lost with other counts is the same trouble."""
    worst: dict[tuple[str, str], Row] = {}
    for r in closed:
        before = worst.setdefault(_name(r), r)
        if r["interval_lost_s"] > before["interval_lost_s"]:
            worst[_name(r)] = r
    return {name: round(r["exposures"]) for name, r in worst.items()}


def _is_asked(r: Row, having: Mapping[tuple[str, str], int], exposures: int) -> bool:
    return bool(r["is_closed"] and having.get(_name(r)) == round(r["exposures"]) == exposures)


def _has_moved(r: Row, limits: Mapping[str, float]) -> bool:
    """Whether the volume is elsewhere since, or has become a HyperPAV base, and no longer waits."""
    elsewhere = r["now_lcu"] != r["lcu"] or bool(r["now_hyperpav"]) != bool(r["is_hyperpav"])
    elsewhere |= r["now_box"] not in (None, r["box"])
    later = r["now_start"] is not None and r["now_start"] > r["local_start"]
    return bool(elsewhere and later and (r["queue_since"] or 0.0) < limits["queue_length"])


def _worst_of(rows: Iterable[Row]) -> Iterator[Row]:
    """Of each volume the interval with its longest queue."""
    for _, seen in groupby(sorted(rows, key=_name), key=_name):
        yield max(seen, key=lambda r: r["queue_length"])


def _name(r: Row) -> tuple[str, str]:
    return r["system"], r["volume"]


def _elsewhere(r: Row, limits: Mapping[str, float]) -> Finding:
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
        sql=_shown([r]),
        when=episode(r),
        lost_s=r["closed_s"],
        confidence="low",
        covers=frozenset(_waits([r], limits["queue_length"])),
        aliases=Aliases("cant_tell", changed.now(r)),
    )
    there = {"moved_start": r["now_start"], "moved_queue": r["queue_since"] or 0.0, "moved_rate": r["rate_since"]}
    told = changed.elsewhere({**r, **there, "moved_response_ms": r["response_since_ms"]}, waited, _place(r))
    # a HyperPAV base has none of its own
    return replace(told, aliases=replace(told.aliases, now=None)) if told.aliases and r["now_hyperpav"] else told


def _place(r: Row) -> str:
    of_box = "" if r["now_box"] in (None, r["box"]) else f" of box {r['now_box']}"
    return f"LCU {r['now_lcu']}{of_box}{' with HyperPAV' if r['now_hyperpav'] else ''}"


def _finding(found: Sequence[Outlook], limits: Mapping[str, float]) -> Finding:
    """The hour that loses most among those that aliases help; among all where they help none."""
    chosen, helped = choose(found, limits["gain"])
    members = chosen.crowd.closed
    now = chosen.crowd.aliases if all(changed.has_known_exposures(m) for m in members) else None
    against = _against(chosen, bool(helped), limits)
    is_told = chosen.known and not against
    return Finding(
        severity="act" if helped and is_told else "watch",
        subject=volumes((m["volume"] for m in members), (m["system"] for m in members)),
        text=_text(chosen),
        advice=against[1] if against else _advice(chosen, found, helped),
        numbers=(
            Number("volumes", len(members)),
            Number("I/Os outstanding", chosen.crowd.requesters, "I/Os"),
            Number("of them queued in the host", chosen.crowd.queue, "I/Os"),
            Number("IOSQ", 1e3 * chosen.crowd.queue / chosen.crowd.rate, "ms"),
            Number("I/O rate, all of them", chosen.crowd.rate, "per s"),
            Number("aliases now, each", now),
            Number("smallest count within 2 % of the best rate", chosen.best if is_told else None),
            Number("best rate over now", chosen.gain.value if is_told else None, "times"),
            Number("best rate over now, low", None if against else chosen.gain.low, "times"),
            Number("best rate over now, high", None if against else chosen.gain.high, "times"),
            Number("hours of the day looked at", len(found)),
            Number("hours in which aliases help", len(helped) if is_told else None),
        ),
        sql=_shown(members),
        when=episode(members[0]),
        lost_s=sum(m["closed_s"] or 0.0 for m in members),
        confidence="medium" if chosen.known else "low",
        effect=None if against else chosen.effect,
        covers=frozenset(_covered(found, limits["queue_length"])),
        curve=None if against else chosen.curve,
        aliases=Aliases(against[0], now) if against else chosen.aliases(bool(helped)),
    )


def _against(o: Outlook, helps: bool, limits: Mapping[str, float]) -> Obstacle | None:
    """What was measured with more exposures since, before what a curve predicts; then what more I/Os queue for."""
    rows, queue = o.crowd.closed, limits["queue_length"]
    if not all(changed.has_known_exposures(r) for r in rows):
        return "cant_tell", f"Can't be told: the number of aliases is unknown. {show_aliases(rows[0]['platform'])}"
    if all(changed.is_in_vain(r, limits["gain"]) for r in rows):
        return "wont_help", changed.in_vain(rows[0])
    if all(changed.is_unseen(r, queue) for r in rows):
        return "cant_tell", changed.unseen(rows[0])
    if is_bottleneck(together(o.crowd.closed), limits):
        return "wont_help", on_the_way(together(o.crowd.closed))
    return channels_full(o, o.crowd.aliases) if helps and o.known and not o.is_measured else None


def _text(o: Outlook) -> str:
    members, crowd = o.crowd.closed, o.crowd
    many = len(members) > 1
    who = f"{len(members)} volumes of {box(members[0])}, {members[0]['volume']} first," if many else "Volume "
    each = crowd.requesters / len(members)
    return (
        f"{who if many else who + members[0]['volume']} {'carry' if many else 'carries'} a closed workload, whose "
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


def _advice(o: Outlook, found: Sequence[Outlook], helped: Sequence[Outlook]) -> str:
    now = f"(now {o.crowd.aliases})"
    if not (o.known and helped):
        return o.no_count
    count = o.best - o.crowd.aliases
    each = " each" if len(o.crowd.closed) > 1 else ""
    return (
        f"Give {'them' if each else 'it'} {count} more alias{'es' if count > 1 else ''}{each} {now}: the rate rises by "
        f"{o.gained}{o.measured}; {o.beyond}{helped_when(helped, len(found))}"
    )


def _covered(found: Sequence[Outlook], queue: float) -> Iterator[tuple[str, Subject]]:
    """What the open reading says of these volumes, where they queue at no other time."""
    rows = [row for o in found for row in o.crowd.closed]
    yield from _waits(rows, queue)
    yield "box_saturated", box(rows[0])


def _waits(rows: Iterable[Row], queue: float) -> Iterator[tuple[str, Subject]]:
    for row in rows:
        if (row["queue_else"] or 0.0) < queue:
            yield WAITS, volume(row["volume"], row["system"])


def _shown(members: Sequence[Row]) -> str:
    theirs = " OR ".join(_of(system, members) for system in sorted({m["system"] for m in members}))
    return (
        "SELECT volume, system, interval_start, io_rate, wait_ms, service_ms, in_service, queue_length, exposures "
        f"FROM volume_interval WHERE {theirs} ORDER BY queue_length DESC"
    )


def _of(system: str, members: Sequence[Row]) -> str:
    """The volumes of one system: another one may see the same names, and is spoken of elsewhere."""
    names = sorted({m["volume"] for m in members if m["system"] == system})
    return f"system = {literal(system)} AND volume IN ({', '.join(literal(name) for name in names)})"
