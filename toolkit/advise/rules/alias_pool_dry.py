"""A HyperPAV pool runs out of aliases."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import groupby

from iosq.models.pav.open_load import OpenVolumes
from iosq.toolkit.advise.aliases import Need, pool_need
from iosq.toolkit.advise.box import CURVE, elasticity_bounds
from iosq.toolkit.advise.finding import Finding, Number, Row, Rule, Threshold
from iosq.toolkit.advise.window import LOCAL, period, worst_window
from iosq.toolkit.sql.raw import literal

SQL = f"""
WITH {CURVE}, pool AS (
    SELECT *, {LOCAL}
    FROM lcu_interval
    WHERE alias_io_count IS NOT NULL
), bad AS (
    SELECT system, lcu, start_us, end_us, alias_denied_count AS lost
    FROM pool
    WHERE alias_denied_ratio >= ?
), {worst_window("bad", "system, lcu")}, total AS (
    SELECT system, lcu, max(alias_denied_ratio) AS peak_ratio, sum(alias_denied_count) AS denied,
           sum(alias_io_count) AS requests, max(alias_high_water) AS high_water, max(hyperpav_aliases) AS aliases,
           max(queue_high_water) AS queue_high_water, max(queue_length) AS peak_queue, max(wait_ms) AS peak_wait_ms,
           max(waiting_devices) AS waiting, sum(queue_length * interval_s) AS lost_s, sum(interval_s) AS span_s
    FROM pool
    GROUP BY system, lcu
), ranked AS (
    SELECT system, lcu, interval_start,
           row_number() OVER (PARTITION BY system, lcu ORDER BY queue_length DESC, interval_start) AS place
    FROM pool
), member AS (
    SELECT p.system, p.lcu, v.volume, v.io_rate, v.wait_ms, v.service_ms, c.points, c.elasticity, c.fit,
           c.spread_ratio, c.in_box_max, c.in_box_low
    FROM ranked p
    JOIN volume_interval v ON v.system = p.system AND v.lcu = p.lcu AND v.interval_start = p.interval_start
    JOIN volume_box b ON b.platform = v.platform AND b.system = v.system AND b.volume = v.volume
    LEFT JOIN curve c ON c.box = b.box
    WHERE p.place = 1 AND v.io_rate > 0 AND v.service_ms > 0
)
SELECT t.*, w.window_start_us, w.window_end_us, w.bad_intervals, w.runs, m.volume, m.io_rate, m.wait_ms, m.service_ms,
       m.points, m.elasticity, m.fit, m.spread_ratio, m.in_box_max, m.in_box_low
FROM total t
JOIN worst w ON w.system = t.system AND w.lcu = t.lcu
LEFT JOIN member m ON m.system = t.system AND m.lcu = t.lcu
ORDER BY t.denied DESC, t.system, t.lcu, m.volume
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


def _advice(r: Row, need: Need | None) -> str:
    counts = [c - r["aliases"] for c in (need.fewest, need.most) if c is not None and c > r["aliases"]] if need else []
    if counts:
        more = f"{min(counts)} to {max(counts)}" if min(counts) < max(counts) else f"{max(counts)}"
        return (
            f"Define {more} more alias{'es' if max(counts) > 1 else ''} (now {r['aliases']}), spread the busiest "
            "volumes over LCUs, or let peers lend aliases (SuperPAV)"
        )
    lack = math.ceil(r["peak_queue"] or 0)
    more = f"{lack} more alias{'es' if lack > 1 else ''} for the mean queue of the worst interval" if lack else "more"
    now = f" (now {r['aliases']})" if r["aliases"] else ""
    return f"Define at least {more}{now}, spread the busiest volumes over LCUs, or let peers lend aliases (SuperPAV)"


def _judge(rows: list[Row], limits: Mapping[str, float]) -> Iterator[Finding]:
    for _, group in groupby(rows, key=lambda r: (r["system"], r["lcu"])):
        members = list(group)
        r, need = members[0], _need(members)
        in_use = f", {r['high_water']} of {r['aliases']} aliases in use" if r["aliases"] else ""
        yield Finding(
            code="alias_pool_dry",
            severity="act",
            subject_kind="lcu",
            subject=f"LCU {r['lcu']} on {r['system']}",
            text=(
                f"LCU {r['lcu']} ran out of HyperPAV aliases on {r['system']} ({period(r)}): up to "
                f"{100 * r['peak_ratio']:.0f} % of its I/Os found none free{in_use}{_waits(r)}"
            ),
            advice=_advice(r, need),
            numbers=(
                Number("denied, worst interval", 100 * r["peak_ratio"], "%"),
                Number("intervals with a dry pool", r["bad_intervals"]),
                Number("I/Os without an alias", r["denied"], "I/Os"),
                Number("HyperPAV I/Os", r["requests"], "I/Os"),
                Number("aliases in use, high water", r["high_water"]),
                Number("aliases configured", r["aliases"]),
                Number("queued at once, high water", r["queue_high_water"], "I/Os"),
                Number("queue, mean of the worst interval", r["peak_queue"], "I/Os"),
                Number("IOSQ of the LCU, worst interval", r["peak_wait_ms"], "ms"),
                Number("aliases to clear the wait, at best", need.fewest if need else None),
                Number("aliases to clear the wait, at worst", need.most if need else None),
            ),
            sql=(
                f"SELECT * FROM lcu_interval WHERE lcu = {literal(r['lcu'])} AND system = {literal(r['system'])} "
                "ORDER BY alias_denied_ratio DESC"
            ),
            lost_s=(r["lost_s"] or 0.0) * 86400 / r["span_s"],
            effect=need.effect if need else None,
            curve=need.curve if need else None,
        )


RULE = Rule(
    code="alias_pool_dry",
    title="A HyperPAV pool runs dry",
    finds="LCUs in which I/Os could not start because no alias of the pool was free.",
    matters="A dry pool makes every volume of the LCU wait at once, however many aliases each could use.",
    evidence="R783HNAI over R783HTIO per interval, high water of aliases in use against those configured, IOSQ.",
    wrong_when=(
        "A few refusals in a burst cost nothing: the share counts. More aliases than the channels and the box can "
        "carry only move the queue to where WLM priorities do not reach."
    ),
    do="Raise the number of aliases of the LCU or spread the load; check that the wait goes and response falls.",
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
