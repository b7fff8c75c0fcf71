"""Bytes and operations of disk I/O of one system on its FICON channels."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from iosq.toolkit.sample.day import Day
from iosq.toolkit.sample.paths import channels_to, ficon_channels
from iosq.toolkit.sample.records.frame import spread

# the other partitions of the machine use the shared channels too
OTHER_PARTITIONS = 1.25


@dataclass(frozen=True, slots=True)
class Traffic:
    """Load of a FICON channel in one interval; `busy_ms`: connect time; `all_ratio`: load of all partitions / own."""

    read_bytes: int
    write_bytes: int
    operations: int
    open_ms: float
    all_ratio: float


def traffic(day: Day, system: int, interval: int) -> list[Traffic]:
    """The load of each FICON channel: that of its LCUs, spread evenly except for the remainder."""
    plex, who = day.sysplex, day.sysplex.systems[system]
    led = {c: tuple(i for i, one in enumerate(plex.lcus) if c in channels_to(plex, who, one))
           for c in ficon_channels(who)}  # fmt: skip
    loads = {lcus: _loads(day, system, interval, lcus, list(led.values()).count(lcus)) for lcus in set(led.values())}
    return [loads[lcus].pop(0) for lcus in led.values()]


def _loads(day: Day, system: int, interval: int, lcus: tuple[int, ...], count: int) -> list[Traffic]:
    demand, here = day.state.demand, np.isin([v.lcu for v in day.sysplex.volumes], lcus)
    started = day.devices["SSC"][system, here, interval]
    moved = started * demand.block_bytes[here, interval]
    reads = int((moved * demand.read_ratio[here, interval]).sum())
    writes, operations = int(moved.sum()) - reads, int(started.sum())
    open_ms = float((started * (day.state.service_ms[here, interval] - 0.06)).sum())
    of_all = _all_ratio(day, interval, here, operations) if day.sysplex.lcus[lcus[0]].channels else OTHER_PARTITIONS
    parts = zip(spread(reads, count), spread(writes, count), spread(operations, count), strict=True)
    return [Traffic(*part, open_ms / count, of_all) for part in parts]


def _all_ratio(day: Day, interval: int, here: NDArray[np.bool_], operations: int) -> float:
    """I/Os of all systems / those of one system on these channels."""
    return float(day.devices["SSC"][:, here, interval].sum()) / max(operations, 1)
