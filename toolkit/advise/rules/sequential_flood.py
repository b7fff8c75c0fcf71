"""Sequential work washes other volumes' data out of the cache."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from iosq.toolkit.advise.box import VOLUME_BOX
from iosq.toolkit.advise.finding import Effect, Finding, Number, Row, Rule, Threshold
from iosq.toolkit.advise.subject import box, listed, waits
from iosq.toolkit.advise.window import LOCAL, spoken
from iosq.toolkit.sql.raw import literal

# one row per box and interval: what volumes in sequential use stage, and what reads of all others hit
SQL = f"""
WITH {VOLUME_BOX}, own AS (
    SELECT c.*, {LOCAL}
    FROM cache_interval c
    WHERE c.read_count + c.write_count > 0
), volume AS (
    SELECT b.box, b.serial, b.type, o.*, o.sequential_ratio >= ? AS floods
    FROM own o JOIN box_of b ON b.subsystem = o.subsystem
), flooded AS (
    SELECT box, max(serial) AS serial, max(type) AS type, start_us, max(end_us) AS end_us,
           max(interval_s) AS interval_s,
           sum(sequential_stage_rate) AS staged_rate,
           sum(CASE WHEN floods THEN sequential_stage_rate ELSE 0 END) AS flood_rate,
           max(CASE WHEN floods THEN sequential_stage_rate END) AS top_rate,
           sum(CASE WHEN NOT floods THEN read_count END) AS reads,
           sum(CASE WHEN NOT floods THEN read_hit_count END) AS hits,
           string_agg(CASE WHEN floods AND sequential_stage_rate >= ? THEN volser END, ',') AS volumes
    FROM volume
    GROUP BY box, start_us
), usual AS (
    SELECT box, median(staged_rate) AS usual_rate, median(hits / nullif(reads, 0)) AS usual_ratio,
           count(*) AS intervals
    FROM flooded
    GROUP BY box
), flood AS (
    SELECT f.*, f.hits / nullif(f.reads, 0) AS hit_ratio, u.usual_rate, u.usual_ratio, u.intervals
    FROM flooded f
    JOIN usual u ON u.box = f.box
    WHERE f.flood_rate >= ? AND f.flood_rate >= ? * u.usual_rate AND f.hits / nullif(f.reads, 0) <= u.usual_ratio - ?
), placed AS (
    SELECT b.box, v.volume, v.system, v.queue_length, {LOCAL}
    FROM volume_interval v
    JOIN volume_box b ON b.platform = v.platform AND b.system = v.system AND b.volume = v.volume
), queue AS (
    SELECT p.box, p.volume, p.system, sum(p.queue_length) AS queued,
           sum(CASE WHEN f.box IS NOT NULL THEN p.queue_length END) AS queued_then
    FROM placed p
    LEFT JOIN flood f ON f.box = p.box AND p.start_us < f.end_us AND p.end_us > f.start_us
    GROUP BY p.box, p.volume, p.system
), waiting AS (
    SELECT box, string_agg(volume, '|' ORDER BY volume, system) AS waiting,
           string_agg(system, '|' ORDER BY volume, system) AS waiting_on
    FROM queue
    WHERE queued > 0 AND queued_then >= 0.5 * queued
    GROUP BY box
)
SELECT f.*, w.waiting, w.waiting_on
FROM flood f
LEFT JOIN waiting w ON w.box = f.box
ORDER BY f.box, f.start_us
"""


def _judge(rows: list[Row], limits: Mapping[str, float]) -> Iterator[Finding]:
    for _, group in groupby(rows, key=lambda r: r["box"]):
        members = list(group)
        if len(members) >= limits["intervals"] and 2 * len(members) < members[0]["intervals"]:
            yield _finding(members)


def _finding(members: list[Row]) -> Finding:
    worst, subject = max(members, key=lambda r: r["usual_ratio"] - r["hit_ratio"]), box(members[0])
    volumes = sorted({v for r in members for v in (r["volumes"] or "").split(",") if v})
    lost = sum((r["usual_ratio"] - r["hit_ratio"]) * r["reads"] for r in members)
    return Finding(
        code="sequential_flood",
        severity="watch",
        subject=subject,
        text=(
            f"Sequential work on {', '.join(volumes[:4]) or 'some volumes'} floods the cache of {subject} "
            f"({spoken(members[0]['start_us'], members[-1]['end_us'])}): it stages {worst['flood_rate']:.0f} tracks/s, "
            f"and all other volumes find {100 * worst['hit_ratio']:.0f} % of their reads in cache, usually "
            f"{100 * worst['usual_ratio']:.0f} %"
        ),
        advice=(
            "First move the job to a quiet hour; else slow it down, or have it read with sequential hints or bypass "
            "the cache, so that its tracks leave first; aliases will not help"
        ),
        numbers=(
            Number("sequential staging, worst interval", worst["flood_rate"], "tracks/s"),
            Number("sequential staging, usual", worst["usual_rate"], "tracks/s"),
            Number("read hit ratio of the others, worst interval", 100 * worst["hit_ratio"], "%"),
            Number("read hit ratio of the others, usual", 100 * worst["usual_ratio"], "%"),
            Number("hits lost", lost, "I/Os"),
            Number("intervals", len(members)),
        ),
        sql=(
            "SELECT interval_start, volser, sequential_ratio, sequential_stage_rate, read_hit_ratio FROM "
            f"cache_interval WHERE subsystem IN (SELECT subsystem FROM cache_subsystem_interval WHERE serial = "
            f"{literal(worst['serial'] or '')}) ORDER BY interval_start, sequential_stage_rate DESC"
        ),
        lost_s=0.0,
        confidence="medium",
        effect=Effect(
            "read hit ratio of the others", "%", 100 * worst["hit_ratio"], 100 * worst["usual_ratio"],
            100 * worst["hit_ratio"], 100 * worst["usual_ratio"],
            "the site's own median over the span; that the flood is the cause is inferred from the coincidence",
        ),
        covers=waits(zip(listed(worst["waiting"]), listed(worst["waiting_on"]), strict=True)),
    )  # fmt: skip


RULE = Rule(
    code="sequential_flood",
    title="Sequential work floods the cache",
    finds="Intervals in which volumes in sequential use stage much, and all others of the box lose read hits.",
    matters="One copy job can make every other program of the box wait for disk while it runs.",
    evidence=(
        "Sequential staging (R745DTC) against its median, read hits of volumes not in sequential use against their "
        "own median: the site's own baseline."
    ),
    wrong_when="The online work changed at the same time: a new application misses as well.",
    do="Find the job on the volumes named; run it at another hour and look whether the hits come back.",
    sql=SQL,
    judge=_judge,
    topic="nvs",
    parameters=("sequential_ratio", "stage_rate", "stage_rate", "stage_factor", "hit_loss"),
    thresholds={
        "sequential_ratio": Threshold(0.7, "ratio", "of a volume's requests that are sequential", "any", "our choice"),
        "stage_rate": Threshold(50.0, "tracks/s", "staged by sequential work", "disk", "our choice: some MB/s"),
        "stage_factor": Threshold(3.0, "", "times the usual staging", "any", "our choice"),
        "hit_loss": Threshold(0.08, "ratio", "read hits lost by the others", "any", "our choice"),
        "intervals": Threshold(2.0, "", "intervals at least", "any", "our choice"),
    },
)
