"""I/O that goes past cache or NVS on purpose."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from iosq.toolkit.advise.finding import Effect, Finding, Known, Number
from iosq.toolkit.advise.subject import volume
from iosq.toolkit.advise.window import episode, lasts, period
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import share
from iosq.toolkit.sql.raw import literal


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    return (_finding(r) for r in rows if lasts(r, limits))


def _finding(r: Row) -> Finding:
    passed = 100 * r["passed"] / r["ios"]
    slow = None if r["slow_writes"] is None else 100 * r["slow_writes"] / max(r["writes"] or 0.0, 1.0)
    return Finding(
        severity="watch",
        subject=volume(r["volser"]),
        text=(
            f"Volume {r['volser']} goes past the cache ({period(r)}): {share(passed / 100)} of its I/Os inhibit "
            f"cache loading or bypass the cache{_slow_writes(slow)}"
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
            "SELECT interval_start, coalesce(inhibit_rate, 0) + coalesce(bypass_rate, 0) + "
            "coalesce(fast_write_inhibit_rate, 0) AS past_cache_rate, inhibit_rate, bypass_rate, "
            "fast_write_inhibit_rate, read_rate, write_rate FROM "
            f"cache_interval WHERE volser = {literal(r['volser'])} ORDER BY past_cache_rate DESC"
        ),
        when=episode(r),
        lost_s=0.0,
        confidence="medium",
        effect=_effect(r),
    )


def _slow_writes(percent: float | None) -> str:
    return f", {percent:.0f} % of its writes are no fast writes" if percent and percent >= 1 else ""


def _effect(r: Row) -> Effect | None:
    if r["disc_ms"] is None:
        return None
    basis = "bounds: nothing of it would hit, or all of it; the record doesn't say what these requests would find"
    now = r["disc_ms"]
    return Effect("disconnect per I/O, through the cache", "ms", now, now / 2, 0.0, now, basis, identifiable=False)
