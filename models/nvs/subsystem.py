"""Steady-state model of the classic cached disk subsystem: storage paths, back-end paths and arms, NVS.

A hit has pend and connect time, and waits for a storage path. A read miss also waits for its arm and a back-end path;
staging continues after the record is read. A write is a hit; its destage uses path and arm later.
"""

import math
from dataclasses import dataclass

from iosq.models.machine import Machine
from iosq.models.queueing.checks import insist
from iosq.models.queueing.stations import mmc_wait_ms
from iosq.toolkit.errors import RequestError


@dataclass(frozen=True)
class Workload:
    """The load of a subsystem.

    Attributes:
        is_track_staged: True if a read miss stages to the end of its track, False if only its record.
        shares: each device's share of the I/Os, summing to 1; empty for equal shares.
    """

    block_bytes: float
    write_ratio: float
    read_miss_ratio: float
    is_track_staged: bool = True
    shares: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        insist(self, "write_ratio read_miss_ratio", lambda v: 0 <= v <= 1, "lie between 0 and 1")
        insist(self, "block_bytes", lambda v: 0 < v < math.inf, "be positive")
        if self.shares and not (min(self.shares) >= 0 and math.isclose(sum(self.shares), 1, rel_tol=1e-6)):
            raise RequestError("shares must not be negative and must sum to 1")


@dataclass(frozen=True)
class Demand:
    """Milliseconds per I/O on storage path, back-end path and arm; `miss_ms` is the extra unloaded time of a miss."""

    front_ms: float
    back_ms: float
    arm_ms: float
    hit_ms: float
    miss_ms: float
    miss_ratio: float


def records_per_track(block_bytes: float) -> int:
    """Records without keys on a 3390 track: 1729 cells of 34 bytes (IBM 3390 Reference Summary)."""
    groups = math.ceil((block_bytes + 6) / 232)
    cells = 19 + math.ceil((block_bytes + 6 * groups + 6) / 34)
    return max(1729 // cells, 1)


def staged_bytes(block_bytes: float, is_track_staged: bool) -> float:
    """Data staged by one random read miss: the record, or on average half a track and half a record."""
    return block_bytes * (records_per_track(block_bytes) + 1) / 2 if is_track_staged else block_bytes


def demand(machine: Machine, load: Workload) -> Demand:
    """Service demand of an average I/O on each part."""
    rate = machine.positive("back_path_bytes_rate")
    transfer_ms = load.block_bytes / rate * 1e3
    staged_ms = staged_bytes(load.block_bytes, load.is_track_staged) / rate * 1e3
    seek_ms, stage_ms = machine.not_negative("arm_ms"), machine.not_negative("stage_ms")
    misses = (1 - load.write_ratio) * load.read_miss_ratio
    destages = load.write_ratio * machine.not_negative("destage_per_write_ratio")
    front_transfer_ms = load.block_bytes / machine.positive("storage_path_bytes_rate") * 1e3
    return Demand(
        front_ms=machine.not_negative("storage_path_ms") + front_transfer_ms,
        back_ms=misses * (stage_ms + staged_ms) + destages * (machine.not_negative("destage_ms") + transfer_ms),
        arm_ms=misses * (seek_ms + staged_ms) + destages * (seek_ms + transfer_ms),
        hit_ms=hit_pend_ms(machine, load.block_bytes) + hit_connect_ms(machine, load.block_bytes),
        miss_ms=seek_ms + transfer_ms,
        miss_ratio=misses,
    )


def hit_connect_ms(machine: Machine, block_bytes: float) -> float:
    """Connect time of a cache hit."""
    return machine.not_negative("connect_ms") + block_bytes / machine.positive("storage_path_bytes_rate") * 1e3


def hit_pend_ms(machine: Machine, block_bytes: float) -> float:
    """Pend time of a cache hit on an idle subsystem."""
    return machine.not_negative("pend_ms") + block_bytes * machine.not_negative("pend_ms_per_byte")


def utilization(machine: Machine, load: Workload, io_rate: float) -> dict[str, float]:
    """Utilisation of `storage paths`, `back-end paths` (staging and destage) and `hottest arm` at this rate."""
    need = demand(machine, load)
    ms_per_io = {
        "storage paths": need.front_ms / machine.count("storage_path_count"),
        "back-end paths": need.back_ms / machine.count("back_path_count"),
        "hottest arm": max(_shares(machine, load)) * need.arm_ms,
    }
    return {part: io_rate * ms / 1e3 for part, ms in ms_per_io.items()}


def max_rate(machine: Machine, load: Workload) -> float:
    """I/Os per second at which the first part reaches 100 % utilisation."""
    busiest = max(utilization(machine, load, 1.0).values())
    return 1 / busiest if busiest else math.inf


def response_ms(machine: Machine, load: Workload, io_rate: float) -> float:
    """Mean response at this rate for random arrivals; infinite from `max_rate` on.

    RequestError for a rate that is negative or not finite.
    """
    if not 0 <= io_rate < math.inf:
        raise RequestError(f"io_rate = {io_rate} must be finite and not negative")
    need = demand(machine, load)
    if io_rate >= max_rate(machine, load):
        return math.inf
    front_ms = _wait_ms(io_rate, need.front_ms, machine.count("storage_path_count"))
    hit_ms = need.hit_ms + front_ms
    if not need.miss_ratio:
        return hit_ms
    per_op = need.miss_ratio + load.write_ratio * machine.not_negative("destage_per_write_ratio")
    path_ms = _wait_ms(io_rate * per_op, need.back_ms / per_op, machine.count("back_path_count"))
    arm_ms = _arm_wait_ms(machine, load, io_rate, need, per_op)
    return hit_ms + need.miss_ratio * (need.miss_ms + path_ms + arm_ms)


def rate_at(machine: Machine, load: Workload, target_ms: float) -> float:
    """Largest I/O rate with a mean response of at most `target_ms`; 0 if even an unloaded box exceeds it."""
    if response_ms(machine, load, 0.0) > target_ms:
        return 0.0
    low, high = 0.0, max_rate(machine, load)
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if response_ms(machine, load, middle) <= target_ms else (low, middle)
    return low


def _shares(machine: Machine, load: Workload) -> tuple[float, ...]:
    count = machine.count("volume_count")
    return load.shares or (1 / count,) * count


def _arm_wait_ms(machine: Machine, load: Workload, io_rate: float, need: Demand, per_op: float) -> float:
    """M/M/1 wait at each arm, weighted by its share of the load."""
    service_ms = need.arm_ms / per_op
    busy = [(share, io_rate * share * need.arm_ms / 1e3) for share in _shares(machine, load)]
    return sum(share * service_ms * rho / (1 - rho) for share, rho in busy)


def _wait_ms(rate: float, service_ms: float, servers: int) -> float:
    """M/M/c wait for `rate` per second and `servers` equal servers."""
    return float(mmc_wait_ms(rate, service_ms, servers)) if rate and service_ms else 0.0
