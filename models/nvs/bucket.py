"""NVS as a bucket: writes fill it, destage empties it, and writes without space wait.

A write needs space unless it overwrites data that is pending destage: a fixed share (`rewrite_ratio`, locality) and,
for writes spread evenly over a footprint, the pending share of the footprint. Once a write has waited, destage runs
at `collapse_ratio` of its rate until occupancy has fallen to `resume_ratio`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from iosq.models.arrays import Floats, Ints
from iosq.models.machine import Machine
from iosq.models.nvs.course import Phase, Stretch, course
from iosq.toolkit.errors import RequestError


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
        for name in ("nvs_bytes", "write_bytes", "destage_rate", "footprint_bytes", "collapse_ratio"):
            if not getattr(self, name) > 0:
                raise RequestError(f"{name} = {getattr(self, name)} must be positive")
        if not 0 <= self.rewrite_ratio < 1:
            raise RequestError(f"rewrite_ratio = {self.rewrite_ratio} must lie in 0 to below 1")
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
    collapse = machine.positive("collapse_ratio") if "collapse_ratio" in machine.parameters else 1.0
    return Nvs(machine.positive("nvs_bytes"), write_bytes, destage_rate, rewrite_ratio, footprint_bytes, collapse)


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

    Raises:
        RequestError: no phase, or a negative time or rate.
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

    Raises:
        RequestError: no phase, or a negative time or rate.
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
    """Time to recover; recovery can only happen at the start of a stretch."""
    peak = max(range(len(phases)), key=lambda i: phases[i].write_rate)
    over_s = sum(phase.seconds for phase in phases[: peak + 1])
    calm = nvs.resume_ratio * nvs.nvs_bytes / nvs.write_bytes
    found = course(nvs, [*phases, Phase(math.inf, phases[-1].write_rate)])
    return next((s.start_s - over_s for s in found if s.start_s >= over_s and s.is_calm(calm)), math.inf)
