"""Volumes nobody uses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from iosq.toolkit.advise.finding import Finding, Number, Row, Rule, Threshold
from iosq.toolkit.advise.subject import Subject, volume
from iosq.toolkit.sql.raw import literal

SQL = """
WITH used AS (
    SELECT platform, volume, max(lcu) AS lcu, max(exposures) AS exposures, max(is_hyperpav) AS is_hyperpav,
           sum(io_rate * interval_s) AS ios, sum(interval_s) / count(DISTINCT system) / 3600 AS hours,
           count(DISTINCT system) AS systems
    FROM volume_interval
    WHERE lcu IS NOT NULL AND io_rate IS NOT NULL
    GROUP BY platform, volume
)
SELECT * FROM used WHERE ios / nullif(hours, 0) <= ? AND hours >= ? ORDER BY platform, lcu, volume
"""
NAMED = 8


def _judge(rows: list[Row], limits: Mapping[str, float]) -> Iterator[Finding]:
    for _, group in groupby(rows, key=lambda r: (r["platform"], r["lcu"])):
        yield _finding(list(group))


def _finding(members: list[Row]) -> Finding:
    r, names = members[0], [m["volume"] for m in members]
    shown = ", ".join(names[:NAMED]) + (f" and {len(names) - NAMED} more" if len(names) > NAMED else "")
    aliases = sum(round(m["exposures"] or 1) - 1 for m in members if not m["is_hyperpav"])
    one = len(names) == 1
    kept = f"{aliases} static alias{'es' if aliases > 1 else ''}"
    spare = f", and keep{'s' if one else ''} {kept} from others" if aliases > 0 else ""
    return Finding(
        code="idle_volume",
        severity="note",
        subject=volume(names[0])
        if one
        else Subject("lcu", (r["lcu"],), words=f"{len(names)} volumes of LCU {r['lcu']}"),
        text=(
            f"{'Volume' if one else 'Volumes'} {shown} of LCU {r['lcu']} did no I/O to speak of in {r['hours']:.0f} "
            f"hours{spare}"
        ),
        advice=(
            f"First ask the owner whether {'it is' if one else 'they are'} spare, kept for disaster recovery or "
            "forgotten. Response times of so few I/Os mean nothing: there is no performance to gain"
        ),
        numbers=(
            Number("idle volumes", len(names)),
            Number("static aliases they hold", aliases),
            Number("I/Os, all systems", sum(m["ios"] for m in members), "I/Os"),
            Number("span", r["hours"], "hours"),
        ),
        sql=(
            "SELECT volume, system, sum(io_rate * interval_s) AS ios FROM volume_interval "
            f"WHERE lcu = {literal(r['lcu'])} GROUP BY volume, system ORDER BY ios"
        ),
        lost_s=0.0,
    )


RULE = Rule(
    code="idle_volume",
    title="Volumes without I/O",
    finds="Volumes online to some system on which hardly any I/O was started in the whole span.",
    matters="They take device addresses, aliases and space. Their response times, if any, come from a handful of I/Os.",
    evidence="I/Os started by all systems read, per hour.",
    wrong_when="Systems whose records were not read use them; or they wait for month end or a disaster.",
    do="Ask their owner; take their static aliases away first, that is undone in a minute.",
    sql=SQL,
    judge=_judge,
    topic="pav",
    parameters=("ios_per_hour", "hours"),
    thresholds={
        "ios_per_hour": Threshold(10.0, "I/Os per hour", "that still count as idle", "any", "our choice: label reads"),
        "hours": Threshold(6.0, "hours", "read at least", "any", "our choice"),
    },
)
