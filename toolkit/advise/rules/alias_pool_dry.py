"""A HyperPAV pool runs out of aliases."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import groupby

from iosq.models.pav.open_load import OpenVolumes
from iosq.toolkit.advise.aliases import Need, pool_need
from iosq.toolkit.advise.box import CURVE, elasticity_bounds
from iosq.toolkit.advise.finding import Aliases, Finding, Number, Row, Rule, Threshold, Verdict
from iosq.toolkit.advise.window import LOCAL, period, worst_window
from iosq.toolkit.sql.raw import literal

# what lends and borrows together is one pool: an alias management group where the records name one, else an LCU;
# `pool` names it. One row per pool and volume of its worst interval
SQL = f"""
WITH {CURVE}, lcu_pool AS (
    SELECT *, coalesce('group ' || alias_group, 'LCU ' || lcu) AS pool, {LOCAL}
    FROM lcu_interval
    WHERE alias_io_count IS NOT NULL
), pool_interval AS (
    SELECT system, pool, interval_start, max(interval_s) AS interval_s, min(start_us) AS start_us,
           max(end_us) AS end_us, sum(alias_denied_count) AS denied, sum(alias_io_count) AS requests,
           count(DISTINCT lcu) AS lcus,
           CAST(sum(CASE WHEN alias_denied_ratio >= ? THEN 1 ELSE 0 END) AS BIGINT) AS dry_lcus,
           max(alias_denied_ratio) AS worst_ratio, CAST(sum(alias_high_water) AS BIGINT) AS high_water,
           sum(alias_borrowed_count) AS borrowed, CAST(sum(hyperpav_aliases) AS BIGINT) AS aliases,
           max(queue_high_water) AS queue_high_water, sum(queue_length) AS queue_length, max(wait_ms) AS wait_ms,
           CAST(sum(waiting_devices) AS BIGINT) AS waiting
    FROM lcu_pool
    GROUP BY system, pool, interval_start
), bad AS (
    SELECT *, denied AS lost FROM pool_interval WHERE dry_lcus > 0
), {worst_window("bad", "system, pool")}, total AS (
    SELECT system, pool, max(worst_ratio) AS peak_ratio, max(dry_lcus) AS dry_lcus, max(lcus) AS lcus,
           sum(denied) AS denied, sum(requests) AS requests, max(high_water) AS high_water, max(aliases) AS aliases,
           sum(borrowed) AS borrowed, max(queue_high_water) AS queue_high_water, max(queue_length) AS peak_queue,
           max(wait_ms) AS peak_wait_ms, max(waiting) AS waiting, sum(queue_length * interval_s) AS lost_s,
           sum(interval_s) AS span_s
    FROM pool_interval
    GROUP BY system, pool
), named AS (
    SELECT system, pool, string_agg(DISTINCT lcu, '|') AS lcu_names, max(alias_group) AS alias_group,
           max(CASE WHEN alias_need_count IS NOT NULL THEN 1 ELSE 0 END) AS lends
    FROM lcu_pool
    GROUP BY system, pool
), ranked AS (
    SELECT system, pool, interval_start,
           row_number() OVER (PARTITION BY system, pool ORDER BY queue_length DESC, interval_start) AS place
    FROM pool_interval
), member AS (
    SELECT p.system, p.pool, v.volume, v.io_rate, v.wait_ms, v.service_ms, c.points, c.elasticity, c.fit,
           c.spread_ratio, c.in_box_max, c.in_box_low
    FROM ranked p
    JOIN lcu_pool l ON l.system = p.system AND l.pool = p.pool AND l.interval_start = p.interval_start
    JOIN volume_interval v ON v.system = l.system AND v.lcu = l.lcu AND v.interval_start = l.interval_start
    JOIN volume_box b ON b.platform = v.platform AND b.system = v.system AND b.volume = v.volume
    LEFT JOIN curve c ON c.box = b.box
    WHERE p.place = 1 AND v.io_rate > 0 AND v.service_ms > 0
)
SELECT t.*, n.lcu_names, n.alias_group, n.lends, w.window_start_us, w.window_end_us, w.bad_intervals, w.runs, m.volume,
       m.io_rate, m.wait_ms, m.service_ms, m.points, m.elasticity, m.fit, m.spread_ratio, m.in_box_max, m.in_box_low
FROM total t
JOIN named n ON n.system = t.system AND n.pool = t.pool
JOIN worst w ON w.system = t.system AND w.pool = t.pool
LEFT JOIN member m ON m.system = t.system AND m.pool = t.pool
ORDER BY t.denied DESC, t.system, t.pool, m.volume
"""


def _waits(r: Row) -> str:
    if not r["waiting"] or r["peak_wait_ms"] is None:
        return ""
    volumes = "1 volume" if r["waiting"] == 1 else f"{r['waiting']} volumes"
    return f"; {volumes} waited, {r['peak_wait_ms']:.1f} ms IOSQ per I/O at the worst"


def _need(members: list[Row]) -> Need | None:
    """What more aliases would do for the volumes of the worst interval; None where they or the pool aren't known."""
    known, aliases = [m for m in members if m["volume"] is not None], members[0]["aliases"]
    if not known or not aliases:
        return None
    volumes = OpenVolumes.of(
        [m["io_rate"] for m in known],
        [max(m["wait_ms"] or 0.0, 0.0) for m in known],
        [m["service_ms"] for m in known],
        [max(1 + aliases, math.floor(m["io_rate"] * m["service_ms"] / 1e3) + 1) for m in known],
        0.5,
        1.0,
    )
    return pool_need(volumes, aliases, elasticity_bounds(known[0]))


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
    if r["alias_group"]:
        return (
            f"Define {more}{now} in any LCU of the group, as they lend to each other, or move its busiest volumes to "
            "another group"
        )
    lend = " its peers lent it nothing either" if r["lends"] else " or let peers lend aliases (SuperPAV)"
    return f"Define {more}{now}, or spread the busiest volumes over LCUs,{lend}"


def _more(r: Row, need: Need | None) -> str:
    """How many aliases to add, in words: by the models, else by the queue."""
    counts = [c - r["aliases"] for c in (need.fewest, need.most) if c is not None and c > r["aliases"]] if need else []
    if counts:
        more = f"{min(counts)} to {max(counts)}" if min(counts) < max(counts) else f"{max(counts)}"
        return f"{more} more alias{'es' if max(counts) > 1 else ''}"
    lack = math.ceil(r["peak_queue"] or 0)
    if not lack:
        return "more aliases"
    return f"at least {lack} more alias{'es' if lack > 1 else ''} for the mean queue of the worst interval"


def _judge(rows: list[Row], limits: Mapping[str, float]) -> Iterator[Finding]:
    for _, group in groupby(rows, key=lambda r: (r["system"], r["pool"])):
        members = list(group)
        yield _finding(members[0], _need(members))


def _finding(r: Row, need: Need | None) -> Finding:
    lcus = sorted(r["lcu_names"].split("|"))
    listed = ", ".join(literal(name) for name in lcus)
    return Finding(
        code="alias_pool_dry",
        severity="watch" if _waits_hardly(r, need) else "act",
        subject_kind="lcu",
        subject=f"{_lcus(lcus)} on {r['system']}",
        text=_text(r, lcus),
        advice=_advice(r, need),
        numbers=_numbers(r, need),
        sql=(
            f"SELECT * FROM lcu_interval WHERE lcu IN ({listed}) AND system = {literal(r['system'])} "
            "ORDER BY alias_denied_ratio DESC"
        ),
        lost_s=(r["lost_s"] or 0.0) * 86400 / r["span_s"],
        effect=need.effect if need else None,
        curve=need.curve if need else None,
        aliases=_aliases(r, need),
    )


def _aliases(r: Row, need: Need | None) -> Aliases:
    verdict: Verdict = "enough" if _waits_hardly(r, need) else "add"
    return Aliases(verdict, r["aliases"], need.fewest if need else None, need.most if need else None)


def _lcus(names: list[str]) -> str:
    return f"LCU{'s' if len(names) > 1 else ''} {', '.join(names)}"


def _text(r: Row, lcus: list[str]) -> str:
    in_use = f", {r['high_water']} of {r['aliases']} aliases in use" if r["aliases"] else ""
    share = f"up to {100 * r['peak_ratio']:.0f} % of"
    if not r["alias_group"]:
        lends = ". It lends and borrows, but no record names its group" if r["lends"] else ""
        return (
            f"{_lcus(lcus)} ran out of HyperPAV aliases on {r['system']} ({period(r)}): {share} its I/Os found none "
            f"free{in_use}{_waits(r)}{lends}"
        )
    whole = r["dry_lcus"] == r["lcus"] > 1
    where = "in all of its LCUs at once" if whole else f"in {r['dry_lcus']} of its {r['lcus']} LCUs"
    return (
        f"{'The whole alias' if whole else 'Alias'} management group {r['alias_group']} ({_lcus(lcus)}) ran out of "
        f"aliases on {r['system']} ({period(r)}): {where} {share} an LCU's I/Os found none free, at home or to borrow"
        f"{in_use}{_waits(r)}"
    )


def _numbers(r: Row, need: Need | None) -> tuple[Number, ...]:
    return (
        Number("denied, worst interval and LCU", 100 * r["peak_ratio"], "%"),
        Number("intervals with a dry pool", r["bad_intervals"]),
        Number("I/Os without an alias", r["denied"], "I/Os"),
        Number("HyperPAV I/Os", r["requests"], "I/Os"),
        Number("aliases borrowed", r["borrowed"], "times"),
        Number("aliases in use, high water", r["high_water"]),
        Number("aliases configured", r["aliases"]),
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
        "R783HNAI over R783HTIO per interval and LCU, high water of aliases in use against those configured, IOSQ. A "
        "SuperPAV pool that borrows what it lacks (R783XABC) denies nobody and is no trouble."
    ),
    wrong_when=(
        "A few refusals in a burst cost nothing: the share counts. More aliases than the channels and the box can "
        "carry only move the queue to where WLM priorities do not reach. Where no record names the group (sections too "
        "short), LCUs that lend are judged one by one."
    ),
    do="Define more aliases in the LCU or its group, or spread the load; check that the wait goes and response falls.",
    sql=SQL,
    judge=_judge,
    topic="pav",
    parameters=("denied_ratio",),
    thresholds={
        "denied_ratio": Threshold(
            0.03,
            "ratio",
            "I/Os without a free alias in an interval",
            "HyperPAV, 2007 on",
            "IntelliMagic technical notes: more than a few per cent",
        )
    },
)
