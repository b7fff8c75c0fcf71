"""Effect of aliases of its own on a volume that waits, and evidence about it."""

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from iosq.toolkit.advise import before_after, path
from iosq.toolkit.advise.aliases import NO_NEED, Need, volume_need
from iosq.toolkit.advise.finding import Known
from iosq.toolkit.predict.evidence import Evidence
from iosq.toolkit.predict.open_load import Load, aliases_now, box_state
from iosq.toolkit.predict.work import Work
from iosq.toolkit.rows import Row

# volumes whose need is also worked out hour by hour: those that lose most; each hour is a model of its own
WITH_HOURS = 20
A_DAY = dt.timedelta(days=1)


def modelled(rows: list[Row], limits: Mapping[str, float], known: Known, evidence: Evidence) -> Iterator[Row]:
    """A row for each volume, of its peak interval. Volumes that lose most take the addresses of their LCU first."""
    taken: dict[tuple[str, str | None], int] = {}
    volumes = groupby(rows, key=lambda r: (r["platform"], r["system"], r["volume"]))
    for place, (_, intervals) in enumerate(volumes):
        every = list(intervals)
        peak = max(every, key=lambda r: (r["is_peak"], r["queue_length"]))
        name = {key: peak[key] for key in ("platform", "system", "volume")}
        tried = evidence.rows("trial", **name) if peak["is_peak"] else ()
        lcu = peak["platform"], peak["now_lcu"]
        free = evidence.row("addresses", platform=lcu[0], lcu=lcu[1]).get("free_addresses")
        room = None if free is None else max(int(free) - taken.get(lcu, 0), 0)
        hourly = [r for r in every if r["is_hour"]] if place < WITH_HOURS else []
        works = [replace(_work(t), seconds=t["interval_s"]) for t in tried]
        row = _volume(peak, hourly, works, limits, known, room)
        # closed_load reports the closed workload
        if row["is_requesters"] if row["is_settled"] else row["verdict"] == "enough":
            continue
        yield row
        if row["is_waiting"]:
            taken[lcu] = taken.get(lcu, 0) + max((row["likely"] or row["most"] or row["fewest"] or 0) - row["size"], 0)


def _volume(
    r: Row, hourly: Sequence[Row], tried: Sequence[Work], limits: Mapping[str, float], known: Known, room: int | None
) -> Row:
    queue, now, is_known = limits["queue_length"], before_after.volume_aliases(r), before_after.has_known_exposures(r)
    states = _states(r, queue)
    then = path.held(r)
    is_held_up = path.is_bottleneck(then, limits)
    is_waiting = not (is_held_up or any(states.values()))
    counts = {**NO_NEED, "hours": ()}
    if is_waiting:
        need = _need(r, tried, known, None if room is None else now + room)
        hours = tuple(_need(h, tried, known, None).hour(h) for h in hourly)
        counts |= need.columns(now) | {"hours": hours, "curve": replace(need.curve, is_now_known=is_known)}
    had = round(r["before_exposures"] or 0) - 1 if r["is_new"] else 0
    moved = states["is_elsewhere"] and not states["is_settled"]
    return {
        **r,
        **path.columns(then),
        **before_after.since(r, _work(r), r["queue_length"], "moved" if moved else "since"),
        **counts,
        **states,
        "is_pool": False,
        "has_moved": moved,
        "has_more": not moved,
        "has_ended": states["is_settled"] or (moved and not states["is_requesters"]),
        "is_waiting": is_waiting,
        "is_held_up": is_held_up,
        "size": now,
        "known_size": now if is_known else None,
        "shown_exposures": r["exposures"] if is_known else None,
        "rests": r["last_seen"] - r["last_io"] >= A_DAY,
        "larger_aliases": had if had > now else None,
        "larger_until": r["since_start"],
    }


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


def _need(r: Row, tried: Sequence[Work], known: Known, cap: int | None) -> Need:
    load = Load(r["io_rate"], r["wait_ms"], r["service_ms"], r["exposures"] or 1)
    return volume_need(load, box_state([r], known), known, tried, _work(r), cap)


def _work(r: Row) -> Work:
    load = Load(r["io_rate"], r["wait_ms"], r["service_ms"], r["exposures"] or 1)
    return Work(aliases_now(load), load.rate, load.wait_ms, load.service_ms, r["own_read_ratio"], r["interval_start"])
