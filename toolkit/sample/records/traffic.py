"""Bytes and operations the disks of one system moved through its FICON channels."""

from __future__ import annotations

from dataclasses import dataclass

from iosq.toolkit.sample.day import Day
from iosq.toolkit.sample.sysplex import System

FICON_GROUP = 2
FIRST_CHANNEL = 0x50
# the other partitions of the machine use the shared channels too
OTHER_PARTITIONS = 1.25


@dataclass(frozen=True, slots=True)
class Traffic:
    """Of one FICON channel in one interval; `busy_ms` is connect time."""

    read_bytes: int
    write_bytes: int
    operations: int
    open_ms: float


def ficon_channels(system: System) -> list[str]:
    """Channel path ids of a system's FICON channels."""
    return [f"{FIRST_CHANNEL + i:02X}" for i, g in enumerate(system.channel_groups) if g == FICON_GROUP]


def traffic(day: Day, system: int, interval: int) -> list[Traffic]:
    """One for each FICON channel; the load is spread evenly but for the remainder."""
    demand = day.state.demand
    started = day.devices["SSC"][system, :, interval]
    moved = started * demand.block_bytes[:, interval]
    reads = int((moved * demand.read_ratio[:, interval]).sum())
    writes, operations = int(moved.sum()) - reads, int(started.sum())
    open_ms = float((started * (day.state.service_ms[:, interval] - 0.06)).sum())
    count = len(ficon_channels(day.sysplex.systems[system]))

    def part(total: int, i: int) -> int:
        return total // count + (1 if i < total % count else 0)

    return [Traffic(part(reads, i), part(writes, i), part(operations, i), open_ms / count) for i in range(count)]
