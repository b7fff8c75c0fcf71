"""A HyperPAV pool runs out of aliases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from iosq.toolkit.advise.finding import Finding, Number, Row, Rule, Threshold

SQL = """
SELECT system, lcu, max(alias_denied_ratio) AS peak_ratio, sum(alias_denied_count) AS denied,
       sum(alias_io_count) AS requests, max(alias_high_water) AS high_water, max(hyperpav_aliases) AS aliases,
       max(queue_high_water) AS queue_high_water, max(wait_ms) AS peak_wait_ms,
       sum(queue_length * interval_s) AS lost_s, sum(interval_s) AS span_s,
       sum(CASE WHEN alias_denied_ratio >= ? THEN 1 ELSE 0 END) AS dry_intervals,
       min(CASE WHEN alias_denied_ratio >= ? THEN interval_start END) AS first_dry
FROM lcu_interval
WHERE alias_io_count IS NOT NULL
GROUP BY system, lcu
ORDER BY denied DESC, system, lcu
"""


def _judge(rows: list[Row], limits: Mapping[str, float]) -> Iterator[Finding]:
    for r in rows:
        if not r["dry_intervals"]:
            continue
        pool = f" of {r['aliases']}" if r["aliases"] else ""
        yield Finding(
            code="alias_pool_dry",
            severity="act",
            subject_kind="lcu",
            subject=f"LCU {r['lcu']} on {r['system']}",
            text=(
                f"The HyperPAV pool of LCU {r['lcu']} ran dry in {r['system']}: up to {100 * r['peak_ratio']:.0f} % of "
                f"its I/Os found no free alias, in {r['dry_intervals']} interval(s), {r['high_water']}{pool} in use"
            ),
            advice="Define more aliases in this LCU, spread its busiest volumes, or let peers lend (SuperPAV)",
            numbers=(
                Number("denied, worst interval", 100 * r["peak_ratio"], "%"),
                Number("I/Os without an alias", r["denied"], "I/Os"),
                Number("HyperPAV I/Os", r["requests"], "I/Os"),
                Number("aliases in use, high water", r["high_water"]),
                Number("aliases configured", r["aliases"]),
                Number("queued, high water", r["queue_high_water"], "I/Os"),
                Number("IOSQ of the LCU, worst interval", r["peak_wait_ms"], "ms"),
            ),
            sql=f"SELECT * FROM lcu_interval WHERE lcu = '{r['lcu']}' AND system = '{r['system']}'",
            lost_s=r["lost_s"] * 86400 / r["span_s"],
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
    parameters=("denied_ratio", "denied_ratio"),
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
