"""All tape drives of a system are allocated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from iosq.toolkit.advise.finding import Finding, Known, Number, percent
from iosq.toolkit.advise.subject import Subject
from iosq.toolkit.advise.window import episode, lasts, period
from iosq.toolkit.rows import Row
from iosq.toolkit.sql.raw import literal


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    return (_finding(r, limits) for r in rows if lasts(r, limits))


def _finding(r: Row, limits: Mapping[str, float]) -> Finding:
    return Finding(
        severity="watch",
        subject=Subject("box", (r["system"],), words=f"the tape drives of {r['system']}"),
        text=f"{_drives(r)} allocated ({period(r)}){_mounts(r)}",
        advice=_advice(r, limits),
        numbers=(
            Number("drives online", r["drives"]),
            percent("of them allocated, highest mean of an interval", r["allocated_ratio"]),
            Number("drives with a mount pending, mean", r["mounting"]),
            Number("drives with a mount pending, most in an interval", r["pending_worst"]),
            Number("mounts then", r["mounts"]),
            Number("a mount took", _mount_s(r), "s"),
            Number("drives free in the quietest interval", r["free_later"]),
            Number("intervals", r["bad_intervals"]),
        ),
        sql=(
            "SELECT interval_start, device, allocated_ratio, mount_pending_ratio, mount_count FROM device_interval "
            f"WHERE device_class = 'tape' AND system = {literal(r['system'])} ORDER BY interval_start, device"
        ),
        when=episode(r),
        lost_s=0.0,  # who waits for a drive waits in allocation, of which no I/O record tells
        confidence="medium",
    )


def _drives(r: Row) -> str:
    """All of them, in words."""
    kind = f" (type {r['device_type']})" if r["device_type"] else ""
    whole = "All" if r["allocated_ratio"] > 0.995 else "Nearly all"
    return f"{whole} {r['drives']} tape drives{kind} of {r['system']} were"


def _mounts(r: Row) -> str:
    return f"; {r['mounting']:.1f} of them waited for a mount at any moment" if r["mounting"] else ""


def _mount_s(r: Row) -> float | None:
    return r["pending_s"] / r["mounts"] if r["mounts"] and r["pending_s"] is not None else None


def _advice(r: Row, limits: Mapping[str, float]) -> str:
    move = " Some were free at other hours: move jobs there first." if (r["free_later"] or 0.0) >= 1 else ""
    if (r["mounting"] or 0.0) >= limits["mounting_ratio"] * r["drives"]:
        return (
            "More drives would wait for mounts as well. Look first why mounts take so long: operators, robots, or a "
            f"virtual tape server that recalls volumes it no longer holds.{move}"
        )
    return (
        "A job that needs another drive waits in allocation. Look first for jobs that hold drives they don't use "
        f"(several in parallel, steps that keep a drive); then add drives.{move}"
    )
