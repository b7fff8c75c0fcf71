"""Measured volumes, and the load on a box."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush

from iosq.models.queueing.checks import insist
from iosq.models.queueing.stations import mmc_wait_ms
from iosq.toolkit.errors import RequestError

BURST_MAX = 100.0  # a wait longer than this many Poisson waits has another cause than arrivals


@dataclass(frozen=True)
class MeasuredVolume:
    """One volume over one interval, with columns of `volume_interval`.

    Attributes:
        io_rate: I/Os per second; read_ratio, read_hit_ratio: 0..1.
        bytes_per_io: data transferred per I/O.
        wait_ms, pend_ms, disc_ms, conn_ms: response components on the present box.
        exposures: base + aliases on the present box, and on the new one.
        footprint_gb: data accessed; capacity_gb: data stored.
        growth: planned rate over measured rate; all other values are measured.
    """

    volume: str
    io_rate: float
    read_ratio: float
    read_hit_ratio: float
    bytes_per_io: float
    wait_ms: float
    pend_ms: float
    disc_ms: float
    conn_ms: float
    exposures: float = 1.0
    footprint_gb: float = 1.0
    capacity_gb: float = 2.84
    growth: float = 1.0

    def __post_init__(self) -> None:
        times = "io_rate wait_ms pend_ms disc_ms conn_ms"
        sizes = "bytes_per_io footprint_gb capacity_gb growth"
        insist(self, "read_ratio read_hit_ratio", lambda v: 0 <= v <= 1, "lie between 0 and 1", self.volume)
        insist(self, times, lambda v: 0 <= v < math.inf, "not be negative", self.volume)
        insist(self, sizes, lambda v: 0 < v < math.inf, "be positive", self.volume)
        insist(self, "exposures", lambda v: v >= 1, "be at least 1", self.volume)

    @property
    def planned_rate(self) -> float:
        return self.io_rate * self.growth

    @property
    def service_ms(self) -> float:
        return self.pend_ms + self.disc_ms + self.conn_ms

    @property
    def response_ms(self) -> float:
        return self.wait_ms + self.service_ms

    @property
    def burst_ratio(self) -> float:
        """Burstiness of arrivals: measured wait over the wait of Poisson arrivals; 1 if unknown."""
        poisson_ms = host_wait_ms(self.io_rate, self.service_ms, self.exposures)
        if not (0 < poisson_ms < math.inf and self.wait_ms > 0):
            return 1.0
        return min(self.wait_ms / poisson_ms, BURST_MAX)


@dataclass(frozen=True)
class BoxLoad:
    """Total load of a box; ratios are weighted by rate, `shares` are each volume's share of the rate."""

    io_rate: float
    read_ratio: float
    read_hit_ratio: float
    bytes_per_io: float
    footprint_gb: float
    capacity_gb: float
    shares: tuple[float, ...]
    exposures: float


def host_wait_ms(io_rate: float, service_ms: float, exposures: float) -> float:
    """Wait for one of `exposures` under Poisson arrivals (M/M/c; fractions are rounded down)."""
    servers = math.floor(exposures)
    if io_rate * service_ms / 1e3 >= servers:
        return math.inf
    return float(mmc_wait_ms(io_rate, service_ms, servers)) if io_rate and service_ms else 0.0


def together(volumes: Sequence[MeasuredVolume]) -> BoxLoad:
    """The total load of these volumes at their planned rates; RequestError for no volume, or none with I/O."""
    rate = sum(v.planned_rate for v in volumes)
    if not rate > 0:
        raise RequestError("no volume with any I/O to place on the new box")
    reads = sum(v.planned_rate * v.read_ratio for v in volumes)
    hits = sum(v.planned_rate * v.read_ratio * v.read_hit_ratio for v in volumes)
    return BoxLoad(
        io_rate=rate,
        read_ratio=min(reads / rate, 1.0),
        read_hit_ratio=min(hits / reads, 1.0) if reads else 1.0,
        bytes_per_io=sum(v.planned_rate * v.bytes_per_io for v in volumes) / rate,
        footprint_gb=sum(v.footprint_gb for v in volumes),
        capacity_gb=sum(v.capacity_gb for v in volumes),
        shares=tuple(v.planned_rate / rate for v in volumes),
        exposures=sum(v.exposures for v in volumes),
    )


def grown(volumes: Sequence[MeasuredVolume], growth: float) -> tuple[MeasuredVolume, ...]:
    """The volumes at `growth` times their rates."""
    if not 0 < growth < math.inf:
        raise RequestError(f"growth = {growth} must be positive")
    return tuple(replace(volume, growth=volume.growth * growth) for volume in volumes)


def dealt(volumes: Sequence[MeasuredVolume], boxes: int) -> list[list[MeasuredVolume]]:
    """Distribute the volumes over boxes, busiest first, each to the box with the lowest I/O rate that has room.

    Boxes get equal numbers of volumes (within one), so that one busy volume does not require boxes for all others.
    """
    room = math.ceil(len(volumes) / boxes)
    groups: list[list[MeasuredVolume]] = [[] for _ in range(boxes)]
    emptiest = [(0.0, 0, place) for place in range(boxes)]
    for volume in sorted(volumes, key=lambda volume: volume.io_rate, reverse=True):
        rate, count, place = heappop(emptiest)
        groups[place].append(volume)
        if count + 1 < room:
            heappush(emptiest, (rate + volume.io_rate, count + 1, place))
    return groups
