"""A closed workload fills a HyperPAV pool: what more aliases give it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from iosq.toolkit.advise.closed import Outlook, PoolCrowd, choose, helped_when, outlook
from iosq.toolkit.advise.finding import Finding, Known, Number
from iosq.toolkit.advise.pools import lcus_of
from iosq.toolkit.advise.subject import lcus
from iosq.toolkit.advise.window import a_day, period
from iosq.toolkit.rows import Row
from iosq.toolkit.sql.raw import literal
from iosq.toolkit.units import human_number


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    for _, of_pool in groupby(rows, key=lambda r: (r["platform"], r["pool_system"], r["pool"])):
        hours = [list(members) for _, members in groupby(of_pool, key=lambda r: r["box_interval_start"])]
        yield _finding([_outlook(members, known) for members in hours], limits)


def _outlook(members: Sequence[Row], known: Known) -> Outlook:
    """Up to as many aliases as find a requester."""
    crowd = PoolCrowd(members, [m["is_closed"] for m in members], int(members[0]["aliases"]))
    return outlook(crowd, crowd.size + math.ceil(crowd.queue), known)


def _aliases_are(count: int) -> str:
    return "only alias is" if count == 1 else f"{count} aliases are"


def _finding(found: Sequence[Outlook], limits: Mapping[str, float]) -> Finding:
    chosen, helped = choose(found, limits["gain"])
    crowd, r = chosen.crowd, chosen.crowd.closed[0]
    names = lcus_of(r)
    subject, only = lcus(names, r["pool_system"]), (r["queue_else"] or 0.0) < limits["queue_length"]
    return Finding(
        severity="act" if helped and chosen.known else "watch",
        subject=subject,
        text=(
            f"A closed workload, whose requesters wait for each answer, fills the alias pool of {subject} "
            f"({period(r)}): its "
            f"{_aliases_are(crowd.aliases)} busy {100 * min(r['busy_ratio'], 1):.0f} % of the time at least, and of "
            f"{human_number(crowd.requesters)} I/Os outstanding {human_number(crowd.queue)} wait in the host, "
            f"{human_number(1e3 * crowd.queue / crowd.rate)} ms IOSQ per I/O"
        ),
        advice=_advice(chosen, helped, len(found)),
        numbers=(
            Number("volumes", len(crowd.closed)),
            Number("I/Os outstanding", crowd.requesters, "I/Os"),
            Number("of them queued in the host", crowd.queue, "I/Os"),
            Number("I/O rate, all of them", crowd.rate, "per s"),
            Number("aliases in the pool", crowd.aliases),
            Number("aliases in use by one base, high water", r["per_base"]),
            Number("refusals per I/O, worst interval and LCU", r["denied_ratio"]),
            Number("intervals like this", r["bad_intervals"]),
            Number("smallest count within 2 % of the best rate", chosen.best if chosen.known else None),
            Number("best rate over now", chosen.gain.value if chosen.known else None, "times"),
            Number("best rate over now, low", chosen.gain.low, "times"),
            Number("best rate over now, high", chosen.gain.high, "times"),
            Number("hours of the day looked at", len(found)),
            Number("hours in which aliases help", len(helped) if chosen.known else None),
        ),
        sql=(
            f"SELECT * FROM lcu_interval WHERE lcu IN ({', '.join(literal(name) for name in names)}) "
            f"AND system = {literal(r['pool_system'])} ORDER BY queue_length DESC"
        ),
        lost_s=a_day(r["closed_s"], r["span_s"]),
        confidence="medium" if chosen.known else "low",
        effect=chosen.effect,
        covers=frozenset([("alias_pool_dry", subject)] if only else []),
        curve=chosen.curve,
        aliases=chosen.aliases(bool(helped)),
    )


def _advice(o: Outlook, helped: Sequence[Outlook], hours: int) -> str:
    now, count = f"(now {o.crowd.aliases})", o.best - o.crowd.aliases
    if not (o.known and helped):
        return o.no_count
    where = " in any LCU of the group" if o.crowd.closed[0]["alias_group"] else ""
    return (
        f"Define {count} more alias{'es' if count > 1 else ''}{where} {now}: the rate rises by {o.gained}; more than "
        f"that add less than 2 %{helped_when(helped, hours)}"
    )
