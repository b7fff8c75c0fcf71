"""What findings about a pool that runs dry say."""

from __future__ import annotations

import math
from collections.abc import Sequence

from iosq.toolkit.advise.aliases import Need, more
from iosq.toolkit.advise.finding import Finding, Number
from iosq.toolkit.advise.pools import elsewhere, gone, lcus_of, now
from iosq.toolkit.advise.rules.alias_pool_dry.pool import Pool
from iosq.toolkit.advise.subject import lcus
from iosq.toolkit.advise.window import episode, period
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import aliases, plural, share
from iosq.toolkit.show.records import ZVM, by_platform
from iosq.toolkit.sql.raw import literal
from iosq.toolkit.units import human_number

UNKNOWN = (
    "How many, and what they would gain, can't be told without the wait of the volumes: ingest the device activity of "
    "the same time (type 74.1, or the RMF listing)"
)
_LEAST_MS = 0.05  # less prints as 0.0


def wait(p: Pool, need: Need | None, advice: str) -> Finding:
    """The wait and what it cost."""
    r, names = p.row, lcus_of(p.row)
    listed = ", ".join(literal(name) for name in names)
    columns = "hyperpav_aliases FROM lcu_interval" if _has_times(r) else "alias_denied_count FROM lcu_extra"
    return Finding(
        severity="act",
        subject=lcus(names, r["system"]),
        text=_text(r, names),
        advice=advice,
        numbers=_numbers(r, need),
        sql=(
            f"SELECT system, interval_start, lcu, alias_denied_ratio, alias_high_water, {columns} "
            f"WHERE lcu IN ({listed}) AND system = {literal(r['system'])} ORDER BY alias_denied_ratio DESC"
        ),
        when=episode(r),
        lost_s=r["lost_s"] or 0.0,
        confidence="high" if r["requests"] is not None and r["platform"] != ZVM else "medium",
    )


def enough(p: Pool) -> str:
    """The advice where refusals cost nothing."""
    return (
        f"Leave it at {aliases(now(p.row))} for now: I/Os are refused one, but the mean wait is "
        f"{p.row['peak_wait_ms'] or 0.0:.2f} ms at the worst. Add aliases when that grows"
    )


def full(p: Pool, where: str) -> str:
    """The advice where they don't fit."""
    return f"The pool lacks {_count(p)}{_size(p.row)}. {where}"


def advice(p: Pool, measured: str) -> str:
    """The advice to add aliases, with what another size was measured to do."""
    r, then = p.row, f"{measured}{gone(p.row)}"
    rest = "" if _has_times(r) else f". {UNKNOWN}"
    if r["alias_group"]:
        return (
            f"Define {_count(p)}{_size(r)} in any LCU of the group, as they lend to each other, or move its busiest "
            f"volumes to another group{then}{rest}"
        )
    spread = f"Define {_count(p)}{_size(r)}, or spread the busiest volumes over LCUs"
    lend = ", its peers lent it nothing either" if r["lends"] else ", or let peers lend aliases (SuperPAV)"
    return f"{spread}{by_platform(r['platform'], lend)}{then}{elsewhere(r, r['system'])}{rest}"


def measured(p: Pool) -> str:
    """What another size was measured to do."""
    return f". With {p.seen} as many I/Os did not wait, as was measured" if (p.seen or 0) > now(p.row) else ""


def _count(p: Pool) -> str:
    """How many aliases to add: by the models, else as was measured, else by the queue."""
    modelled = more(p.need.fewest, p.need.likely, p.need.most, now(p.row)) if p.need else ""
    if modelled or (p.seen or 0) > now(p.row):
        return modelled or more(None, None, p.seen, now(p.row))
    lack = math.ceil(p.row["peak_queue"] or 0)
    if not lack:
        return "more aliases"
    return f"at least {lack} more {'alias' if lack == 1 else 'aliases'} for the mean queue of the worst interval"


def _size(r: Row) -> str:
    return f" (now {now(r)})" if r["aliases"] or _has_none(r) else ""


def _has_none(r: Row) -> bool:
    """Whether HyperPAV is on without an alias: nothing can run out."""
    return bool(r["is_size_known"] and r["aliases"] == 0)


def _has_times(r: Row) -> bool:
    """Whether waits are known: records of aliases alone have no times."""
    return r["peak_queue"] is not None


def _text(r: Row, names: Sequence[str]) -> str:
    in_use = f"{_in_use(r)}{_waits(r)}"
    if not r["alias_group"]:
        lends = ". It lends and borrows, but no record names its group" if r["lends"] else ""
        lacks = "has no HyperPAV aliases" if _has_none(r) else "ran out of HyperPAV aliases"
        return f"{lcus(names)} {lacks} on {r['system']} ({period(r)}): {_denied(r, 'its')}{in_use}{lends}"
    whole, denied = r["dry_lcus"] == r["lcus"] > 1, _denied(r, "an LCU's")
    where = "in all of its LCUs at once" if whole else f"in {r['dry_lcus']} of its {r['lcus']} LCUs"
    if r["group_rate"] is not None:
        whole, where = False, _in_part(r)
    return (
        f"{'The whole alias' if whole else 'Alias'} management group {r['alias_group']} ({lcus(names)}) ran out of "
        f"aliases on {r['system']} ({period(r)}): {where} {denied}, at home or to "
        f"borrow{in_use}"
    )


def _in_part(r: Row) -> str:
    """Where only some LCUs of the group are in the listing."""
    dry = "all" if r["dry_lcus"] == r["lcus"] else str(r["dry_lcus"])
    return (
        f"in {dry} of the {r['lcus']} LCUs that the listing holds, with {human_number(r['listed_rate'])} of the "
        f"group's {human_number(r['group_rate'])} I/Os a second (it was cut off),"
    )


def _denied(r: Row, whose: str) -> str:
    """With SuperPAV an I/O may be refused more than once; z/VM counts its searches of the pool."""
    if r["platform"] == ZVM:
        return f"up to {share(r['peak_ratio'])} of {whose} searches for an alias found none"
    count = human_number(r["peak_ratio"], 2)
    return f"up to {count} refusal{'' if count == '1' else 's'} for each of {whose} I/Os"


def _in_use(r: Row) -> str:
    if not r["aliases"]:
        return ""
    if r["is_size_known"]:
        return f", {r['high_water']} of {aliases(r['aliases'])} in use"
    return ", its only alias in use" if r["aliases"] == 1 else f", all {aliases(r['aliases'])} in use"


def _waits(r: Row) -> str:
    if not r["waiting"] or r["peak_wait_ms"] is None:
        return ""
    wait_ms = r["peak_wait_ms"]
    shown = f"{wait_ms:.1f}" if wait_ms >= _LEAST_MS else human_number(wait_ms)
    return f"; {plural(r['waiting'], 'volume')} waited, {shown} ms IOSQ per I/O at the worst"


def _numbers(r: Row, need: Need | None) -> tuple[Number, ...]:
    is_zvm = r["platform"] == ZVM
    counted = "searches" if is_zvm else "I/Os"
    ratio, denied, asked = (
        ("vain searches of all", "searches without", "searches for an alias")
        if is_zvm
        else ("refusals per I/O", "I/Os without", "HyperPAV I/Os")
    )
    return (
        Number(f"{ratio}, worst interval and LCU", r["peak_ratio"]),
        Number("intervals with a dry pool", r["bad_intervals"]),
        Number(f"{denied} an alias, whole span", r["denied"], counted),
        Number(f"{asked}, whole span", r["requests"], counted),
        Number("aliases borrowed", r["borrowed"], "times"),
        Number("aliases in use, high water", r["high_water"]),
        Number("aliases in use by one base, high water", r["per_base"]),
        Number("aliases configured", r["aliases"] if r["is_size_known"] else None),
        Number("I/Os delayed by alias throttling", int(r["throttled"] or 0) or None, "I/Os"),
        Number("queued at once, high water", r["queue_high_water"], "I/Os"),
        Number("queue, mean of the worst interval", r["peak_queue"], "I/Os"),
        Number("IOSQ of an LCU, worst interval", r["peak_wait_ms"], "ms"),
        *_needed(need),
    )


def _needed(need: Need | None) -> tuple[Number, ...]:
    counts = (need.fewest, need.likely, need.most) if need else (None, None, None)
    names = ("at best", "likely", "at worst")
    return tuple(Number(f"aliases to clear the wait, {n}", c) for n, c in zip(names, counts, strict=True))
