"""Virtual tape server: host writes fill the tape volume cache, premigration empties it, mounts need a robot.

Until the cache is full the host writes at the peak rate, and premigration runs at a reduced rate; then the host writes
at the rate of premigration, the sustained rate.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from iosq.models import channel
from iosq.models.arrays import Floats
from iosq.models.machine import Machine, load
from iosq.models.tape.host import Attachment, TapeLoad, host_bytes_rate
from iosq.toolkit.errors import RequestError

CHANNELS = ("escon", "ficon")  # machine files of the channel types


@dataclass(frozen=True)
class TapePrediction:
    """Rates in bytes per second before compression.

    `limit` names the limit of the peak rate: `jobs and channels`, `controller`, `cache disks` or `mounts`; `assumed`
    lists the parameters without a published value.
    """

    peak_bytes_rate: float
    sustained_bytes_rate: float
    peak_s: float
    mounts_per_hour: float
    limit: str
    assumed: tuple[str, ...]


@dataclass(frozen=True)
class TapeTimeline:
    """`host_bytes_rate` before compression, `cached_bytes` (compressed, not yet on tape) at the end of each step."""

    time_s: Floats
    host_bytes_rate: Floats
    cached_bytes: Floats
    premigrated_bytes_rate: Floats


@dataclass(frozen=True)
class TapePhase:
    """A period with a constant number of jobs."""

    seconds: float
    jobs: int


def attachment(*channels: Machine) -> Attachment:
    """The given channel machines, or the shipped ones of `CHANNELS`."""
    escon, ficon = channels or [load(name) for name in CHANNELS]
    return Attachment(channel.from_machine(escon), channel.from_machine(ficon))


def predict(machine: Machine, work: TapeLoad, attached: Attachment | None = None) -> TapePrediction:
    """Predict peak and sustained rate, duration of the peak from an empty cache, and logical mounts per hour."""
    peak, limit = peak_bytes_rate(machine, work, attached or attachment())
    sustained = min(peak, premigration_bytes_rate(machine, work) * work.compression_ratio)
    assumed = tuple(sorted(name for name, p in machine.parameters.items() if p.how == "assumed"))
    return TapePrediction(
        peak, sustained, peak_s(machine, work, peak), mounts_per_hour(machine, work, sustained), limit, assumed
    )


def peak_bytes_rate(machine: Machine, work: TapeLoad, attached: Attachment) -> tuple[float, str]:
    """Rate while the cache has room, and its limit. Pooling and copying do not affect it."""
    limits = {
        "jobs and channels": host_bytes_rate(machine, attached, work),
        "controller": machine.positive("controller_bytes_rate"),
        "cache disks": machine.positive("drawer_count")
        * machine.positive("drawer_bytes_rate")
        * work.compression_ratio,
        # a volume is mounted before it is written
        "mounts": machine.positive("mounts_per_hour") / 3600 * work.volume_bytes,
    }
    slowest = min(limits, key=lambda name: limits[name])
    return limits[slowest], slowest


def premigration_bytes_rate(machine: Machine, work: TapeLoad) -> float:
    """Compressed bytes per second moved from cache to tape; each cartridge copy needs its own pass."""
    drives = machine.positive("backend_drive_count")
    cut = 0.0 if work.pools == 1 else machine.value("pool_cut_ratio" if work.pools < drives else "many_pool_cut_ratio")
    return drives * machine.positive("drive_premigration_bytes_rate") * (1 - cut) / (1 + work.dual_copy_ratio)


def peak_s(machine: Machine, work: TapeLoad, peak: float) -> float:
    """Seconds until an empty cache is full; infinite if premigration keeps up."""
    left = machine.not_negative("peak_premigration_ratio") * premigration_bytes_rate(machine, work)
    full = premigration_bytes_rate(machine, work) * work.compression_ratio
    filling = peak / work.compression_ratio - left
    return cache_bytes(machine) / filling if peak > full else math.inf


def cache_bytes(machine: Machine) -> float:
    """Cache capacity for data not yet on tape."""
    return machine.positive("drawer_count") * machine.positive("drawer_bytes") * machine.positive("cache_full_ratio")


def mounts_per_hour(machine: Machine, work: TapeLoad, bytes_rate: float) -> float:
    """Logical mounts per hour: one per volume written, up to the library manager's limit."""
    return min(bytes_rate / work.volume_bytes * 3600, machine.positive("mounts_per_hour"))


def simulate(
    machine: Machine, work: TapeLoad, phases: Sequence[TapePhase], *, step_s: float = 10.0, cached_bytes: float = 0.0
) -> TapeTimeline:
    """Throughput over time; a phase without jobs lets premigration catch up.

    Raises:
        RequestError: no phase, or an impossible one.
    """
    if not phases or not step_s > 0:
        raise RequestError("tape over time needs at least one phase and a positive step_s")
    attached, room = attachment(), cache_bytes(machine)
    rate = premigration_bytes_rate(machine, work)
    rows: list[tuple[float, float, float]] = []
    for phase in phases:
        offered = _offered(machine, work, phase, attached) / work.compression_ratio
        for _ in range(max(1, round(phase.seconds / step_s))):
            taken, cached_bytes, moved = _step(machine, offered, cached_bytes, room, rate, step_s)
            rows.append((taken * work.compression_ratio / step_s, cached_bytes, moved / step_s))
    table = np.array(rows, dtype=np.float64)
    time_s = step_s * np.arange(1, len(rows) + 1, dtype=np.float64)
    return TapeTimeline(time_s, table[:, 0], table[:, 1], table[:, 2])


def _offered(machine: Machine, work: TapeLoad, phase: TapePhase, attached: Attachment) -> float:
    if not phase.seconds > 0 or phase.jobs < 0:
        raise RequestError(f"phase of {phase.seconds} s with {phase.jobs} jobs makes no sense")
    return peak_bytes_rate(machine, replace(work, jobs=phase.jobs), attached)[0] if phase.jobs else 0.0


def _step(
    machine: Machine, offered: float, cached: float, room: float, rate: float, step_s: float
) -> tuple[float, float, float]:
    """Compressed bytes taken, cached at the end, and moved to tape. Host writes have priority while there is room."""
    throttled = cached + offered * step_s > room or offered <= rate
    share = 1.0 if throttled else machine.not_negative("peak_premigration_ratio")
    moved = min(share * rate * step_s, cached + offered * step_s)
    taken = min(offered * step_s, room - cached + moved)
    return taken, cached + taken - moved, moved
