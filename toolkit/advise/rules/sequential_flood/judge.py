"""Sequential work washes other volumes' data out of the cache."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from iosq.toolkit.advise.finding import Effect, Finding, Known, Number
from iosq.toolkit.advise.subject import box, listed, past_the_cache, waits_of
from iosq.toolkit.advise.window import episode, lasts, period
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import share
from iosq.toolkit.sql.questions import load


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    for _, group in groupby(rows, key=lambda r: r["box"]):
        members = list(group)
        if lasts(members[0], limits):
            yield _finding(members, limits)


def _finding(members: list[Row], limits: Mapping[str, float]) -> Finding:
    worst, subject = min(members, key=lambda r: r["hit_ratio"]), box(members[0])
    volumes = sorted({v for r in members for v in listed(r["volumes"])})
    lost = sum((r["usual_ratio"] - r["hit_ratio"]) * r["reads"] for r in members)
    return Finding(
        severity="watch",
        subject=subject,
        text=(
            f"Sequential work on {', '.join(volumes[:4]) or 'some volumes'} floods the cache of {subject} "
            f"({period(members[0])}): it stages "
            f"{worst['flood_rate']:,.0f} tracks/s, and all other volumes find {share(worst['hit_ratio'])} of "
            f"their reads in cache, in the hours around {share(worst['usual_ratio'])}"
        ),
        advice=(
            "First move the job to a quiet hour; else slow it down, or have it read with sequential hints or bypass "
            "the cache, so that its tracks leave first; aliases will not help"
        ),
        numbers=(
            Number("sequential staging, worst interval", worst["flood_rate"], "tracks/s"),
            Number("sequential staging, hours around", worst["usual_rate"], "tracks/s"),
            Number("read hit ratio of the others, worst interval", 100 * worst["hit_ratio"], "%"),
            Number("read hit ratio of the others, hours around", 100 * worst["usual_ratio"], "%"),
            Number("hits lost", lost, "I/Os"),
            Number("intervals", len(members)),
        ),
        sql=_shown(worst, limits),
        when=episode(members[0]),
        lost_s=0.0,
        confidence="medium",
        effect=Effect(
            "read hit ratio of the others", "%", 100 * worst["hit_ratio"], 100 * worst["usual_ratio"],
            100 * worst["hit_ratio"], 100 * worst["usual_ratio"],
            "the best of the hours around; that the flood is the cause is inferred from the coincidence",
        ),
        covers=waits_of(worst["waiting"], worst["waiting_on"])
        | past_the_cache(worst, limits["poor_volumes"]),
    )  # fmt: skip


def _shown(r: Row, limits: Mapping[str, float]) -> str:
    """Intervals with a flood, that in which the others hit least first."""
    return load(__package__, "shown.sql").spelled(box=r["box"], **limits)
