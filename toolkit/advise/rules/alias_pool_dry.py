"""A HyperPAV pool runs out of aliases."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from iosq.toolkit.advise.aliases import Need, pool_need
from iosq.toolkit.advise.box import CURVE
from iosq.toolkit.advise.finding import Aliases, Finding, Hour, Known, Number, Row, Rule, Threshold, Verdict
from iosq.toolkit.advise.pools import POOL_INTERVAL, POOL_NAMED, lcus_of, pool_loads
from iosq.toolkit.advise.subject import lcus
from iosq.toolkit.advise.window import a_day, period, worst_window
from iosq.toolkit.predict.elasticity import elasticity_bounds
from iosq.toolkit.predict.open_load import BoxState
from iosq.toolkit.sql.raw import literal

# pools whose need is also worked out hour by hour: those that deny most. An hour is a model of its own, a tenth of a
# second; a volume's takes a fifth of that
WITH_HOURS = 5
# one row per pool and volume, of the worst interval of each hour of the day; the worst of all has place 1
SQL = f"""
WITH {CURVE}, {POOL_INTERVAL}, bad AS (
    SELECT * FROM pool_interval WHERE dry_lcus > 0
), {worst_window("bad", "system, pool")}, total AS (
    SELECT system, pool, max(worst_ratio) AS peak_ratio, max(dry_lcus) AS dry_lcus, max(lcus) AS lcus,
           sum(denied) AS denied, sum(requests) AS requests, max(high_water) AS high_water, max(aliases) AS aliases,
           max(per_base) AS per_base, bool_or(is_size_known) AS is_size_known,
           sum(borrowed) AS borrowed, max(queue_high_water) AS queue_high_water, max(queue_length) AS peak_queue,
           max(wait_ms) AS peak_wait_ms, max(waiting) AS waiting, sum(queue_length * interval_s) AS lost_s,
           sum(interval_s) AS span_s, sum(lost) AS refused, sum(throttled) AS throttled
    FROM pool_interval
    GROUP BY system, pool
), {POOL_NAMED}, ranked AS (
    SELECT p.system, p.pool, p.interval_start, p.start_us, p.end_us, p.queue_length, p.wait_ms,
           row_number() OVER (PARTITION BY p.system, p.pool ORDER BY coalesce(p.queue_length, 0) DESC, p.interval_start)
               AS place,
           row_number() OVER (PARTITION BY p.system, p.pool, p.start_us // 3600000000 % 24
                              ORDER BY coalesce(p.queue_length, 0) DESC, p.interval_start) AS hour_place
    FROM pool_interval p
    JOIN worst w ON w.system = p.system AND w.pool = p.pool
), member AS (
    SELECT p.system, p.pool, p.place, p.start_us, p.end_us, p.queue_length AS hour_queue, p.wait_ms AS hour_wait_ms,
           v.volume, v.io_rate, v.wait_ms, v.service_ms, i.in_box, i.volumes, i.read_ratio,
           c.points, c.elasticity, c.fit, c.spread_ratio, c.in_box_max, c.in_box_low
    FROM ranked p
    JOIN lcu_pool l ON l.system = p.system AND l.pool = p.pool AND l.interval_start = p.interval_start
    JOIN served v ON v.system = l.system AND v.lcu = l.lcu AND v.interval_start = l.interval_start
    LEFT JOIN box_interval i ON i.box = v.box AND i.interval_start = v.box_interval_start
    LEFT JOIN curve c ON c.box = v.box
    WHERE p.place = 1 OR (p.hour_place = 1 AND p.queue_length >= ?)
)
SELECT t.*, n.lcu_names, n.alias_group, n.lends, w.window_start_us, w.window_end_us, w.bad_intervals, w.runs,
       m.place, m.start_us, m.end_us, m.hour_queue, m.hour_wait_ms, m.volume, m.io_rate, m.wait_ms, m.service_ms,
       m.in_box, m.volumes, m.read_ratio, m.points, m.elasticity, m.fit, m.spread_ratio, m.in_box_max, m.in_box_low
FROM total t
JOIN named n ON n.system = t.system AND n.pool = t.pool
JOIN worst w ON w.system = t.system AND w.pool = t.pool
LEFT JOIN member m ON m.system = t.system AND m.pool = t.pool
ORDER BY t.refused DESC, t.system, t.pool, m.start_us, m.volume
"""


def _judge(rows: list[Row], limits: Mapping[str, float]) -> Iterator[Finding]:
    return _judge_knowing(rows, limits, Known())


def _judge_knowing(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    pools = groupby(rows, key=lambda r: (r["system"], r["pool"]))
    for place, (_, group) in enumerate(pools):
        intervals = [list(members) for _, members in groupby(group, key=lambda r: r["start_us"])]
        peak = min(intervals, key=lambda members: members[0]["place"] or 1)
        told = [m for m in intervals if (m[0]["hour_queue"] or 0.0) >= limits["queue_length"]]
        hours = [_hour(m, known) for m in told] if place < WITH_HOURS else []
        yield _finding(peak[0], _need(peak, known), tuple(h for h in hours if h))


def _need(members: Sequence[Row], known: Known) -> Need | None:
    """What more aliases would do for the volumes of an interval; None where they or the pool aren't known."""
    r, aliases = members[0], members[0]["aliases"]
    if r["volume"] is None or not aliases:
        return None
    box = BoxState(r["in_box"] or 0.0, r["volumes"] or len(members), r["read_ratio"], elasticity_bounds(r))
    return pool_need(pool_loads(members), aliases, box, known)


def _hour(members: Sequence[Row], known: Known) -> Hour | None:
    r, need = members[0], _need(members, known)
    if need is None:
        return None
    return Hour(r["start_us"], r["end_us"], r["hour_queue"], r["hour_wait_ms"] or 0.0, need.fewest, need.most)


def _waits(r: Row) -> str:
    if not r["waiting"] or r["peak_wait_ms"] is None:
        return ""
    volumes = "1 volume" if r["waiting"] == 1 else f"{r['waiting']} volumes"
    return f"; {volumes} waited, {r['peak_wait_ms']:.1f} ms IOSQ per I/O at the worst"


def _waits_hardly(r: Row, need: Need | None) -> bool:
    """Whether the models clear the wait with the aliases there are: refusals that cost nothing."""
    return need is not None and need.fewest == need.most == r["aliases"]


def _advice(r: Row, need: Need | None) -> str:
    if _waits_hardly(r, need):
        return (
            f"Leave it at {r['aliases']} aliases for now: I/Os are refused one, but the mean wait is "
            f"{r['peak_wait_ms'] or 0.0:.2f} ms at the worst. Add aliases when that grows"
        )
    more, now = _more(r, need), f" (now {r['aliases']})" if r["aliases"] else ""
    untold = "" if r["peak_queue"] is not None else f". {UNTOLD}"
    if r["alias_group"]:
        return (
            f"Define {more}{now} in any LCU of the group, as they lend to each other, or move its busiest volumes to "
            f"another group{untold}"
        )
    lend = " its peers lent it nothing either" if r["lends"] else " or let peers lend aliases (SuperPAV)"
    return f"Define {more}{now}, or spread the busiest volumes over LCUs,{lend}{untold}"


UNTOLD = (
    "How many, and what they would gain, can't be told without the wait of the volumes: ingest the device activity of "
    "the same time (type 74.1, or the RMF listing)"
)


def _more(r: Row, need: Need | None) -> str:
    """How many aliases to add, in words: by the models, else by the queue."""
    counts = [c - r["aliases"] for c in (need.fewest, need.most) if c is not None and c > r["aliases"]] if need else []
    if counts:
        more = f"{min(counts)} to {max(counts)}" if min(counts) < max(counts) else f"{max(counts)}"
        least = "at least " if need and need.most is None else ""
        return f"{least}{more} more alias{'es' if max(counts) > 1 else ''}"
    lack = math.ceil(r["peak_queue"] or 0)
    if not lack:
        return "more aliases"
    return f"at least {lack} more alias{'es' if lack > 1 else ''} for the mean queue of the worst interval"


def _finding(r: Row, need: Need | None, hours: tuple[Hour, ...]) -> Finding:
    names = lcus_of(r)
    listed, counted = ", ".join(literal(name) for name in names), r["requests"] is not None
    return Finding(
        code="alias_pool_dry",
        severity="watch" if _waits_hardly(r, need) else "act",
        subject=lcus(names, r["system"]),
        text=_text(r, names),
        advice=_advice(r, need),
        numbers=_numbers(r, need),
        sql=(
            f"SELECT * FROM {'lcu_interval' if r['peak_queue'] is not None else 'lcu_extra'} "
            f"WHERE lcu IN ({listed}) AND system = {literal(r['system'])} ORDER BY alias_denied_ratio DESC"
        ),
        lost_s=a_day(r["lost_s"] or 0.0, r["span_s"]),
        confidence="high" if counted else "medium",
        effect=need.effect if need else None,
        curve=need.curve if need else None,
        hours=hours,
        aliases=_aliases(r, need),
    )


def _aliases(r: Row, need: Need | None) -> Aliases:
    verdict: Verdict = "enough" if _waits_hardly(r, need) else "add"
    return Aliases(verdict, r["aliases"], need.fewest if need else None, need.most if need else None)


def _denied(r: Row, whose: str) -> str:
    """With SuperPAV an I/O may be refused more than once."""
    if r["peak_ratio"] > 1:
        return f"{whose} I/Os found none free up to {r['peak_ratio']:.1f} times each"
    return f"up to {100 * r['peak_ratio']:.0f} % of {whose} I/Os found none free"


def _text(r: Row, names: Sequence[str]) -> str:
    in_use = f", {r['high_water']} of {r['aliases']} aliases in use" if r["aliases"] and r["is_size_known"] else ""
    if r["aliases"] and not r["is_size_known"]:
        in_use = f", all {r['aliases']} aliases in use"
    if not r["alias_group"]:
        lends = ". It lends and borrows, but no record names its group" if r["lends"] else ""
        return (
            f"{lcus(names)} ran out of HyperPAV aliases on {r['system']} ({period(r)}): {_denied(r, 'its')}"
            f"{in_use}{_waits(r)}{lends}"
        )
    whole, an_lcu = r["dry_lcus"] == r["lcus"] > 1, "an LCU's"
    where = "in all of its LCUs at once" if whole else f"in {r['dry_lcus']} of its {r['lcus']} LCUs"
    return (
        f"{'The whole alias' if whole else 'Alias'} management group {r['alias_group']} ({lcus(names)}) ran out of "
        f"aliases on {r['system']} ({period(r)}): {where} {_denied(r, an_lcu)}, at home or to borrow"
        f"{in_use}{_waits(r)}"
    )


def _numbers(r: Row, need: Need | None) -> tuple[Number, ...]:
    many = r["peak_ratio"] > 1
    return (
        Number("refusals per I/O, worst interval and LCU", r["peak_ratio"] if many else None),
        Number("denied, worst interval and LCU", None if many else 100 * r["peak_ratio"], "%"),
        Number("intervals with a dry pool", r["bad_intervals"]),
        Number("I/Os without an alias", r["denied"], "I/Os"),
        Number("HyperPAV I/Os", r["requests"], "I/Os"),
        Number("aliases borrowed", r["borrowed"], "times"),
        Number("aliases in use, high water", r["high_water"]),
        Number("aliases in use by one base, high water", r["per_base"]),
        Number("aliases configured", r["aliases"] if r["is_size_known"] else None),
        Number("I/Os delayed by alias throttling", int(r["throttled"] or 0) or None, "I/Os"),
        Number("queued at once, high water", r["queue_high_water"], "I/Os"),
        Number("queue, mean of the worst interval", r["peak_queue"], "I/Os"),
        Number("IOSQ of an LCU, worst interval", r["peak_wait_ms"], "ms"),
        Number("aliases to clear the wait, at best", need.fewest if need else None),
        Number("aliases to clear the wait, at worst", need.most if need else None),
    )


RULE = Rule(
    code="alias_pool_dry",
    title="A HyperPAV pool runs dry",
    finds=(
        "LCUs in which I/Os could not start because no alias of the pool was free; SuperPAV LCUs of one alias "
        "management group (R783AMGS) are one pool."
    ),
    matters="A dry pool makes every volume of the LCU wait at once, however many aliases each could use.",
    evidence=(
        "R783HNAI over R783HTIO per interval and LCU (HPAV WAIT in the I/O queuing listing), high water of aliases in "
        "use against those configured, the most one base used (R783HCAD), IOSQ. A SuperPAV pool that borrows what it "
        "lacks (R783XABC) denies nobody and is no trouble. I/Os held back by "
        "alias throttling (SMF74ATD) are counted. Each hour's worst interval is solved by itself."
    ),
    wrong_when=(
        "A few refusals in a burst cost nothing: the share counts. More aliases than the channels and the box can "
        "carry only move the queue to where WLM priorities do not reach. Where no record names the group (sections too "
        "short), LCUs that lend are judged one by one. A listing prints no pool size: the most in use when an I/O "
        "found none free is taken for it; with SuperPAV it isn't printed either, and no count is named."
    ),
    do="Define more aliases in the LCU or its group, or spread the load; check that the wait goes and response falls.",
    sql=SQL,
    judge=_judge,
    judge_knowing=_judge_knowing,
    topic="pav",
    parameters=("denied_ratio", "queue_length"),
    thresholds={
        "denied_ratio": Threshold(
            0.03,
            "ratio",
            "I/Os without a free alias in an interval",
            "HyperPAV, 2007 on",
            "IntelliMagic technical notes: more than a few per cent",
        ),
        "queue_length": Threshold(
            0.5, "I/Os", "queued for the pool, for an hour to be told", "any", "the same as in pav_add_alias"
        ),
    },
)
