"""A box hits less than it used to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from iosq.toolkit.advise.finding import Effect, Finding, Known, Number
from iosq.toolkit.advise.subject import box, past_the_cache, rows_of_box
from iosq.toolkit.advise.window import episode, period
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import plural, share

STILL = ", and still does in the last hour measured"


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    for _, group in groupby(rows, key=lambda r: r["box"]):
        members = list(group)
        # an hour of data may lack its first and last minutes
        if members[0]["longest_s"] > 3600 * (limits["hours"] - 0.5):
            yield _finding(members, limits)


def _finding(members: list[Row], limits: Mapping[str, float]) -> Finding:
    reads = sum(r["reads"] for r in members)
    now = 100 * sum(r["hit_ratio"] * r["reads"] for r in members) / reads
    usual = 100 * sum(r["usual_ratio"] * r["reads"] for r in members) / reads
    subject, first = box(members[0]), members[0]
    days = "day" if first["days"] == 1 else plural(first["days"], "day")
    return Finding(
        severity="watch",
        subject=subject,
        text=(
            f"{subject.opening} finds {share(now / 100)} of its reads in cache in {plural(len(members), 'hour')} "
            f"({period(first)}){STILL if first['goes_on'] else ''}; at the same time of the {days} before it was "
            f"{share(usual / 100)}"
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
            f"cache_subsystem_interval WHERE {rows_of_box(first)} AND read_count > 0 "
            "GROUP BY interval_start ORDER BY interval_start"
        ),
        when=episode(first),
        lost_s=0.0,
        confidence="medium",
        effect=Effect(
            "read hit ratio", "%", now, usual, now, usual, "the site's own median at the same hours of the days before"
        ),
        covers=past_the_cache(first, limits["poor_volumes"]),
    )
