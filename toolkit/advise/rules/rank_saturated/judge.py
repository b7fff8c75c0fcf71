"""The disks behind some volumes can't keep up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from iosq.toolkit.advise.finding import Effect, Finding, Known, Number
from iosq.toolkit.advise.subject import Subject, listed
from iosq.toolkit.advise.window import a_day, lasts, period
from iosq.toolkit.rows import Row
from iosq.toolkit.sql.raw import literal

NAMED = 6


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    return (_finding(r) for r in rows if lasts(r, limits["minutes"]) and r["worst_s"] >= limits["worst_s"])


def _finding(r: Row) -> Finding:
    what, now, best = "rank" if r["is_rank"] else "extent pool", r["read_ms"], r["best_ms"]
    table, column = ("rank_interval", "rank") if r["is_rank"] else ("extent_pool_interval", "extent_pool")
    subject = Subject("rank", (r["box"], r["unit"]), words=f"{what} {r['unit']} of box {r['box']}")
    return Finding(
        severity="act",
        subject=subject,
        text=(
            f"{subject.opening} is saturated ({period(r)}): a read from its disks takes {now:.1f} ms, {best:.1f} ms "
            f"in its best intervals, at {r['read_rate']:.0f} reads and {r['write_rate'] or 0.0:.0f} writes per second"
            f"{_state(r)}{_volumes(r)}"
        ),
        advice=(
            "Aliases will not help. First move the busiest of its volumes to another pool, or let the box spread the "
            "pool over more ranks; look at what destages there at these hours"
        ),
        numbers=(
            Number("read from the disks, these intervals", now, "ms"),
            Number("the same, worst interval", r["peak_ms"], "ms"),
            Number("the same, best intervals", best, "ms"),
            Number("reads from the disks", r["read_rate"], "per s"),
            Number("writes to the disks", r["write_rate"], "per s"),
            Number("drives", r["drives"]),
            Number("volumes that live in its extent pool", len(listed(r["volumes"])) or None),
            Number("excess in the worst run, all reads", r["worst_s"], "s"),
            Number("intervals", r["bad_intervals"]),
        ),
        sql=(
            f"SELECT interval_start, read_rate, read_ms, write_rate, write_ms FROM {table} WHERE box = "
            f"{literal(r['box'])} AND {column} = {literal(r['unit'])} ORDER BY read_ms DESC"
        ),
        lost_s=a_day(r["lost_s"], r["span_s"]),
        confidence="medium",
        effect=Effect(
            "read from the disks", "ms", now, best, best, now,
            "its own best intervals; how far it falls depends on what moves",
        ),
    )  # fmt: skip


def _state(r: Row) -> str:
    """What the box itself says is wrong with its drives."""
    if r["is_degraded"]:
        return "; an array runs without one of its drives"
    return "; its drives are throttled" if r["is_throttled"] else ""


def _volumes(r: Row) -> str:
    names = listed(r["volumes"])
    if not names:
        return ". Which volumes live there isn't recorded: collect type 74.5 of the same time"
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f". There {'lives' if len(names) == 1 else 'live'} {', '.join(names[:NAMED])}{more}"
