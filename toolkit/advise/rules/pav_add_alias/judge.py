"""A volume waits in the host because it has too few exposures."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from iosq.toolkit.advise import changed
from iosq.toolkit.advise.aliases import Need, more, volume_need
from iosq.toolkit.advise.finding import Aliases, Finding, Hour, Known, Number
from iosq.toolkit.advise.path import held, is_bottleneck, on_the_way
from iosq.toolkit.advise.subject import volume
from iosq.toolkit.advise.window import episode, period
from iosq.toolkit.predict import headroom
from iosq.toolkit.predict.elasticity import elasticity_bounds
from iosq.toolkit.predict.measured import Work
from iosq.toolkit.predict.open_load import BoxState, Load, aliases_now
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import share
from iosq.toolkit.show.records import show_aliases
from iosq.toolkit.sql.raw import literal

TRIAL = tuple(f"trial_{name}" for name in ("rate", "wait_ms", "service_ms", "exposures", "read_ratio", "start"))
# volumes whose need is also worked out hour by hour: those that lose most; each hour is a model of its own
WITH_HOURS = 20
A_DAY = dt.timedelta(days=1)


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    volumes = groupby(rows, key=lambda r: (r["platform"], r["system"], r["volume"]))
    for place, (_, group) in enumerate(volumes):
        every = list(group)
        # the peak interval has a row for each trial
        intervals = list({r["interval_start"]: r for r in every}.values())
        peak = max(intervals, key=lambda r: (r["is_peak"], r["queue_length"]))
        hours = [r for r in intervals if r["is_hour"]] if place < WITH_HOURS else []
        settled = changed.is_settled(peak, limits["queue_length"])
        if settled and not peak["is_closed"]:
            yield changed.settled(peak, peak["lost_s"])
        if settled or peak["verdict"] == "enough":
            # of a closed workload closed_load tells it
            continue
        if peak["is_closed"]:
            # closed_load covers it, but where another of its box has the hour's worst interval
            yield _waits(peak)
            continue
        if changed.is_elsewhere(peak, limits["queue_length"]):
            yield changed.elsewhere(peak, _waits(peak))
            continue
        if _is_gone(peak):
            yield _gone(peak)
            continue
        tried = _tried(every)
        finding = _finding(peak, _need(peak, known, tried), tuple(_hour(r, known, tried) for r in hours))
        yield on_the_way(finding, held(peak)) if is_bottleneck(held(peak), limits) else _since(finding, peak, limits)


def _is_gone(r: Row) -> bool:
    """Whether no record of the system's last day names it."""
    return bool(r["measured_until"] - r["last_seen"] >= A_DAY)


def _gone(r: Row) -> Finding:
    """What waited is no more: moved, relabelled or deleted."""
    waits = _waits(r)
    return replace(
        waits,
        severity="note",
        text=f"{waits.text}. Since {r['last_seen']:%H:%M on %Y-%m-%d} no record names it",
        advice="Nothing is to be done for a volume that is gone: see whether its data waits where it is now",
        confidence="medium",
        aliases=Aliases("enough", _now(r, changed.now(r))),
    )


def _since(finding: Finding, r: Row, limits: Mapping[str, float]) -> Finding:
    """The same where the volume has more exposures since: what was measured with them counts, if anything was."""
    if not changed.is_unseen(r, limits["queue_length"]):
        return finding
    told = replace(finding, severity="watch", confidence="low", advice=changed.unseen(r), effect=None, curve=None)
    return replace(told, hours=(), aliases=Aliases("cant_tell", _now(r, changed.now(r))))


def _finding(r: Row, need: Need, hours: tuple[Hour, ...]) -> Finding:
    counts = (
        Number("aliases to clear the wait at the peak, at best", need.fewest),
        Number("aliases to clear the wait at the peak, likely", need.likely),
        Number("aliases to clear the wait at the peak, at worst", need.most),
        Number("aliases the mean of the span would ask for", _for_the_mean(r)),
    )
    waits = _waits(r)
    return replace(
        waits,
        severity="act",
        advice=f"{_advice(need, _shown(r, need.curve.now), r['platform'])}{_taken(r, need)}",
        numbers=(*waits.numbers, *counts),
        confidence="medium" if need.effect.identifiable else "low",
        effect=need.effect,
        curve=replace(need.curve, is_now_known=changed.has_known_exposures(r)),
        hours=hours,
        aliases=Aliases("add", _now(r, need.curve.now), need.fewest, need.most, need.likely),
    )


def _waits(r: Row) -> Finding:
    """That it waits, and no count: its requesters may wait for each answer."""
    return Finding(
        severity="watch",
        subject=volume(r["volume"], r["system"]),
        text=(
            f"Volume {r['volume']} waits on {r['system']} ({period(r)}): IOSQ is "
            f"{share(r['wait_share_ratio'])} of its response time over the whole span and "
            f"{r['wait_ms']:.1f} ms per I/O at the peak, with {r['queue_length']:.1f} I/Os queued{_idle(r)}"
        ),
        advice=(
            f"Can't be told yet: requesters wait for each answer (closed workload), so that aliases (now "
            f"{_shown(r, changed.now(r))}) raise the rate in place of clearing the queue. Ask iosq simulate pav "
            f"{r['volume']} --system {r['system']}"
        ),
        numbers=_measured(r),
        sql=(
            "SELECT system, interval_start, wait_ms, response_ms, io_rate, queue_length, exposures "
            f"FROM volume_interval WHERE volume = {literal(r['volume'])} "
            f"AND system = {literal(r['system'])} ORDER BY queue_length DESC"
        ),
        when=episode(r),
        lost_s=r["lost_s"],
        confidence="low",
        aliases=Aliases("cant_tell", _now(r, changed.now(r))),
    )


def _idle(r: Row) -> str:
    """Nobody should hurry for what rests."""
    rests = r["last_seen"] - r["last_io"] >= A_DAY
    return f"; it has done no I/O since {r['last_io']:%H:%M on %Y-%m-%d}" if rests else ""


def _measured(r: Row) -> tuple[Number, ...]:
    return (
        Number("IOSQ, mean", r["mean_wait_ms"], "ms"),
        Number("IOSQ, peak interval", r["wait_ms"], "ms"),
        Number("response, mean", r["mean_response_ms"], "ms"),
        Number("I/O rate, peak interval", r["io_rate"], "per s"),
        Number("queue, peak interval", r["queue_length"], "I/Os"),
        Number("intervals with such a queue", r["bad_intervals"]),
        *([Number("exposures, the base included", r["exposures"])] if _now(r, 0) is not None else []),
    )


def _tried(rows: list[Row]) -> list[Work]:
    """What the volume did with as many I/Os, or with more that did not wait."""
    return [replace(_work(r, *TRIAL), seconds=r["trial_s"]) for r in rows if r["trial_start"] is not None]


def _work(r: Row, *names: str) -> Work:
    rate, wait_ms, service_ms, exposures, reads, at = (r[name] for name in names)
    return Work(aliases_now(Load(rate, wait_ms, service_ms, exposures or 1)), rate, wait_ms, service_ms, reads, at)


def _need(r: Row, known: Known, tried: Sequence[Work] = ()) -> Need:
    load = Load(r["io_rate"], r["wait_ms"], r["service_ms"], r["exposures"] or 1)
    eased = headroom.headroom([r], known.headroom)
    box = BoxState(r["in_box"] or 0.0, r["volumes"] or 1, r["read_ratio"], elasticity_bounds(r), eased)
    peak = _work(r, "io_rate", "wait_ms", "service_ms", "exposures", "own_read_ratio", "interval_start")
    return volume_need(load, box, known, tried, peak)


def _hour(r: Row, known: Known, tried: Sequence[Work]) -> Hour:
    need = _need(r, known, tried)
    return Hour(r["local_start"], r["local_end"], r["queue_length"], r["wait_ms"], need.fewest, need.most, need.likely)


def _now(r: Row, count: int) -> int | None:
    """The aliases it has, None where no interval shows its role."""
    return count if changed.has_known_exposures(r) else None


def _shown(r: Row, count: int) -> str:
    return "unknown" if _now(r, count) is None else str(count)


def _advice(need: Need, now: str, platform: str) -> str:
    count = more(need.fewest, need.likely, need.most, need.curve.now)
    if count and now == "unknown":
        return f"Give it {count}, if it has none (now unknown), or spread its data. {show_aliases(platform)}"
    if not count:
        return f"No number of aliases of its own is sure to clear the wait (now {now}): spread its data over volumes"
    if need.is_measured:
        return f"Give it {count} (now {now}): with {need.most} as many I/Os did not wait, as was measured"
    return f"Give it {count} (now {now}), or spread its data"


def _taken(r: Row, need: Need) -> str:
    """Nobody should add what has only to be given back."""
    had = round(r["before_exposures"] or 0) - 1
    if not r["is_new"] or had <= need.curve.now:
        return ""
    what = "them" if need.is_measured and had == need.most else str(had)
    return f". It had {what} until {r['since_start']:%H:%M on %Y-%m-%d}: look first why they are gone"


def _for_the_mean(r: Row) -> int:
    """What Little's law on the mean of the whole span says: too few, because the wait comes with the peak."""
    inside = (r["mean_rate"] or 0.0) * r["mean_response_ms"] / 1e3
    return int(max(math.ceil(inside) - 1, 0))
