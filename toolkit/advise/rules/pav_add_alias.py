"""A volume waits in the host because it has too few exposures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from iosq.toolkit.advise.finding import Finding, Number, Row, Rule, Threshold

SQL = """
SELECT c.system, c.volume, c.lcu, c.exposures, c.aliases_to_clear_wait, c.wait_ms, c.response_ms, c.wait_share_ratio,
       c.queue_length_peak, c.peak_start, c.verdict, c.reason,
       sum(v.queue_length * v.interval_s) AS lost_s, sum(v.interval_s) AS span_s,
       max(CASE WHEN v.interval_start = c.peak_start THEN v.wait_ms END) AS peak_wait_ms,
       max(CASE WHEN v.interval_start = c.peak_start THEN v.io_rate END) AS peak_rate,
       max(v.utc_offset_s) AS utc_offset_s
FROM pav_candidate c
JOIN volume_interval v ON v.platform = c.platform AND v.system = c.system AND v.volume = c.volume
WHERE c.verdict = 'add' AND c.is_hyperpav IS NOT TRUE AND c.queue_length_peak >= ? AND c.wait_share_ratio >= ?
GROUP BY c.system, c.volume, c.lcu, c.exposures, c.aliases_to_clear_wait, c.wait_ms, c.response_ms,
         c.wait_share_ratio, c.queue_length_peak, c.peak_start, c.verdict, c.reason
ORDER BY lost_s DESC, c.system, c.volume
"""


def _judge(rows: list[Row], limits: Mapping[str, float]) -> Iterator[Finding]:
    for r in rows:
        more = max(int(r["aliases_to_clear_wait"] or 0) - int(r["exposures"] or 1) + 1, 1)
        yield Finding(
            code="pav_add_alias",
            severity="act",
            subject_kind="volume",
            subject=f"{r['volume']} on {r['system']}",
            text=(
                f"Volume {r['volume']} waits in {r['system']}: {100 * r['wait_share_ratio']:.0f} % of its response "
                f"time is IOSQ, {r['peak_wait_ms']:.1f} ms at the peak with {r['queue_length_peak']:.1f} I/Os queued"
            ),
            advice=f"Give it {more} more alias{'es' if more > 1 else ''}; it has {r['exposures']:.0f} exposures now",
            numbers=(
                Number("IOSQ, mean", r["wait_ms"], "ms"),
                Number("IOSQ, peak interval", r["peak_wait_ms"], "ms"),
                Number("response, mean", r["response_ms"], "ms"),
                Number("I/O rate, peak interval", r["peak_rate"], "per s"),
                Number("queue length, peak", r["queue_length_peak"], "I/Os"),
                Number("exposures", r["exposures"]),
                Number("aliases to clear the wait", r["aliases_to_clear_wait"]),
            ),
            sql=f"SELECT * FROM volume_interval WHERE volume = '{r['volume']}' AND system = '{r['system']}'",
            lost_s=r["lost_s"] * 86400 / r["span_s"],
            confidence="medium",
        )


RULE = Rule(
    code="pav_add_alias",
    title="A volume waits for a free exposure",
    finds="Volumes without HyperPAV whose I/Os queue in the host (IOSQ) for a good part of their response time.",
    matters="IOSQ is time in which the storage is not even asked; aliases remove it without new hardware.",
    evidence="Queue length and wait of the worst interval, share of the wait in the response, exposures there are.",
    wrong_when=(
        "The box behind is the bottleneck (NVS, destage, arms): then more aliases only move the queue. "
        "Writes to the same extent wait for each other whatever the aliases."
    ),
    do="Add the aliases named, or move the volume to an LCU with HyperPAV; measure again.",
    sql=SQL,
    judge=_judge,
    parameters=("queue_length", "wait_share"),
    thresholds={
        "queue_length": Threshold(
            0.5,
            "I/Os",
            "queued at once in the worst interval",
            "any",
            "Little's law: below half an I/O queued a further exposure is idle most of the time",
        ),
        "wait_share": Threshold(
            0.1,
            "ratio",
            "of the response time, mean over the span",
            "any",
            "IBM, z/VM Performance Toolkit: compare with the system's own good periods; a tenth is our choice",
        ),
    },
)
