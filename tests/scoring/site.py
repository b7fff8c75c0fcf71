"""A made-up site: what its volumes do in every interval, as arrays a trouble can change before anything is measured.

Written from queueing theory and what practitioners report, not from the thresholds of the rules it scores.
"""

import datetime as dt
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
# a Monday, local midnight; sites are one hour east of UTC
BEGIN, OFFSET_S = dt.datetime(2026, 3, 2), 3600
DAY_S = 86400
LCUS, EACH, SYSTEMS, CHANNELS, LINKS = 4, 4, 2, 4, 2
# LCUs 0 and 2 have static aliases, 1 and 3 HyperPAV; the first two are in one box, the others in a second
BOXES = ("75AB1", "75CD2")
# of a volume that nothing is wrong with
EXPOSURES = 4.0


def lcu_name(lcu: int) -> str:
    """Name of an LCU by its place."""
    return f"{0x10 + lcu:04X}"


def subsystem_name(lcu: int) -> str:
    """Each LCU has a subsystem of its own."""
    return f"{0x2010 + lcu:04X}"


def volume_name(volume: int) -> str:
    """Volume serial by place."""
    return f"V{volume // EACH:02}{volume % EACH:03}"


def is_pooled(lcu: int) -> bool:
    """Whether an LCU has HyperPAV."""
    return lcu % 2 == 1


def box_of(lcu: int) -> int:
    """Place of the box an LCU is in."""
    return lcu // 2


def volumes_of(lcu: int) -> list[int]:
    """Places of an LCU's volumes."""
    return [lcu * EACH + n for n in range(EACH)]


def cells(*axes: ArrayLike) -> tuple[NDArray[np.int64], ...]:
    """Index of all cells at these places along each axis."""
    return np.ix_(*(np.asarray(axis, dtype=np.int64) for axis in axes))


@dataclass
class Site:
    """Arrays over [system, volume, interval], [volume, interval], [system, LCU or channel, interval]; links by box.

    Rates per second, times in milliseconds, ratios from 0 to 1. `wait_ms` is what troubles add to the wait for an
    exposure, which follows from load; `requesters` what a volume with a closed load has in all, 0 for an open one;
    `late_ms` what each write of a volume waits for something other than NVS, a second box where it is mirrored.
    """

    interval_s: int
    intervals: int
    rng: np.random.Generator
    rate: Floats = field(init=False)
    conn_ms: Floats = field(init=False)
    cmr_ms: Floats = field(init=False)
    device_busy_ms: Floats = field(init=False)
    wait_ms: Floats = field(init=False)
    requesters: Floats = field(init=False)
    reserved: Floats = field(init=False)
    exposures: Floats = field(init=False)
    read_ratio: Floats = field(init=False)
    hit_ratio: Floats = field(init=False)
    miss_ms: Floats = field(init=False)
    delayed_ratio: Floats = field(init=False)
    delay_ms: Floats = field(init=False)
    late_ms: Floats = field(init=False)
    is_mirrored: NDArray[np.bool_] = field(init=False)
    sequential_ratio: Floats = field(init=False)
    staged_rate: Floats = field(init=False)
    passed_ratio: Floats = field(init=False)
    aliases: Floats = field(init=False)
    high_water: Floats = field(init=False)
    denied_ratio: Floats = field(init=False)
    throttled_ratio: Floats = field(init=False)
    channel_ratio: Floats = field(init=False)
    destage_rate: Floats = field(init=False)
    link_ratio: Floats = field(init=False)
    rank_ms: Floats = field(init=False)
    rank_busy: Floats = field(init=False)

    def __post_init__(self) -> None:
        """A healthy site."""
        volumes, t, rng = LCUS * EACH, self.intervals, self.rng
        base = rng.uniform(30, 250, (1, volumes, 1)) * rng.uniform(0.3, 1, (SYSTEMS, volumes, 1))
        self.rate = base * self._day() * rng.normal(1, 0.05, (SYSTEMS, volumes, t)).clip(0.7, 1.3)
        self.conn_ms = rng.uniform(0.15, 0.3, (1, volumes, 1)) * rng.normal(1, 0.03, (SYSTEMS, volumes, t))
        self.cmr_ms = rng.uniform(0.05, 0.09, (SYSTEMS, 1, 1)) * rng.normal(1, 0.08, (SYSTEMS, volumes, t)).clip(0.7)
        shape, each = (SYSTEMS, volumes, t), (volumes, t)
        self.device_busy_ms, self.wait_ms, self.reserved = np.zeros(shape), np.zeros(shape), np.zeros(shape)
        self.requesters = np.zeros(shape)
        self.exposures = np.full(each, EXPOSURES)
        self.read_ratio = rng.uniform(0.55, 0.85, (volumes, 1)) * np.ones(each)
        self.hit_ratio = (rng.uniform(0.9, 0.97, (volumes, 1)) + rng.normal(0, 0.006, each)).clip(0, 0.995)
        self.miss_ms = rng.uniform(2.5, 5, (volumes, 1)) * rng.normal(1, 0.06, each).clip(0.7)
        self.delayed_ratio, self.delay_ms, self.late_ms = np.zeros(each), np.zeros(each), np.zeros(each)
        self.is_mirrored = np.zeros(volumes, dtype=bool)
        self.sequential_ratio = np.full(each, 0.1)
        self.staged_rate, self.passed_ratio = np.full(each, 0.5), np.zeros(each)
        self._pools(t)

    def _pools(self, t: int) -> None:
        rng, pools = self.rng, (SYSTEMS, LCUS, t)
        self.aliases = np.broadcast_to(rng.integers(8, 13, (1, LCUS, 1)).astype(float), pools).copy()
        self.high_water = np.minimum(self.aliases - 1, rng.integers(4, 8, pools))
        self.denied_ratio, self.throttled_ratio = np.zeros(pools), np.zeros(pools)
        self.channel_ratio = rng.uniform(0.1, 0.35, (SYSTEMS, CHANNELS, 1)) * rng.normal(1, 0.1, (1, 1, t)).clip(
            0.6, 1.3
        )
        self.destage_rate = rng.uniform(60, 140, (LCUS, t))
        self.link_ratio = rng.uniform(0.1, 0.35, (len(BOXES) * LINKS, t))
        self.rank_ms = rng.uniform(2.5, 5, (LCUS, 1)) * rng.normal(1, 0.06, (LCUS, t)).clip(0.7)
        self.rank_busy = rng.uniform(0.1, 0.4, (LCUS, 1)) * np.ones((LCUS, t))

    def _day(self) -> Floats:
        """Load by the hour: online work by day, batch at night, half of it at weekends."""
        hour, day = self.hours % 24, (self.hours // 24).astype(int) % 7
        online = 0.25 + 0.75 * np.exp(-(((hour - 13.5) / 4.5) ** 2))
        batch = 0.5 * np.exp(-(((hour - 2.5) / 1.5) ** 2))
        return np.asarray((online + batch) * np.where(day >= 5, 0.5, 1.0), dtype=np.float64)

    @property
    def hours(self) -> Floats:
        """Hours since the beginning, at each interval's start."""
        return np.arange(self.intervals) * self.interval_s / 3600

    @property
    def days(self) -> float:
        """Length of what is measured."""
        return self.intervals * self.interval_s / DAY_S

    @property
    def disc_ms(self) -> Floats:
        """Disconnect: misses of reads at the back end, writes that wait for NVS or for another box."""
        writes = 1 - self.read_ratio
        misses = self.read_ratio * (1 - self.hit_ratio) * self.miss_ms
        return np.asarray(misses + writes * (self.delayed_ratio * self.delay_ms + self.late_ms))[None]

    @property
    def service_ms(self) -> Floats:
        """Pend, disconnect and connect together."""
        return np.asarray(self.pend_ms + self.disc_ms + self.conn_ms)

    @property
    def pend_ms(self) -> Floats:
        """Command response, device busy and a little besides."""
        return np.asarray(self.cmr_ms + self.device_busy_ms + 0.03)

    @property
    def queued_ms(self) -> Floats:
        """IOSQ: what random arrivals wait for an exposure (M/M/c after Sakasegawa, 1977), and what troubles add.

        Of requesters that wait for each answer, those that are not in service wait.
        """
        servers, inside = self.exposures[None], self.rate * self.service_ms / 1e3
        busy = (inside / servers).clip(0, 0.985)
        line = busy ** np.sqrt(2 * (servers + 1)) / (1 - busy)
        line = np.where(self.requesters > 0, (self.requesters - inside).clip(0), line)
        static = np.array([not is_pooled(v // EACH) for v in range(LCUS * EACH)])[None, :, None]
        return np.asarray(np.where(static, 1e3 * line / np.maximum(self.rate, 1e-9), 0.0) + self.wait_ms)
