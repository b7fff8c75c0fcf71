"""The aliases that volumes or the pool of an LCU need don't fit into its addresses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from iosq.toolkit.advise.finding import Effect, Finding, Known, Number, needs
from iosq.toolkit.advise.subject import lcus
from iosq.toolkit.rows import Row
from iosq.toolkit.sql.raw import literal


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    most = int(limits["addresses"])
    for _, group in groupby(rows, key=lambda r: (r["platform"], r["lcu"])):
        members = list(group)
        free = max(int(most - sum(members[0][part] for part in ("bases", "static_aliases", "hyperpav_aliases"))), 0)
        waiting, dry = ([m for m in members if (m["volume"] is None) is is_dry] for is_dry in (False, True))
        advised = int(sum(r["advised"] for r in waiting))
        if advised > free:
            yield _finding(waiting, advised, free, most)
        if dry and dry[0]["advised"] > free:  # systems share the aliases: the one that needs most decides
            yield _of_pool(dry[0], free, most)


def _of_pool(r: Row, free: int, most: int) -> Finding:
    used = int(r["bases"] + r["static_aliases"] + r["hyperpav_aliases"])
    left = f"{free} are left" if free > 1 else "one is left" if free else "none is left"
    return Finding(
        severity="watch",
        subject=lcus([r["lcu"]], r["system"]),
        text=(
            f"LCU {r['lcu']} has no room for the aliases its pool lacks: {r['bases']} bases and "
            f"{r['hyperpav_aliases']} aliases use {used} of {most} addresses, {left}, and by Little's law on the peak "
            f"{int(r['advised'])} more I/Os wait on {r['system']} than it has aliases for"
        ),
        advice=(
            "First move busy volumes to an LCU with addresses left, or give base addresses that hold no volume to the "
            "pool. With SuperPAV, LCUs of one group lend each other the aliases that are idle"
        ),
        numbers=(
            Number("bases", r["bases"]),
            Number("aliases of the pool", r["hyperpav_aliases"]),
            Number("addresses left, at most", free),
            Number("I/Os that wait in the peak interval", int(r["advised"])),
        ),
        sql=(
            "SELECT interval_start, devices, hyperpav_aliases, alias_high_water, queue_length, wait_ms "
            f"FROM lcu_interval WHERE lcu = {literal(r['lcu'])} AND system = {literal(r['system'])} "
            "ORDER BY queue_length DESC"
        ),
        lost_s=0.0,  # counted by the rules about pools
        confidence="high",
    )


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
        effect=_effect(worst),
    )


@needs("response_ms")
def _effect(worst: Row) -> Effect:
    now, left = worst["response_ms"], worst["response_ms"] - worst["wait_ms"]
    basis = "between nothing gained and no wait at all; pav_add_alias says what the aliases themselves would do"
    return Effect("response of the worst volume, mean", "ms", now, left, left, now, basis)
