"""Writes wait because NVS is full."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from iosq.toolkit.advise.finding import Finding, Number, Row, Rule, Threshold

SQL = """
SELECT subsystem, sum(nvs_delay_count) AS delayed, max(nvs_delay_ratio) AS peak_ratio,
       sum(CASE WHEN nvs_delay_ratio >= ? THEN 1 ELSE 0 END) AS full_intervals,
       min(CASE WHEN nvs_delay_ratio >= ? THEN interval_start END) AS first_full,
       max(CASE WHEN nvs_delay_ratio >= ? THEN interval_start END) AS last_full,
       max(delay_ms_per_write) AS peak_ms, max(delay_ms_per_write_low) AS peak_low_ms,
       max(delay_ms_per_write_high) AS peak_high_ms,
       sum(nvs_delay_count * delay_ms_per_delayed_write) / 1000 AS lost_s, max(disc_share_ratio) AS disc_share,
       sum(interval_s) AS span_s, max(utc_offset_s) AS utc_offset_s
FROM nvs_delay
GROUP BY subsystem
ORDER BY delayed DESC, subsystem
"""


def _judge(rows: list[Row], limits: Mapping[str, float]) -> Iterator[Finding]:
    for r in rows:
        if r["full_intervals"]:
            yield _finding(r)


def _cost(r: Row) -> str:
    if r["peak_ms"] is None:
        return "what it costs can't be told without device records of the same time"
    return f"it cost up to {r['peak_ms']:.1f} ms per write ({r['peak_low_ms']:.1f} to {r['peak_high_ms']:.1f})"


def _finding(r: Row) -> Finding:
    return Finding(
        code="nvs_delay",
        severity="act",
        subject_kind="subsystem",
        subject=f"subsystem {r['subsystem']}",
        text=(
            f"NVS of subsystem {r['subsystem']} was full in {r['full_intervals']} interval(s): up to "
            f"{100 * r['peak_ratio']:.0f} % of the writes had to wait, and {_cost(r)}"
        ),
        advice="Aliases will not help here: spread the writes over time or boxes, or get more NVS or a faster back end",
        numbers=(
            Number("fast writes delayed", r["delayed"], "writes"),
            Number("delayed, worst interval", 100 * r["peak_ratio"], "%"),
            Number("delay per write, worst interval", r["peak_ms"], "ms"),
            Number("delay per write, low", r["peak_low_ms"], "ms"),
            Number("delay per write, high", r["peak_high_ms"], "ms"),
            Number("share of disconnect time", None if r["disc_share"] is None else 100 * r["disc_share"], "%"),
        ),
        sql=f"SELECT * FROM nvs_delay WHERE subsystem = '{r['subsystem']}' AND nvs_delay_count > 0",
        lost_s=(r["lost_s"] or 0.0) * 86400 / r["span_s"],
        confidence="medium",
    )


RULE = Rule(
    code="nvs_delay",
    title="Writes wait for NVS",
    finds="Subsystems in which fast writes were delayed because no NVS space was free.",
    matters="Each delayed write waits for a destage; everything else on the same arms slows down with it.",
    evidence="R745DFWB per interval and per write; its time is estimated from disconnect time (view nvs_delay).",
    wrong_when=(
        "Older controllers count bypassed writes in the same field. Synchronous remote copy also lengthens "
        "disconnect time; the bounds show how sure the estimate is."
    ),
    do="Move or spread the write burst; more NVS helps against bursts, not against a steady overload.",
    sql=SQL,
    judge=_judge,
    parameters=("delayed_ratio", "delayed_ratio", "delayed_ratio"),
    thresholds={
        "delayed_ratio": Threshold(
            0.005,
            "ratio",
            "of the writes of an interval",
            "3990-6 to DS8000",
            "no published limit is known: any sustained delay is a finding, ranked by its time; half a per cent keeps "
            "single delayed writes out",
        )
    },
)
