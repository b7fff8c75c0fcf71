"""What findings about a volume that waits say."""

from __future__ import annotations

import datetime as dt
import math
from dataclasses import replace

from iosq.toolkit.advise import changed
from iosq.toolkit.advise.aliases import Need, more
from iosq.toolkit.advise.finding import Aliases, Finding, Number
from iosq.toolkit.advise.rules.pav_add_alias.volume import Volume
from iosq.toolkit.advise.subject import volume
from iosq.toolkit.advise.window import episode, period
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import share
from iosq.toolkit.show.records import show_aliases
from iosq.toolkit.sql.raw import literal

A_DAY = dt.timedelta(days=1)


def counted(v: Volume) -> Finding:
    """That it waits, and what aliases do for it."""
    r, need, wait = v.row, v.need, waits(v.row)
    counts = (
        Number("aliases to clear the wait at the peak, at best", need.fewest),
        Number("aliases to clear the wait at the peak, likely", need.likely),
        Number("aliases to clear the wait at the peak, at worst", need.most),
        Number("aliases the mean of the span would ask for", _for_the_mean(r)),
    )
    return replace(
        wait,
        severity="act",
        advice=f"{_advice(need, _shown(r, need.curve.now), r['platform'])}{_taken(r, need)}",
        numbers=(*wait.numbers, *counts),
        confidence="medium" if need.effect.identifiable else "low",
        effect=need.effect,
        curve=replace(need.curve, is_now_known=changed.has_known_exposures(r)),
        hours=v.hours,
        aliases=Aliases("add", _now(r, need.curve.now), need.fewest, need.most, need.likely),
    )


def unseen(v: Volume) -> Finding:
    """It has more exposures since: what is measured with them will count, and nothing was yet."""
    found = replace(
        counted(v), severity="watch", confidence="low", advice=changed.unseen(v.row), effect=None, curve=None
    )
    return replace(found, hours=(), aliases=Aliases("cant_tell", _now(v.row, changed.now(v.row))))


def is_gone(r: Row) -> bool:
    """Whether no record of the system's last day names it."""
    return bool(r["measured_until"] - r["last_seen"] >= A_DAY)


def gone(r: Row) -> Finding:
    """What waited is no more: moved, relabelled or deleted."""
    wait = waits(r)
    return replace(
        wait,
        severity="note",
        advice="Nothing is to be done for a volume that is gone: see whether its data waits where it is now",
        confidence="medium",
        aliases=Aliases("enough", _now(r, changed.now(r))),
    ).also(f"Since {r['last_seen']:%H:%M on %Y-%m-%d} no record names it")


def waits(r: Row) -> Finding:
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
