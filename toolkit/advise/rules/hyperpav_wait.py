"""HyperPAV volumes wait, and no record tells whether their pool ran dry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from iosq.toolkit.advise.finding import Aliases, Finding, Number, Row, Rule, Threshold
from iosq.toolkit.advise.subject import lcus
from iosq.toolkit.sql.raw import literal

SQL = """
WITH told AS (
    SELECT DISTINCT platform, system, lcu FROM lcu_extra WHERE alias_denied_ratio IS NOT NULL
), candidate AS (
    SELECT c.*
    FROM pav_candidate c
    LEFT JOIN told t ON t.platform = c.platform AND t.system = c.system AND t.lcu = c.lcu
    WHERE c.verdict = 'add' AND c.is_hyperpav AND c.alias_denied_count IS NULL AND t.lcu IS NULL
        AND c.queue_length_peak >= ? AND c.wait_share_ratio >= ?
), lost AS (
    SELECT platform, system, volume, sum(queue_length * interval_s) * 86400 / greatest(sum(interval_s), 86400) AS lost_s
    FROM volume_interval
    GROUP BY platform, system, volume
)
SELECT c.platform, c.system, c.lcu, count(*) AS volumes, max(c.queue_length_peak) AS queue_length_peak,
       max(c.wait_share_ratio) AS wait_share_ratio, min(c.volume) AS first_volume, sum(l.lost_s) AS lost_s
FROM candidate c
JOIN lost l ON l.platform = c.platform AND l.system = c.system AND l.volume = c.volume
GROUP BY c.platform, c.system, c.lcu
ORDER BY lost_s DESC, c.platform, c.system, c.lcu
"""


def _judge(rows: list[Row], limits: Mapping[str, float]) -> Iterator[Finding]:
    for r in rows:
        many = r["volumes"] > 1
        volumes = f"{r['volumes']} HyperPAV volumes" if many else f"HyperPAV volume {r['first_volume']}"
        yield Finding(
            code="hyperpav_wait",
            severity="watch",
            subject=lcus([r["lcu"]], r["system"]),
            text=(
                f"{volumes} of LCU {r['lcu']} {'wait' if many else 'waits'} on {r['system']}: up to "
                f"{100 * r['wait_share_ratio']:.0f} % of the response time is IOSQ; without type 78.3 records, or an "
                "I/O queuing listing, it can't be told whether the alias pool ran dry"
            ),
            advice=(
                "First collect SMF type 78 subtype 3 as well, or print the I/O queuing report. Only if it shows a dry "
                "pool do more aliases help; a reserve or writes to the same extent need another cure"
            ),
            numbers=(
                Number("volumes that wait", r["volumes"]),
                Number("queue of a volume, peak interval", r["queue_length_peak"], "I/Os"),
                Number("IOSQ share of the worst volume", 100 * r["wait_share_ratio"], "%"),
            ),
            sql=(
                f"SELECT * FROM pav_candidate WHERE lcu = {literal(r['lcu'] or '')} "
                f"AND system = {literal(r['system'])} ORDER BY queue_length_mean DESC"
            ),
            lost_s=r["lost_s"] or 0.0,
            confidence="low",
            aliases=Aliases("cant_tell"),
        )


RULE = Rule(
    code="hyperpav_wait",
    title="HyperPAV volumes wait, cause not measured",
    finds=(
        "LCUs whose HyperPAV volumes queue in the host while neither type 78.3 records nor an I/O queuing listing tell "
        "the pool's refusals."
    ),
    matters="The wait is measured, its cause is not: one record type more tells whether aliases are the cure.",
    evidence=(
        "Queue and share of the wait per volume (74.1); neither R783HNAI nor HPAV WAIT for the LCU in the whole span."
    ),
    wrong_when="The wait comes from reserves or from writes to the same extent: then no alias helps.",
    do="Collect type 78.3 or print the I/O queuing report, look at the pool, then decide.",
    sql=SQL,
    judge=_judge,
    topic="pav",
    parameters=("queue_length", "wait_share"),
    thresholds={
        "queue_length": Threshold(
            0.5, "I/Os", "queued at once in the worst interval", "any", "the same as in pav_add_alias"
        ),
        "wait_share": Threshold(
            0.1, "ratio", "of the response time, mean over the span", "any", "the same as in pav_add_alias"
        ),
    },
)
