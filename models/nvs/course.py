"""Solves the bucket exactly for writes at constant rates, in stretches between events with one equation each.

Events: NVS is full, the last waiting write is admitted, full destage rate resumes, NVS is empty, the phase changes.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from iosq.toolkit.errors import RequestError

if TYPE_CHECKING:
    from iosq.models.nvs.bucket import Nvs


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
        """Length of the stretch."""
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

    def is_calm(self, resume: float) -> bool:
        """True if at the start no write waits and at most `resume` writes are in NVS."""
        return not self.waits and self.state.occupied <= resume

    def seconds_to(self, occupied: float) -> float:
        """Seconds until `occupied` writes are in NVS; infinite if that never happens."""
        gap, net = occupied - self.state.occupied, self.net
        if gap * net <= 0:
            return math.inf
        worn = self.decay * gap / net
        if worn >= 1:
            return math.inf
        return -math.log1p(-worn) / self.decay if worn else gap / net


def course(nvs: "Nvs", phases: Sequence[Phase]) -> list[Stretch]:
    """The stretches of a burst; the last phase may be infinite.

    Raises:
        RequestError: no phase, or a negative time or rate.
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


def _stretch(nvs: "Nvs", rate: float, now: float, end: float, state: State) -> tuple[Stretch, State]:
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


def _waiting(nvs: "Nvs", rate: float, now: float, end: float, state: State) -> tuple[Stretch, State]:
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
