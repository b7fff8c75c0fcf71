"""Measured work on another machine: response per volume, what saturates first, how much growth, how many boxes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from iosq.models.channel import Channel, ceiling
from iosq.models.migrate.targets import Target
from iosq.models.migrate.workload import BoxLoad, MeasuredVolume, dealt, grown, host_wait_ms, together
from iosq.toolkit.errors import RequestError

NEARLY = 0.999  # a growth this close to a station's ceiling is that station's doing
HALVINGS = 16
CAVEATS = ("read hit ratios and the burstiness of arrivals are taken to stay as measured",)


@dataclass(frozen=True)
class Front:
    """Channels in front of the new box; None for `channel` leaves them out."""

    channel: Channel | None = None
    count: int = 1


@dataclass(frozen=True)
class VolumeForecast:
    """One volume on the new box, in ms, beside what was measured; infinite where it saturates."""

    volume: str
    io_rate: float
    wait_ms: float
    service_ms: float
    response_ms: float
    measured_response_ms: float


@dataclass(frozen=True)
class Forecast:
    """All volumes on one new box.

    response_ms is weighted by rate, low and high hold the box's own error; `utilization` by station;
    `growth_max` is the factor on today's rates beyond which a response is infinite, because the station in
    `saturates_first` is full (`exposures`: a volume's aliases do not suffice); densities are I/Os per second and GB,
    needed by the work and offered by a full box (None where the machine file states no capacity); `caveats` says
    what was taken for granted.
    """

    target: str
    growth: float
    volumes: tuple[VolumeForecast, ...]
    response_ms: float
    response_low_ms: float
    response_high_ms: float
    utilization: Mapping[str, float]
    saturates_first: str
    growth_max: float
    density_needed: float
    density_offered: float | None
    calibrated_on: str
    caveats: tuple[str, ...]


def forecast(
    target: Target, volumes: Sequence[MeasuredVolume], *, growth: float = 1.0, front: Front | None = None
) -> Forecast:
    """Move these volumes, with their aliases, to one box of the target's kind.

    Raises:
        RequestError: no work, more volumes than the box holds, or an impossible growth factor or channel count.
    """
    moved = grown(volumes, growth)
    load = together(moved)
    if target.volumes_max is not None and len(moved) > target.volumes_max:
        raise RequestError(
            f"{len(moved)} volumes do not fit the {target.volumes_max} of {target.name}", remedy="ask for several boxes"
        )
    busy = utilization(target, load, front or Front())
    first = max(busy, key=lambda station: busy[station])
    ceiling_growth = growth / busy[first]
    growth_max = _growth_max(target, volumes, ceiling_growth)
    low, mean, high = (_mean_ms(target, grown(moved, 1 + sign * target.error_ratio)) for sign in (-1, 0, 1))
    return Forecast(
        target=target.name,
        growth=growth,
        volumes=_rows(target, moved),
        response_ms=mean,
        response_low_ms=low,
        response_high_ms=high,
        utilization=busy,
        saturates_first=first if growth_max > NEARLY * ceiling_growth else "exposures",
        growth_max=growth_max,
        density_needed=load.io_rate / load.capacity_gb,
        density_offered=load.io_rate / busy[first] / target.capacity_gb if target.capacity_gb else None,
        calibrated_on=target.calibrated_on,
        caveats=(*CAVEATS, *target.caveats),
    )


def utilization(target: Target, load: BoxLoad, front: Front) -> dict[str, float]:
    """Stations of the box, and its channels where they are given."""
    busy = dict(target.utilization(load))
    if front.channel is not None:
        if front.count < 1:
            raise RequestError(f"channels = {front.count} must be at least 1")
        each = ceiling(front.channel, load.bytes_per_io, load.read_ratio)
        busy["channels"] = load.io_rate / (front.count * each)
    return busy


def boxes_needed(
    target: Target,
    volumes: Sequence[MeasuredVolume],
    *,
    response_ms: float,
    growth: float = 1.0,
    capacity_gb: float | None = None,
    front: Front | None = None,
) -> int:
    """Fewest equal boxes that hold the data, saturate nowhere and keep the mean response of every box in bounds.

    Args:
        response_ms: longest acceptable mean response of a box.
        capacity_gb: data one box holds, where it is not the machine file's.

    Raises:
        RequestError: not even one box per volume reaches that response.
    """
    moved = grown(volumes, growth)
    for boxes in range(_least(target, moved, capacity_gb), len(moved) + 1):
        hands = [hand for hand in dealt(moved, boxes) if any(volume.planned_rate for volume in hand)]
        if all(_holds(target, hand, response_ms, front or Front()) for hand in hands):
            return boxes
    raise RequestError(
        f"no number of {target.name} boxes answers these volumes within {response_ms:g} ms",
        remedy="give the volumes more exposures or allow a longer response",
    )


def _least(target: Target, volumes: Sequence[MeasuredVolume], capacity_gb: float | None) -> int:
    """Boxes needed to hold the data and the volumes, whatever the rate."""
    room = capacity_gb or target.capacity_gb or math.inf
    slots = target.volumes_max or len(volumes)
    return max(1, math.ceil(together(volumes).capacity_gb / room), math.ceil(len(volumes) / slots))


def _holds(target: Target, hand: Sequence[MeasuredVolume], response_ms: float, front: Front) -> bool:
    busiest = max(utilization(target, together(hand), front).values())
    return busiest < 1 and _mean_ms(target, hand) <= response_ms


def _rows(target: Target, volumes: Sequence[MeasuredVolume]) -> tuple[VolumeForecast, ...]:
    times = target.service_ms(together(volumes), volumes)
    return tuple(_row(volume, service_ms) for volume, service_ms in zip(volumes, times, strict=True))


def _row(volume: MeasuredVolume, service_ms: float) -> VolumeForecast:
    """The host queue keeps the burstiness its measured wait showed."""
    rate = volume.planned_rate
    poisson_ms = host_wait_ms(rate, service_ms, volume.exposures) if not math.isinf(service_ms) else math.inf
    wait_ms = poisson_ms * volume.burst_ratio
    return VolumeForecast(volume.volume, rate, wait_ms, service_ms, wait_ms + service_ms, volume.response_ms)


def _mean_ms(target: Target, volumes: Sequence[MeasuredVolume]) -> float:
    """Mean response weighted by rate."""
    busy = [row for row in _rows(target, volumes) if row.io_rate]
    return sum(row.io_rate * row.response_ms for row in busy) / sum(row.io_rate for row in busy)


def _growth_max(target: Target, volumes: Sequence[MeasuredVolume], most: float) -> float:
    """Largest growth at which every volume still has a finite response, at most `most`."""
    low, high = 0.0, most
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if math.isfinite(_mean_ms(target, grown(volumes, middle))) else (low, middle)
    return high
