"""A volume reads past the cache."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from iosq.toolkit.advise.finding import Effect, Finding, Number, Row, Rule, Threshold
from iosq.toolkit.advise.subject import volume
from iosq.toolkit.advise.window import a_day
from iosq.toolkit.sql.raw import literal

SQL = """
WITH hits AS (
    SELECT volser, subsystem, sum(read_hit_count) / nullif(sum(read_count), 0) AS hit_ratio, sum(read_count) AS reads,
           sum(read_count - read_hit_count) AS misses, sum(sequential_count) / nullif(sum(io_count), 0) AS sequential
    FROM cache_interval GROUP BY volser, subsystem
), box AS (
    SELECT subsystem, sum(read_hit_count) / nullif(sum(read_count), 0) AS box_ratio
    FROM cache_interval GROUP BY subsystem
), times AS (
    SELECT volume, sum(io_rate * disc_ms * interval_s) / 1000 AS disc_s, sum(io_rate * interval_s) AS ios,
           sum(io_rate * response_ms * interval_s) / 1000 AS response_s,
           sum(interval_s) / count(DISTINCT system) AS span_s
    FROM volume_interval GROUP BY volume
)
SELECT h.volser, h.subsystem, h.hit_ratio, h.reads, h.misses, h.sequential, b.box_ratio, t.disc_s, t.ios, t.response_s,
       t.span_s
FROM hits h JOIN box b ON b.subsystem = h.subsystem JOIN times t ON t.volume = h.volser
WHERE h.hit_ratio < ? AND t.disc_s / nullif(t.response_s, 0) >= ? AND h.reads / nullif(t.span_s, 0) >= ?
ORDER BY t.disc_s DESC, h.volser
"""


def _judge(rows: list[Row], limits: Mapping[str, float]) -> Iterator[Finding]:
    for r in rows:
        share = r["disc_s"] / r["response_s"]
        yield Finding(
            code="low_hit_ratio",
            severity="watch",
            subject=volume(r["volser"]),
            text=(
                f"Volume {r['volser']} finds only {100 * r['hit_ratio']:.0f} % of its reads in cache "
                f"(its subsystem {r['subsystem']}: {100 * r['box_ratio']:.0f} %); {100 * share:.0f} % of its response "
                f"time is disconnect, {1000 * r['disc_s'] / r['ios']:.1f} ms per I/O"
            ),
            advice=(
                "Aliases will not help. First look at what reads it; then keep its data in host buffers, or place it "
                "on flash. A low ratio alone is no reason to buy cache"
            ),
            numbers=(
                Number("read hit ratio", 100 * r["hit_ratio"], "%"),
                Number("read hit ratio of the subsystem", 100 * r["box_ratio"], "%"),
                Number("read misses", r["misses"], "I/Os"),
                Number("disconnect per I/O", 1000 * r["disc_s"] / r["ios"], "ms"),
                Number("sequential share", None if r["sequential"] is None else 100 * r["sequential"], "%"),
            ),
            sql=f"SELECT * FROM cache_interval WHERE volser = {literal(r['volser'])} ORDER BY interval_start",
            lost_s=a_day(r["disc_s"], r["span_s"]),
            confidence="medium",
            effect=_effect(r),
        )


def _effect(r: Row) -> Effect:
    """If it hit like its neighbours: misses fall in proportion, and disconnect with them, at most."""
    now = 1000 * r["disc_s"] / r["ios"]
    best = now * min((1 - r["box_ratio"]) / (1 - r["hit_ratio"]), 1.0)
    basis = "bounds: between no hit more and the hit ratio of its subsystem; whether it reads anything twice isn't told"
    return Effect("disconnect per I/O", "ms", now, (now + best) / 2, best, now, basis, identifiable=False)


RULE = Rule(
    code="low_hit_ratio",
    title="A volume reads past the cache",
    finds="Volumes with few read hits whose response time is mostly disconnect.",
    matters="Each miss waits for the back end, and takes arms away from everybody else.",
    evidence="Read hits over reads (74.5), disconnect share of the response (74.1), the subsystem's own ratio.",
    wrong_when="Random reads over more data than any cache holds: a low ratio alone is no reason to buy cache.",
    do="Find the job or table that reads it; buffer in the host, or move the volume to faster storage.",
    sql=SQL,
    judge=_judge,
    topic="nvs",
    parameters=("hit_ratio", "disc_share", "read_rate"),
    thresholds={
        "hit_ratio": Threshold(
            0.8, "ratio", "read hits over reads", "2009, disk", "IBM RMF Spreadsheet Reporter: critical below 0.8"
        ),
        "disc_share": Threshold(
            0.5, "ratio", "disconnect over response", "any", "our choice: where misses make up most of the time"
        ),
        "read_rate": Threshold(
            1.0, "per s", "mean read rate", "any", "our choice: an idle volume has no hit ratio to speak of"
        ),
    },
)
