"""Requesters that wait for each answer fill a HyperPAV pool: what more aliases give them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from iosq.toolkit.advise.box import CURVE
from iosq.toolkit.advise.closed import Outlook, PoolCrowd, choose, helped_when, outlook
from iosq.toolkit.advise.finding import Finding, Known, Number, Row, Rule, Threshold
from iosq.toolkit.advise.pools import POOL_INTERVAL, POOL_NAMED, lcus_of
from iosq.toolkit.advise.subject import lcus
from iosq.toolkit.advise.window import a_day, period, worst_window
from iosq.toolkit.sql.raw import literal
from iosq.toolkit.units import human_number

# a volume whose base is always busy uses one alias less than it has I/Os in progress, any other uses more: the sum is
# the least that can have been in use. One row per volume of the box, in the worst closed interval of each hour
SQL = f"""
WITH {CURVE}, {POOL_INTERVAL}, used AS (
    SELECT l.system, l.pool, l.interval_start, max(s.box) AS box, sum(greatest(s.in_service - 1, 0)) AS in_use
    FROM lcu_pool l
    JOIN served s ON s.system = l.system AND s.lcu = l.lcu AND s.interval_start = l.interval_start
    GROUP BY l.system, l.pool, l.interval_start
), full_pool AS (
    SELECT p.system, p.pool, p.interval_start, p.start_us, p.end_us, p.interval_s, p.aliases, p.queue_length, u.box,
           u.in_use / p.aliases AS busy_ratio, p.queue_length * p.interval_s AS lost
    FROM pool_interval p
    JOIN used u ON u.system = p.system AND u.pool = p.pool AND u.interval_start = p.interval_start
    WHERE p.dry_lcus > 0 AND p.aliases > 0 AND p.queue_length >= ? AND u.in_use >= ? * p.aliases
), bad AS (
    SELECT *
    FROM full_pool
    WHERE busy_ratio >= 1 OR queue_length * (1 - busy_ratio) < ? * pow(busy_ratio, sqrt(2 * (aliases + 1)))
), {worst_window("bad", "system, pool")}, {POOL_NAMED}, ranked AS (
    SELECT *, row_number() OVER (PARTITION BY system, pool, start_us // 3600000000 % 24 ORDER BY lost DESC, start_us)
                  AS place
    FROM bad
), waited AS (
    SELECT p.system, p.pool, sum(p.queue_length * p.interval_s) AS waited_s, sum(b.lost) AS closed_s,
           sum(p.interval_s) AS span_s, max(p.worst_ratio) AS denied_ratio, max(p.per_base) AS per_base
    FROM pool_interval p
    LEFT JOIN bad b ON b.system = p.system AND b.pool = p.pool AND b.interval_start = p.interval_start
    GROUP BY p.system, p.pool
)
SELECT r.system AS pool_system, r.pool, r.aliases, r.busy_ratio, r.lost AS interval_lost_s,
       l.lcu IS NOT NULL AS is_closed, s.*, n.lcu_names, n.alias_group, t.waited_s, t.closed_s, t.span_s,
       t.denied_ratio, t.per_base,
       v.points, v.elasticity, v.fit, v.spread_ratio, v.in_box_max, v.in_box_low,
       w.window_start_us, w.window_end_us, w.bad_intervals, w.runs
FROM ranked r
JOIN served s ON s.box = r.box AND s.interval_start = r.interval_start
JOIN named n ON n.system = r.system AND n.pool = r.pool
JOIN waited t ON t.system = r.system AND t.pool = r.pool
JOIN worst w ON w.system = r.system AND w.pool = r.pool
LEFT JOIN lcu_pool l ON l.system = r.system AND l.pool = r.pool AND l.interval_start = r.interval_start
    AND l.system = s.system AND l.lcu = s.lcu
LEFT JOIN curve v ON v.box = r.box
WHERE r.place = 1
ORDER BY r.system, r.pool, r.interval_start, s.system, s.volume
"""


def _judge(rows: list[Row], limits: Mapping[str, float]) -> Iterator[Finding]:
    return _judge_knowing(rows, limits, Known())


def _judge_knowing(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    for _, of_pool in groupby(rows, key=lambda r: (r["pool_system"], r["pool"])):
        hours = [list(members) for _, members in groupby(of_pool, key=lambda r: r["interval_start"])]
        yield _finding([_outlook(members, known) for members in hours], limits["gain"])


def _outlook(members: Sequence[Row], known: Known) -> Outlook:
    """Up to as many aliases as find a requester."""
    crowd = PoolCrowd(members, [m["is_closed"] for m in members], int(members[0]["aliases"]))
    return outlook(crowd, crowd.size + math.ceil(crowd.queue), known)


def _finding(found: Sequence[Outlook], gain: float) -> Finding:
    chosen, helped = choose(found, gain)
    crowd, r = chosen.crowd, chosen.crowd.closed[0]
    names = lcus_of(r)
    subject, mostly = lcus(names, r["pool_system"]), r["closed_s"] >= 0.5 * r["waited_s"]
    return Finding(
        code="pool_closed_load",
        severity="act" if helped and chosen.known else "watch",
        subject=subject,
        text=(
            f"Requesters that wait for each answer fill the alias pool of {subject} ({period(r)}): its "
            f"{crowd.aliases} aliases are busy {100 * min(r['busy_ratio'], 1):.0f} % of the time at least, and of "
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
            Number("denied, worst interval and LCU", 100 * r["denied_ratio"], "%"),
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
        covers=frozenset([("alias_pool_dry", subject)] if mostly else []),
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


RULE = Rule(
    code="pool_closed_load",
    title="Requesters that wait for each answer fill an alias pool",
    finds=(
        "HyperPAV pools and SuperPAV groups whose aliases are all busy while the queue stays shorter than arrivals at "
        "random would make it: a fixed number of requesters, as in batch jobs, copies, benchmarks."
    ),
    matters=(
        "Here an alias raises the rate instead of only clearing a queue, up to what the box gives and to one for each "
        "requester. Read as arrivals at random, a pool like this is told to need far other numbers."
    ),
    evidence=(
        "The least aliases that can have been in use: I/Os in progress less one, summed over the pool's volumes. "
        "R783HNAI over R783HTIO says that I/Os found none free. Little's law gives the number outstanding; each hour's "
        "worst interval is solved with all volumes of the box, its measured curve or a machine file."
    ),
    wrong_when=(
        "The volumes do other work in the busy intervals than in the half-busy ones (the measured curve mixes both). "
        "Requesters are shared alike over the pool's volumes: where few volumes hold most of them, a limit per base "
        "comes first. Data touched per volume far from what was assumed (--footprint-gb) changes what writes get."
    ),
    do="Define the aliases named and measure again; where none help, reduce or move the work.",
    sql=SQL,
    judge=_judge,
    judge_knowing=_judge_knowing,
    topic="pav",
    parameters=("denied_ratio", "queue_length", "busy", "evenness"),
    thresholds={
        "denied_ratio": Threshold(
            0.03, "ratio", "I/Os without a free alias in an interval", "HyperPAV, 2007 on",
            "the same as in alias_pool_dry",
        ),
        "queue_length": Threshold(0.5, "I/Os", "queued for the pool", "any", "the same as in pav_add_alias"),
        "busy": Threshold(0.9, "ratio", "of the aliases in use, at least", "any", "the same as in pav_closed_load"),
        "evenness": Threshold(
            0.33, "ratio", "of the queue that random arrivals would make", "any",
            "queue of M/M/c as approximated by Sakasegawa (1977), with the aliases as servers. Random arrivals to a "
            "pool queue longer than that, as their volumes need aliases at the same time: 1.2 to 90 times in event "
            "simulations (tests); a third, as in pav_closed_load, is our choice",
        ),
        "gain": Threshold(1.05, "times", "today's rate: less is no help", "any", "our choice, as in iosq validate"),
    },
)  # fmt: skip
