"""The aliases that volumes of an LCU need don't fit into its addresses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from iosq.toolkit.advise.finding import Effect, Finding, Known, Number
from iosq.toolkit.advise.subject import lcus
from iosq.toolkit.rows import Row
from iosq.toolkit.sql.raw import literal


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    for _, group in groupby(rows, key=lambda r: (r["platform"], r["lcu"])):
        members = list(group)
        free = int(limits["addresses"] - members[0]["bases"] - members[0]["static_aliases"])
        advised = int(sum(r["advised"] for r in members))
        if advised > free:
            yield _finding(members, advised, max(free, 0), int(limits["addresses"]))


def _finding(members: list[Row], advised: int, free: int, most: int) -> Finding:
    r, worst = members[0], max(members, key=lambda m: m["wait_ms"])
    used = int(r["bases"] + r["static_aliases"])
    who = r["volume"] if len(members) == 1 else f"{len(members)} volumes ({r['volume']} most of them)"
    left = f"{free} are left" if free else "none is left"
    return Finding(
        severity="watch",
        subject=lcus([r["lcu"]]),
        text=(
            f"LCU {r['lcu']} has no room for the aliases it needs: {r['bases']} bases and {int(r['static_aliases'])} "
            f"static aliases use {used} of {most} addresses, {left}, and by Little's law on the peak {who} would "
            f"take {advised} more; pav_add_alias says how many clear the wait of each"
        ),
        advice=(
            "First take aliases from volumes of this LCU that don't use them (pav_too_many names such LCUs). If all "
            "are used, make them the pool of a HyperPAV LCU, where they go to whoever needs one, or move a busy volume "
            "to an LCU with room"
        ),
        numbers=(
            Number("bases", r["bases"]),
            Number("static aliases", int(r["static_aliases"])),
            Number("addresses left, at most", free),
            Number("aliases its waiting volumes would take beside, by Little's law on the peak", advised),
            Number("volumes that wait", len(members)),
            Number("IOSQ, mean of the worst volume", worst["wait_ms"], "ms"),
        ),
        sql=(
            "SELECT volume, system, exposures, in_service_peak, wait_ms, aliases_to_clear_wait, verdict FROM "
            f"pav_candidate WHERE lcu = {literal(r['lcu'])} ORDER BY wait_ms DESC, volume"
        ),
        lost_s=0.0,  # counted by pav_add_alias
        confidence="high",
        effect=Effect(
            "response of the worst volume, mean", "ms", worst["response_ms"], worst["response_ms"] - worst["wait_ms"],
            worst["response_ms"] - worst["wait_ms"], worst["response_ms"],
            "between nothing gained and no wait at all; pav_add_alias says what the aliases themselves would do",
        ),
    )  # fmt: skip
