"""The disks behind some volumes can't keep up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from iosq.toolkit.advise.finding import Effect, Finding, Known, Number
from iosq.toolkit.advise.subject import Subject, listed, volume
from iosq.toolkit.advise.window import episode, lasts, period
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
    alike: dict[object, list[Row]] = {}
    for r in rows:
        if lasts(r, limits) and r["worst_s"] >= limits["worst_s"]:
            alike.setdefault(_same(r), []).append(r)
    return (_finding(group, limits) for group in alike.values())


def _same(r: Row) -> object:
    """What a finding says, but for the rank: a pool is spread over its ranks, and one cause slows all of them."""
    unit = r["unit"] if r["extent_pool"] is None or not r["is_rank"] else None
    times = (f"{r['read_ms']:.0f}", f"{r['best_ms']:.0f}")
    return r["box"], r["is_rank"], r["extent_pool"], unit, period(r), times, _is_not_load(r), _state(r, "")


def _finding(group: Sequence[Row], limits: Mapping[str, float]) -> Finding:
    """About a rank or pool, or several ranks of one pool, the first of them that which lost most."""
    r, units = group[0], sorted(r["unit"] for r in group)
    many = len(group) > 1
    what, now, best = f"rank{'s' if many else ''}" if r["is_rank"] else "extent pool", r["read_ms"], r["best_ms"]
    table, column = ("rank_interval", "rank") if r["is_rank"] else ("extent_pool_interval", "extent_pool")
    subject = Subject("rank", (r["box"], *units), words=f"{what} {listed_in_words(units)} of box {r['box']}")
    those = f"= {literal(units[0])}" if not many else f"IN ({', '.join(literal(unit) for unit in units)})"
    their, each = ("their", " each") if many else ("its", "")
    return Finding(
        severity="act",
        subject=subject,
        text=(
            f"{subject.opening} {_how(r, many)} ({period(r)}): a read from {their} disks takes {now:.1f} ms, "
            f"{best:.1f} ms in {their} best intervals, at {r['read_rate']:.0f} reads and {r['write_rate'] or 0.0:.0f} "
            f"writes per second{each}{_state(r, their)}{_carried(r, their)}{_volumes(r)}{_grown(r, limits, their)}"
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
            Number("excess in the worst run, all reads", sum(row["worst_s"] for row in group), "s"),
            Number("intervals", r["bad_intervals"]),
        ),
        sql=(
            f"SELECT interval_start, read_rate, read_ms, write_rate, write_ms FROM {table} WHERE box = "
            f"{literal(r['box'])} AND {column} {those} ORDER BY read_ms DESC"
        ),
        when=episode(r),
        about=frozenset(volume(name) for name in listed(r["volumes"])),
        lost_s=sum(row["lost_s"] for row in group),
        confidence="medium",
        effect=Effect(
            "read from the disks", "ms", now, best, best, now,
            "its own best intervals; how far it falls depends on what moves",
        ),
    )  # fmt: skip


def _how(r: Row, many: bool) -> str:
    if _is_not_load(r):
        return "were slow" if many else "was slow"
    return "are saturated" if many else "is saturated"


def _is_not_load(r: Row) -> bool:
    """Whether it carried as much as quickly as ever in at least as many intervals as it was slow in."""
    return bool((r["as_busy_quick"] or 0) >= max(r["bad_intervals"], ENOUGH))


def _carried(r: Row, their: str) -> str:
    if not _is_not_load(r):
        return ""
    many = plural(r["as_busy_quick"], "other interval")
    return f". In {many} with as much to do it took {r['quick_ms']:.1f} ms, so it is not {their} load"


def _grown(r: Row, limits: Mapping[str, float], their: str) -> str:
    """Who brought the load, where one system or volume makes most of what is more than at the same hours else."""
    now, usual = r["io_rate"], r["usual_rate"]
    if now is None or _is_not_load(r) or now < limits["grown"] * usual:
        return ""
    least = limits["grown_share"] * (now - usual)
    else_rate = f"{usual:,.0f} at the same hours when it is quick"
    whole = f". {their.capitalize()} volumes do {now:,.0f} I/Os per second then, {else_rate}"
    shared = [("from", "system")] if r["systems"] > 1 else []
    new = [f"{how} {_more(r, what)}" for how, what in [*shared, ("on", "volume")] if _grew(r, what) >= least]
    return f"{whole}: most of that is new {listed_in_words(new)}" if new else whole


def _grew(r: Row, what: str) -> float:
    return float(r[f"{what}_rate"] - r[f"{what}_usual_rate"])


def _more(r: Row, what: str) -> str:
    now, usual = r[f"{what}_rate"], r[f"{what}_usual_rate"]
    before = "none measured" if usual < 0.01 * now else f"{usual:,.0f}"
    return f"{what} {r[f'grown_{what}']} ({now:,.0f}, else {before})"


def _state(r: Row, their: str) -> str:
    """What the box itself says is wrong with its drives."""
    if r["is_degraded"]:
        return "; an array runs without one of its drives"
    return f"; {their} drives are throttled" if r["is_throttled"] else ""


def _volumes(r: Row) -> str:
    names = listed(r["volumes"])
    if not names:
        return ". Which volumes live there isn't recorded: collect type 74.5 of the same time"
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f". There {'lives' if len(names) == 1 else 'live'} {', '.join(names[:NAMED])}{more}"
