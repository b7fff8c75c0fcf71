"""A HyperPAV pool is many times larger than anybody ever needed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from iosq.toolkit.advise.finding import Aliases, Effect, Finding, Number, Row, Rule, Threshold
from iosq.toolkit.advise.subject import lcus
from iosq.toolkit.sql.raw import literal

# what lends and borrows together is one pool: an alias management group where the records name one, else an LCU. High
# waters of a group's LCUs are added although they need not have happened at once: rather too many than too few
SQL = """
WITH system_group AS (
    SELECT *, coalesce('group ' || alias_group || ' of ' || system, 'LCU ' || lcu) AS pool,
           max(CASE WHEN alias_need_count IS NOT NULL OR alias_group IS NOT NULL THEN 1 ELSE 0 END)
               OVER (PARTITION BY platform, lcu) AS lends
    FROM lcu_interval
    WHERE alias_io_count IS NOT NULL AND hyperpav_aliases > 0
), lcu_total AS (
    SELECT platform, pool, lcu, max(alias_group) AS alias_group, max(hyperpav_aliases) AS aliases,
           max(alias_high_water) AS high_water, max(alias_high_water_per_base) AS per_base,
           max(coalesce(alias_borrowed_high_water, 0)) AS borrowed, sum(alias_denied_count) AS denied,
           sum(alias_io_count) AS requests, count(DISTINCT interval_start) AS intervals,
           sum(interval_s) / count(DISTINCT system) / 3600 AS hours,
           max(lends) AS lends
    FROM system_group
    GROUP BY platform, pool, lcu
), every_system AS (
    -- groups have a number of their own on each system: one with the same LCUs is the same group
    SELECT platform, pool, string_agg(lcu, '|' ORDER BY lcu) AS lcu_names, max(alias_group) AS alias_group,
           CAST(sum(aliases) AS BIGINT) AS aliases, CAST(sum(high_water) AS BIGINT) AS high_water,
           max(per_base) AS per_base, CAST(sum(borrowed) AS BIGINT) AS borrowed,
           sum(denied) AS denied, sum(requests) AS requests, max(intervals) AS intervals, min(hours) AS hours,
           max(lends) AS lends
    FROM lcu_total
    GROUP BY platform, pool
)
SELECT platform, lcu_names, max(alias_group) AS alias_group, max(aliases) AS aliases, max(high_water) AS high_water,
       max(per_base) AS per_base, max(borrowed) AS borrowed, sum(denied) AS denied, sum(requests) AS requests,
       max(intervals) AS intervals, min(hours) AS hours, max(lends) AS lends
FROM every_system
GROUP BY platform, lcu_names
ORDER BY platform, lcu_names
"""


def _judge(rows: list[Row], limits: Mapping[str, float]) -> Iterator[Finding]:
    for r in rows:
        keep = _keep(r, limits["headroom"])
        spare = r["aliases"] - keep
        # what a lending LCU needs is told by its whole group only
        told = r["hours"] >= limits["hours"] and (r["alias_group"] or not r["lends"])
        if told and not r["denied"] and spare >= limits["spare"] and r["aliases"] >= limits["times"] * keep:
            yield _finding(r, keep, limits["headroom"])


def _keep(r: Row, headroom: float) -> int:
    return max(int(headroom * (r["high_water"] + r["borrowed"]) + 0.999), 2)


def _finding(r: Row, keep: int, headroom: float) -> Finding:
    spare, names = r["aliases"] - keep, r["lcu_names"].split("|")
    subject = lcus(names)
    pool = f"The SuperPAV group of {subject}" if r["alias_group"] else f"The HyperPAV pool of {subject}"
    together = ", the high waters of its LCUs added up," if len(names) > 1 else ""
    where = ", from whichever of its LCUs needs the addresses" if len(names) > 1 else ""
    return Finding(
        code="pool_too_large",
        severity="note",
        subject=subject,
        text=(
            f"{pool} has {r['aliases']} aliases; at most {r['high_water'] + r['borrowed']}{together} were in use at "
            f"once in {r['intervals']} intervals, and no I/O was denied one"
        ),
        advice=(
            f"You could take {spare} aliases away{where}: {keep} are {headroom:g} times the most ever in use. Nothing "
            "gets faster by it; it makes room for volumes"
        ),
        numbers=(
            Number("aliases configured", r["aliases"]),
            Number("aliases in use, high water", r["high_water"]),
            Number("aliases borrowed, high water", r["borrowed"] if r["lends"] else None),
            Number("aliases in use by one base, high water", r["per_base"]),
            Number("I/Os without an alias", r["denied"], "I/Os"),
            Number("HyperPAV I/Os", r["requests"], "I/Os"),
            Number("aliases to keep", keep),
        ),
        sql=(
            "SELECT system, interval_start, lcu, alias_high_water, hyperpav_aliases, alias_denied_count FROM "
            f"lcu_interval WHERE lcu IN ({', '.join(literal(name) for name in names)}) ORDER BY alias_high_water DESC"
        ),
        lost_s=0.0,
        aliases=Aliases("too_many", r["aliases"], keep, keep),
        confidence="high",
        effect=Effect(
            "I/Os denied an alias", "I/Os", 0.0, 0.0, 0.0, 0.0,
            "the high water counts every moment, not interval means: a pool above it is never dry at this load",
        ),
    )  # fmt: skip


RULE = Rule(
    code="pool_too_large",
    title="A HyperPAV pool far larger than its high water",
    finds="HyperPAV pools, or SuperPAV groups taken together, of which most aliases were never in use, on no system.",
    matters=(
        "Aliases take device addresses that volumes could have. And a pool that lets more I/Os out than the channels "
        "carry only moves the queue to where WLM priorities do not reach."
    ),
    evidence="High water of aliases in use (R783HAIU) over the whole span against those configured; no I/O denied.",
    wrong_when=(
        "The span misses the peak of the month. LCUs that lend aliases are judged as a group (R783AMGS); where no "
        "record names it, they are skipped."
    ),
    do="Read a span with your highest load. Then shrink the pool, and watch the denied ratio.",
    sql=SQL,
    judge=_judge,
    topic="pav",
    thresholds={
        "times": Threshold(
            3.0, "", "aliases configured over aliases to keep", "HyperPAV, 2007 on",
            "our choice; Houtekamer and others, IntelliMagic: 32 and fewer aliases per LCU beat 128",
        ),
        "spare": Threshold(12.0, "aliases", "to spare", "HyperPAV, 2007 on", "our choice"),
        "headroom": Threshold(1.5, "", "over the high water", "any", "our choice"),
        "hours": Threshold(6.0, "hours", "read at least", "any", "our choice"),
    },
)  # fmt: skip
