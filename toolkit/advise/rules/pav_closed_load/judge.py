"""Volumes with a closed workload: what more aliases give them, all volumes of the box together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from iosq.toolkit.advise.closed import Crowd, Outlook, choose, helped_when, outlook
from iosq.toolkit.advise.finding import Finding, Known, Number
from iosq.toolkit.advise.subject import WAITS, Subject, box, volume, volumes
from iosq.toolkit.advise.window import a_day, period
from iosq.toolkit.rows import Row
from iosq.toolkit.sql.raw import literal
from iosq.toolkit.units import human_number


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    for _, of_box in groupby(rows, key=lambda r: r["box"]):
        found = []
        for _, group in groupby(of_box, key=lambda r: r["box_interval_start"]):
            members = list(group)
            found.append(outlook(Crowd(members, [m["is_closed"] for m in members]), int(limits["most"]), known))
        yield _finding(found, limits)


def _finding(found: Sequence[Outlook], limits: Mapping[str, float]) -> Finding:
    """The hour that loses most among those that aliases help; among all where they help none."""
    chosen, helped = choose(found, limits["gain"])
    members, now = chosen.crowd.closed, chosen.crowd.aliases
    r = members[0]
    return Finding(
        severity="act" if helped and chosen.known else "watch",
        subject=volumes((m["volume"] for m in members), (m["system"] for m in members)),
        text=_text(chosen),
        advice=_advice(chosen, found, helped),
        numbers=(
            Number("volumes", len(members)),
            Number("I/Os outstanding", chosen.crowd.requesters, "I/Os"),
            Number("of them queued in the host", chosen.crowd.queue, "I/Os"),
            Number("IOSQ", 1e3 * chosen.crowd.queue / chosen.crowd.rate, "ms"),
            Number("I/O rate, all of them", chosen.crowd.rate, "per s"),
            Number("aliases now, each", now),
            Number("smallest count within 2 % of the best rate", chosen.best if chosen.known else None),
            Number("best rate over now", chosen.gain.value if chosen.known else None, "times"),
            Number("best rate over now, low", chosen.gain.low, "times"),
            Number("best rate over now, high", chosen.gain.high, "times"),
            Number("hours of the day looked at", len(found)),
            Number("hours in which aliases help", len(helped) if chosen.known else None),
        ),
        sql=_shown(members),
        lost_s=a_day(sum(m["closed_s"] or 0.0 for m in members), r["span_s"]),
        confidence="medium" if chosen.known else "low",
        effect=chosen.effect,
        covers=frozenset(_covered(found, limits["queue_length"])),
        curve=chosen.curve,
        aliases=chosen.aliases(bool(helped)),
    )


def _text(o: Outlook) -> str:
    members, crowd = o.crowd.closed, o.crowd
    many = len(members) > 1
    who = f"{len(members)} volumes of {box(members[0])}, {members[0]['volume']} first," if many else "Volume "
    each = crowd.requesters / len(members)
    return (
        f"{who if many else who + members[0]['volume']} {'carry' if many else 'carries'} a closed workload, whose "
        f"requesters wait for each answer ({period(members[0])}): of {human_number(each)} I/Os outstanding"
        f"{' each' if many else ''}, "
        f"{human_number(crowd.queue / len(members))} wait in the host, {human_number(1e3 * crowd.queue / crowd.rate)} "
        "ms IOSQ per I/O"
    )


def _advice(o: Outlook, found: Sequence[Outlook], helped: Sequence[Outlook]) -> str:
    now = f"(now {o.crowd.aliases})"
    if not (o.known and helped):
        return o.no_count
    count = o.best - o.crowd.aliases
    each = " each" if len(o.crowd.closed) > 1 else ""
    return (
        f"Give {'them' if each else 'it'} {count} more alias{'es' if count > 1 else ''}{each} {now}: the rate rises by "
        f"{o.gained}; more than that add less than 2 %{helped_when(helped, len(found))}"
    )


def _covered(found: Sequence[Outlook], queue: float) -> Iterator[tuple[str, Subject]]:
    """What the open reading says of these volumes, where they queue at no other time."""
    rows = [row for o in found for row in o.crowd.closed]
    for row in rows:
        if (row["queue_else"] or 0.0) < queue:
            yield WAITS, volume(row["volume"], row["system"])
    yield "box_saturated", box(rows[0])


def _shown(members: Sequence[Row]) -> str:
    volumes = ", ".join(sorted({literal(m["volume"]) for m in members}))
    return (
        "SELECT volume, system, interval_start, io_rate, wait_ms, service_ms, in_service, queue_length, exposures "
        f"FROM volume_interval WHERE volume IN ({volumes}) ORDER BY queue_length DESC"
    )
