"""Writes wait because NVS is full."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from iosq.toolkit.advise.finding import Effect, Finding, Known, Number, percent
from iosq.toolkit.advise.overload import HELD_BACK, held_back
from iosq.toolkit.advise.subject import box
from iosq.toolkit.advise.window import episode, period
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import listed, share
from iosq.toolkit.show.records import unread, untimed
from iosq.toolkit.sql.raw import literal


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    for _, members in groupby(rows, key=lambda r: r["box"]):
        yield _finding(list(members), limits["read_ratio"])


def _cost(r: Row) -> str:
    if r["peak_ms"] is None:
        return f"what it cost {untimed(r['untold'])}"
    low, high = f"{r['peak_low_ms']:.1f}", f"{r['peak_high_ms']:.1f}"
    bounds = f" (between {low} and {high})" if low != high else ""
    return f"by estimate {r['peak_ms']:.1f} ms per write{bounds}"


def _missing(r: Row, least: float) -> str:
    """What the estimate lacks, behind it."""
    missing = unread(r["coverage_ratio"], least)
    return f"; {missing}" if missing and r["peak_ms"] is not None else ""


def _which(members: list[Row]) -> str:
    delayed = f"up to {share(members[0]['peak_ratio'])}"
    names = sorted(m["subsystem"] for m in members)
    if len(names) == 1:
        return f"{delayed} of the writes to subsystem {names[0]} waited"
    return (
        f"writes to subsystems {listed(names)} waited, most of them to {members[0]['subsystem']}, "
        f"{delayed} of its writes"
    )


def _finding(members: list[Row], least: float) -> Finding:
    missing = _missing(members[0], least)
    worst, subject = members[0], box(members[0], "subsystem")
    asked = ", ".join(literal(m["subsystem"]) for m in members)
    return Finding(
        severity="act",
        subject=subject,
        text=(f"NVS of {subject} was full ({period(worst)}): {_which(members)}, {_cost(worst)}{missing}"),
        advice=_advice(worst),
        numbers=(
            Number("fast writes delayed, whole box", sum(m["delayed"] for m in members), "writes"),
            Number("intervals with a full NVS", worst["bad_intervals"]),
            Number(f"delayed in {worst['subsystem']}, worst interval", 100 * worst["peak_ratio"], "%"),
            Number("delay per write, worst interval", worst["peak_ms"], "ms"),
            Number("delay per write, low bound", worst["peak_low_ms"], "ms"),
            Number("delay per write, high bound", worst["peak_high_ms"], "ms"),
            percent("share of disconnect time", worst["disc_share_ratio"]),
            percent("of the I/Os, by the systems read", worst["coverage_ratio"] if missing else None),
        ),
        sql=(
            "SELECT interval_start, subsystem, nvs_delay_count, nvs_delay_ratio, delay_ms_per_write "
            f"FROM nvs_delay WHERE subsystem IN ({asked}) AND nvs_delay_count > 0 "
            f"ORDER BY CASE WHEN subsystem = {literal(worst['subsystem'])} THEN 0 ELSE 1 END, nvs_delay_ratio DESC"
        ),
        when=episode(worst),
        lost_s=sum(m["lost_s"] or 0.0 for m in members),
        confidence="low" if missing else "medium",
        effect=_effect(worst),
    )


def _advice(worst: Row) -> str:
    """What to do first: the same cure that nvs_steady or nvs_burst names for this box."""
    is_steady = worst["is_steady"]
    if held_back(worst) and not is_steady:
        return f"{held_back(worst)}. {HELD_BACK}. Aliases will not help here"
    if is_steady is None:
        return (
            "Spread these writes over time first. They are too few of the box's writes, or destage isn't recorded: "
            "whether more NVS would help can't be told. Aliases will not help here"
        )
    if is_steady:
        return (
            "Take writes away in these hours or spread them over boxes: this one can't destage them (nvs_steady), "
            "which fills any NVS after a while. Aliases will not help here"
        )
    if worst["at_ceiling"]:
        return (
            "Spread the bursts over a few minutes if their jobs can. The box then destaged as much as ever "
            "(nvs_burst): whether NVS or destage is short can't be told. Aliases will not help here"
        )
    return (
        "Spread the bursts over a few minutes if their jobs can; the box keeps up over the interval (nvs_burst), so "
        "more NVS would absorb them. Aliases will not help here"
    )


def _effect(worst: Row) -> Effect | None:
    """What a write gains where none has to wait for room."""
    if worst["peak_ms"] is None:
        return None
    left = max(worst["peak_ms"] - worst["peak_low_ms"], 0.0)
    basis = "all of the delay goes if no write waits; how long they wait is an estimate"
    return Effect("delay per write, worst interval", "ms", worst["peak_ms"], 0.0, 0.0, left, basis)
