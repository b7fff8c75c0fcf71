"""A volume is held by another system."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from iosq.toolkit.advise.finding import Effect, Finding, Known, Number, percent
from iosq.toolkit.advise.subject import WAITS, volume
from iosq.toolkit.advise.window import episode, lasts, period
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import share
from iosq.toolkit.show.records import by_platform
from iosq.toolkit.sql.raw import literal


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    return (_finding(r, limits) for r in rows if lasts(r, limits))


def _finding(r: Row, limits: Mapping[str, float]) -> Finding:
    subject = volume(r["volume"], r["system"])
    only = (r["queue_else"] or 0.0) < limits["queue_else"]
    return Finding(
        severity="act" if r["holder"] or not r["is_overfull"] else "watch",
        subject=subject,
        text=f"{_inferred(r) if r['is_inferred'] else _recorded(r)}{CONTRADICTS if r['is_overfull'] else ''}",
        advice=_advice(r, only),
        numbers=_numbers(r),
        sql=(
            "SELECT system, interval_start, io_rate, device_busy_ms, pend_ms, response_ms, reserved_ratio "
            f"FROM volume_interval WHERE volume = {literal(r['volume'])} "
            f"ORDER BY CASE WHEN system = {literal(r['system'])} THEN 0 ELSE 1 END, "
            f"{'pend_ms' if r['is_inferred'] else 'device_busy_ms'} DESC"
        ),
        when=episode(r),
        lost_s=r["lost_s"],
        confidence="low" if r["is_inferred"] or r["is_overfull"] else "high" if r["is_proven"] else "medium",
        # of what contradicts itself nothing is predicted
        effect=None if r["is_overfull"] else _effect(r),
        covers=frozenset({(WAITS, subject)} if only else ()),
    )


CONTRADICTS = (
    ". More I/Os are in progress then than its exposures can hold, so rate, times or exposures are recorded wrong "
    "(view unfit_interval): how much time it costs is unsure"
)


def _recorded(r: Row) -> str:
    return (
        f"Volume {r['volume']} is held by {_holder(r)} while {r['system']} wants it ({period(r)}): an I/O waits "
        f"{r['peak_busy_ms']:.1f} ms for the device to become free, {_share(r)} of its response time then{_doubt(r)}"
    )


def _holder(r: Row) -> str:
    if r["holder"]:
        return f"system {r['holder']}"
    return "a system not read here" + (f", or by {r['maybe_holder']}," if r["maybe_holder"] else "")


def _doubt(r: Row) -> str:
    """What isn't known of the disk: equal serials may be two, of two sites."""
    if r["holder"] and not r["is_proven"]:
        elsewhere = f"{r['holder']} has it at another LCU or device number"
        why = elsewhere if r["serial"] else "no record tells which box it is in"
        return f". That it is one disk on both is taken from its serial alone: {why}"
    if r["maybe_holder"] and not r["holder"]:
        return (
            f". Several disks have this serial, and nothing tells whether {r['maybe_holder']}, which has one of them "
            "reserved then, uses the same"
        )
    return ""


def _inferred(r: Row) -> str:
    return (
        f"I/Os to volume {r['volume']} wait in pend on {r['system']} ({period(r)}): up to "
        f"{r['usual_pend_ms'] + r['peak_busy_ms']:.1f} ms in place of the usual {r['usual_pend_ms']:.1f}, {_share(r)} "
        f"of its response time then, while the pend of most other volumes is as ever: {_found_reserved(r)}"
    )


def _found_reserved(r: Row) -> str:
    """What FCX110 prints of it; where it prints nothing, what is missing."""
    reserved = r["own_reserved_ratio"]
    if reserved:
        return f"another system holds it; {r['system']} found it reserved in {share(reserved)} of the samples"
    shows = by_platform(r["platform"], "device busy delay", "Reserved of I/O device details (FCX110)")
    return f"another system holds it, or its own path is slow; {shows}, which would show it, is not recorded"


def _share(r: Row) -> str:
    return share(r["busy_ms"] / r["response_ms"])


def _advice(r: Row, only: bool) -> str:
    """What to do.

    Args:
        r: a row of the answer.
        only: whether it queues at no other time, where aliases may be the cure.
    """
    no_help = f"Aliases will not help{'' if only else ' in these hours'}"
    if r["is_inferred"]:
        return (
            f"{no_help}: their I/Os wait for the same. First look which system reserves it at that time; "
            "keep its jobs apart from these, or give them data of their own"
        )
    return (
        f"{no_help}. Turn the RESERVE into a global ENQ (GRS conversion list), or keep the jobs that "
        "reserve this volume apart in time"
    )


def _numbers(r: Row) -> tuple[Number, ...]:
    what = "pend above usual" if r["is_inferred"] else "device busy delay"
    return (
        Number(f"{what}, worst interval", r["peak_busy_ms"], "ms"),
        Number(f"{what}, mean of these intervals", r["busy_ms"], "ms"),
        Number("response, mean of these intervals", r["response_ms"], "ms"),
        percent("reserved by the other system, worst interval", r["reserved_ratio"]),
        Number("intervals", r["bad_intervals"]),
    )


def _effect(r: Row) -> Effect:
    """Without the reserve its delay goes; the queue behind it at most too."""
    now, left = r["response_ms"], max(r["response_ms"] - r["busy_ms"], 0.0)
    low = max(min(left - (r["wait_ms"] or 0.0), 0.9 * left), 0.0)
    holder = "what holds it" if r["is_inferred"] else "the reserve"
    basis = f"the delay goes with {holder}; what waits behind it in the host goes with it at best"
    return Effect(
        f"response {'with the usual pend' if r['is_inferred'] else 'without the reserve'}",
        "ms",
        now,
        left,
        low,
        now,
        basis,
    )
