"""A box hits less than it used to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from iosq.toolkit.advise.finding import Effect, Finding, Known, Number, Row
from iosq.toolkit.advise.subject import box
from iosq.toolkit.advise.window import spoken
from iosq.toolkit.sql.raw import literal


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
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
        severity="watch",
        subject=subject,
        text=(
            f"{subject.opening} finds {now:.0f} % of its reads in cache in {len(members)} hours "
            f"({spoken(first['local_start'], last['local_end'])}); at these hours of the {first['days']} "
            f"days before it was {usual:.0f} %"
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
