"""A shop: systems, boxes, LCUs and volumes, and what happens to them; the truth that records are made from."""

import datetime as dt
import math
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np

Pav = Literal["none", "static", "hyper", "super"]
HOUR_S = 3600
SATURDAY = 5


@dataclass(frozen=True)
class Moment:
    """One interval by local time."""

    start: dt.datetime
    seconds: int

    @property
    def hour(self) -> float:
        """Hour of the day at the interval's middle."""
        at = self.start + dt.timedelta(seconds=self.seconds / 2)
        return at.hour + at.minute / 60 + at.second / 3600

    @property
    def weekday(self) -> int:
        """Monday is 0."""
        return self.start.weekday()

    def within(self, first: float, last: float, day: dt.date | None = None) -> bool:
        """Whether its middle is between two hours, of a certain day or of any."""
        return first <= self.hour < last and (day is None or self.start.date() == day)


@dataclass(frozen=True)
class System:
    """One z/OS image. One that is not `read` does I/O like the others, but its SMF data are not at hand."""

    sid: str
    share: float = 1.0
    interval_s: int = 900
    read: bool = True
    channels: tuple[str, ...] = ("50", "51", "52", "53")
    offset_s: int = 3600
    cycle_ms: int = 1000
    zhpf: bool = True
    set_back: dt.datetime | None = None

    def ahead_s(self, m: Moment) -> int:
        """Local time minus UTC; it is an hour less after clocks are set back, in the second of two like hours too."""
        back = self.set_back and (m.start >= self.set_back or m.start.fold)
        return self.offset_s - HOUR_S if back else self.offset_s


@dataclass(frozen=True)
class Box:
    """One disk box; what a read from its disks takes in ms, and its disks."""

    serial: str
    model: str = "961"
    miss_ms: float = 4.0
    ranks: int = 16
    gathered_by: str = "PRD1"
    cache_gb: int = 256
    nvs_gb: int = 8


@dataclass(frozen=True)
class Lcu:
    """Up to 256 addresses: bases from `first` on, aliases of a pool or of each base, and the mean work of a volume.

    `seen_by`: systems it is defined to, all by default. An LCU's number is each system's own, so two may have the same.
    """

    number: str
    first: int
    prefix: str
    volumes: int = 6
    box: int = 0
    pav: Pav = "hyper"
    aliases: int = 16
    exposures: int = 4
    rate: float = 120.0
    read: float = 0.75
    mirrored: bool = False
    seen_by: tuple[str, ...] = ()
    subsystem: str = ""

    @property
    def ssid(self) -> str:
        """Each LCU has a subsystem of its own, `subsystem` if given."""
        return self.subsystem or f"{0x2000 + 0x100 * self.box + int(self.number, 16):04X}"

    def is_seen_by(self, system: System) -> bool:
        """Whether the system knows it."""
        return not self.seen_by or system.sid in self.seen_by


@dataclass(frozen=True)
class Volume:
    """One base address."""

    volser: str
    device: int
    lcu: int
    weight: float


@dataclass
class Work:
    """What one system does on one volume in an interval; rates per second, times in ms, ratios from 0 to 1.

    `disc` follows from misses and from what writes wait for, IOSQ from queueing unless it is given. `requesters`: a
    closed workload of this many programs in place of the rate, with `think_ms` between I/Os. `held_ms`: behind another
    system's reserve; `reserved`: share of time this system holds one.
    """

    rate: float
    read: float
    exposures: int
    hit: float = 0.95
    sequential: float = 0.1
    block: float = 6000.0
    miss_ms: float = 4.0
    copy_ms: float = 0.0
    disc_extra_ms: float = 0.0
    nvs_ratio: float = 0.0
    nvs_ms: float = 25.0
    cmr_ms: float = 0.11
    held_ms: float = 0.0
    css_ms: float = 0.01
    conn_extra_ms: float = 0.0
    reserved: float = 0.0
    iosq_ms: float | None = None
    requesters: int = 0
    think_ms: float = 0.0
    sync_rate: float = 0.0
    volser: str = ""
    online: bool = True
    alias_moved: bool = False


@dataclass
class Carried:
    """What a channel does next to the work of the systems that are read: share busy, bytes per second each way."""

    busy: float = 0.0
    bytes_rate: float = 0.0


@dataclass
class Port:
    """What a director port adds: errors, and frame pacing in ms per frame."""

    errors: int = 0
    pacing_ms: float = 0.0


@dataclass(frozen=True)
class Job:
    """A job's data set on a volume, with the share of the volume's I/Os on that system and how these fare."""

    name: str
    system: str
    volser: str
    data_set: str
    share: Callable[[Moment], float]
    read: float = 0.75
    hit: float = 0.95
    sequential: float = 0.0
    disc_ms: float | None = None


@dataclass
class Shop:
    """All of it. Changes are functions that are called for each moment and may alter what they get."""

    start: dt.datetime
    hours: float
    systems: list[System]
    boxes: list[Box]
    lcus: list[Lcu]
    seed: int = 1
    changes: list[Callable[[Moment, System, Volume, Work], None]] = field(default_factory=list)
    channel: Callable[[Moment, str], Carried] = lambda *_: Carried()
    port: Callable[[Moment, str], Port] = lambda *_: Port()
    cu_busy: Callable[[Moment, str], tuple[float, float]] = lambda *_: (0.0, 0.0)
    path_ms: Callable[[Moment, str], float] = lambda *_: 0.0
    # the channel path is offline to all LCUs
    lost: Callable[[Moment, str], bool] = lambda *_: False
    rank_share: Callable[[Moment, int, int], float] = lambda *_: 1.0
    box_of: Callable[[Moment, Lcu], int] | None = None
    device_of: Callable[[Moment, Volume], int] | None = None
    aliases_of: Callable[[Moment, System, Lcu], int] | None = None
    mirrors: Callable[[Moment, Lcu], bool] = lambda _, c: c.mirrored
    uncached: Callable[[Moment, Lcu], bool] = lambda *_: False
    pinned_share: Callable[[Moment, Lcu], float] = lambda *_: 0.0
    kept: Callable[[Moment], bool] = lambda _: True
    moments_of: Callable[[System], list[Moment]] | None = None
    jobs: list[Job] = field(default_factory=list)
    drives: int = 0
    director: bool = False
    profile: Callable[[Moment], float] | None = None
    lacks: frozenset[str] = frozenset()

    @cached_property
    def volumes(self) -> list[Volume]:
        """Base addresses in order, each with a size of its own."""
        return [
            Volume(f"{c.prefix}{n:03d}", c.first + n, i, self._weight(c, n))
            for i, c in enumerate(self.lcus) for n in range(c.volumes)
        ]  # fmt: skip

    def _weight(self, lcu: Lcu, n: int) -> float:
        return float(np.clip(self.chance(lcu.prefix, n).lognormal(0, 0.5), 0.3, 2.5))

    def members(self, lcu: int) -> list[Volume]:
        """Volumes of an LCU."""
        return [v for v in self.volumes if v.lcu == lcu]

    def chance(self, *names: object) -> np.random.Generator:
        """A stream of chance of its own for each purpose."""
        return np.random.default_rng([self.seed, zlib.crc32(repr(names).encode())])

    def moments(self, system: System) -> list[Moment]:
        """The intervals a system records."""
        if self.moments_of:
            return self.moments_of(system)
        count = int(self.hours * HOUR_S / system.interval_s)
        step = dt.timedelta(seconds=system.interval_s)
        return [m for m in (Moment(self.start + n * step, system.interval_s) for n in range(count)) if self.kept(m)]

    def load(self, m: Moment) -> float:
        """What the hour asks for: online work by day, batch at night, half at weekends."""
        if self.profile:
            return self.profile(m)
        day = 0.3 + 0.7 * (math.exp(-(((m.hour - 10.5) / 2) ** 2)) + math.exp(-(((m.hour - 15) / 2) ** 2)))
        night = 0.35 * math.exp(-(((m.hour - 1.5) / 2) ** 2))
        return (day + night) * (0.5 if m.weekday >= SATURDAY else 1.0)
