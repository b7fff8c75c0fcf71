"""Demand of programs on each volume over the day, before the effects of boxes and queues.

Arrays have the axes (system, volume, interval) or (volume, interval). Scenarios change them before the day is solved.
"""

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

import numpy as np
from numpy.typing import NDArray

from iosq.toolkit.rows import NewRow
from iosq.toolkit.sample.sysplex import Sysplex

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# (centre in hours, width in hours, height) of each peak; the online day has two
HUMPS: dict[str, tuple[tuple[float, float, float], ...]] = {
    "online": ((10.5, 1.5, 1.0), (15.0, 1.7, 0.9)),
    "evening": ((21.0, 1.2, 1.0),),
    "night": ((2.5, 1.3, 1.0), (26.5, 1.3, 1.0)),
}
FLOOR = 0.06
# a healthy volume is reserved occasionally
RESERVED_RATIO = 0.0008
SATURDAY = 5


def generator(seed: int, purpose: str) -> np.random.Generator:
    """A separate random stream for each purpose, so that a new use of random numbers does not change the others."""
    return np.random.Generator(np.random.PCG64([seed, zlib.crc32(purpose.encode())]))


@dataclass(slots=True)
class Demand:
    """Rates in SSCH/s, ratios 0..1, `block_bytes` per I/O; `exposures` by volume, `aliases` by LCU.

    Problems, none by default: `busy_ms`, wait per I/O for a device reserved by another system, and `reserved_ratio`,
    share of time that each system reserves it; `path_ms`, time until the control unit answers; `extent_ms`, wait per
    I/O behind writes to the same extent; `bypass_ratio`, share of I/Os that bypass the cache; `burst_s`, seconds per
    interval in which the box gets `burst_ratio` times the mean writes (box, interval); `requesters`, programs of a
    closed workload, which replace the rate of a volume (system, volume, interval).
    """

    sysplex: Sysplex
    rate: Floats
    read_ratio: Floats
    hit_ratio: Floats
    sequential_ratio: Floats
    block_bytes: Floats
    exposures: Ints
    aliases: Ints
    seed: int
    busy_ms: Floats
    reserved_ratio: Floats
    path_ms: Floats
    extent_ms: Floats
    bypass_ratio: Floats
    burst_s: Floats
    burst_ratio: Floats
    requesters: Floats

    def chance(self, scenario: str) -> np.random.Generator:
        """The scenario's own random stream, so that its severity depends on the seed."""
        return generator(self.seed, f"scenario.{scenario}")

    def window(self, start_hour: float, end_hour: float, ramp_hours: float = 0.5) -> Floats:
        """0 outside of local hours `start`..`end`, 1 inside, rising and falling within `ramp_hours` of the ends.

        If the day repeats, so does the window; otherwise hours count on past midnight.
        """
        hours = (np.arange(self.sysplex.intervals) + 0.5) * self.sysplex.interval_s / 3600
        hours = hours % 24 if self.sysplex.repeats else hours
        rising, falling = (hours - start_hour) / ramp_hours, (end_hour - hours) / ramp_hours
        return np.clip(np.minimum(rising, falling), 0, 1)


def shape(sysplex: Sysplex, heights: NewRow) -> Floats:
    """The daily curve of one kind of work, the same every day, with a maximum of about 1."""
    hours = (np.arange(sysplex.intervals) + 0.5) * sysplex.interval_s / 3600 % 24
    curve = np.full(sysplex.intervals, FLOOR)
    for name, humps in HUMPS.items():
        for middle, width, height in humps:
            curve += heights[name] * height * np.exp(-(((hours - middle) / width) ** 2))
    return curve


def over_days(sysplex: Sysplex) -> Floats:
    """Demand of each interval's day relative to the first day, with growth and quiet weekends."""
    known = sysplex.settings.get("over_days", {"growth_ratio": 0.0, "weekend_ratio": 1.0})
    dates = [sysplex.date + timedelta(days=i) for i in range(sysplex.days)]
    rest = [known["weekend_ratio"] if d.weekday() >= SATURDAY else 1.0 for d in dates]
    grown = sysplex.first_day + np.arange(sysplex.days)
    factor = np.array(rest) * (1 + known["growth_ratio"]) ** grown
    return np.repeat(factor, sysplex.intervals // sysplex.days)


def seed_from(seed: int, first_day: int) -> int:
    """The seed of the daily noise for a later first day: a value outside the user's range."""
    return seed + (first_day << 32)


def demand(sysplex: Sysplex, seed: int) -> Demand:
    """A healthy day: the work of each volume with its own size (log-normal) and noise from interval to interval.

    The volumes depend only on the seed; the noise also on the first day.
    """
    rng = generator(seed, "demand")
    of_days = generator(seed_from(seed, sysplex.first_day), "noise")
    kinds = [sysplex.settings["workload"][sysplex.lcus[v.lcu].workload] for v in sysplex.volumes]
    count, intervals = len(kinds), sysplex.intervals
    size = np.clip(rng.lognormal(-0.18, 0.6, count), 0.1, 2.6)[:, None]
    curve = np.stack([shape(sysplex, k) * k["rate"] for k in kinds]) * size * over_days(sysplex)
    share = np.array([s.share for s in sysplex.systems])[:, None, None]

    def noise(draw: Callable[[np.random.Generator], Floats]) -> Floats:
        first = draw(rng)
        return draw(of_days) if sysplex.first_day else first

    rate = share * curve * noise(lambda of: of.lognormal(0, 0.12, (len(sysplex.systems), count, intervals)))

    def ratio(name: str, spread: float) -> Floats:
        middle = np.array([k[name] for k in kinds])[:, None] + rng.normal(0, spread, (count, 1))
        return np.clip(middle + noise(lambda of: of.normal(0, spread / 3, (count, intervals))), 0.02, 0.985)

    block = np.array([float(k["block_bytes"]) for k in kinds])[:, None] * rng.lognormal(0, 0.1, (count, 1))
    return Demand(
        sysplex,
        rate,
        ratio("read_ratio", 0.05),
        ratio("hit_ratio", 0.02),
        ratio("sequential_ratio", 0.03),
        np.repeat(block, intervals, axis=1),
        np.array([sysplex.lcus[v.lcu].exposures for v in sysplex.volumes]),
        np.array([c.aliases for c in sysplex.lcus]),
        seed,
        *_untroubled(sysplex),
    )


def _untroubled(sysplex: Sysplex) -> tuple[Floats, ...]:
    of_volume, of_box = ((len(part), sysplex.intervals) for part in (sysplex.volumes, sysplex.boxes))
    none = [np.zeros(of_volume) for _ in range(4)]
    requesters = np.zeros((len(sysplex.systems), *of_volume))
    return (none[0], np.full(of_volume, RESERVED_RATIO), *none[1:], np.zeros(of_box), np.ones(of_box), requesters)
