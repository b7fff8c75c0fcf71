"""Virtual tape: jobs write through channels to a disk cache, premigration moves the data to cartridges, a robot mounts.

A job runs one channel program at a time, with half of its QSAM buffers, while the other half is filled. A program takes
a fixed time plus the link time of its blocks; ESCON acknowledges each block, FICON each program.

Until the cache is full the host writes at the peak rate, and premigration runs at a reduced rate; then the host writes
at the rate of premigration, the sustained rate.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from iosq.models import channel
from iosq.models.arrays import Floats
from iosq.models.channel import LIGHT_MS_PER_KM, Channel, link_bytes_rate
from iosq.models.machine import Machine, load
from iosq.models.queueing.checks import insist
from iosq.toolkit.errors import RequestError

CHANNELS = ("escon", "ficon")  # machine files of the channel types


@dataclass(frozen=True)
class TapeLoad:
    """Jobs that write (or read) logical volumes.

    Attributes:
        jobs: concurrent jobs, at most the number of virtual drives.
        block_bytes: data per block, before compression.
        bufno: QSAM buffers; an EXCP program with n buffers is equivalent to QSAM with 2 n.
        compression_ratio: bytes before / bytes after compression, at least 1.
        escon_count, ficon_count: channels of each type.
        distance_km: between host and tape server.
        volume_bytes: size of a logical volume, before compression.
        pools: physical volume pools in use.
        dual_copy_ratio: share of the data written to two cartridges.
    """

    jobs: int
    block_bytes: float = 32768.0
    bufno: int = 20
    compression_ratio: float = 2.66
    escon_count: int = 0
    ficon_count: int = 4
    distance_km: float = 0.0
    volume_bytes: float = 800e6
    pools: int = 1
    dual_copy_ratio: float = 0.0

    def __post_init__(self) -> None:
        insist(self, "jobs", lambda v: v >= 1, "be at least 1")
        insist(self, "bufno", lambda v: v >= 2, "be at least 2")
        insist(self, "pools compression_ratio", lambda v: v >= 1, "be at least 1")
        insist(self, "escon_count", lambda v: v >= 0, "be at least 0")
        insist(self, "block_bytes volume_bytes", lambda v: v > 0, "be positive")
        if self.ficon_count < 0 or self.ficon_count + self.escon_count < 1:
            raise RequestError("escon_count and ficon_count: at least one channel is needed")
        insist(self, "dual_copy_ratio", lambda v: 0 <= v <= 1, "lie between 0 and 1")


@dataclass(frozen=True)
class Attachment:
    """The channel types of a tape server."""

    escon: Channel
    ficon: Channel


def qsam_bufno(excp_bufno: int) -> int:
    """QSAM buffers equivalent to `excp_bufno` EXCP buffers (stated for the virtual tape server)."""
    return 2 * excp_bufno


def job_bytes_rate(machine: Machine, channel: Channel, load: TapeLoad) -> float:
    """Bytes per second before compression of a single job on a channel."""
    blocks = load.bufno / 2
    side, round_trip_ms = channel.write, 2 * LIGHT_MS_PER_KM * load.distance_km
    if load.distance_km > channel.distance_max_km:
        raise RequestError(
            f"distance_km = {load.distance_km} is beyond the {channel.distance_max_km:g} of {channel.name}"
        )
    block_ms = (
        machine.not_negative("block_ms") + load.block_bytes / link_bytes_rate(channel, side, load.distance_km) * 1e3
    )
    handshakes = channel.round_trips * (1 if channel.is_overlapped else blocks)
    program_ms = machine.not_negative("program_ms") + blocks * block_ms + handshakes * round_trip_ms
    return blocks * load.block_bytes / program_ms * 1e3


def channel_bytes_rate(machine: Machine, attachment: Attachment, load: TapeLoad) -> float:
    """Most bytes per second of all channels at this block size and distance."""
    escon = load.escon_count * _escon_bytes_rate(attachment.escon, load) if load.escon_count else 0.0
    droop = link_bytes_rate(attachment.ficon, attachment.ficon.write, load.distance_km)
    per_ficon = machine.positive("ficon_bytes_rate") * droop / attachment.ficon.write.link_bytes_rate
    return escon + load.ficon_count * per_ficon


def _escon_bytes_rate(channel: Channel, load: TapeLoad) -> float:
    link = link_bytes_rate(channel, channel.write, load.distance_km)
    return load.block_bytes / (channel.write.port_ms / 1e3 + load.block_bytes / link)


def host_bytes_rate(machine: Machine, attachment: Attachment, load: TapeLoad) -> float:
    """Bytes per second of all jobs through the channels, without limits of the tape server.

    Jobs are spread over channel types in proportion to the number of channels.
    """
    if load.jobs > machine.count("virtual_drive_count"):
        raise RequestError(
            f"jobs = {load.jobs} exceed the {machine.value('virtual_drive_count'):g} virtual drives of {machine.name}"
        )
    counts = ((attachment.escon, load.escon_count), (attachment.ficon, load.ficon_count))
    total = sum(count for _, count in counts)
    rates = sum(count / total * job_bytes_rate(machine, channel, load) for channel, count in counts if count)
    return min(load.jobs * rates, channel_bytes_rate(machine, attachment, load))


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


def simulate(machine: Machine, work: TapeLoad, phases: Sequence[TapePhase], *, step_s: float = 10.0) -> TapeTimeline:
    """Throughput over time; a phase without jobs lets premigration catch up.

    RequestError for no phase, or an impossible one.
    """
    if not phases or not step_s > 0:
        raise RequestError("tape over time needs at least one phase and a positive step_s")
    attached, room, cached_bytes = attachment(), cache_bytes(machine), 0.0
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
