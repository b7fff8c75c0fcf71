"""An LCU has many more static aliases than its volumes need."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import groupby

from iosq.models.pav.answers import CLEARED_MS
from iosq.models.queueing.stations import mmc
from iosq.toolkit.advise.finding import Aliases, Effect, Finding, Number, Row, Rule, Threshold
from iosq.toolkit.advise.subject import lcus
from iosq.toolkit.sql.raw import literal

# the volume's busiest interval counts, whichever system saw it: an alias is there for all of them
SQL = """
WITH quiet AS (
    SELECT platform, volume, max(lcu) AS lcu, max(exposures) AS exposures, max(wait_p95_ms) AS wait_ms,
           min(verdict) AS verdict
    FROM pav_candidate
    WHERE is_hyperpav IS NOT TRUE AND lcu IS NOT NULL
    GROUP BY platform, volume
), busiest AS (
    SELECT platform, volume, max(in_service) AS in_service, max(service_ms) AS service_ms,
           sum(interval_s) / count(DISTINCT system) / 3600 AS hours
    FROM volume_interval
    WHERE io_rate > 0
    GROUP BY platform, volume
)
SELECT q.*, b.in_service, b.service_ms, b.hours
FROM quiet q JOIN busiest b ON b.platform = q.platform AND b.volume = q.volume
ORDER BY q.platform, q.lcu, q.volume
"""
MOST = 64


def _judge(rows: list[Row], limits: Mapping[str, float]) -> Iterator[Finding]:
    for _, group in groupby(rows, key=lambda r: (r["platform"], r["lcu"])):
        # a volume that waits for an alias has none to spare, and would make the rest look bad
        members = [r for r in group if r["hours"] >= limits["hours"] and r["verdict"] != "add"]
        defined = sum(round(r["exposures"]) - 1 for r in members)
        needed = sum(min(_needed(r, limits["headroom"]), round(r["exposures"]) - 1) for r in members)
        if defined - needed >= limits["spare"] and defined >= limits["times"] * needed:
            yield _finding(members, defined, needed, limits["headroom"])


def _needed(r: Row, headroom: float) -> int:
    """Fewest aliases whose wait stays below 0.1 ms at `headroom` times the busiest interval; M/M/c."""
    load = headroom * r["in_service"]
    rate = load / r["service_ms"] * 1e3
    servers = range(math.floor(load) + 1, MOST)
    return next((c - 1 for c in servers if mmc(rate, r["service_ms"], c).wait_ms < CLEARED_MS), MOST)


def _finding(members: list[Row], defined: int, needed: int, headroom: float) -> Finding:
    lcu, spare, now = members[0]["lcu"], defined - needed, max(r["wait_ms"] for r in members)
    busiest = max(members, key=lambda r: r["in_service"])
    return Finding(
        code="pav_too_many",
        severity="note",
        subject=lcus([lcu]),
        text=(
            f"LCU {lcu} has {defined} static aliases for {len(members)} volumes, but {needed} would carry "
            f"{headroom:g} times its busiest intervals: its busiest volume, {busiest['volume']}, has "
            f"{busiest['in_service']:.1f} I/Os in progress at most"
        ),
        advice=(
            f"You could take {spare} aliases away and give their device numbers to volumes, or make them the pool of "
            f"a HyperPAV LCU. Nothing gets faster by it: leave them if nobody needs the room"
        ),
        numbers=(
            Number("aliases defined", defined),
            Number("aliases needed", needed),
            Number("aliases to spare", spare),
            Number("I/Os in progress, busiest volume and interval", busiest["in_service"], "I/Os"),
            Number("wait, 95th percentile of its worst volume", now, "ms"),
        ),
        sql=(
            "SELECT volume, system, exposures, in_service_peak, wait_p95_ms, verdict, reason FROM pav_candidate "
            f"WHERE lcu = {literal(lcu)} ORDER BY volume, system"
        ),
        lost_s=0.0,
        aliases=Aliases("too_many", defined, needed, needed),
        confidence="medium",
        effect=Effect(
            "wait per I/O in the busiest interval", "ms", now, min(now, CLEARED_MS), 0.0, CLEARED_MS,
            f"no gain; the most it may wait then, by M/M/c at {headroom:g} times the busiest interval; bursts within "
            "an interval aren't recorded",
        ),
    )  # fmt: skip


RULE = Rule(
    code="pav_too_many",
    title="More static aliases than anybody uses",
    finds="LCUs whose static aliases, summed over their volumes, are several times what the busiest intervals need.",
    matters=(
        "Each alias takes one of the 256 device addresses of its LCU and a subchannel on every system. It costs no "
        "response time: this is about room, not about speed."
    ),
    evidence="Rate times service time of each volume's busiest interval, with headroom, against the aliases it has.",
    wrong_when="The span read misses the month-end peak, or WLM moves aliases between volumes when they are needed.",
    do="Read a span with your highest load first. Then take aliases away, or turn them into a HyperPAV pool.",
    sql=SQL,
    judge=_judge,
    topic="pav",
    thresholds={
        "spare": Threshold(16.0, "aliases", "to spare in the LCU", "static PAV, 1999 on", "our choice"),
        "times": Threshold(
            3.0, "", "aliases defined over aliases needed", "static PAV, 1999 on",
            "our choice; vendors' ratios reach from 1 alias per 3 bases to 3 aliases per base (HP XP, DS6000)",
        ),
        "headroom": Threshold(1.5, "", "growth the rest has to carry", "any", "our choice"),
        "hours": Threshold(6.0, "hours", "read at least", "any", "our choice"),
    },
)  # fmt: skip
