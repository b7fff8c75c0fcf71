"""An LCU has many more static aliases than its volumes need."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import groupby

from iosq.models.pav.answers import CLEARED_MS
from iosq.models.queueing.stations import mmc
from iosq.toolkit.advise.finding import Aliases, Effect, Finding, Known, Number
from iosq.toolkit.advise.subject import lcus
from iosq.toolkit.advise.window import is_whole_month, rests_on
from iosq.toolkit.rows import Row
from iosq.toolkit.sql.raw import literal

MOST = 64


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    for _, group in groupby(rows, key=lambda r: (r["platform"], r["lcu"])):
        # a volume that waits for an alias has none to spare, and would make the rest look bad
        members = [r for r in group if r["hours"] >= limits["hours"] and r["verdict"] != "add"]
        defined = sum(round(r["exposures"]) - 1 for r in members)
        needed = sum(min(_kept(r, limits), round(r["exposures"]) - 1) for r in members)
        if defined - needed >= limits["spare"] and defined >= limits["times"] * needed:
            yield _finding(members, defined, needed, limits)


def _kept(r: Row, limits: Mapping[str, float]) -> int:
    return max(_needed(r, limits["headroom"]), int(limits["floor"]))


def _needed(r: Row, headroom: float) -> int:
    """Fewest aliases whose wait stays below 0.1 ms at `headroom` times the busiest interval; M/M/c."""
    load = headroom * r["in_service"]
    rate = load / r["service_ms"] * 1e3
    servers = range(math.floor(load) + 1, MOST)
    return next((c - 1 for c in servers if mmc(rate, r["service_ms"], c).wait_ms < CLEARED_MS), MOST)


def _finding(members: list[Row], defined: int, needed: int, limits: Mapping[str, float]) -> Finding:
    headroom, shortest = limits["headroom"], min(members, key=lambda r: r["hours"])
    month = is_whole_month(shortest, limits["month"])
    lcu, spare, now = members[0]["lcu"], defined - needed, max(r["wait_peak_ms"] for r in members)
    busiest = max(members, key=lambda r: r["in_service"])
    return Finding(
        severity="note",
        subject=lcus([lcu]),
        text=(
            f"LCU {lcu} has {defined} static aliases for {len(members)} volumes, but {needed} would carry "
            f"{headroom:g} times its busiest intervals: its busiest volume, {busiest['volume']}, has "
            f"{busiest['in_service']:.1f} I/Os in progress at most (read: {rests_on(shortest)})"
        ),
        advice=(
            f"You could take {spare} aliases away and give their device numbers to volumes, or make them the pool of "
            f"a HyperPAV LCU. Nothing gets faster by it: leave them if nobody needs the room"
            f"{'' if shortest['has_month_end'] else '. Do not hurry: first read a month with its end'}"
        ),
        numbers=(
            Number("aliases defined", defined),
            Number("aliases needed", needed),
            Number("aliases to spare", spare),
            Number("I/Os in progress, busiest volume and interval", busiest["in_service"], "I/Os"),
            Number("wait, peak interval of its worst volume", now, "ms"),
        ),
        sql=(
            "SELECT volume, system, exposures, in_service_peak, wait_peak_ms, verdict, reason FROM pav_candidate "
            f"WHERE lcu = {literal(lcu)} ORDER BY volume, system"
        ),
        lost_s=0.0,
        aliases=Aliases("too_many", defined, needed, needed),
        confidence="high" if month else "medium",
        effect=Effect(
            "wait per I/O in the busiest interval", "ms", now, min(now, CLEARED_MS), 0.0, CLEARED_MS,
            f"no gain; the most it may wait then, by M/M/c at {headroom:g} times the busiest interval; bursts within "
            "an interval aren't recorded",
        ),
    )  # fmt: skip
