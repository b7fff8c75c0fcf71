"""A made-up z/VM system: what its volumes do in every interval, written as a listing or a monitor file.

Written from queueing theory and what practitioners report, not from the thresholds of the rules it scores.
"""

import datetime as dt
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tests.scoring.site import DAY_S, Floats
from tests.situations_independent.cp import Area, Device, Listing
from tests.situations_independent.monitor import Base, Free, Monitor

SYSTEM = "VMSCORE"
MIDNIGHT = dt.datetime(2026, 3, 3)
# three LSSs; the monitor's last one has a pool of HyperPAV aliases
LSS = ("42", "43", "51")
EACH, PAGING = 5, 3
POOLED = 2
EDEVS = ("0A10", "0A11")


def labels() -> list[str]:
    """Volumes of all LSSs in order, then emulated devices."""
    return [f"L{lss}{n:03}" for lss in LSS for n in range(EACH)] + [f"FBA{n:03}" for n in range(len(EDEVS))]


def addresses() -> list[str]:
    """Their device numbers."""
    return [f"{lss}{n:02X}" for lss in LSS for n in range(EACH)] + list(EDEVS)


def volumes_of(lss: int) -> list[int]:
    """Places of an LSS's volumes."""
    return [lss * EACH + n for n in range(EACH)]


@dataclass
class VmSite:
    """Arrays over [volume, interval]: rates per second, times in ms, `queued` in I/Os; a paging volume has `paging`.

    `is_monitor`: it is written as MONWRITE, else as pages of Performance Toolkit, which know pools no more than
    emulated devices' parts of service time. `added` is what troubles add to the queue
    for a device; one program that sends its I/Os `in_turn` leaves none there.
    """

    seconds: int
    intervals: int
    rng: np.random.Generator
    is_monitor: bool
    first_hour: int = 0
    rate: Floats = field(init=False)
    pend_ms: Floats = field(init=False)
    disc_ms: Floats = field(init=False)
    conn_ms: Floats = field(init=False)
    added: Floats = field(init=False)
    in_turn: NDArray[np.bool_] = field(init=False)
    avoided: Floats = field(init=False)
    reads: Floats = field(init=False)
    paths: Floats = field(init=False)
    throttle: Floats = field(init=False)
    recovered: Floats = field(init=False)
    failed: Floats = field(init=False)
    aliases: Floats = field(init=False)
    used: Floats = field(init=False)
    pages: Floats = field(init=False)
    extra: list[Device] = field(default_factory=list)

    def __post_init__(self) -> None:
        """A healthy system: load by the hour, random arrivals on devices without aliases."""
        rng, t, n = self.rng, self.intervals, len(labels())
        shape = (n, t)
        noise = rng.normal(1, 0.06, shape).clip(0.75, 1.3)
        self.rate = rng.uniform(10, 120, (n, 1)) * self._day() * noise
        self.conn_ms = rng.uniform(0.25, 0.7, (n, 1)) * rng.normal(1, 0.03, shape)
        self.disc_ms = rng.uniform(0.1, 0.5, (n, 1)) * rng.normal(1, 0.06, shape).clip(0.7)
        self.pend_ms = np.full(shape, 0.12) * rng.normal(1, 0.05, shape)
        self.conn_ms[-len(EDEVS) :] *= rng.uniform(1.5, 4)
        self.reads = rng.uniform(45, 80, (n, 1)) * np.ones(shape)
        self.added, self.avoided, self.recovered = (np.zeros(shape) for _ in range(3))
        self.in_turn = np.zeros(shape, dtype=bool)
        self.paths, self.throttle = np.full(shape, 4.0), np.full(shape, np.nan)
        self.failed, self.aliases = np.zeros(t), np.full(t, 8.0)
        self.used = rng.uniform(20, 55) * np.ones(t)
        self.pages = rng.uniform(20, 80) * np.ones((PAGING, t))

    @property
    def begin(self) -> dt.datetime:
        """Start of the first interval."""
        return MIDNIGHT + dt.timedelta(hours=self.first_hour)

    def _day(self) -> Floats:
        hour = self.hours % 24
        return np.asarray(0.3 + 0.7 * np.exp(-(((hour - 13.5) / 4.5) ** 2)) + 0.3 * np.exp(-(((hour - 2) / 1.5) ** 2)))

    @property
    def hours(self) -> Floats:
        """Hours since the first midnight, at each interval's start."""
        return self.first_hour + np.arange(self.intervals) * self.seconds / 3600

    @property
    def days(self) -> float:
        """Length of what is measured."""
        return self.intervals * self.seconds / DAY_S

    @property
    def service_ms(self) -> Floats:
        """Pend, disconnect and connect together."""
        return np.asarray(self.pend_ms + self.disc_ms + self.conn_ms)

    @property
    def has_aliases(self) -> NDArray[np.bool_]:
        """Whether a volume is of the pool."""
        pooled = volumes_of(POOLED) if self.is_monitor else []
        return np.isin(np.arange(len(labels())), pooled)[:, None]

    @property
    def queued(self) -> Floats:
        """I/Os in the queue: what random arrivals leave there (M/M/1; a pool's have aliases), and what troubles add."""
        busy = (self.rate * self.service_ms / 1e3).clip(0, 0.985)
        line = busy**2 / (1 - busy)
        return np.asarray(np.where(self.in_turn | self.has_aliases, 0.0, line) + self.added)

    def write(self, folder: Path) -> list[Path]:
        """The file a system programmer has; no device does more than it can."""
        self.rate = np.minimum(self.rate, np.where(self.has_aliases, np.inf, 0.95e3 / self.service_ms))
        queued = self.queued
        if not self.is_monitor:
            return Listing(
                lambda at: self._devices(at, queued), self._areas,
                intervals=self.intervals, start=self.begin, system=SYSTEM,
            ).write(folder)  # fmt: skip
        return Monitor(
            lambda at: self._bases(at, queued), self._pools, self.intervals, self.begin, self.seconds, system=SYSTEM
        ).write(folder)

    def _parts(self, n: int, at: int) -> tuple[float, float, float]:
        return float(self.pend_ms[n, at]), float(self.disc_ms[n, at]), float(self.conn_ms[n, at])

    def _devices(self, at: int, queued: Floats) -> list[Device]:
        rows = []
        for n, (addr, label) in enumerate(zip(addresses(), labels(), strict=True)):
            throttle = self.throttle[n, at]
            rows.append(Device(
                addr, label, round(float(self.rate[n, at]), 1), None if addr in EDEVS else self._parts(n, at),
                round(float(queued[n, at]), 1), "9336" if addr in EDEVS else "3390-9", round(self.reads[n, at]),
                round(float(self.avoided[n, at]), 1), float(self.service_ms[n, at]),
                None if np.isnan(throttle) else (float(throttle), round(0.5 * float(throttle), 1)),
                int(self.paths[n, at]), recovered=int(self.recovered[n, at]),
            ))  # fmt: skip
        return [*rows, *self.extra]

    def _areas(self, at: int) -> list[Area]:
        return [
            Area(addresses()[n], labels()[n], round(float(self.used[at])), float(self.pages[n, at]), 0.0, 12)
            for n in range(PAGING)
        ]

    def _bases(self, at: int, queued: Floats) -> list[Base]:
        pools = dict.fromkeys(volumes_of(POOLED), 1)
        return [
            Base(
                addr, label, float(self.rate[n, at]), self._parts(n, at), float(queued[n, at]), pools.get(n, 0),
                0.3 if n in pools else 0.0, paths=int(self.paths[n, at]),
            )
            for n, (addr, label) in enumerate(zip(addresses(), labels(), strict=True)) if addr not in EDEVS
        ]  # fmt: skip

    def _pools(self, at: int) -> list[Free]:
        failed = float(self.failed[at])
        tries = 0.4 * float(self.rate[volumes_of(POOLED), at].sum())
        return [Free(1, f"{LSS[POOLED]}00", EACH, int(self.aliases[at]), tries, failed, 0 if failed else 4)]
