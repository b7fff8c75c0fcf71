"""A box hits less than it used to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from iosq.toolkit.advise.box import BOX_OF
from iosq.toolkit.advise.finding import Effect, Finding, Number, Row, Rule, Threshold
from iosq.toolkit.advise.subject import box
from iosq.toolkit.advise.window import LOCAL, spoken
from iosq.toolkit.sql.raw import literal

# one row per box and hour of its last day, beside the median of the same hour on earlier days
SQL = f"""
WITH {BOX_OF}, counted AS (
    SELECT subsystem, read_count, read_hit_count, {LOCAL}
    FROM cache_subsystem_interval
    WHERE read_count > 0
), hourly AS (
    SELECT b.box, max(b.serial) AS serial, max(b.type) AS type, floor(c.start_us / 86400e6) AS day,
           floor(c.start_us / 3600e6) AS hour, sum(c.read_count) AS reads, sum(c.read_hit_count) AS hits,
           min(c.start_us) AS start_us, max(c.end_us) AS end_us
    FROM counted c JOIN box_of b ON b.subsystem = c.subsystem
    GROUP BY b.box, floor(c.start_us / 86400e6), floor(c.start_us / 3600e6)
), last_day AS (
    SELECT box, max(day) AS day FROM hourly GROUP BY box
), past AS (
    SELECT h.box, h.hour - 24 * h.day AS hour_of_day, median(h.hits / h.reads) AS usual_ratio,
           count(DISTINCT h.day) AS days
    FROM hourly h JOIN last_day l ON l.box = h.box
    WHERE h.day < l.day
    GROUP BY h.box, h.hour - 24 * h.day
)
SELECT h.box, h.serial, h.type, h.start_us, h.end_us, h.reads, h.hits / h.reads AS hit_ratio, p.usual_ratio, p.days
FROM hourly h
JOIN last_day l ON l.box = h.box AND l.day = h.day
JOIN past p ON p.box = h.box AND p.hour_of_day = h.hour - 24 * h.day
WHERE p.days >= ? AND h.hits / h.reads <= p.usual_ratio - ?
ORDER BY h.box, h.start_us
"""


def _judge(rows: list[Row], limits: Mapping[str, float]) -> Iterator[Finding]:
    for _, group in groupby(rows, key=lambda r: r["box"]):
        members = list(group)
        if len(members) >= limits["hours"]:
            yield _finding(members)


def _finding(members: list[Row]) -> Finding:
    reads = sum(r["reads"] for r in members)
    now = 100 * sum(r["hit_ratio"] * r["reads"] for r in members) / reads
    usual = 100 * sum(r["usual_ratio"] * r["reads"] for r in members) / reads
    subject, first, last = box(members[0]), members[0], members[-1]
    return Finding(
        code="hit_ratio_drop",
        severity="watch",
        subject=subject,
        text=(
            f"{subject.opening} finds {now:.0f} % of its reads in cache in {len(members)} hours "
            f"({spoken(first['start_us'], last['end_us'])}); at these hours of the {first['days']} days before it was "
            f"{usual:.0f} %"
        ),
        advice=(
            "First compare volume by volume, then look for what is new that day: a job, a volume moved in, cache taken "
            "offline. Aliases will not help, and more cache is no cure for a job that reads everything once"
        ),
        numbers=(
            Number("read hit ratio", now, "%"),
            Number("read hit ratio, same hours of the days before", usual, "%"),
            Number("hours", len(members)),
            Number("days before", first["days"]),
        ),
        sql=(
            "SELECT interval_start, sum(read_hit_count) / sum(read_count) AS read_hit_ratio FROM "
            f"cache_subsystem_interval WHERE serial = {literal(first['serial'] or '')} AND read_count > 0 "
            "GROUP BY interval_start ORDER BY interval_start"
        ),
        lost_s=0.0,
        confidence="medium",
        effect=Effect(
            "read hit ratio", "%", now, usual, now, usual, "the site's own median at the same hours of the days before"
        ),
    )


RULE = Rule(
    code="hit_ratio_drop",
    title="Fewer hits than in the site's own past",
    finds="Boxes whose read hit ratio on the last day is below the median of the same hours on earlier days.",
    matters="There is no good hit ratio, only a usual one: a drop says that something changed.",
    evidence="Read hits over reads of all subsystems of the box, hour by hour, against a week or more of its past.",
    wrong_when="The last day is a weekend or month end and the days before are not.",
    do="Find what is new; the hours at which it began say where to look.",
    sql=SQL,
    judge=_judge,
    topic="nvs",
    parameters=("days", "drop_ratio"),
    thresholds={
        "days": Threshold(7.0, "days", "of history at least", "any", "our choice: every day of the week once"),
        "drop_ratio": Threshold(
            0.08, "ratio", "read hits lost", "any", "IBM, z/VM: compare with own good periods; the amount is our choice"
        ),
        "hours": Threshold(2.0, "hours", "at least", "any", "our choice"),
    },
)
