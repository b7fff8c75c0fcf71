"""All volumes of a box read past its cache."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from iosq.toolkit.advise.box import VOLUME_BOX
from iosq.toolkit.advise.finding import Effect, Finding, Number, Row, Rule, Threshold
from iosq.toolkit.advise.subject import box, volume
from iosq.toolkit.advise.window import a_day

SQL = f"""
WITH {VOLUME_BOX}, hits AS (
    SELECT b.box, max(b.serial) AS serial, max(b.type) AS type, c.volser,
           sum(c.read_hit_count) / nullif(sum(c.read_count), 0) AS hit_ratio, sum(c.read_count) AS reads,
           sum(c.read_count - c.read_hit_count) AS misses, sum(c.sequential_count) AS sequential,
           sum(c.io_count) AS ios, sum(c.interval_s) AS cache_s
    FROM cache_interval c JOIN box_of b ON b.subsystem = c.subsystem
    WHERE c.volser IS NOT NULL
    GROUP BY b.box, c.volser
), size AS (
    SELECT b.box, max(c.cache_bytes) AS cache_bytes
    FROM cache_subsystem_interval c JOIN box_of b ON b.subsystem = c.subsystem
    GROUP BY b.box
), times AS (
    SELECT volume, sum(io_rate * disc_ms * interval_s) / 1000 AS disc_s,
           sum(io_rate * response_ms * interval_s) / 1000 AS response_s, sum(io_rate * interval_s) AS starts,
           sum(interval_s) / count(DISTINCT system) AS span_s
    FROM volume_interval
    GROUP BY volume
)
SELECT h.*, z.cache_bytes, t.disc_s, t.response_s, t.starts, t.span_s
FROM hits h
JOIN times t ON t.volume = h.volser
LEFT JOIN size z ON z.box = h.box
WHERE h.reads / nullif(h.cache_s, 0) >= ?
ORDER BY h.box, t.disc_s DESC, h.volser
"""


def _judge(rows: list[Row], limits: Mapping[str, float]) -> Iterator[Finding]:
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
    size = f" ({first['cache_bytes'] / 1e9:.0f} GB of cache)" if first["cache_bytes"] else ""
    return Finding(
        code="cache_too_small",
        severity="watch",
        subject=subject,
        text=(
            f"{subject.opening}{size} finds only {100 * hits:.0f} % of all reads in cache, and {len(poor)} of "
            f"{len(members)} busy volumes are poor: {100 * _of_response(members):.0f} % of the response time is "
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
            Number("cache", (first["cache_bytes"] or 0.0) / 1e9, "GB"),
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


RULE = Rule(
    code="cache_too_small",
    title="A cache too small for its box",
    finds="Boxes most of whose busy volumes have poor read hits, with disconnect the larger part of the response.",
    matters="If one volume misses, it is the volume. If all do, it is the cache, or what stands behind it.",
    evidence="Read hits over reads of each volume (74.5), disconnect share of the response (74.1).",
    wrong_when=(
        "Reads that never come back miss in any cache: sequential scans of huge tables, backups. A low ratio alone "
        "is no reason to buy cache."
    ),
    do="See which volumes read most and whether they read the same twice; buffer in the host first.",
    sql=SQL,
    judge=_judge,
    topic="nvs",
    parameters=("read_rate",),
    thresholds={
        "hit_ratio": Threshold(
            0.8, "ratio", "read hits over reads", "2009, disk", "IBM RMF Spreadsheet Reporter: critical below 0.8"
        ),
        "poor_share": Threshold(0.7, "ratio", "of the busy volumes are poor", "any", "our choice"),
        "disc_share": Threshold(0.4, "ratio", "disconnect in the response", "disk", "our choice"),
        "volumes": Threshold(4.0, "", "busy volumes at least", "any", "our choice: fewer are no box"),
        "read_rate": Threshold(1.0, "per s", "reads of a volume that counts", "any", "our choice"),
    },
)
