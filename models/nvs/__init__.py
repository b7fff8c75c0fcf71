"""NVS as a bucket: writes fill it, destage empties it, and writes without space wait.

A write needs space unless it overwrites data that is pending destage: a fixed share (`rewrite_ratio`, locality) and,
for writes spread evenly over a footprint, the pending share of the footprint. Once a write has waited, destage runs
at `collapse_ratio` of its rate until occupancy has fallen to `resume_ratio`.

Writes at constant rates are solved exactly, in stretches between events with one equation each. Events: NVS is full,
the last waiting write is admitted, full destage rate resumes, NVS is empty, the phase changes.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from iosq.models.arrays import Floats, Ints
from iosq.models.machine import Machine
from iosq.models.queueing.checks import insist
from iosq.toolkit.errors import RequestError

TRACK_BYTES = 56664  # a 3390 track: most space that a delayed write needs
_ROUNDED = 1 + 1e-9


@dataclass(frozen=True)
class Nvs:
    """Non-volatile storage and its destage.

    Attributes:
        nvs_bytes: capacity for writes not yet destaged.
        write_bytes: space of one write.
        destage_rate: destage operations per second, each freeing `write_bytes`, while no write waits.
        rewrite_ratio: share of writes that overwrite pending data at any occupancy, 0 <= ratio < 1.
        footprint_bytes: data over which the other writes are spread evenly; infinite if they never overwrite.
        collapse_ratio: remaining share of the destage rate once NVS is full, 0 < ratio <= 1.
        resume_ratio: occupancy at which the full destage rate resumes, 0 <= ratio <= 1.
    """

    nvs_bytes: float
    write_bytes: float
    destage_rate: float
    rewrite_ratio: float = 0.0
    footprint_bytes: float = math.inf
    collapse_ratio: float = 1.0
    resume_ratio: float = 0.9

    def __post_init__(self) -> None:
        sizes = "nvs_bytes write_bytes destage_rate footprint_bytes collapse_ratio"
        insist(self, sizes, lambda v: v > 0, "be positive")
        insist(self, "rewrite_ratio", lambda v: 0 <= v < 1, "lie in 0 to below 1")
        if self.collapse_ratio > 1 or not 0 <= self.resume_ratio <= 1:
            raise RequestError("collapse_ratio and resume_ratio must not exceed 1")


def from_machine(
    machine: Machine, *, write_bytes: float = 4096.0, rewrite_ratio: float = 0.0, footprint_bytes: float = math.inf
) -> Nvs:
    """The machine's NVS; destage by its `destage_rate`, else by the path time per destage."""
    if "destage_rate" in machine.parameters or "destage_ms" not in machine.parameters:
        destage_rate = machine.positive("destage_rate")
    else:
        path_ms = machine.not_negative("destage_ms") + write_bytes / machine.positive("back_path_bytes_rate") * 1e3
        destage_rate = machine.count("back_path_count") * 1e3 / path_ms
    collapse = machine.positive("collapse_ratio", 1.0)
    return Nvs(machine.positive("nvs_bytes"), write_bytes, destage_rate, rewrite_ratio, footprint_bytes, collapse)


@dataclass(frozen=True)
class Phase:
    """A period with a constant rate of arriving writes."""

    seconds: float
    write_rate: float


@dataclass(frozen=True)
class State:
    """Writes in NVS and writes waiting for space; `is_held`: destage still runs at its reduced rate."""

    occupied: float = 0.0
    queued: float = 0.0
    is_held: bool = False


@dataclass(frozen=True)
class Stretch:
    """One stretch between events: per second `write_rate` arrive, `admit_rate` are admitted and `destage_rate` leave.

    `needing` admitted writes per second take space in an empty NVS, reduced by `decay` times the writes in it, which
    are overwritten.
    """

    start_s: float
    end_s: float
    state: State
    write_rate: float
    admit_rate: float
    destage_rate: float
    needing: float = 0.0
    decay: float = 0.0
    waits: bool = False

    @property
    def seconds(self) -> float:
        return self.end_s - self.start_s

    @property
    def net(self) -> float:
        """Growth of occupancy at the start of the stretch, in writes per second."""
        return self.needing - self.decay * self.state.occupied - self.destage_rate

    def occupied_at(self, after_s: float) -> float:
        """Writes in NVS `after_s` seconds into the stretch."""
        if self.waits:
            return self.state.occupied
        worn = self.decay * after_s
        return self.state.occupied + self.net * after_s * (-math.expm1(-worn) / worn if worn else 1.0)

    def queued_at(self, after_s: float) -> float:
        """Waiting writes `after_s` seconds into the stretch."""
        return self.state.queued + (self.write_rate - self.admit_rate) * after_s if self.waits else 0.0

    def delay_s(self, after_s: float) -> float:
        """Wait of a write that arrives `after_s` seconds into the stretch: first in, first out."""
        return self.queued_at(after_s) / self.admit_rate if self.waits else 0.0

    def seconds_to(self, occupied: float) -> float:
        """Seconds until `occupied` writes are in NVS; infinite if that never happens."""
        gap, net = occupied - self.state.occupied, self.net
        if gap * net <= 0:
            return math.inf
        worn = self.decay * gap / net
        if worn >= 1:
            return math.inf
        return -math.log1p(-worn) / self.decay if worn else gap / net


def course(nvs: Nvs, phases: Sequence[Phase]) -> list[Stretch]:
    """The stretches of a burst; the last phase may be infinite.

    RequestError for no phase, or a negative time or rate.
    """
    _check(phases)
    found: list[Stretch] = []
    now, end, state = 0.0, 0.0, State()
    for phase in phases:
        end += phase.seconds
        while now < end:
            stretch, state = _stretch(nvs, phase.write_rate, now, end, state)
            found.append(stretch)
            now = stretch.end_s
    return found


def _check(phases: Sequence[Phase]) -> None:
    if not phases:
        raise RequestError("a write burst needs at least one phase")
    for phase in phases:
        if not (phase.seconds > 0 and 0 <= phase.write_rate < math.inf):
            raise RequestError(f"phase of {phase.seconds} s at {phase.write_rate}/s makes no sense")


def _stretch(nvs: Nvs, rate: float, now: float, end: float, state: State) -> tuple[Stretch, State]:
    size, footprint = nvs.nvs_bytes / nvs.write_bytes, nvs.footprint_bytes / nvs.write_bytes
    held = state.is_held and (state.queued > 0 or state.occupied > nvs.resume_ratio * size)
    destage = nvs.destage_rate * (nvs.collapse_ratio if held else 1.0)
    needing = rate * (1 - nvs.rewrite_ratio)
    if state.queued > 0 or (state.occupied >= size and needing * (1 - size / footprint) > destage):
        return _waiting(nvs, rate, now, end, state)
    if state.occupied == 0 and needing <= destage:
        return Stretch(now, end, state, rate, rate, needing, needing), State()
    moving = Stretch(now, end, state, rate, rate, destage, needing, needing / footprint)
    return _to_next(moving, _target(moving, size, nvs.resume_ratio * size), held)


def _waiting(nvs: Nvs, rate: float, now: float, end: float, state: State) -> tuple[Stretch, State]:
    """A stretch with full NVS: destage limits the admitted writes and runs at its reduced rate."""
    size, footprint = nvs.nvs_bytes / nvs.write_bytes, nvs.footprint_bytes / nvs.write_bytes
    destage = nvs.destage_rate * nvs.collapse_ratio
    admitted = destage / ((1 - nvs.rewrite_ratio) * (1 - size / footprint))
    over_s = state.queued / (admitted - rate) if admitted > rate else math.inf
    stop = min(now + over_s, end)
    full = Stretch(now, stop, State(size, state.queued, True), rate, admitted, destage, waits=True)
    return full, State(size, full.queued_at(stop - now) if now + over_s > end else 0.0, True)


def _target(moving: Stretch, size: float, resume: float) -> float:
    """Occupancy of the next event."""
    if moving.net > 0:
        return size
    return resume if moving.state.occupied > resume else 0.0


def _to_next(moving: Stretch, target: float, held: bool) -> tuple[Stretch, State]:
    stop = moving.start_s + moving.seconds_to(target)
    if stop > moving.end_s:
        return moving, State(moving.occupied_at(moving.end_s - moving.start_s), 0.0, held)
    return replace(moving, end_s=stop), State(target, 0.0, held)


@dataclass(frozen=True)
class Timeline:
    """Result of a simulation, one element per step; `time_s` is the end of the step.

    `arrived`, `admitted` and `destaged` count writes (destage operations) in the step, `waiting` writes at its end;
    `delay_ms` is the wait for space of a write arriving at its end (NaN if none arrived in the step).
    """

    time_s: Floats
    arrived: Floats
    admitted: Floats
    destaged: Floats
    occupied_bytes: Floats
    waiting: Floats
    delay_ms: Floats


@dataclass(frozen=True)
class Outcome:
    """Exact results of a burst, in five numbers.

    A write that waits when the last phase ends counts with its whole wait. `recovery_s` is the time from the end of the
    highest phase until NVS could take it again (occupancy at `resume_ratio`, no write waiting) if the last phase
    continues; infinite if that never happens.
    """

    writes: float
    delayed_writes: float
    delay_ms_per_delayed_write: float
    full_after_s: float
    recovery_s: float


def simulate(nvs: Nvs, phases: Sequence[Phase], *, step_s: float = 0.01) -> Timeline:
    """Simulate the bucket, sampled every `step_s`; the step does not change the result.

    RequestError for no phase, or a negative time or rate.
    """
    found = course(nvs, phases)
    seconds = sum(phase.seconds for phase in phases)
    if not (step_s > 0 and seconds < math.inf):
        raise RequestError("a timeline needs a positive step_s and an end")
    time_s = np.minimum(step_s * np.arange(1, max(1, round(seconds / step_s)) + 1, dtype=np.float64), seconds)
    arrived, admitted, destaged = (
        _counted(found, time_s, flow) for flow in ("write_rate", "admit_rate", "destage_rate")
    )
    at = _within(found, time_s)
    occupied, queued, delay_s = (
        np.array([ask(found[i], t - found[i].start_s) for i, t in zip(at, time_s, strict=True)])
        for ask in (Stretch.occupied_at, Stretch.queued_at, Stretch.delay_s)
    )
    delay_ms = np.where(arrived > 0, 1e3 * delay_s, np.nan)
    return Timeline(time_s, arrived, admitted, destaged, occupied * nvs.write_bytes, queued, delay_ms)


def _within(found: Sequence[Stretch], time_s: Floats) -> Ints:
    """Index of the stretch that contains each time or ends at it."""
    return np.minimum(np.searchsorted([s.end_s for s in found], time_s), len(found) - 1)


def _counted(found: Sequence[Stretch], time_s: Floats, flow: str) -> Floats:
    """Number of writes of a flow in each step."""
    knots = [0.0, *(s.end_s for s in found)]
    counts = np.cumsum([0.0, *(getattr(s, flow) * s.seconds for s in found)])
    return np.diff(np.interp(time_s, knots, counts), prepend=0.0)


def outcome(nvs: Nvs, phases: Sequence[Phase]) -> Outcome:
    """Delayed writes, their delay, the time until NVS is full, and the time to recover.

    RequestError for no phase, or a negative time or rate.
    """
    found = course(nvs, phases)
    full = [s for s in found if s.waits]
    delayed = sum(s.write_rate * s.seconds for s in full)
    waited_s = sum(s.write_rate * s.seconds * s.delay_s(s.seconds / 2) for s in full)  # delay is linear in time
    return Outcome(
        writes=sum(s.write_rate * s.seconds for s in found),
        delayed_writes=delayed,
        delay_ms_per_delayed_write=1e3 * waited_s / delayed if delayed else 0.0,
        full_after_s=full[0].start_s if full else math.inf,
        recovery_s=_recovery_s(nvs, phases),
    )


def _recovery_s(nvs: Nvs, phases: Sequence[Phase]) -> float:
    """Time until no write waits and NVS is calm; that can only happen at the start of a stretch."""
    peak = max(range(len(phases)), key=lambda i: phases[i].write_rate)
    over_s = sum(phase.seconds for phase in phases[: peak + 1])
    calm = nvs.resume_ratio * nvs.nvs_bytes / nvs.write_bytes
    found = course(nvs, [*phases, Phase(math.inf, phases[-1].write_rate)])
    recovered = (s.start_s for s in found if s.start_s >= over_s and not s.waits and s.state.occupied <= calm)
    return next((start_s - over_s for start_s in recovered), math.inf)


@dataclass(frozen=True)
class Advice:
    """Effect of more NVS on a burst.

    `verdict`: `absorbed` (nothing to do), `more NVS absorbs it`, `more NVS absorbs a part of it` (`bytes_needed` would
    absorb all), or `more NVS only delays the overflow` (no size is enough for a permanent load above the sustained
    rate). `bytes_needed` is the total NVS size with which no write waits, infinite in the last case, 0 where
    destage keeps pace.
    """

    verdict: str
    bytes_needed: float


def sustained_rate(nvs: Nvs) -> float:
    """Sustainable writes per second: every write that needs space requires a destage.

    With evenly spread writes, a full NVS of S bytes saves a share S / footprint of the destages.
    """
    space = 1 - min(nvs.nvs_bytes / nvs.footprint_bytes, 1.0)
    return nvs.destage_rate / ((1 - nvs.rewrite_ratio) * space) if space > 0 else math.inf


def saturated_rate(nvs: Nvs) -> float:
    """Writes per second once NVS is full and destage is slower (`collapse_ratio`)."""
    return sustained_rate(nvs) * nvs.collapse_ratio


def seconds_to_fill(nvs_bytes: float, delayed_rate: float) -> float:
    """Seconds until an empty NVS is full with `delayed_rate` writes per second beyond destage; infinite for none.

    Each of them is assumed to need a track.
    """
    return nvs_bytes / TRACK_BYTES / delayed_rate if delayed_rate > 0 else math.inf


def bytes_needed(nvs: Nvs, write_rate: float, seconds: float) -> float:
    """Smallest NVS for a burst of this rate and length without a wait (0 if destage keeps up).

    Occupancy O follows dO/dt = a (1 - O/F) - D, with a writes per second that need space and F the footprint in writes.
    """
    footprint = nvs.footprint_bytes / nvs.write_bytes
    needing = write_rate * (1 - nvs.rewrite_ratio)
    if needing <= nvs.destage_rate:
        return 0.0
    if math.isinf(footprint):
        return (needing - nvs.destage_rate) * seconds * nvs.write_bytes
    reached = footprint * (1 - nvs.destage_rate / needing)
    return reached * -math.expm1(-needing * seconds / footprint) * nvs.write_bytes


def advise(nvs: Nvs, write_rate: float, seconds: float, *, more_bytes: float, calm_rate: float = 0.0) -> Advice:
    """Check if `more_bytes` of NVS help this burst and the steady load after it.

    `seconds` is infinite for a steady load.
    """
    bigger = replace(nvs, nvs_bytes=nvs.nvs_bytes + more_bytes)
    need = max(bytes_needed(nvs, write_rate, seconds), bytes_needed(nvs, calm_rate, math.inf))
    if need <= nvs.nvs_bytes * _ROUNDED:
        verdict = "absorbed"
    elif need <= bigger.nvs_bytes * _ROUNDED:
        verdict = "more NVS absorbs it"
    elif math.isinf(need):
        verdict = "more NVS only delays the overflow"
    else:
        verdict = "more NVS absorbs a part of it"
    return Advice(verdict, need)
