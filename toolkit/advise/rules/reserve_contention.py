"""A volume is held by another system."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from iosq.toolkit.advise.finding import Effect, Finding, Number, Row, Rule, Threshold
from iosq.toolkit.advise.subject import volume
from iosq.toolkit.advise.window import LOCAL, a_day, period, worst_window
from iosq.toolkit.sql.raw import literal

SQL = f"""
WITH measured AS (
    SELECT v.*, {LOCAL}
    FROM volume_interval v
    WHERE v.io_rate > 0
), bad AS (
    SELECT platform, system, volume, interval_start, start_us, end_us, io_rate, interval_s, device_busy_ms,
           response_ms, queue_length, io_rate * device_busy_ms * interval_s / 1000 AS lost
    FROM measured
    WHERE device_busy_ms >= ? AND device_busy_ms >= ? * response_ms AND io_rate >= ?
), {worst_window("bad", "platform, system, volume")}, held AS (
    SELECT b.platform, b.system, b.volume, max(o.reserved_ratio) AS reserved,
           max(CASE WHEN o.reserved_ratio >= 0.01 THEN o.system END) AS holder
    FROM bad b
    JOIN volume_interval o ON o.volume = b.volume AND o.system <> b.system AND o.interval_start = b.interval_start
    GROUP BY b.platform, b.system, b.volume
), total AS (
    SELECT platform, system, volume, max(device_busy_ms) AS busy_ms, sum(lost) AS lost_s,
           sum(io_rate * response_ms) / sum(io_rate) AS response_ms,
           sum(io_rate * device_busy_ms) / sum(io_rate) AS mean_busy_ms, sum(queue_length * interval_s) AS queued_s
    FROM bad
    GROUP BY platform, system, volume
), span AS (
    SELECT platform, system, volume, sum(interval_s) AS span_s, sum(queue_length * interval_s) AS queued_s
    FROM measured
    GROUP BY platform, system, volume
)
SELECT t.*, w.window_start_us, w.window_end_us, w.bad_intervals, w.runs, h.reserved, h.holder, s.span_s,
       s.queued_s AS queued_all_s
FROM total t
JOIN worst w ON w.platform = t.platform AND w.system = t.system AND w.volume = t.volume
JOIN span s ON s.platform = t.platform AND s.system = t.system AND s.volume = t.volume
LEFT JOIN held h ON h.platform = t.platform AND h.system = t.system AND h.volume = t.volume
ORDER BY t.lost_s DESC, t.volume, t.system
"""


def _judge(rows: list[Row], limits: Mapping[str, float]) -> Iterator[Finding]:
    return (_finding(r) for r in rows if r["bad_intervals"] >= limits["intervals"])


def _finding(r: Row) -> Finding:
    subject = volume(r["volume"], r["system"])
    holder = f"system {r['holder']}" if r["holder"] else "a system not read here"
    return Finding(
        code="reserve_contention",
        severity="act",
        subject=subject,
        text=(
            f"Volume {r['volume']} is held by {holder} while {r['system']} wants it ({period(r)}): an I/O waits "
            f"{r['busy_ms']:.1f} ms for the device to become free, {100 * r['mean_busy_ms'] / r['response_ms']:.0f} % "
            "of its response time then"
        ),
        advice=(
            "Aliases will not help. Turn the RESERVE into a global ENQ (GRS conversion list), or keep the jobs that "
            "reserve this volume apart in time"
        ),
        numbers=(
            Number("device busy delay, worst interval", r["busy_ms"], "ms"),
            Number("device busy delay, mean of these intervals", r["mean_busy_ms"], "ms"),
            Number("response, mean of these intervals", r["response_ms"], "ms"),
            Number("reserved by the other system, worst interval", _percent(r["reserved"]), "%"),
            Number("intervals", r["bad_intervals"]),
        ),
        sql=(
            "SELECT system, interval_start, io_rate, device_busy_ms, pend_ms, response_ms, reserved_ratio "
            f"FROM volume_interval WHERE volume = {literal(r['volume'])} ORDER BY interval_start, system"
        ),
        lost_s=a_day(r["lost_s"], r["span_s"]),
        confidence="high" if r["holder"] else "medium",
        effect=_effect(r),
        covers=frozenset({("pav_add_alias", subject)}) if _explains(r) else frozenset(),
    )


def _explains(r: Row) -> bool:
    return 2 * (r["queued_s"] or 0.0) >= (r["queued_all_s"] or 0.0)


def _effect(r: Row) -> Effect:
    """Without the reserve its delay goes; the queue behind it at most too."""
    now, left = r["response_ms"], r["response_ms"] - r["mean_busy_ms"]
    basis = "the delay goes with the reserve; its share of the host queue is not counted"
    return Effect("response without the reserve", "ms", now, left, 0.9 * left, now, basis)


def _percent(ratio: float | None) -> float | None:
    return None if ratio is None else 100 * ratio


RULE = Rule(
    code="reserve_contention",
    title="Another system holds the volume",
    finds="Volumes whose I/Os wait for the device because another system has it reserved.",
    matters="A reserve stops every other system's I/O to the volume, whatever its aliases and the box can do.",
    evidence="Device busy delay (SMF74DVB) in pend; reserved samples (SMF74RSV) on another system at the same time.",
    wrong_when="Older control units report device busy for their own reasons, such as extent conflicts or copies.",
    do="Find the job that reserves (GRS contention display), convert the reserve, or reschedule it.",
    sql=SQL,
    judge=_judge,
    topic="pav",
    parameters=("busy_ms", "busy_share", "io_rate"),
    thresholds={
        "busy_ms": Threshold(0.5, "ms", "device busy delay per I/O", "any", "our choice: a flash response of today"),
        "busy_share": Threshold(0.2, "ratio", "of the response time", "any", "our choice"),
        "io_rate": Threshold(1.0, "per s", "rate below which nobody waits", "any", "our choice"),
        "intervals": Threshold(
            2.0, "", "intervals at least", "any", "our choice: a single one may be a backup's start"
        ),
    },
)
