"""Host side of virtual tape: the rate of one job, and of all jobs on all channels.

A job runs one channel program at a time, with half of its QSAM buffers, while the other half is filled. A program takes
a fixed time plus the link time of its blocks; ESCON acknowledges each block, FICON each program.
"""

from dataclasses import dataclass

from iosq.models.channel import LIGHT_MS_PER_KM, Channel, link_bytes_rate
from iosq.models.machine import Machine
from iosq.toolkit.errors import RequestError


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
        for name, least in (("jobs", 1), ("bufno", 2), ("pools", 1), ("compression_ratio", 1), ("escon_count", 0)):
            if not getattr(self, name) >= least:
                raise RequestError(f"{name} = {getattr(self, name)} must be at least {least}")
        for name in ("block_bytes", "volume_bytes"):
            if not getattr(self, name) > 0:
                raise RequestError(f"{name} = {getattr(self, name)} must be positive")
        if self.ficon_count < 0 or self.ficon_count + self.escon_count < 1:
            raise RequestError("escon_count and ficon_count: at least one channel is needed")
        if not 0 <= self.dual_copy_ratio <= 1:
            raise RequestError(f"dual_copy_ratio = {self.dual_copy_ratio} must lie between 0 and 1")


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
