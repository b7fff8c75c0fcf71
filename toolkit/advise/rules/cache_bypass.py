"""I/O that goes past cache or NVS on purpose."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from iosq.toolkit.advise.finding import Effect, Finding, Number, Row, Rule, Threshold
from iosq.toolkit.advise.subject import volume
from iosq.toolkit.advise.window import LOCAL, period, worst_window
from iosq.toolkit.sql.raw import literal

SQL = f"""
WITH counted AS (
    SELECT volser, subsystem, interval_s, io_count, write_count,
           (coalesce(inhibit_rate, 0) + coalesce(bypass_rate, 0)) * interval_s AS passed,
           coalesce(fast_write_inhibit_rate, 0) * interval_s AS slow_writes, {LOCAL}
    FROM cache_interval
    WHERE volser IS NOT NULL AND io_count > 0
), bad AS (
    SELECT *, passed + slow_writes AS lost
    FROM counted
    WHERE passed + slow_writes >= ? * interval_s
        AND (passed >= ? * io_count OR slow_writes >= ? * nullif(write_count, 0))
), {worst_window("bad", "volser, subsystem")}, total AS (
    SELECT volser, subsystem, sum(passed) AS passed, sum(slow_writes) AS slow_writes, sum(io_count) AS ios,
           sum(write_count) AS writes, max(lost / interval_s) AS peak_rate
    FROM bad
    GROUP BY volser, subsystem
), times AS (
    SELECT volume, sum(io_rate * disc_ms) / nullif(sum(io_rate), 0) AS disc_ms FROM volume_interval GROUP BY volume
)
SELECT t.*, w.window_start_us, w.window_end_us, w.bad_intervals, w.runs, d.disc_ms
FROM total t
JOIN worst w ON w.volser = t.volser AND w.subsystem = t.subsystem
LEFT JOIN times d ON d.volume = t.volser
ORDER BY t.passed + t.slow_writes DESC, t.volser
"""


def _judge(rows: list[Row], limits: Mapping[str, float]) -> Iterator[Finding]:
    return (_finding(r) for r in rows if r["bad_intervals"] >= limits["intervals"])


def _finding(r: Row) -> Finding:
    passed, slow = 100 * r["passed"] / r["ios"], 100 * r["slow_writes"] / max(r["writes"] or 0.0, 1.0)
    return Finding(
        code="cache_bypass",
        severity="watch",
        subject=volume(r["volser"]),
        text=(
            f"Volume {r['volser']} goes past the cache ({period(r)}): {passed:.0f} % of its I/Os inhibit cache loading "
            f"or bypass the cache{_slow_writes(slow)}"
        ),
        advice=(
            "First find the job of these hours: a backup or copy may ask for it, and should for data read once; then "
            "leave it. If nobody means to, look at the storage class (caching off), pinned data, or cache or NVS that "
            "was switched off. Aliases will not help"
        ),
        numbers=(
            Number("inhibit and bypass requests", passed, "%"),
            Number("writes that are no fast writes", slow, "%"),
            Number("such requests, worst interval", r["peak_rate"], "per s"),
            Number("disconnect per I/O, whole span", r["disc_ms"], "ms"),
            Number("intervals", r["bad_intervals"]),
        ),
        sql=(
            "SELECT interval_start, read_rate, write_rate, inhibit_rate, bypass_rate, fast_write_inhibit_rate FROM "
            f"cache_interval WHERE volser = {literal(r['volser'])} ORDER BY interval_start"
        ),
        lost_s=0.0,
        confidence="medium",
        effect=_effect(r),
    )


def _slow_writes(percent: float) -> str:
    return f", {percent:.0f} % of its writes are no fast writes" if percent >= 1 else ""


def _effect(r: Row) -> Effect | None:
    if r["disc_ms"] is None:
        return None
    basis = "bounds: nothing of it would hit, or all of it; the record doesn't say what these requests would find"
    now = r["disc_ms"]
    return Effect("disconnect per I/O, through the cache", "ms", now, now / 2, 0.0, now, basis, identifiable=False)


RULE = Rule(
    code="cache_bypass",
    title="I/O past the cache",
    finds="Volumes with a good part of requests that inhibit cache loading or bypass the cache, or of slow writes.",
    matters="Such an I/O waits for the disk although the box has cache and NVS for it.",
    evidence="R745ICL, R745BCR and writes that are no fast writes, per interval and request.",
    wrong_when="Backups and copies bypass on purpose, and everybody else's hits are better for it.",
    do="Find who asks for it; if nobody means to, switch caching or fast write on again.",
    sql=SQL,
    judge=_judge,
    topic="nvs",
    parameters=("rate", "passed_ratio", "slow_write_ratio"),
    thresholds={
        "rate": Threshold(5.0, "per s", "such requests in an interval", "any", "our choice"),
        "passed_ratio": Threshold(0.2, "ratio", "inhibit and bypass of all I/Os", "3990 on", "our choice"),
        "slow_write_ratio": Threshold(0.2, "ratio", "writes that are no fast writes", "3990 on", "our choice"),
        "intervals": Threshold(2.0, "", "intervals at least", "any", "our choice"),
    },
)
