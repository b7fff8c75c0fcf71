"""Caching or fast write is off, as the box itself says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from iosq.toolkit.advise.finding import Effect, Finding, Known, Number, needs, percent
from iosq.toolkit.advise.subject import Subject, listed, volume, volumes
from iosq.toolkit.advise.window import episode, period
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import listed as in_words
from iosq.toolkit.show.numbers import share
from iosq.toolkit.sql.raw import literal
from iosq.toolkit.units import human_number

NAMED = 6
OFF = {
    "cache": "Caching is off",
    "fast write": "DASD fast write is off",
    "both": "Caching and DASD fast write are off",
}
_COUNTED = {
    "hit_ratio": ("cache", "reads hit"),
    "fast_write_ratio": ("fast write", "writes are fast writes"),
}
SWITCH = {"cache": "DEVICE", "fast write": "DASDFASTWRITE", "both": "DEVICE and DASDFASTWRITE"}
WHOLE = {"cache": "SUBSYSTEM", "fast write": "NVS", "both": "SUBSYSTEM and NVS"}


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    return map(_finding, rows)


def _finding(r: Row) -> Finding:
    return Finding(
        severity="act" if _is_whole(r) else "watch",
        subject=_subject(r),
        text=f"{OFF[r['what']]} for {_whom(r)} ({period(r)}{_still(r)}): {_says(r)}; {_costs(r)}",
        advice=(
            "First find out why: a failed battery or cluster, service, or a command. Then switch it on again (IDCAMS "
            f"SETCACHE with {_switch(r)} ON, where the box takes it). Aliases will not help, nor more cache or NVS"
        ),
        numbers=(
            percent("read hits then", r["hit_ratio"]),
            percent("fast writes of the writes then", r["fast_write_ratio"]),
            Number("I/O rate then", r["io_rate"], "per s"),
            Number("disconnect then", r["disc_ms"], "ms"),
            Number("disconnect while it is on", r["usual_ms"], "ms"),
            Number("intervals", r["bad_intervals"]),
        ),
        sql=_shown(r),
        when=episode(r),
        about=frozenset(volume(name) for name in listed(r["volumes"])),
        lost_s=r["lost_s"] or 0.0,
        confidence="medium" if r["hit_ratio"] is None and r["fast_write_ratio"] is None else "high",
        effect=_effect(r),
    )


def _is_whole(r: Row) -> bool:
    """Whether it is the subsystem's, not some volumes': all that are used, and more than one."""
    return bool(r["is_subsystem_off"]) or 1 < r["in_use"] <= len(listed(r["volumes"]))


def _subject(r: Row) -> Subject:
    if _is_whole(r):
        return Subject("subsystem", (r["subsystem"],), words=f"subsystem {r['subsystem']}")
    return volumes(listed(r["volumes"]), ())


def _switch(r: Row) -> str:
    return (WHOLE if r["is_subsystem_off"] else SWITCH)[str(r["what"])]


def _whom(r: Row) -> str:
    names, own = listed(r["volumes"]), f"subsystem {r['subsystem']}{_box(r)}"
    if _is_whole(r):
        return own if len(names) == 1 else f"{own}, {len(names)} volumes"
    if len(names) == 1:
        return f"volume {names[0]} of {own}"
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"volumes {in_words(names[:NAMED]) if not more else ', '.join(names[:NAMED]) + more} of {own}"


def _box(r: Row) -> str:
    return f" of box {r['serial'].lstrip('0')}" if r["serial"] else ""


def _still(r: Row) -> str:
    return ", still so at the end of the records" if r["is_still_off"] else ""


def _says(r: Row) -> str:
    """What the records say of status and counters."""
    whose = "the subsystem's" if r["is_subsystem_off"] else "the volumes'" if "|" in r["volumes"] else "the volume's"
    counted = ", ".join(
        f"{share(r[name])} of {words}"
        for name, (what, words) in _COUNTED.items()
        if r["what"] in (what, "both") and r[name] is not None
    )
    return f"{whose} own status says so{f', and {counted}' if counted else ''}"


def _costs(r: Row) -> str:
    if r["disc_ms"] is None:
        return "no record times what that costs"
    now = f"an I/O takes {human_number(r['disc_ms'])} ms of disconnect"
    if r["usual_ms"] is None:
        return f"{now}; it is on in no interval to compare with"
    return f"{now}, {human_number(r['usual_ms'])} ms while it is on"


@needs("disc_ms", "response_ms")
def _effect(r: Row) -> Effect:
    """Disconnect as while it is on: the mean of these intervals, between the lowest and the highest of them."""
    now, disc = r["response_ms"], r["disc_ms"]
    if r["usual_ms"] is None:
        basis, least = "bounds: as it is, or no disconnect at all; it is on in no interval to compare with", now - disc
        return Effect("response of these volumes", "ms", now, now - disc / 2, least, now, basis, identifiable=False)
    value, low, high = (now - max(disc - r[name], 0.0) for name in ("usual_ms", "best_ms", "worst_ms"))
    basis = "disconnect as in the intervals in which it is on: their mean, the lowest and the highest of them"
    return Effect("response of these volumes", "ms", now, value, low, high, basis)


def _shown(r: Row) -> str:
    names = ", ".join(map(literal, listed(r["volumes"])))
    return (
        "SELECT interval_start, volume, io_rate, disc_ms, cache_active, fast_write_active, fast_write_ratio FROM "
        f"disconnect_interval WHERE volser IN ({names}) ORDER BY interval_start, volume"
    )
