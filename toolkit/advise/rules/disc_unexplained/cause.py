"""What is known of the cause of disconnect that has risen."""

from __future__ import annotations

from dataclasses import dataclass

from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import share
from iosq.toolkit.show.records import ZVM_CACHE, by_platform
from iosq.toolkit.units import human_number

# of the I/Os: with cache counts, or a timed back end, of fewer the parts would speak for too few
MOST = 0.5
# of what is above the usual: a part as large is the cause
HALF = 0.5
# as good as all
MOSTLY = 0.95
# lost read hits that are no chance: as in hit_ratio_drop
FEWER = 0.08


@dataclass(frozen=True, slots=True)
class Cause:
    """What a finding says of the cause and what to do; `settles`: which measurement would tell more.

    `is_parted`: its parts in disconnect_interval say something.
    """

    text: str
    advice: str
    settles: str
    is_parted: bool = True


def cause(r: Row) -> Cause:
    """What the records tell of it, from a row of the answer to `query.sql`."""
    above = r["disc_ms"] - r["elsewhere_ms"] - r["usual_ms"]
    if (r["told_ratio"] or 0.0) < MOST:
        return _uncovered(r)
    if (r["nvs_ms"] or 0.0) >= HALF * above:
        return _nvs(r)
    if (r["copy_ms"] or 0.0) >= HALF * above:
        return _copy(r)
    if (r["miss_ms"] or 0.0) >= HALF * above:
        return _missed(r)
    if (r["timed_ratio"] or 0.0) < MOST:
        return _untimed(r)
    return _else(r, above)


def _uncovered(r: Row) -> Cause:
    tells = by_platform(r["platform"], "type 74.5 of the same time, or a cache report", ZVM_CACHE)
    what = "No cache record covers it" if not r["told_ratio"] else "Cache records cover only a few of its I/Os"
    return Cause(
        f"{what}, so its cause can't be told",
        f"First ingest {tells}: nothing else tells read misses, writes delayed for NVS and a mirror's second box "
        "apart, and each has another cure",
        by_platform(r["platform"], "type 74.5", ZVM_CACHE),
        is_parted=False,
    )


def _hits(r: Row) -> str:
    now, usual = r["hit_ratio"], r["usual_hit_ratio"]
    if now is None or usual is None:
        return ""
    return f"{share(now)} of its reads hit, in all other intervals {share(usual)}"


def _nvs(r: Row) -> Cause:
    return Cause(
        f"Writes delayed for NVS make {human_number(r['nvs_ms'])} ms of it, too few of them for nvs_delay",
        "First take writes away in these hours, or spread them over boxes",
        "a day with fewer writes",
    )


def _copy(r: Row) -> Cause:
    return Cause(
        f"Volumes in remote copy make {human_number(r['copy_ms'])} ms of it, and neither misses nor NVS explain that",
        "First look at copy services of the box and at the links to the second one; where the links send fast or the "
        "copy is asynchronous, at its host adapters",
        "the box's own measurements",
    )


def _missed(r: Row) -> Cause:
    hits = f": {_hits(r)}" if _hits(r) else ""
    if r["volume"] and r["usual_hit_ratio"] is not None and r["usual_hit_ratio"] - (r["hit_ratio"] or 0.0) < FEWER:
        return Cause(
            f"Reads from its disks make {human_number(r['miss_ms'])} ms of it{hits}. The mean of the extent pool hides "
            "that",
            "First look at the ranks and drives behind these volumes: messages of the box about an array or a drive",
            "the box's own measurements",
        )
    return Cause(
        f"Read misses make {human_number(r['miss_ms'])} ms of it{hits}",
        "First find what reads past the cache then, and whether it does so every day; then look at the back end "
        "behind it",
        "a day without that work",
    )


def _untimed(r: Row) -> Cause:
    """How long the back end takes isn't told: more misses, or slower ones, would do it."""
    tells = by_platform(
        r["platform"], "First ingest type 74.8 of the same time", "First look at the box's own measurements"
    )
    hits = f"{_hits(r)}; " if _hits(r) else ""
    return Cause(
        f"{hits}how long its back end takes isn't recorded",
        f"{tells}: {_suspects(r)}",
        by_platform(r["platform"], "type 74.8", "the box's own measurements"),
    )


def _suspects(r: Row) -> str:
    """What may be behind it, as far as the hits tell."""
    slow = "a slow back end, copy services (FlashCopy, a rebuild) and host adapters would all do it"
    if r["hit_ratio"] is None or r["usual_hit_ratio"] is None:
        return slow
    if r["usual_hit_ratio"] - r["hit_ratio"] >= FEWER:
        return "more reads miss, which explains a part at least; a slow back end would make it longer"
    return f"it isn't the hits; {slow}"


def _else(r: Row, above: float) -> Cause:
    """The time is none of the known parts."""
    known = [(r["miss_ms"], "read misses"), (r["nvs_ms"], "NVS"), (r["copy_ms"], "a second box")]
    left = above - sum(ms or 0.0 for ms, _ in known)
    hits = f"; {_hits(r)}" if _hits(r) else ""
    part = "the" if left >= MOSTLY * above else f"{human_number(left)} of the"
    return Cause(
        f"Neither read misses nor NVS nor a second box explain {part} {human_number(above)} ms above the usual{hits}",
        "More cache or NVS will not help. First look at the box's copy services (FlashCopy, a rebuild), its host "
        "adapters and its messages of that time",
        "the box's own measurements",
    )
