"""A HyperPAV pool is many times larger than anybody ever needed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from iosq.toolkit.advise.finding import Effect, Finding, Number, Row, Rule, Threshold
from iosq.toolkit.sql.raw import literal

SQL = """
SELECT platform, lcu, max(hyperpav_aliases) AS aliases, max(alias_high_water) AS high_water,
       max(alias_high_water_per_base) AS per_base, max(coalesce(alias_borrowed_high_water, 0)) AS borrowed,
       sum(alias_denied_count) AS denied, sum(alias_io_count) AS requests, max(queue_high_water) AS queued,
       count(DISTINCT interval_start) AS intervals, sum(interval_s) / count(DISTINCT system) / 3600 AS hours,
       sum(CASE WHEN alias_need_count IS NOT NULL THEN 1 ELSE 0 END) AS lends
FROM lcu_interval
WHERE alias_io_count IS NOT NULL AND hyperpav_aliases > 0
GROUP BY platform, lcu
ORDER BY platform, lcu
"""


def _judge(rows: list[Row], limits: Mapping[str, float]) -> Iterator[Finding]:
    for r in rows:
        keep = _keep(r, limits["headroom"])
        spare = r["aliases"] - keep
        long_enough = r["hours"] >= limits["hours"] and not r["lends"]
        if long_enough and not r["denied"] and spare >= limits["spare"] and r["aliases"] >= limits["times"] * keep:
            yield _finding(r, keep, limits["headroom"])


def _keep(r: Row, headroom: float) -> int:
    return max(int(headroom * r["high_water"] + 0.999), 2)


def _finding(r: Row, keep: int, headroom: float) -> Finding:
    spare = r["aliases"] - keep
    return Finding(
        code="pool_too_large",
        severity="note",
        subject_kind="lcu",
        subject=f"LCU {r['lcu']}",
        text=(
            f"The HyperPAV pool of LCU {r['lcu']} has {r['aliases']} aliases; at most {r['high_water']} were in use "
            f"at once in {r['intervals']} intervals, and no I/O was denied one"
        ),
        advice=f"You could take {spare} aliases away: {keep} are {headroom:g} times the most ever in use",
        numbers=(
            Number("aliases configured", r["aliases"]),
            Number("aliases in use, high water", r["high_water"]),
            Number("aliases in use by one base, high water", r["per_base"]),
            Number("I/Os without an alias", r["denied"], "I/Os"),
            Number("HyperPAV I/Os", r["requests"], "I/Os"),
            Number("aliases to keep", keep),
        ),
        sql=(
            "SELECT system, interval_start, alias_high_water, hyperpav_aliases, alias_denied_count FROM lcu_interval "
            f"WHERE lcu = {literal(r['lcu'])} ORDER BY alias_high_water DESC"
        ),
        lost_s=0.0,
        confidence="high",
        effect=Effect(
            "I/Os denied an alias", "I/Os", 0.0, 0.0, 0.0, 0.0,
            "the high water counts every moment, not interval means: a pool above it is never dry at this load",
        ),
    )  # fmt: skip


RULE = Rule(
    code="pool_too_large",
    title="A HyperPAV pool far larger than its high water",
    finds="HyperPAV pools of which most aliases were never in use, on no system.",
    matters=(
        "Aliases take device addresses that volumes could have. And a pool that lets more I/Os out than the channels "
        "carry only moves the queue to where WLM priorities do not reach."
    ),
    evidence="High water of aliases in use (R783HAIU) over the whole span against those configured; no I/O denied.",
    wrong_when="The span misses the peak of the month; LCUs that lend aliases (SuperPAV) are skipped.",
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
