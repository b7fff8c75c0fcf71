"""Machines that work can be moved to: boxes with a curve X(n), classic cached subsystems, and quoted machines.

A quoted machine has no published measurements, only three numbers of a vendor's quote: bounds, no prediction. The floor
is a box without any queueing, the ceiling is one with all stations as full as the fullest.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from iosq.models.arrays import Floats
from iosq.models.machine import Machine
from iosq.models.migrate.workload import BoxLoad, MeasuredVolume
from iosq.models.nvs import subsystem
from iosq.models.nvs.subsystem import Workload
from iosq.models.pav import box as pav
from iosq.models.pav.machine import KIND, box_from_machine
from iosq.models.queueing.checks import positive
from iosq.toolkit.errors import RequestError
from iosq.toolkit.units import human_number

STATES_MAX = 2000  # most requests inside for an open load
# parameters that scale with the disks and the cache of a box
BACK_END = frozenset(
    {"destage_rate", "destage_footprint_gb", "arms_count", "back_end_limit_count", "cache_gb", "cache_edge_gb"}
)
MEASURED = "measured_footprint_gb"
HIT = "read_hit_ms"
ALONE = 1.0  # I/Os per second at which there is no queueing
SEED = 1
STRAYS_AT = 24  # numbers of I/Os in the box at which the error of a curve is computed
TAILS = 0.05, 0.01  # probability beyond each end of the interval: in the fitted range, and outside it
BLOCKS = "block size acts on the channels only: the box was measured with 4 KB"
ARMS = "each volume has an arm of its own; destage keeps the merge ratio of the mixed-locality load"
DISK_ERROR_RATIO = 0.1  # largest error of the scored 3990-6 envelopes
QUOTED = "quoted"  # kind of a quoted machine
FLOOR, LIKELY, CEILING = -1, 0, 1
QUOTE = (
    "bounds, no prediction: from a box in which nothing waits to one that is everywhere as full as where it is fullest",
    "writes take the time of a hit, as long as NVS accepts them",
    "hit_ms, miss_ms and rate_max hold for this mix and configuration: ask the vendor",
)


@dataclass(frozen=True, kw_only=True)
class Target:
    """A machine.

    calibrated_on: the source of its numbers; caveats: effects that its model leaves out; capacity_gb, volumes_max:
    capacity of one box, None if the machine file has none; load_error_ratio: the model's error as a share of the load,
    0 if `at_end` covers it.
    """

    name: str
    calibrated_on: str
    caveats: tuple[str, ...]
    capacity_gb: float | None = None
    volumes_max: int | None = None
    load_error_ratio: float = 0.0

    def at_end(self, end: int, load: BoxLoad) -> "Target":  # noqa: ARG002 - kinds of machines use different arguments
        """The fastest (-1) or slowest (1) possible machine for this load."""
        return self

    def beyond(self, load: BoxLoad) -> str:  # noqa: ARG002 - as above
        """How far the load exceeds the measured range of the machine, as text; '' if it does not."""
        return ""

    def utilization(self, load: BoxLoad) -> Mapping[str, float]:
        """Utilisation of each station; 1 and more is overload."""
        raise NotImplementedError

    def service_ms(self, load: BoxLoad, volumes: Sequence[MeasuredVolume]) -> list[float]:
        """Service time in the box for each volume; infinite at saturation."""
        raise NotImplementedError

    def hit_ms(self, load: BoxLoad) -> float:
        """Unloaded time of a hit, with the block size of `service_ms`; includes its transfer."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class CurveTarget(Target):
    """A box as one load-dependent station: it completes X(n) with n inside; arrivals are Poisson.

    measured_gb: most data in use during its measurement; strays: numbers inside, and the logarithms of the ratio of the
    rate to the likely one.
    """

    box: pav.Box
    measured_gb: float = math.inf
    small_hit_ms: float = 0.0
    strays: tuple[Floats, Floats] | None = None

    def rate(self, in_box: ArrayLike, load: BoxLoad, read_ratio: ArrayLike | None = None) -> Floats:
        """I/Os per second of all volumes with `in_box` requests inside; with another read share if given."""
        reads = load.read_ratio if read_ratio is None else read_ratio
        likely = self.box.likeliest_rate(_state(in_box, reads, load.footprint_gb))
        if self.strays is None:
            return likely
        return np.asarray(likely * np.exp(np.interp(np.asarray(in_box, float), *self.strays)))

    def at_end(self, end: int, load: BoxLoad) -> "CurveTarget":
        """The ends of the 90 % interval, or bounds outside the fitted range."""
        inside = np.geomspace(1.0, max(load.exposures, 2.0), STRAYS_AT)
        state = _state(inside, load.read_ratio, load.footprint_gb)
        likely = self.box.likeliest_rate(state)
        rates = _lawful(end, inside, likely * _stray(self.box, end, state, likely))
        return replace(self, strays=(inside, np.log(rates / likely)))

    def beyond(self, load: BoxLoad) -> str:
        """Parts of the load outside the fitted range, as text; the back end was fitted up to `measured_gb` of data."""
        return "; ".join(text for text in (self._beyond_data(load), self._unseen(load)) if text)

    def _beyond_data(self, load: BoxLoad) -> str:
        if load.footprint_gb <= self.measured_gb:
            return ""
        return (
            f"{self.name} was measured with up to {human_number(self.measured_gb)} GB of data in use, this is "
            f"{human_number(load.footprint_gb)} GB (--footprint-gb per volume): destage and arms are extrapolated"
        )

    def _unseen(self, load: BoxLoad) -> str:
        seen = self.box.seen
        if seen is None:
            return ""
        known = min(load.footprint_gb, seen.footprint_gb[1])
        state = _state([min(load.exposures, seen.in_box[1])], load.read_ratio, known)
        return "" if self.box.reaches(state).all() else self.box.unseen(state)

    def service_ms(self, load: BoxLoad, volumes: Sequence[MeasuredVolume]) -> list[float]:
        """Mean time in the box, distributed over the volumes by their read shares."""
        inside = mean_inside(lambda n: self.rate(n, load), load)
        if math.isinf(inside):
            return [math.inf] * len(volumes)
        state, mean_ms = max(inside, 1.0), inside / load.io_rate * 1e3
        reads = np.array([volume.read_ratio for volume in volumes])
        own = 1 / np.broadcast_to(self.rate(state, load, reads), reads.shape)
        return [float(time) for time in mean_ms * own / (np.array(load.shares) * own).sum()]

    def hit_ms(self, load: BoxLoad) -> float:  # noqa: ARG002 - signature of Target
        """Time of a hit with the measured block size."""
        return self.small_hit_ms

    def utilization(self, load: BoxLoad) -> Mapping[str, float]:
        """Utilisation of each station, and of the whole box relative to its rate with all exposures in use."""
        most = max(load.exposures, 1.0)
        busy = load.io_rate / float(self.rate(most, load))
        stations = self.box.utilization(_state(most, load.read_ratio, load.footprint_gb))
        return {name: float(share.item()) * busy for name, share in stations.items()} | {"box": busy}


def _state(in_box: ArrayLike, read_ratio: ArrayLike, footprint_gb: ArrayLike) -> pav.BoxLoad:
    """A state of the box; assumes more than one exposure in use per volume."""
    return pav.BoxLoad.of(in_box, read_ratio, footprint_gb, True, False)


def _stray(box: pav.Box, end: int, state: pav.BoxLoad, likely: Floats) -> Floats:
    """Ratio of the rate at one end (-1 fast, 1 slow) to the likely rate."""
    ratios = box.rates(state, np.random.default_rng(SEED)) / likely
    tail = np.where(box.reaches(state), *TAILS)
    level = np.where(end < 0, 1 - tail, tail)
    found = np.array([np.quantile(column, at) for column, at in zip(ratios.T, level, strict=True)])
    return np.asarray(found * box.away(state) ** -end)


def _lawful(end: int, inside: Floats, rates: Floats) -> Floats:
    """Apply the bounds of any box: more I/Os inside never lower the rate, and never shorten an I/O.

    The bounds of unseen states are therefore relative to the measured ones (`iosq.models.pav.bounds`).
    """
    if end > 0:
        return np.asarray(np.maximum.accumulate(rates))
    return np.asarray(np.minimum.accumulate(rates / inside) * inside)


def mean_inside(rate: Callable[[ArrayLike], Floats], load: BoxLoad) -> float:
    """Mean requests inside under Poisson arrivals: a birth-death process, with deaths at X(n).

    At most all exposures can be inside, so X is constant beyond that number; infinite at saturation.
    """
    most = max(math.floor(load.exposures), 1)
    if load.io_rate >= float(rate(max(load.exposures, 1.0))):
        return math.inf
    states = np.arange(1, STATES_MAX + 1)
    rates = np.broadcast_to(rate(np.minimum(states, most).astype(float)), states.shape)
    weights = np.concatenate([[0.0], np.cumsum(np.log(load.io_rate) - np.log(rates))])
    chances = np.exp(weights - weights.max())
    return float((chances[1:] * states).sum() / chances.sum())


@dataclass(frozen=True, kw_only=True)
class DiskTarget(Target):
    """A classic cached subsystem (kind `disk`) with one arm per volume. Its error is stated as a share of the load."""

    machine: Machine

    def utilization(self, load: BoxLoad) -> Mapping[str, float]:
        return subsystem.utilization(self.machine, _disk_load(load), load.io_rate)

    def service_ms(self, load: BoxLoad, volumes: Sequence[MeasuredVolume]) -> list[float]:
        """Response of the box's mean I/O, adjusted to each volume's hits and misses."""
        mean_ms = subsystem.response_ms(self.machine, _disk_load(load), load.io_rate)
        misses = load.read_ratio * (1 - load.read_hit_ratio)
        if math.isinf(mean_ms) or not misses:
            return [mean_ms] * len(volumes)
        hit_ms = subsystem.response_ms(self.machine, _hits(load), load.io_rate)
        miss_ms = (mean_ms - hit_ms) / misses
        return [hit_ms + miss_ms * volume.read_ratio * (1 - volume.read_hit_ratio) for volume in volumes]

    def hit_ms(self, load: BoxLoad) -> float:
        """Time of a hit with the block size of the load."""
        return subsystem.response_ms(self.machine, _hits(load), ALONE)


def _hits(load: BoxLoad) -> Workload:
    return Workload(load.bytes_per_io, 0.0, 0.0)


def _disk_load(load: BoxLoad) -> Workload:
    return Workload(load.bytes_per_io, 1 - load.read_ratio, 1 - load.read_hit_ratio, shares=load.shares)


@dataclass(frozen=True, kw_only=True)
class QuotedTarget(Target):
    """A machine file of kind `quoted`: `hit_ms`, `miss_ms` (4 KB, unloaded) and `rate_max` (I/Os per second).

    Writes take the time of a hit: NVS accepts them. `end` selects the bound.
    """

    machine: Machine
    end: int = LIKELY

    def at_end(self, end: int, load: BoxLoad) -> "QuotedTarget":  # noqa: ARG002 - signature of Target
        """The floor (-1) or the ceiling (1)."""
        return replace(self, end=end)

    def beyond(self, load: BoxLoad) -> str:  # noqa: ARG002 - signature of Target
        """Any load is beyond the measured range, as nothing was measured."""
        return f"{self.name} is known by a quote only"

    def utilization(self, load: BoxLoad) -> Mapping[str, float]:
        return {"quoted rate": load.io_rate / self.machine.positive("rate_max")}

    def service_ms(self, load: BoxLoad, volumes: Sequence[MeasuredVolume]) -> list[float]:
        """Unloaded time of each volume's hits and misses, plus a wait common to all."""
        alone = [self._alone_ms(volume.read_ratio * (1 - volume.read_hit_ratio)) for volume in volumes]
        mean_ms = sum(share * ms for share, ms in zip(load.shares, alone, strict=True))
        wait_ms = self._wait_ms(mean_ms, load.io_rate / self.machine.positive("rate_max"))
        return [ms + wait_ms for ms in alone]

    def hit_ms(self, load: BoxLoad) -> float:  # noqa: ARG002 - signature of Target
        return self.machine.positive("hit_ms")

    def _alone_ms(self, misses: float) -> float:
        hit_ms = self.machine.positive("hit_ms")
        return hit_ms + misses * (max(self.machine.positive("miss_ms"), hit_ms) - hit_ms)

    def _wait_ms(self, alone_ms: float, busy: float) -> float:
        """Wait per I/O: none at the floor, M/M/1 at the ceiling, else Sakasegawa (1977) with servers for the rate."""
        if self.end == FLOOR and busy < 1:
            return 0.0
        if busy >= 1:
            return math.inf
        most = alone_ms * busy / (1 - busy)
        servers = max(self.machine.positive("rate_max") * alone_ms / 1e3, 1.0)
        return most if self.end == CEILING else most * busy ** (math.sqrt(2 * (servers + 1)) - 2) / servers


def target_of(machine: Machine, back_end: float = 1.0) -> Target:
    """The target of a machine file.

    Args:
        back_end: factor on arms, cache and NVS of the measured box.

    RequestError if disk work can't be moved to this kind of machine, or its parts can't be multiplied.
    """
    positive(back_end=back_end)
    if machine.kind == KIND:
        return _curve_target(machine, back_end)
    if machine.kind == "disk":
        if back_end != 1:
            raise RequestError(f"{machine.name} is known part by part", place="--back-end", remedy="vary its file")
        return _disk_target(machine)
    if machine.kind == QUOTED:
        return _quoted_target(machine)
    raise RequestError(f"disk work can't be moved to {machine.name}, a machine of kind {machine.kind}")


def _curve_target(machine: Machine, back_end: float) -> CurveTarget:
    box = box_from_machine(machine)
    box = _with_back_end(box, back_end)
    known = machine.value(MEASURED, math.inf)
    if box.seen is not None:
        known = min(known, box.seen.footprint_gb[1] / back_end)
    return CurveTarget(
        name=machine.name,
        calibrated_on=f"machine file {machine.title}",
        caveats=(BLOCKS, _configuration(machine, back_end)),
        box=box,
        measured_gb=back_end * known,
        small_hit_ms=machine.value(HIT),
    )


def _disk_target(machine: Machine) -> DiskTarget:
    return DiskTarget(
        name=machine.name,
        calibrated_on=f"machine file {machine.title}",
        caveats=(ARMS,),
        capacity_gb=machine.positive("capacity_gb"),
        volumes_max=machine.count("volume_count"),
        load_error_ratio=DISK_ERROR_RATIO,
        machine=machine,
    )


def _quoted_target(machine: Machine) -> QuotedTarget:
    return QuotedTarget(
        name=machine.name,
        calibrated_on=f"a vendor's quote, machine file {machine.title}",
        caveats=QUOTE,
        capacity_gb=machine.positive("capacity_gb") if "capacity_gb" in machine.parameters else None,
        machine=machine,
    )


def _with_back_end(box: pav.Box, times: float) -> pav.Box:
    """Multiply disks and cache of every parameter set by a factor; the data range grows by the same factor."""
    if times == 1:
        return box
    factor = {name: times if name in BACK_END else 1.0 for name in box.values}
    seen = box.seen and replace(
        box.seen, footprint_gb=(times * box.seen.footprint_gb[0], times * box.seen.footprint_gb[1])
    )
    return replace(
        box,
        values={name: factor[name] * value for name, value in box.values.items()},
        draws={name: factor[name] * sets for name, sets in box.draws.items()},
        seen=seen,
    )


def _configuration(machine: Machine, back_end: float) -> str:
    parts = (
        ("installed_cache_gb", "GB of cache"),
        ("channels_count", "channels"),
        ("measured_volumes_count", "volumes"),
    )
    known = [f"{human_number(machine.value(name))} {what}" for name, what in parts if name in machine.parameters]
    measured = f" ({', '.join(known)})" if known else ""
    times = "the" if back_end == 1 else f"{human_number(back_end)} times the"
    return (
        f"each box has {times} disks and cache of the one its file was fitted to{measured}; --back-end multiplies them"
    )
