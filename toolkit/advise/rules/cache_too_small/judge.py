"""All volumes of a box read past its cache."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from iosq.toolkit.advise.finding import Effect, Finding, Known, Number, Row
from iosq.toolkit.advise.subject import box, volume
from iosq.toolkit.advise.window import a_day
from iosq.toolkit.units import human_bytes


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    for _, group in groupby(rows, key=lambda r: r["box"]):
        members = list(group)
        poor = [r for r in members if r["hit_ratio"] < limits["hit_ratio"]]
        everywhere = len(members) >= limits["volumes"] and len(poor) >= limits["poor_share"] * len(members)
        if everywhere and _of_response(members) >= limits["disc_share"]:
            yield _finding(members, poor)


def _of_response(members: list[Row]) -> float:
    return float(_sum(members, "disc_s") / max(_sum(members, "response_s"), 1e-9))


def _sum(members: list[Row], name: str) -> float:
    return float(sum(r[name] or 0.0 for r in members))


def _finding(members: list[Row], poor: list[Row]) -> Finding:
    first, subject = members[0], box(members[0])
    hits = 1 - _sum(members, "misses") / _sum(members, "reads")
    disc_ms = 1000 * _sum(members, "disc_s") / _sum(members, "starts")
    size = f" ({human_bytes(first['cache_bytes'])} of cache)" if first["cache_bytes"] else ""
    return Finding(
        severity="watch",
        subject=subject,
        text=(
            f"{subject.opening}{size} finds only {100 * hits:.0f} % of all reads in cache, and {len(poor)} of "
            f"{len(members)} busy volumes hit poorly: {100 * _of_response(members):.0f} % of the response time is "
            f"disconnect, "
            f"{disc_ms:.1f} ms per I/O"
        ),
        advice=(
            "Aliases will not help. First compare with a day when it was better. More cache helps only if the same "
            "data is read again; a box of flash does whatever is read"
        ),
        numbers=(
            Number("read hit ratio, all volumes", 100 * hits, "%"),
            Number("volumes below the threshold", len(poor)),
            Number("volumes with reads to speak of", len(members)),
            Number("cache", first["cache_bytes"] or None, "bytes"),
            Number("sequential share", 100 * _sum(members, "sequential") / max(_sum(members, "ios"), 1.0), "%"),
            Number("disconnect per I/O", disc_ms, "ms"),
        ),
        sql=(
            "SELECT subsystem, volser, sum(read_hit_count) / sum(read_count) AS read_hit_ratio, sum(read_count) AS "
            "read_count FROM cache_interval WHERE read_count > 0 GROUP BY subsystem, volser ORDER BY read_hit_ratio"
        ),
        lost_s=a_day(_sum(members, "disc_s"), first["span_s"]),
        confidence="medium",
        effect=Effect(
            "disconnect per I/O with twice the cache", "ms", disc_ms, 0.75 * disc_ms, 0.5 * disc_ms, disc_ms,
            "bounds: nothing is read again, or misses halve; which of them isn't identifiable from hit ratios of one "
            "cache size. A day with half the cache in use (or another work load) would settle it",
            identifiable=False,
        ),
        covers=frozenset(("low_hit_ratio", volume(r["volser"])) for r in members),
    )  # fmt: skip
