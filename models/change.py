"""Bounds of a volume's response after a change of one part of the storage, with everything else unchanged.

Each change acts on measured parts of the response; missing data widens the bounds.
"""

from dataclasses import dataclass

from iosq.models.channel import LIGHT_MS_PER_KM, Channel, Side
from iosq.models.machine import Machine

ROUND_TRIPS = 1, 2  # of a mirrored write: by box and its settings (Hitachi GAD guide: 2, or 1 with host mode option 51)


@dataclass(frozen=True)
class Volume:
    """Means of one volume per I/O, in ms; None if the lake does not have them.

    read_ratio, read_hit_ratio: 0..1; block_bytes: data per I/O; back_end_ms: time of a read from the back end (74.5);
    eligible_ratio: read hits eligible for zHyperLink (42.6) as a share of all I/Os.
    """

    wait_ms: float
    pend_ms: float
    disc_ms: float
    conn_ms: float
    read_ratio: float | None = None
    read_hit_ratio: float | None = None
    block_bytes: float | None = None
    back_end_ms: float | None = None
    eligible_ratio: float | None = None

    @property
    def response_ms(self) -> float:
        return self.wait_ms + self.pend_ms + self.disc_ms + self.conn_ms

    @property
    def hits(self) -> float | None:
        """Read hits as a share of all I/Os."""
        known = self.read_ratio is not None and self.read_hit_ratio is not None
        return self.read_ratio * self.read_hit_ratio if known else None  # type: ignore[operator]

    @property
    def misses(self) -> float | None:
        """Read misses as a share of all I/Os."""
        return None if self.hits is None else self.read_ratio - self.hits  # type: ignore[operator]


@dataclass(frozen=True)
class Effect:
    """Lowest and highest response after the change, and the share of I/Os it affects; None if unknown."""

    low_ms: float | None
    high_ms: float | None
    share: float | None


UNKNOWN = Effect(None, None, None)


def zhyperlink(volume: Volume, link: Machine) -> Effect:
    """Read hits become synchronous: at best all, at worst only those counted as eligible, as not all software uses it.

    A hit has IOSQ, pend and connect time; disconnect time belongs to misses and writes.
    """
    if volume.hits is None:
        return UNKNOWN
    hit_ms = volume.wait_ms + volume.pend_ms + volume.conn_ms
    saved_ms = max(hit_ms - link.positive("read_hit_ms"), 0.0)
    least = min(volume.eligible_ratio or 0.0, volume.hits)
    return Effect(volume.response_ms - volume.hits * saved_ms, volume.response_ms - least * saved_ms, volume.hits)


def channels(volume: Volume, old: Channel, new: Channel) -> Effect:
    """Other channels: saves the difference of latencies at best, of link times at worst; at most pend + conn."""
    if volume.block_bytes is None:
        return UNKNOWN
    reads = 0.5 if volume.read_ratio is None else volume.read_ratio
    sides = ((reads, old.read, new.read), (1 - reads, old.write, new.write))
    best = sum(share * (a.latency_ms(volume.block_bytes) - b.latency_ms(volume.block_bytes)) for share, a, b in sides)
    least = sum(share * (_link_ms(volume.block_bytes, a) - _link_ms(volume.block_bytes, b)) for share, a, b in sides)
    ends = [volume.response_ms - min(saved, volume.pend_ms + volume.conn_ms) for saved in (best, least)]
    return Effect(min(ends), max(ends), 1.0)


def _link_ms(block_bytes: float, side: Side) -> float:
    return block_bytes / side.link_bytes_rate * 1e3


def mirror(volume: Volume, km: float) -> Effect:
    """A synchronous copy `km` farther away: each write takes one or two additional round trips."""
    writes = (0.0, 1.0) if volume.read_ratio is None else (1 - volume.read_ratio,) * 2
    low, high = (share * 2 * LIGHT_MS_PER_KM * km * trips for share, trips in zip(writes, ROUND_TRIPS, strict=True))
    share = None if volume.read_ratio is None else writes[0]
    return Effect(volume.response_ms + low, volume.response_ms + high, share)


def back_end(volume: Volume, read_ms: float | None) -> Effect:
    """Other disks behind the cache: read misses take `read_ms` there; None: between 0 and the present time."""
    if volume.misses is None or volume.back_end_ms is None:
        return UNKNOWN
    low, high = (0.0, volume.back_end_ms) if read_ms is None else (read_ms, read_ms)
    ends = [volume.response_ms - min(volume.misses * (volume.back_end_ms - ms), volume.disc_ms) for ms in (low, high)]
    return Effect(min(ends), max(ends), volume.misses)
