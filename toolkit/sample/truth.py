"""Describe a sample for tests and scores: planted problems, sums of counters, and records by type."""

import hashlib
from collections import Counter
from collections.abc import Sequence

from iosq.toolkit.rows import NewRow
from iosq.toolkit.sample.day import Day
from iosq.toolkit.sample.planting import Record


def describe(records: Sequence[Record], data: bytes) -> NewRow:
    """Size and digest of a file's unpacked bytes, and its number of records by type."""
    counted = Counter(r.kind for r in records)
    return {
        "unpacked_bytes": len(data),
        "unpacked_sha256": hashlib.sha256(data).hexdigest(),
        "records": {kind: counted[kind] for kind in sorted(counted)},
    }


def _systems(day: Day, span: list[int]) -> NewRow:
    found = {}
    for i, system in enumerate(day.sysplex.systems):
        sums = {n: int(day.devices[n][i][:, span].sum()) for n in ("SSC", "MEC", "PEN", "DIS", "CNN", "QUE")}
        found[system.sid] = {f"SMF74{name}": total for name, total in sums.items()}
    return found


def _subsystems(day: Day, span: list[int]) -> NewRow:
    found = {}
    names = ("DRCR", "DRSR", "DWRC", "DWSR", "DCRH", "DFWB", "DNTD", "DCTD")
    for i, lcu in enumerate(day.sysplex.lcus):
        rows = day.sysplex.members(i)
        found[lcu.ssid] = {f"R745{n}": int(day.cache[n][rows][:, span].sum()) for n in names}
    return found


def of_day(day: Day, intervals: Sequence[int]) -> NewRow:
    """The description of `intervals` of a day: problems that show in them, and sums over them."""
    plex, span = day.sysplex, list(intervals)
    shown = [p.facts(plex) for s in day.scenarios for p in s.planted if set(p.intervals(plex)) & set(span)]
    return {
        "seed": day.state.demand.seed,
        "sysplex": plex.name,
        "systems": [s.sid for s in plex.systems],
        "local_date": plex.date.isoformat(),
        "utc_offset_s": plex.utc_offset_s,
        "days": plex.days,
        "troubles_repeat": plex.repeats and plex.days > 1,
        "interval_s": plex.interval_s,
        "intervals": span,
        "volumes": len(plex.volumes),
        "planted": shown,
        "device_sums": _systems(day, span),
        "cache_sums": _subsystems(day, span),
    }
