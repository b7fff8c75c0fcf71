"""Event simulation: what the formulas of the models are compared with.

host queue per volume -> exposure -> front end -> hit:   done
                                               -> miss:  arm, done
                                               -> write: room in NVS, done; destage frees the room later
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Codes = NDArray[np.int8]
HIT, MISS, WRITE = 0, 1, 2


@dataclass(frozen=True)
class Host:
    """What asks: closed (`population` requesters per volume, thinking in between) or open (`arrival_rates`).

    Attributes:
        volumes: volumes behind the box.
        exposures: I/Os of one volume the box may hold at once, aliases + 1.
        population: requesters per volume of a closed load; 0 for an open one.
        think_ms: mean exponential time between a completion and the requester's next I/O.
        arrival_rates: I/Os per ms of each volume (Poisson) for an open load; empty for a closed one.
    """

    volumes: int
    exposures: int = 1
    population: int = 0
    think_ms: float = 0.0
    arrival_rates: tuple[float, ...] = ()


@dataclass(frozen=True)
class Box:
    """What serves. Times are means in ms; `variability` is the squared coefficient of variation of all services.

    Attributes:
        front_ms: front-end time of every I/O, `front_servers` of them in parallel.
        latency_ms: constant part of every I/O in which nothing is occupied but the exposure.
        read_ratio, hit_ratio: share of reads, share of reads that hit.
        arms, arm_ms: independent arms, chosen evenly, and the time of a miss on one.
        nvs_slots: writes NVS holds; 0 for no limit.
        destage_ms: time to free one slot.
        destages_on_arms: destage occupies the arms instead of a server of its own.
    """

    front_ms: float
    latency_ms: float = 0.0
    read_ratio: float = 1.0
    hit_ratio: float = 1.0
    arms: int = 1
    arm_ms: float = 0.0
    nvs_slots: int = 0
    destage_ms: float = 0.0
    variability: float = 1.0
    front_servers: int = 1
    destages_on_arms: bool = False


@dataclass(frozen=True)
class Samples:
    """Random numbers of one or more replications, shape (ios, replications). The i-th I/O to enter the box uses the
    i-th kind and times. `starts` (requesters, volumes, replications) holds first arrivals,
    `gaps` (arrivals, volumes, replications) those of an open load."""

    kind: Codes
    front_ms: Array
    arm: NDArray[np.int64]
    arm_ms: Array
    destage_ms: Array
    think_ms: Array
    starts: Array
    gaps: Array


@dataclass(frozen=True)
class Trace:
    """Every simulated I/O in order of box entry, shape (ios, replications): instants in ms, kind and volume."""

    arrival_ms: Array
    entry_ms: Array
    completion_ms: Array
    kind: Codes
    volume: NDArray[np.int64]

    @property
    def response_ms(self) -> Array:
        """Completion minus arrival at the host."""
        return self.completion_ms - self.arrival_ms

    @property
    def wait_ms(self) -> Array:
        """Time in the host's queue."""
        return self.entry_ms - self.arrival_ms


def draw(host: Host, box: Box, *, ios: int, replications: int, rng: np.random.Generator) -> Samples:
    """Random numbers for `replications` runs of `ios` I/Os each."""
    shape = (ios, replications)
    return Samples(
        kind=_kinds(box, shape, rng),
        front_ms=_times(box.front_ms, box.variability, shape, rng),
        arm=rng.integers(0, box.arms, shape),
        arm_ms=_times(box.arm_ms, box.variability, shape, rng),
        destage_ms=_times(box.destage_ms, box.variability, shape, rng),
        think_ms=_times(host.think_ms, 1.0, shape, rng),
        starts=_times(host.think_ms, 1.0, (max(host.population, 1), host.volumes, replications), rng),
        gaps=_gaps(host, ios, replications, rng),
    )


def _kinds(box: Box, shape: tuple[int, int], rng: np.random.Generator) -> Codes:
    u = rng.random(shape)
    hits = box.read_ratio * box.hit_ratio
    return np.where(u < hits, HIT, np.where(u < box.read_ratio, MISS, WRITE)).astype(np.int8)


def _times(mean: float, variability: float, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    if mean == 0 or variability == 0:
        return np.full(shape, mean)
    if variability == 1:
        return rng.exponential(mean, shape)
    return rng.gamma(1 / variability, mean * variability, shape)


def _gaps(host: Host, ios: int, replications: int, rng: np.random.Generator) -> Array:
    """Enough arrivals for every volume: its share of the I/Os and eight standard deviations."""
    if not host.arrival_rates:
        return np.empty((0, host.volumes, replications))
    expected = ios * max(host.arrival_rates) / sum(host.arrival_rates)
    count = int(expected + 8 * math.sqrt(expected) + 50)
    rates = np.array(host.arrival_rates)[None, :, None]
    return np.asarray(rng.exponential(1.0, (count, host.volumes, replications)) / rates)
