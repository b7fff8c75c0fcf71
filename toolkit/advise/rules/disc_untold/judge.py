"""Disconnect rises, and no cache record says why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from iosq.toolkit.advise.finding import Effect, Finding, Known, Number
from iosq.toolkit.advise.subject import lcus
from iosq.toolkit.advise.window import a_day, lasts, period
from iosq.toolkit.rows import Row
from iosq.toolkit.show.records import ZVM_CACHE, told_by
from iosq.toolkit.sql.raw import literal
from iosq.toolkit.units import human_number


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    kept = [r for r in rows if lasts(r, limits["minutes"])]
    for _, group in groupby(kept, key=lambda r: (r["platform"], r["lcu"])):
        yield _finding(list(group))


def _finding(members: list[Row]) -> Finding:
    """About an LCU, by the system that loses most there, which comes first."""
    r, seen = members[0], sorted(m["system"] for m in members)
    return Finding(
        severity="watch",
        subject=lcus([r["lcu"]], *seen),
        text=_text(r, ", ".join(seen)),
        advice=(
            f"First ingest {_tells(r, 'type 74.5 of the same time, or a cache report')}: nothing else tells read "
            "misses, writes delayed for NVS and a mirror's second box apart, and each has another cure. Aliases don't "
            "shorten disconnect"
        ),
        numbers=(
            Number("disconnect, these intervals", r["disc_ms"], "ms"),
            Number("disconnect, worst interval", r["peak_disc_ms"], "ms"),
            Number("disconnect, best intervals", r["usual_ms"], "ms"),
            Number("response, these intervals", r["response_ms"], "ms"),
            Number("I/O rate, these intervals", r["io_rate"], "per s"),
            Number("intervals", r["bad_intervals"]),
        ),
        sql=(
            "SELECT system, interval_start, io_rate, disc_ms, response_ms FROM lcu_interval "
            f"WHERE lcu = {literal(r['lcu'])} ORDER BY disc_ms DESC"
        ),
        lost_s=sum(a_day(m["lost_s"], m["span_s"]) for m in members),
        confidence="medium",
        effect=_effect(r),
    )


def _tells(r: Row, smf: str) -> str:
    return told_by(r["platform"], smf, ZVM_CACHE)


def _text(r: Row, systems: str) -> str:
    return (
        f"Disconnect of LCU {r['lcu']} rose on {systems} ({period(r)}): {r['disc_ms']:.2f} ms per I/O, in its best "
        f"intervals {r['usual_ms']:.2f} ms, at {human_number(r['io_rate'])} I/Os per s of {r['system']}. No cache "
        "record covers it, so its cause can't be told"
    )


def _effect(r: Row) -> Effect:
    now, left = r["response_ms"], r["response_ms"] - (r["disc_ms"] - r["usual_ms"])
    basis = (
        f"bounds: disconnect back at its usual value, or as it is; {_tells(r, 'type 74.5')} would tell what can be had "
        "of it"
    )
    return Effect("response of the LCU", "ms", now, (left + now) / 2, left, now, basis, False)
