"""Aliases that volumes need by M/M/c, for comparison with those they have."""

import math
from collections.abc import Iterator, Mapping
from itertools import groupby

from iosq.models.pav.answers import CLEARED_MS
from iosq.models.queueing.stations import mmc_wait_ms
from iosq.toolkit.advise.finding import Known
from iosq.toolkit.rows import Row

MOST = 64


def modelled(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Row]:
    """A row for each LCU, of its volume that was measured for the shortest time, with what all have and need."""
    judged = [r for r in rows if r["outcome"] is not None]
    for _, group in groupby(judged, key=lambda r: (r["platform"], r["lcu"])):
        yield _of_lcu(list(group), limits)


def _of_lcu(members: list[Row], limits: Mapping[str, float]) -> Row:
    busiest = max(members, key=lambda r: float(r["in_service"]))
    defined, all_needed = (sum(each) for each in zip(*(_counts(r, limits) for r in members), strict=True))
    spare = defined - all_needed
    is_enough = spare >= limits["spare"] and defined >= limits["times"] * all_needed
    now = max(r["wait_peak_ms"] for r in members)
    return {
        **min(members, key=lambda r: float(r["hours"])),
        "outcome": 0 if is_enough else None,
        "defined": defined,
        "needed": all_needed,
        "spare": spare,
        "volumes": len(members),
        "idle": sum(not r["in_service"] for r in members) or None,
        "busiest": busiest["volume"],
        "in_service": busiest["in_service"],
        "now_ms": now,
        "cleared_ms": min(now, CLEARED_MS),
        "none_ms": 0.0,
        "least_ms": CLEARED_MS,
    }


def _counts(r: Row, limits: Mapping[str, float]) -> tuple[int, int]:
    """The aliases that a volume has, and those of them that it needs."""
    defined = round(r["exposures"]) - 1
    if not r["in_service"]:
        return defined, 0
    kept = max(needed(r["in_service"], r["service_ms"], limits["headroom"]), int(limits["floor"]))
    return defined, min(kept, defined)


def needed(in_service: float, service_ms: float, headroom: float) -> int:
    """Fewest aliases whose wait stays below 0.1 ms at `headroom` times the busiest interval; M/M/c."""
    load = headroom * in_service
    rate = load / service_ms * 1e3
    servers = range(math.floor(load) + 1, MOST)
    return next((c - 1 for c in servers if mmc_wait_ms(rate, service_ms, c) < CLEARED_MS), MOST)
