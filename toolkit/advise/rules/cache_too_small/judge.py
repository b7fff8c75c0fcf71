"""All volumes of a box read past its cache."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from iosq.toolkit.advise.finding import Effect, Finding, Known, Number, percent
from iosq.toolkit.advise.subject import box, listed, volume
from iosq.toolkit.advise.window import a_day, period
from iosq.toolkit.rows import Row
from iosq.toolkit.sql.questions import load
from iosq.toolkit.units import human_bytes


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    return (_finding(r, limits) for r in rows if r["worst_s"] >= limits["worst_s"])


def _finding(r: Row, limits: Mapping[str, float]) -> Finding:
    subject = box(r)
    disc_ms = 1000 * r["disc_s"] / r["ios"]
    size = f" ({human_bytes(r['cache_bytes'])} of cache)" if r["cache_bytes"] else ""
    return Finding(
        severity="watch",
        subject=subject,
        text=(
            f"{subject.opening}{size} finds only {100 * r['hit_ratio']:.0f} % of all reads in cache ({period(r)}), and "
            f"up to {r['poor']} of {r['busy']} busy volumes hit poorly: {100 * r['disc_s'] / r['response_s']:.0f} % of "
            f"the response time then is disconnect, {disc_ms:.1f} ms per I/O"
        ),
        advice=(
            "Aliases will not help. First compare with a day when it was better. More cache helps only if the same "
            "data is read again; a box of flash does whatever is read"
        ),
        numbers=(
            percent("read hit ratio, busy volumes, these intervals", r["hit_ratio"]),
            Number("volumes below the threshold, most at once", r["poor"]),
            Number("volumes with reads to speak of", r["busy"]),
            Number("cache", r["cache_bytes"] or None, "bytes"),
            Number("sequential share", 100 * (r["sequential_ratio"] or 0.0), "%"),
            Number("disconnect per I/O, these intervals", disc_ms, "ms"),
            Number("disconnect in the worst run, all I/Os", r["worst_s"], "s"),
            Number("intervals", r["bad_intervals"]),
        ),
        sql=_shown(r, limits),
        lost_s=a_day(r["disc_s"], r["span_s"] or 0.0),
        confidence="medium",
        effect=Effect(
            "disconnect per I/O with twice the cache", "ms", disc_ms, 0.75 * disc_ms, 0.5 * disc_ms, disc_ms,
            "bounds: nothing is read again, or misses halve; which of them isn't identifiable from hit ratios of one "
            "cache size. A day with half the cache in use (or another work load) would settle it",
            identifiable=False,
        ),
        covers=frozenset(("low_hit_ratio", volume(name)) for name in listed(r["volumes"])),
    )  # fmt: skip


def _shown(r: Row, limits: Mapping[str, float]) -> str:
    """The box's busy volumes, interval by interval: the one in which most of them hit poorly first."""
    return load(__package__, "shown.sql").spelled(box=r["box"], **limits)
