"""A volume is held by another system."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from iosq.toolkit.advise.finding import Effect, Finding, Known, Number, percent
from iosq.toolkit.advise.subject import volume
from iosq.toolkit.advise.window import a_day, lasts, period
from iosq.toolkit.rows import Row
from iosq.toolkit.sql.raw import literal


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    return (_finding(r, limits) for r in rows if lasts(r, limits["minutes"]))


def _finding(r: Row, limits: Mapping[str, float]) -> Finding:
    subject = volume(r["volume"], r["system"])
    holder = f"system {r['holder']}" if r["holder"] else "a system not read here"
    return Finding(
        severity="act",
        subject=subject,
        text=(
            f"Volume {r['volume']} is held by {holder} while {r['system']} wants it ({period(r)}): an I/O waits "
            f"{r['peak_busy_ms']:.1f} ms for the device to become free, {100 * r['busy_ms'] / r['response_ms']:.0f} % "
            "of its response time then"
        ),
        advice=(
            "Aliases will not help. Turn the RESERVE into a global ENQ (GRS conversion list), or keep the jobs that "
            "reserve this volume apart in time"
        ),
        numbers=(
            Number("device busy delay, worst interval", r["peak_busy_ms"], "ms"),
            Number("device busy delay, mean of these intervals", r["busy_ms"], "ms"),
            Number("response, mean of these intervals", r["response_ms"], "ms"),
            percent("reserved by the other system, worst interval", r["reserved_ratio"]),
            Number("intervals", r["bad_intervals"]),
        ),
        sql=(
            "SELECT system, interval_start, io_rate, device_busy_ms, pend_ms, response_ms, reserved_ratio "
            f"FROM volume_interval WHERE volume = {literal(r['volume'])} "
            f"ORDER BY CASE WHEN system = {literal(r['system'])} THEN 0 ELSE 1 END, device_busy_ms DESC"
        ),
        lost_s=a_day(r["lost_s"], r["span_s"]),
        confidence="high" if r["holder"] else "medium",
        effect=_effect(r),
        covers=frozenset({("pav_add_alias", subject)} if (r["queue_else"] or 0.0) < limits["queue_else"] else ()),
    )


def _effect(r: Row) -> Effect:
    """Without the reserve its delay goes; the queue behind it at most too."""
    now, left = r["response_ms"], r["response_ms"] - r["busy_ms"]
    basis = "the delay goes with the reserve; its share of the host queue is not counted"
    return Effect("response without the reserve", "ms", now, left, 0.9 * left, now, basis)
