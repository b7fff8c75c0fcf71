"""Closed forms of the NVS bucket: sustained rate, time to overflow, NVS needed, time to drain, verdict."""

import math
from dataclasses import dataclass, replace

from iosq.models.nvs.bucket import Nvs

TRACK_BYTES = 56664  # a 3390 track: most space that a delayed write needs


@dataclass(frozen=True)
class Advice:
    """Effect of more NVS on a burst.

    `verdict`: `absorbed` (nothing to do), `more NVS absorbs it`, `more NVS absorbs a part of it` (`bytes_needed` would
    absorb all), or `more NVS only delays the overflow` (no size is enough for a permanent load above the sustained
    rate). `bytes_needed` is the total NVS size, infinite in the last case, 0 in the first.
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


def overflow_s(nvs: Nvs, write_rate: float) -> float:
    """Seconds until an empty NVS is full under constant writes; infinite at or below the sustained rate.

    Occupancy O follows dO/dt = a (1 - O/F) - D, with a writes per second that need space and F the footprint in writes.
    """
    size, footprint = nvs.nvs_bytes / nvs.write_bytes, nvs.footprint_bytes / nvs.write_bytes
    needing = write_rate * (1 - nvs.rewrite_ratio)
    if needing <= nvs.destage_rate:
        return math.inf
    if math.isinf(footprint):
        return size / (needing - nvs.destage_rate)
    reached = footprint * (1 - nvs.destage_rate / needing)
    return -footprint / needing * math.log1p(-size / reached) if reached > size else math.inf


def seconds_to_fill(nvs_bytes: float, delayed_rate: float) -> float:
    """Seconds until an empty NVS is full with `delayed_rate` writes per second beyond destage; infinite for none.

    Each of them is assumed to need a track.
    """
    return nvs_bytes / TRACK_BYTES / delayed_rate if delayed_rate > 0 else math.inf


def bytes_needed(nvs: Nvs, write_rate: float, seconds: float) -> float:
    """Smallest NVS for a burst of this rate and length without a wait (0 if destage keeps up)."""
    footprint = nvs.footprint_bytes / nvs.write_bytes
    needing = write_rate * (1 - nvs.rewrite_ratio)
    if needing <= nvs.destage_rate:
        return 0.0
    if math.isinf(footprint):
        return (needing - nvs.destage_rate) * seconds * nvs.write_bytes
    reached = footprint * (1 - nvs.destage_rate / needing)
    return reached * -math.expm1(-needing * seconds / footprint) * nvs.write_bytes


def drain_s(nvs: Nvs, occupied_bytes: float, write_rate: float = 0.0) -> float:
    """Seconds to destage `occupied_bytes` while writes continue (ignores overwrites by footprint)."""
    left = nvs.destage_rate - write_rate * (1 - nvs.rewrite_ratio)
    return occupied_bytes / nvs.write_bytes / left if left > 0 else math.inf


def advise(nvs: Nvs, write_rate: float, seconds: float, *, more_bytes: float, calm_rate: float = 0.0) -> Advice:
    """Check if `more_bytes` of NVS help this burst and the steady load after it.

    `seconds` is infinite for a steady load.
    """
    bigger = replace(nvs, nvs_bytes=nvs.nvs_bytes + more_bytes)
    need = max(bytes_needed(nvs, write_rate, seconds), bytes_needed(nvs, calm_rate, math.inf))
    absorbed = need <= nvs.nvs_bytes * _ROUNDED
    if absorbed:
        verdict = "absorbed"
    elif need <= bigger.nvs_bytes * _ROUNDED:
        verdict = "more NVS absorbs it"
    elif math.isinf(need):
        verdict = "more NVS only delays the overflow"
    else:
        verdict = "more NVS absorbs a part of it"
    return Advice(verdict, 0.0 if absorbed else need)


_ROUNDED = 1 + 1e-9
