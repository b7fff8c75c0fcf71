"""The aliases that volumes of an LCU need don't fit into its addresses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from iosq.toolkit.advise.addresses import ADDRESSES, LCU_ADDRESSES
from iosq.toolkit.advise.finding import Effect, Finding, Number, Row, Rule, Threshold
from iosq.toolkit.advise.subject import lcus
from iosq.toolkit.sql.raw import literal

# an alias is there for all systems: the one that needs most of it decides
SQL = f"""
WITH {LCU_ADDRESSES}, lacking AS (
    SELECT platform, lcu, volume, max(aliases_to_clear_wait - greatest(round(exposures) - 1, 0)) AS advised,
           max(wait_ms) AS wait_ms, max(response_ms) AS response_ms
    FROM pav_candidate
    WHERE verdict = 'add' AND is_hyperpav IS NOT TRUE AND queue_length_peak >= ? AND wait_share_ratio >= ?
    GROUP BY platform, lcu, volume
)
SELECT a.platform, a.lcu, a.bases, a.aliases, a.volumes, n.volume, n.advised, n.wait_ms, n.response_ms
FROM lcu_address a
JOIN lacking n ON n.platform = a.platform AND n.lcu = a.lcu
WHERE n.advised > 0
ORDER BY a.platform, a.lcu, n.advised DESC, n.volume
"""


def _judge(rows: list[Row], limits: Mapping[str, float]) -> Iterator[Finding]:
    for _, group in groupby(rows, key=lambda r: (r["platform"], r["lcu"])):
        members = list(group)
        free = int(limits["addresses"] - members[0]["bases"] - members[0]["aliases"])
        advised = int(sum(r["advised"] for r in members))
        if advised > free:
            yield _finding(members, advised, max(free, 0), int(limits["addresses"]))


def _finding(members: list[Row], advised: int, free: int, most: int) -> Finding:
    r, worst = members[0], max(members, key=lambda m: m["wait_ms"])
    used = int(r["bases"] + r["aliases"])
    who = r["volume"] if len(members) == 1 else f"{len(members)} volumes ({r['volume']} most of them)"
    left = f"{free} are left" if free else "none is left"
    return Finding(
        code="lcu_addresses",
        severity="watch",
        subject=lcus([r["lcu"]]),
        text=(
            f"LCU {r['lcu']} has no room for the aliases it needs: {r['bases']} bases and {int(r['aliases'])} static "
            f"aliases use {used} of {most} addresses, {left}, and by Little's law on the peak {who} would "
            f"take {advised} more; pav_add_alias says how many clear the wait of each"
        ),
        advice=(
            "First take aliases from volumes of this LCU that don't use them (pav_too_many names such LCUs). If all "
            "are used, make them the pool of a HyperPAV LCU, where they go to whoever needs one, or move a busy volume "
            "to an LCU with room"
        ),
        numbers=(
            Number("bases", r["bases"]),
            Number("static aliases", int(r["aliases"])),
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


RULE = Rule(
    code="lcu_addresses",
    title="The aliases an LCU needs don't fit into its addresses",
    finds="LCUs with static PAV whose bases, aliases and the aliases that waiting volumes need exceed 256 addresses.",
    matters="Bases and aliases share the 256 addresses of an LCU: advice to add aliases can't be followed there.",
    evidence=(
        "Bases with records (74.1) plus exposures less one of each static volume, plus the aliases that Little's law "
        "asks for in the peak interval of volumes that wait. 74.1 has no record of an alias, and no record read here "
        "tells what the box or the IODF defines: what no volume uses isn't seen."
    ),
    wrong_when=(
        "Aliases in another subchannel set are counted like all others, and rightly: they take addresses of the box. "
        "Where the box is full (box_saturated), the aliases aren't needed at all."
    ),
    do="Take unused aliases away, change the LCU to HyperPAV, or move volumes to an LCU with free addresses.",
    sql=SQL,
    judge=_judge,
    topic="pav",
    parameters=("queue_length", "wait_share"),
    thresholds={
        "addresses": Threshold(
            float(ADDRESSES), "addresses", "of one LCU, bases and aliases together", "S/390 and later",
            "architecture: the address of a device within an LCU is one byte",
        ),
        "queue_length": Threshold(
            0.5, "I/Os", "queued at once in the worst interval", "any", "the same as in pav_add_alias"
        ),
        "wait_share": Threshold(
            0.1, "ratio", "of the response time, mean over the span", "any", "the same as in pav_add_alias"
        ),
    },
)  # fmt: skip
