"""A HyperPAV pool runs out of aliases."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from iosq.models.pav.pools import UnexplainedWaitError
from iosq.toolkit.advise.aliases import Need, more, pool_need
from iosq.toolkit.advise.closed import members, pool_trials
from iosq.toolkit.advise.finding import Aliases, Finding, Hour, Known, Number, Verdict
from iosq.toolkit.advise.path import held, is_bottleneck, on_the_way
from iosq.toolkit.advise.pools import (
    elsewhere,
    gone,
    is_as_busy_since,
    lcus_of,
    moved,
    no_room,
    now,
    pool_loads,
    pool_work,
    settled,
    since,
)
from iosq.toolkit.advise.reserved import advice, is_reserved
from iosq.toolkit.advise.subject import lcus
from iosq.toolkit.advise.window import episode, period
from iosq.toolkit.predict import headroom
from iosq.toolkit.predict.elasticity import elasticity_bounds
from iosq.toolkit.predict.measured import Work, enough
from iosq.toolkit.predict.open_load import BoxState
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import aliases, plural, share
from iosq.toolkit.show.records import ZVM, by_platform
from iosq.toolkit.sql.raw import literal
from iosq.toolkit.units import human_number

# pools whose need is also worked out hour by hour: those that deny most. An hour is a model of its own, a tenth of a
# second; a volume's takes a fifth of that
WITH_HOURS = 5


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    pools = groupby(rows, key=lambda r: (r["platform"], r["system"], r["pool"]))
    for place, (_, group) in enumerate(pools):
        intervals = [list(rows) for _, rows in groupby(group, key=lambda r: r["local_start"])]
        yield _of_pool(intervals, limits, known, with_hours=place < WITH_HOURS)


def _of_pool(
    intervals: Sequence[Sequence[Row]], limits: Mapping[str, float], known: Known, with_hours: bool
) -> Finding:
    """About one pool: rows of its intervals; the first volume of each has a row for every trial."""
    fit = [rows for rows in intervals if not is_bottleneck(_then(rows[0]), limits)]
    # hours in which the way is as usual are judged by themselves
    peak = min(fit or intervals, key=lambda rows: rows[0]["place"] or 1)
    r = peak[0]
    then, queue = _work(peak), r["hour_queue"] or 0.0
    if r["moved_start"] is not None:
        return moved(r, _finding(r, None, ()), queue, then)
    if then and is_as_busy_since(r, then.rate):
        return settled(r, _finding(r, None, ()), queue, then)
    if not fit or (r["hour_above_ms"] is None and is_bottleneck(r, limits)):
        return on_the_way(_finding(r, None, ()), r if is_bottleneck(r, limits) else _then(r))
    if is_reserved(members(peak), limits):
        return _reserved(members(peak))
    told = [rows for rows in fit if (rows[0]["hour_queue"] or 0.0) >= limits["queue_length"]]
    hours = [_hour(rows, known) for rows in told] if with_hours else []
    need = _need(peak, known)
    finding = _finding(r, need, tuple(h for h in hours if h), _enough(peak))
    return since(finding, r, need.most if need else None) if now(r) > (r["aliases"] or 0) else finding


def _work(rows: Sequence[Row]) -> Work | None:
    """What the volumes did in an interval; None where none was measured."""
    r = rows[0]
    return None if r["volume"] is None else pool_work(members(rows), int(r["aliases"] or 0))


def _enough(rows: Sequence[Row]) -> int | None:
    """The size with which as many I/Os were measured not to wait."""
    then, size = members(rows), rows[0]["aliases"]
    return enough(pool_trials(rows), pool_work(then, size)) if size and then[0]["volume"] is not None else None


def _then(r: Row) -> Row:
    """What holds I/Os up on the way in one interval of the pool."""
    names = {"css_delay_ms": "css", "cu_busy_delay_ms": "busy", "cmr_ms": "cmr", "way_above_ms": "above"}
    then = {name: r[f"hour_{short}_ms"] for name, short in names.items()}
    return held({**r, **then, "service_ms": r["hour_service_ms"], "io_rate": r["path_rate"]})


def _reserved(members: Sequence[Row]) -> Finding:
    """Nobody can tell how much of the wait more aliases would take."""
    finding, size = _finding(members[0], None, ()), now(members[0])
    return replace(finding, advice=advice(members, size), aliases=Aliases("cant_tell", size))


def _need(rows: Sequence[Row], known: Known) -> Need | None:
    """What more aliases would do for the volumes of an interval.

    None where they or the pool aren't known, or where the model can't lay the wait to the pool: it was dry in bursts.
    """
    then, r = members(rows), rows[0]
    if r["volume"] is None or not r["aliases"]:
        return None
    loads = pool_loads(then)
    eased = _headroom(then, [load.rate * load.wait_ms for load in loads], known)
    box = BoxState(r["in_box"] or 0.0, r["volumes"] or len(then), r["read_ratio"], elasticity_bounds(r), eased)
    try:
        return pool_need(loads, r["aliases"], box, known, pool_trials(rows), pool_work(then, r["aliases"]))
    except UnexplainedWaitError:
        return None


def _headroom(members: Sequence[Row], queues: Sequence[float], known: Known) -> float | None:
    """Of the volumes that wait; their rows have the pool's command response time beside their own."""
    rows = [{**m, "cmr_ms": m["own_cmr_ms"]} for m in members]
    return headroom.headroom(headroom.longest(rows, queues, known.headroom), known.headroom)


def _hour(rows: Sequence[Row], known: Known) -> Hour | None:
    r, need = rows[0], _need(rows, known)
    if need is None:
        return None
    return Hour(
        r["local_start"], r["local_end"], r["hour_queue"], r["hour_wait_ms"] or 0.0, need.fewest, need.most, need.likely
    )


_LEAST_MS = 0.05  # less prints as 0.0


def _waits(r: Row) -> str:
    if not r["waiting"] or r["peak_wait_ms"] is None:
        return ""
    wait_ms = r["peak_wait_ms"]
    shown = f"{wait_ms:.1f}" if wait_ms >= _LEAST_MS else human_number(wait_ms)
    return f"; {plural(r['waiting'], 'volume')} waited, {shown} ms IOSQ per I/O at the worst"


def _waits_hardly(r: Row, need: Need | None) -> bool:
    """Whether the models clear the wait with the aliases there are: refusals that cost nothing."""
    return need is not None and need.fewest == need.most == now(r)


def _advice(r: Row, need: Need | None, seen: int | None) -> str:
    if _waits_hardly(r, need):
        return (
            f"Leave it at {aliases(now(r))} for now: I/Os are refused one, but the mean wait is "
            f"{r['peak_wait_ms'] or 0.0:.2f} ms at the worst. Add aliases when that grows"
        )
    count, size = _more(r, need, seen), f" (now {now(r)})" if r["aliases"] or _has_none(r) else ""
    least = (need.fewest or 0) - now(r) if need else 0
    if full := no_room(r, least, now(r)):
        return f"The pool lacks {count}{size}. {full}"
    then = f"{_measured(r, seen)}{gone(r)}"
    untold = "" if r["peak_queue"] is not None else f". {UNTOLD}"
    if r["alias_group"]:
        return (
            f"Define {count}{size} in any LCU of the group, as they lend to each other, or move its busiest volumes to "
            f"another group{then}{untold}"
        )
    spread = f"Define {count}{size}, or spread the busiest volumes over LCUs"
    lend = ", its peers lent it nothing either" if r["lends"] else ", or let peers lend aliases (SuperPAV)"
    return f"{spread}{by_platform(r['platform'], lend)}{then}{elsewhere(r, r['system'])}{untold}"


UNTOLD = (
    "How many, and what they would gain, can't be told without the wait of the volumes: ingest the device activity of "
    "the same time (type 74.1, or the RMF listing)"
)


def _measured(r: Row, seen: int | None) -> str:
    """What another size was measured to do."""
    return f". With {seen} as many I/Os did not wait, as was measured" if seen is not None and seen > now(r) else ""


def _more(r: Row, need: Need | None, seen: int | None) -> str:
    """How many aliases to add, in words: by the models, else as was measured, else by the queue."""
    told = more(need.fewest, need.likely, need.most, now(r)) if need else ""
    if told:
        return told
    if seen is not None and seen > now(r):
        return more(None, None, seen, now(r))
    lack = math.ceil(r["peak_queue"] or 0)
    if not lack:
        return "more aliases"
    return f"at least {lack} more {'alias' if lack == 1 else 'aliases'} for the mean queue of the worst interval"


def _finding(r: Row, need: Need | None, hours: tuple[Hour, ...], seen: int | None = None) -> Finding:
    names = lcus_of(r)
    listed, counted = ", ".join(literal(name) for name in names), r["requests"] is not None
    return Finding(
        severity="watch" if _waits_hardly(r, need) else "act",
        subject=lcus(names, r["system"]),
        text=_text(r, names),
        advice=_advice(r, need, seen),
        numbers=_numbers(r, need),
        sql=(
            "SELECT system, interval_start, lcu, alias_denied_ratio, alias_high_water, "
            f"{_measured_with(r)} "
            f"WHERE lcu IN ({listed}) AND system = {literal(r['system'])} ORDER BY alias_denied_ratio DESC"
        ),
        when=episode(r),
        lost_s=r["lost_s"] or 0.0,
        confidence="high" if counted and r["platform"] != ZVM else "medium",
        effect=need.effect if need else None,
        curve=need.curve if need else None,
        hours=hours,
        aliases=_aliases(r, need, seen),
    )


def _aliases(r: Row, need: Need | None, seen: int | None) -> Aliases:
    verdict: Verdict = "enough" if _waits_hardly(r, need) else "add"
    size = None if r["aliases"] is None else now(r)
    if need is None:
        return Aliases(verdict, size) if seen is None else Aliases(verdict, size, now(r) + 1, seen)
    return Aliases(verdict, size, need.fewest, need.most, need.likely)


def _denied(r: Row, whose: str) -> str:
    """With SuperPAV an I/O may be refused more than once; z/VM counts its searches of the pool."""
    if r["platform"] == ZVM:
        return f"up to {share(r['peak_ratio'])} of {whose} searches for an alias found none"
    count = human_number(r["peak_ratio"], 2)
    return f"up to {count} refusal{'' if count == '1' else 's'} for each of {whose} I/Os"


def _has_none(r: Row) -> bool:
    """Whether HyperPAV is on without an alias: nothing can run out."""
    return bool(r["is_size_known"] and r["aliases"] == 0)


def _in_use(r: Row) -> str:
    if not r["aliases"]:
        return ""
    if r["is_size_known"]:
        return f", {r['high_water']} of {aliases(r['aliases'])} in use"
    return ", its only alias in use" if r["aliases"] == 1 else f", all {aliases(r['aliases'])} in use"


def _text(r: Row, names: Sequence[str]) -> str:
    in_use = _in_use(r)
    if not r["alias_group"]:
        lends = ". It lends and borrows, but no record names its group" if r["lends"] else ""
        lacks = "has no HyperPAV aliases" if _has_none(r) else "ran out of HyperPAV aliases"
        return f"{lcus(names)} {lacks} on {r['system']} ({period(r)}): {_denied(r, 'its')}{in_use}{_waits(r)}{lends}"
    whole, an_lcu = r["dry_lcus"] == r["lcus"] > 1, "an LCU's"
    where = "in all of its LCUs at once" if whole else f"in {r['dry_lcus']} of its {r['lcus']} LCUs"
    if r["group_rate"] is not None:
        whole, where = False, _in_part(r)
    return (
        f"{'The whole alias' if whole else 'Alias'} management group {r['alias_group']} ({lcus(names)}) ran out of "
        f"aliases on {r['system']} ({period(r)}): {where} {_denied(r, an_lcu)}, at home or to borrow"
        f"{in_use}{_waits(r)}"
    )


def _in_part(r: Row) -> str:
    """Where only some LCUs of the group are in the listing."""
    dry = "all" if r["dry_lcus"] == r["lcus"] else str(r["dry_lcus"])
    return (
        f"in {dry} of the {r['lcus']} LCUs that the listing holds, with {human_number(r['told_rate'])} of the group's "
        f"{human_number(r['group_rate'])} I/Os a second (it was cut off),"
    )


def _measured_with(r: Row) -> str:
    """The rest of a query: records of aliases alone tell no times."""
    told = r["peak_queue"] is not None
    return "hyperpav_aliases FROM lcu_interval" if told else "alias_denied_count FROM lcu_extra"


def _numbers(r: Row, need: Need | None) -> tuple[Number, ...]:
    counted = "searches" if r["platform"] == ZVM else "I/Os"
    return (
        Number(
            by_platform(r["platform"], "refusals per I/O", "vain searches of all") + ", worst interval and LCU",
            r["peak_ratio"],
        ),
        Number("intervals with a dry pool", r["bad_intervals"]),
        Number(
            f"{by_platform(r['platform'], 'I/Os without', 'searches without')} an alias, whole span",
            r["denied"],
            counted,
        ),
        Number(
            by_platform(r["platform"], "HyperPAV I/Os", "searches for an alias") + ", whole span",
            r["requests"],
            counted,
        ),
        Number("aliases borrowed", r["borrowed"], "times"),
        Number("aliases in use, high water", r["high_water"]),
        Number("aliases in use by one base, high water", r["per_base"]),
        Number("aliases configured", r["aliases"] if r["is_size_known"] else None),
        Number("I/Os delayed by alias throttling", int(r["throttled"] or 0) or None, "I/Os"),
        Number("queued at once, high water", r["queue_high_water"], "I/Os"),
        Number("queue, mean of the worst interval", r["peak_queue"], "I/Os"),
        Number("IOSQ of an LCU, worst interval", r["peak_wait_ms"], "ms"),
        Number("aliases to clear the wait, at best", need.fewest if need else None),
        Number("aliases to clear the wait, likely", need.likely if need else None),
        Number("aliases to clear the wait, at worst", need.most if need else None),
    )
