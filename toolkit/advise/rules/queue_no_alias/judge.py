"""I/Os queue for a device that takes no aliases, or that SET THROTTLE holds back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from iosq.toolkit.advise.finding import Aliases, Finding, Known, Number
from iosq.toolkit.advise.subject import queues, volume
from iosq.toolkit.advise.window import episode, period
from iosq.toolkit.rows import Row
from iosq.toolkit.show.records import device_number
from iosq.toolkit.sql.raw import literal

EMULATED = (
    "Look at the FCP paths, the SAN and the box behind it (monitor records D6R24, D6R49, D6R50). Define more paths, or "
    "spread the data over more devices. Aliases are not possible for this type"
)
THROTTLED = (
    "See whether the throttle is meant (QUERY THROTTLE). Raise it with SET THROTTLE, or turn it off. Aliases will not "
    "help while it is in force"
)
SHOWN = (
    "SELECT interval_start, device, device_type, io_rate, queue_length, wait_ms, service_ms, throttle_delay_rate "
    "FROM volume_interval"
)


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    return (_finding(r, limits) for r in rows)


def _finding(r: Row, limits: Mapping[str, float]) -> Finding:
    only = (r["queue_else"] or 0.0) < limits["queue_else"]
    return Finding(
        severity="act",
        subject=volume(r["volume"], r["system"]),
        text=_throttled(r) if r["takes_aliases"] else _emulated(r),
        advice=THROTTLED if r["takes_aliases"] else EMULATED,
        numbers=(
            Number("I/O rate, longest queue", r["io_rate"], "per s"),
            Number("queue, longest", r["queue_length"], "I/Os"),
            Number("wait in the queue", r["wait_ms"], "ms"),
            Number("service", r["service_ms"], "ms"),
            Number("I/Os delayed by SET THROTTLE", r["delayed_rate"], "per s"),
            Number("intervals with such a queue", r["bad_intervals"]),
        ),
        sql=f"{SHOWN} WHERE volume = {literal(r['volume'])} AND system = {literal(r['system'])}",
        when=episode(r),
        lost_s=r["lost_s"],
        confidence="medium",
        covers=queues([(r["volume"], r["system"])] if only else ()),
        aliases=Aliases("wont_help"),
    )


def _emulated(r: Row) -> str:
    at = device_number(r["device"], r["platform"])
    return (
        f"I/Os queue for emulated device {r['volume']} ({r['device_type']} at {at}) on {r['system']} ({period(r)}): "
        f"{r['queue_length']:.1f} queued, {r['wait_ms']:.1f} ms each before {r['service_ms']:.1f} ms of service"
    )


def _throttled(r: Row) -> str:
    return (
        f"SET THROTTLE delays {r['delayed_rate']:.1f} I/Os per s to volume {r['volume']} on {r['system']} "
        f"({period(r)}): {r['queue_length']:.1f} queued, {r['wait_ms']:.1f} ms each"
    )
