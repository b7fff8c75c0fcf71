"""The disks behind some volumes can't keep up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from iosq.toolkit.advise.finding import Effect, Finding, Known, Number
from iosq.toolkit.advise.subject import Subject, listed
from iosq.toolkit.advise.window import a_day, lasts, period
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import listed as listed_in_words
from iosq.toolkit.show.numbers import plural
from iosq.toolkit.sql.raw import literal

NAMED = 6
# intervals: one or two may be chance
ENOUGH = 4
LOAD = (
    "Aliases will not help. First move the busiest of its volumes to another pool, or let the box spread the pool over "
    "more ranks; look at what destages there at these hours"
)
NOT_LOAD = (
    "Aliases will not help, and no volume need move. First ask what was different then: a drive that failed and was "
    "rebuilt on a spare, an array without one of its drives, throttled drives, microcode; see the box's messages"
)


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    return (_finding(r, limits) for r in rows if lasts(r, limits) and r["worst_s"] >= limits["worst_s"])


def _finding(r: Row, limits: Mapping[str, float]) -> Finding:
    what, now, best = "rank" if r["is_rank"] else "extent pool", r["read_ms"], r["best_ms"]
    table, column = ("rank_interval", "rank") if r["is_rank"] else ("extent_pool_interval", "extent_pool")
    subject = Subject("rank", (r["box"], r["unit"]), words=f"{what} {r['unit']} of box {r['box']}")
    return Finding(
        severity="watch" if _is_not_load(r) else "act",
        subject=subject,
        text=(
            f"{subject.opening} {'was slow' if _is_not_load(r) else 'is saturated'} ({period(r)}): a read from its "
            f"disks takes {now:.1f} ms, {best:.1f} ms in its best intervals, at {r['read_rate']:.0f} reads and "
            f"{r['write_rate'] or 0.0:.0f} writes per second{_state(r)}{_carried(r)}{_volumes(r)}{_grown(r, limits)}"
        ),
        advice=NOT_LOAD if _is_not_load(r) else LOAD,
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


def _is_not_load(r: Row) -> bool:
    """Whether it carried as much as quickly as ever in at least as many intervals as it was slow in."""
    return bool((r["as_busy_quick"] or 0) >= max(r["bad_intervals"], ENOUGH))


def _carried(r: Row) -> str:
    if not _is_not_load(r):
        return ""
    many = plural(r["as_busy_quick"], "other interval")
    return f". In {many} with as much to do it took {r['quick_ms']:.1f} ms, so it is not its load"


def _grown(r: Row, limits: Mapping[str, float]) -> str:
    """Who brought the load, where one system or volume makes most of what is more than at the same hours else."""
    now, usual = r["io_rate"], r["usual_rate"]
    if now is None or _is_not_load(r) or now < limits["grown"] * usual:
        return ""
    least = limits["grown_share"] * (now - usual)
    whole = f". Its volumes do {now:,.0f} I/Os per second then, {usual:,.0f} at the same hours when it is quick"
    shared = [("from", "system")] if r["systems"] > 1 else []
    new = [f"{how} {_more(r, what)}" for how, what in [*shared, ("on", "volume")] if _grew(r, what) >= least]
    return f"{whole}: most of that is new {listed_in_words(new)}" if new else whole


def _grew(r: Row, what: str) -> float:
    return float(r[f"{what}_rate"] - r[f"{what}_usual_rate"])


def _more(r: Row, what: str) -> str:
    now, usual = r[f"{what}_rate"], r[f"{what}_usual_rate"]
    before = "none measured" if usual < 0.01 * now else f"{usual:,.0f}"
    return f"{what} {r[f'grown_{what}']} ({now:,.0f}, else {before})"


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
