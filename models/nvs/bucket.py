"""NVS as a bucket: writes fill it, destage empties it, and what it has no room for waits.

A write needs space unless it overwrites what already waits for destage: a fixed share (`rewrite_ratio`, locality)
and, for writes spread evenly over a footprint, the share of the footprint that is pending. Once a write has had to
wait, destage runs at `collapse_ratio` of its rate until occupancy has fallen to `resume_ratio`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from iosq.models.machine import Machine
from iosq.toolkit.errors import RequestError

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Nvs:
    """Non-volatile storage and what empties it.

    Attributes:
        nvs_bytes: room for writes not yet destaged.
        write_bytes: room one write takes.
        destage_rate: destage operations per second, each freeing `write_bytes`, while no write waits.
        rewrite_ratio: share of writes that find their data pending whatever the occupancy, 0 <= ratio < 1.
        footprint_bytes: data the other writes are spread over evenly; infinite where they never meet.
        collapse_ratio: share of the destage rate that is left once NVS is full, 0 < ratio <= 1.
        resume_ratio: occupancy at which the full destage rate comes back, 0 <= ratio <= 1.
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
    """The machine's NVS; destage from its `destage_rate`, or from path time per destage where the file has that."""
    if "destage_rate" in machine.parameters or "destage_ms" not in machine.parameters:
        destage_rate = machine.positive("destage_rate")
    else:
        path_ms = machine.not_negative("destage_ms") + write_bytes / machine.positive("back_path_bytes_rate") * 1e3
        destage_rate = machine.count("back_path_count") * 1e3 / path_ms
    collapse = machine.positive("collapse_ratio") if "collapse_ratio" in machine.parameters else 1.0
    return Nvs(machine.positive("nvs_bytes"), write_bytes, destage_rate, rewrite_ratio, footprint_bytes, collapse)


@dataclass(frozen=True)
class Phase:
    """A stretch of time with a constant rate of arriving writes."""

    seconds: float
    write_rate: float


@dataclass(frozen=True)
class Timeline:
    """What a simulation saw, one element per step; `time_s` is the end of the step.

    `arrived`, `admitted` and `destaged` count writes (destage operations) in the step, `waiting` writes at its end,
    `delay_ms` the wait for room of the writes that arrived in it (NaN where none did, or none got in before the end).
    """

    time_s: Array
    arrived: Array
    admitted: Array
    destaged: Array
    occupied_bytes: Array
    waiting: Array
    delay_ms: Array


@dataclass(frozen=True)
class Outcome:
    """A timeline in five numbers; `recovery_s` runs from the last arrival of the highest phase until NVS is empty
    enough to take it again (occupancy at `resume_ratio`, nobody waiting), infinite if that never happens."""

    writes: float
    delayed_writes: float
    delay_ms_per_delayed_write: float
    full_after_s: float
    recovery_s: float


def simulate(
    nvs: Nvs, phases: Sequence[Phase], *, step_s: float = 0.01, rng: np.random.Generator | None = None
) -> Timeline:
    """Fill and empty the bucket over time; arrivals are smooth, or Poisson where a generator is given.

    Raises:
        RequestError: no phase, or a negative time or rate.
    """
    arrived = _arrivals(phases, step_s, rng)
    admitted, destaged, occupied, waiting = _fill(nvs, arrived, step_s)
    time_s = step_s * np.arange(1, len(arrived) + 1, dtype=np.float64)
    delay_ms = _delays(time_s, arrived, admitted)
    return Timeline(time_s, arrived, admitted, destaged, occupied * nvs.write_bytes, waiting, delay_ms)


def _arrivals(phases: Sequence[Phase], step_s: float, rng: np.random.Generator | None) -> Array:
    if not phases or not step_s > 0:
        raise RequestError("a write burst needs at least one phase and a positive step_s")
    for phase in phases:
        if not (phase.seconds > 0 and 0 <= phase.write_rate < math.inf):
            raise RequestError(f"phase of {phase.seconds} s at {phase.write_rate}/s makes no sense")
    rates = np.concatenate([np.full(max(1, round(p.seconds / step_s)), p.write_rate) for p in phases])
    return rates * step_s if rng is None else rng.poisson(rates * step_s).astype(np.float64)


def _fill(nvs: Nvs, arrived: Array, step_s: float) -> tuple[Array, Array, Array, Array]:
    """Per step: admitted, destaged, occupancy and queue, in writes. Destage first, so that a full NVS makes room."""
    size, footprint = nvs.nvs_bytes / nvs.write_bytes, nvs.footprint_bytes / nvs.write_bytes
    result = np.empty((4, len(arrived)))
    occupied = queued = 0.0
    is_full = False
    for step, count in enumerate(arrived):
        destaged = min(nvs.destage_rate * step_s * (nvs.collapse_ratio if is_full else 1.0), occupied)
        occupied -= destaged
        queued += count
        space = (1 - nvs.rewrite_ratio) * (1 - min(occupied / footprint, 1.0))
        admitted = min(queued, (size - occupied) / space) if space > 0 else queued
        occupied, queued = occupied + admitted * space, queued - admitted
        is_full = queued > _NOBODY or (is_full and occupied > nvs.resume_ratio * size)
        result[:, step] = admitted, destaged, occupied, queued
    return result[0], result[1], result[2], result[3]


_NOBODY = 1e-9


def _delays(time_s: Array, arrived: Array, admitted: Array) -> Array:
    """First in, first out: the n-th write to arrive is the n-th to be admitted."""
    arrivals, admissions = np.cumsum(arrived), np.cumsum(admitted)
    leaves = np.searchsorted(admissions, arrivals - _NOBODY * np.maximum(arrivals, 1), side="left")
    known = (arrived > 0) & (leaves < len(time_s))
    delay_s = time_s[np.minimum(leaves, len(time_s) - 1)] - time_s
    return np.where(known, np.maximum(delay_s, 0.0) * 1e3, np.nan)


def summarize(nvs: Nvs, phases: Sequence[Phase], line: Timeline) -> Outcome:
    """Delayed writes, their delay, when NVS first was full, and how long it took to recover."""
    late = line.delay_ms > 0
    delayed = float(line.arrived[late].sum() + line.arrived[np.isnan(line.delay_ms)].sum())
    weight = line.arrived[late]
    delay_ms = float(np.average(line.delay_ms[late], weights=weight)) if weight.sum() else 0.0
    full = np.flatnonzero(line.waiting > _NOBODY)
    return Outcome(
        writes=float(line.arrived.sum()),
        delayed_writes=delayed,
        delay_ms_per_delayed_write=delay_ms,
        full_after_s=float(line.time_s[full[0]]) if len(full) else math.inf,
        recovery_s=_recovery_s(nvs, phases, line),
    )


def _recovery_s(nvs: Nvs, phases: Sequence[Phase], line: Timeline) -> float:
    peak = max(range(len(phases)), key=lambda i: phases[i].write_rate)
    over_s = sum(phase.seconds for phase in phases[: peak + 1])
    calm = (line.occupied_bytes <= nvs.resume_ratio * nvs.nvs_bytes) & (line.waiting <= _NOBODY)
    after = np.flatnonzero(calm & (line.time_s >= over_s - 1e-9))
    return max(float(line.time_s[after[0]]) - over_s, 0.0) if len(after) else math.inf
