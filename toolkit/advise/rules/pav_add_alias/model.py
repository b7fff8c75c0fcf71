"""Effect of aliases of its own on a volume that waits, and evidence about it."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from iosq.toolkit.advise import before_after, path
from iosq.toolkit.advise.aliases import NO_NEED, Need, volume_need
from iosq.toolkit.advise.asked import Evidence
from iosq.toolkit.advise.finding import Hour, Known
from iosq.toolkit.predict import headroom
from iosq.toolkit.predict.elasticity import elasticity_bounds
from iosq.toolkit.predict.measured import Work
from iosq.toolkit.predict.open_load import BoxState, Load, aliases_now
from iosq.toolkit.rows import NewRow, Row

TRIAL = tuple(f"trial_{name}" for name in ("rate", "wait_ms", "service_ms", "exposures", "read_ratio", "start"))
PEAK = ("io_rate", "wait_ms", "service_ms", "exposures", "own_read_ratio", "interval_start")
# volumes whose need is also worked out hour by hour: those that lose most; each hour is a model of its own
WITH_HOURS = 20
A_DAY = dt.timedelta(days=1)


def modelled(rows: list[Row], limits: Mapping[str, float], known: Known, evidence: Evidence) -> Iterator[Row]:
    """A row for each volume, of its peak interval. Volumes that lose most take the addresses of their LCU first."""
    taken: dict[tuple[str, str | None], int] = {}
    volumes = groupby(rows, key=lambda r: (r["platform"], r["system"], r["volume"]))
    for place, (_, intervals) in enumerate(volumes):
        every = [_known(r, evidence) for r in intervals]
        peak = max(every, key=lambda r: (r["is_peak"], r["queue_length"]))
        name = {key: peak[key] for key in ("platform", "system", "volume")}
        tried = _tried(evidence.rows("trial", **name)) if peak["is_peak"] else []
        lcu = peak["platform"], peak["now_lcu"]
        free = evidence.row("addresses", platform=lcu[0], lcu=lcu[1]).get("free_addresses")
        room = None if free is None else max(int(free) - taken.get(lcu, 0), 0)
        hourly = [r for r in every if r["is_hour"]] if place < WITH_HOURS else []
        row = _volume(peak, hourly, tried, limits, known, room)
        # closed_load reports the closed workload
        if row["is_requesters"] if row["is_settled"] else row["verdict"] == "enough":
            continue
        yield row
        if row["is_waiting"]:
            taken[lcu] = taken.get(lcu, 0) + max((row["likely"] or row["most"] or 0) - row["size"], 0)


def _volume(
    r: Row, hourly: Sequence[Row], tried: Sequence[Work], limits: Mapping[str, float], known: Known, room: int | None
) -> Row:
    queue, now = limits["queue_length"], before_after.volume_aliases(r)
    states = _states(r, queue)
    then = path.held(r)
    is_held_up = path.is_bottleneck(then, limits)
    is_waiting = not (is_held_up or any(states.values()))
    counts = {**NO_NEED, "hours": ()}
    if is_waiting:
        need = _need(r, tried, known, None if room is None else now + room)
        hours = tuple(_hour(h, _need(h, tried, known, None)) for h in hourly)
        counts = need.columns(now) | {"hours": hours, "curve": replace(need.curve, is_now_known=_is_known(r))}
    change = "moved" if states["is_elsewhere"] and not states["is_settled"] else "since"
    return {
        **r,
        **path.columns(then),
        **before_after.since(r, _work(r, *PEAK), r["queue_length"], change),
        **counts,
        **states,
        "is_waiting": is_waiting,
        "is_held_up": is_held_up,
        "size": now,
        "known_size": now if _is_known(r) else None,
        "shown_exposures": r["exposures"] if _is_known(r) else None,
        "rests": r["last_seen"] - r["last_io"] >= A_DAY,
        "had_aliases": round(r["before_exposures"] or 0) - 1 if r["is_new"] else 0,
        "for_the_mean": for_the_mean(r),
    }


def for_the_mean(r: Row) -> int:
    """Aliases by Little's law on the mean of the whole span: too few, because the wait comes with the peak."""
    return int(max(math.ceil((r["mean_rate"] or 0.0) * r["mean_response_ms"] / 1e3) - 1, 0))


def _states(r: Row, queue: float) -> dict[str, bool]:
    """The reasons against a count; the first that is true decides."""
    is_settled = before_after.is_settled(r, queue)
    return {
        "is_settled": is_settled,
        "is_elsewhere": before_after.is_elsewhere(r, queue),
        "is_gone": r["measured_until"] - r["last_seen"] >= A_DAY,
        "is_unseen": before_after.is_unseen(r, queue),
        "is_requesters": bool(r["is_closed"]),
    }


def _is_known(r: Row) -> bool:
    return before_after.has_known_exposures(r)


def _need(r: Row, tried: Sequence[Work], known: Known, cap: int | None) -> Need:
    load = Load(r["io_rate"], r["wait_ms"], r["service_ms"], r["exposures"] or 1)
    eased = headroom.headroom([r], known.headroom)
    box = BoxState(r["in_box"] or 0.0, r["volumes"] or 1, r["read_ratio"], elasticity_bounds(r), eased)
    return volume_need(load, box, known, tried, _work(r, *PEAK), cap)


def _hour(r: Row, n: Need) -> Hour:
    return Hour(r["local_start"], r["local_end"], r["queue_length"], r["wait_ms"], n.fewest, n.most, n.likely)


def _known(r: Row, evidence: Evidence) -> NewRow:
    name = {key: r[key] for key in ("platform", "system", "volume")}
    then = evidence.row("then", **name, interval_start=r["interval_start"])
    return {**evidence.row("volume_now", **name), **then, **r}


def _tried(rows: Sequence[Row]) -> list[Work]:
    return [replace(_work(r, *TRIAL), seconds=r["trial_s"]) for r in rows]


def _work(r: Row, *names: str) -> Work:
    rate, wait_ms, service_ms, exposures, reads, at = (r[name] for name in names)
    return Work(aliases_now(Load(rate, wait_ms, service_ms, exposures or 1)), rate, wait_ms, service_ms, reads, at)
