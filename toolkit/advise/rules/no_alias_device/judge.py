"""I/Os queue for a device that takes no aliases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from iosq.toolkit.advise.finding import Aliases, Finding, Known, Number
from iosq.toolkit.advise.subject import volume
from iosq.toolkit.advise.window import period
from iosq.toolkit.rows import Row
from iosq.toolkit.show.records import device_number
from iosq.toolkit.sql.raw import literal

ADVICE = (
    "Look at the FCP paths, the SAN and the box behind it (monitor records D6R24, D6R49, D6R50). Define more paths, or "
    "spread the data over more devices. Aliases are not possible for this type"
)
SHOWN = "SELECT interval_start, device, device_type, io_rate, queue_length, wait_ms, service_ms FROM volume_interval"


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    return map(_finding, rows)


def _finding(r: Row) -> Finding:
    return Finding(
        severity="act",
        subject=volume(r["volume"], r["system"]),
        text=(
            f"I/Os queue for emulated device {_called(r)} ({period(r)}): {r['queue_length']:.1f} queued, "
            f"{r['wait_ms']:.1f} ms each before {r['service_ms']:.1f} ms of service"
        ),
        advice=ADVICE,
        numbers=(
            Number("I/O rate, longest queue", r["io_rate"], "per s"),
            Number("queue, longest", r["queue_length"], "I/Os"),
            Number("wait in the queue", r["wait_ms"], "ms"),
            Number("service", r["service_ms"], "ms"),
            Number("intervals with such a queue", r["bad_intervals"]),
        ),
        sql=f"{SHOWN} WHERE volume = {literal(r['volume'])} AND system = {literal(r['system'])}",
        lost_s=r["lost_s"],
        confidence="medium",
        aliases=Aliases("wont_help"),
    )


def _called(r: Row) -> str:
    return f"{r['volume']} ({r['device_type']} at {device_number(r['device'], r['platform'])}) on {r['system']}"
