"""Volumes nobody uses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from iosq.toolkit.advise.finding import Finding, Known, Number
from iosq.toolkit.advise.subject import Subject, volume
from iosq.toolkit.advise.window import is_whole_month, rests_on
from iosq.toolkit.rows import Row
from iosq.toolkit.show.records import ZVM_CACHE, by_platform
from iosq.toolkit.sql.raw import literal

NAMED = 8


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    for _, group in groupby(rows, key=lambda r: (r["platform"], r["lcu"])):
        yield _finding(list(group), limits)


def _finding(members: list[Row], limits: Mapping[str, float]) -> Finding:
    r, names = members[0], [m["volume"] for m in members]
    shown = ", ".join(names[:NAMED]) + (f" and {len(names) - NAMED} more" if len(names) > NAMED else "")
    exposures = [m["exposures"] for m in members if not m["is_hyperpav"]]
    aliases = None if None in exposures else sum(round(n) - 1 for n in exposures)
    one = len(names) == 1
    # the shortest measurement is what all of them rest on
    least = min(members, key=lambda m: (m["has_month_end"], m["hours"]))
    is_told = all(m["box_ios"] is not None for m in members)
    kept = f"{aliases} static alias{'' if aliases == 1 else 'es'}"
    spare = f", and keep{'s' if one else ''} {kept} from others" if aliases else ""
    return Finding(
        severity="note",
        subject=volume(names[0])
        if one
        else Subject("lcu", (r["lcu"],), words=f"{len(names)} volumes of LCU {r['lcu']}"),
        text=(
            f"{'Volume' if one else 'Volumes'} {shown} of LCU {r['lcu']} did no I/O to speak of in "
            f"{rests_on(least)}{spare}"
        ),
        advice=(
            f"First ask the owner whether {'it is' if one else 'they are'} spare, kept for disaster recovery or "
            f"forgotten{'' if is_told else _untold(r)}. Response times of so few I/Os mean nothing: there is no "
            "performance to gain"
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
        confidence=_confidence(is_told, is_whole_month(least, limits["month"])),
    )


def _untold(r: Row) -> str:
    tells = by_platform(r["platform"], "type 74.5", ZVM_CACHE)
    return f"; systems whose records were not read may use them, which {tells} of the same time would tell"


def _confidence(is_told: bool, is_month: bool) -> str:
    """Others may use it, or nobody but a month's end."""
    return "high" if is_told and is_month else "medium" if is_told or is_month else "low"
