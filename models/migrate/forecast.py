"""Measured work on another machine: response per volume, what saturates first, how much growth, how many boxes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from iosq.models.channel import Channel, limit
from iosq.models.migrate.target import Target
from iosq.models.migrate.workload import BoxLoad, MeasuredVolume, dealt, grown, host_wait_ms, together
from iosq.toolkit.errors import RequestError
from iosq.toolkit.units import human_number

NEARLY = 0.999  # a growth this close to a station's ceiling is that station's doing
HALVINGS = 16
FULLEST = 0.8  # no station fuller than this: a rule of planners, ours in this form
WHOLE = "box"  # what `Target.utilization` calls all stations of a box together
REMEDY = "spread the work of its busiest volumes, or choose another machine"
CAVEATS = ("read hit ratios and the burstiness of arrivals stay as measured",)
TRANSFER = "connect times stay as measured, minus the part in that machine's cache-hit time"
# how much of a small hit's time is its transfer: all of it, an even chance, nothing
LEAST, LIKELY, MOST = 1.0, 0.5, 0.0


@dataclass(frozen=True)
class BoxCount:
    """Fewest boxes, and the shortage with one box less, in words; empty if one box is enough."""

    boxes: int
    limit: str


@dataclass(frozen=True)
class Front:
    """Channels in front of the new box; None for `channel` leaves them out."""

    channel: Channel | None = None
    count: int = 1


@dataclass(frozen=True)
class VolumeForecast:
    """One volume on the new box, in ms, with its measurement; infinite where it saturates.

    slow_ms: its service time on the slowest possible box.
    """

    volume: str
    io_rate: float
    wait_ms: float
    service_ms: float
    response_ms: float
    measured_response_ms: float
    response_low_ms: float = 0.0
    response_high_ms: float = math.inf
    slow_ms: float = math.inf


@dataclass(frozen=True)
class Forecast:
    """All volumes on one new box.

    response_ms is weighted by rate, low and high hold the box's own error; `utilization` by station;
    `growth_max` is the factor on today's rates beyond which a response is infinite, because the station in
    `saturates_first` is full (`exposures`: a volume's aliases do not suffice); densities are I/Os per second and GB,
    needed by the work and offered by a full box (None where the machine file states no capacity); `caveats` says
    what was taken for granted, `beyond` how far this goes beyond what the machine was measured with.
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
    beyond: str = ""


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
    _, first = _fullest(busy)
    ceiling_growth = growth / busy[first]
    growth_max = _growth_max(target, volumes, ceiling_growth)
    rows = _bounded(target, moved)
    mean = weighted(rows, "response_ms")
    return Forecast(
        target=target.name,
        growth=growth,
        volumes=rows,
        response_ms=mean,
        response_low_ms=weighted(rows, "response_low_ms"),
        response_high_ms=weighted(rows, "response_high_ms"),
        utilization=busy,
        saturates_first=first if growth_max > NEARLY * ceiling_growth else "exposures",
        growth_max=growth_max,
        density_needed=load.io_rate / load.capacity_gb,
        density_offered=load.io_rate / busy[first] / target.capacity_gb if target.capacity_gb else None,
        calibrated_on=target.calibrated_on,
        caveats=(*CAVEATS, *([TRANSFER] if any(v.conn_ms for v in volumes) else []), *target.caveats),
        beyond=target.beyond(load),
    )


def stations(target: Target, load: BoxLoad, front: Front) -> dict[str, float]:
    """`utilization` of what another box adds to; a box as a whole also fills when its volumes lack exposures."""
    busy = utilization(target, load, front)
    return {name: share for name, share in busy.items() if name != WHOLE or len(busy) == 1}


def utilization(target: Target, load: BoxLoad, front: Front) -> dict[str, float]:
    """Stations of the box, and its channels where they are given."""
    busy = dict(target.utilization(load))
    if front.channel is not None:
        if front.count < 1:
            raise RequestError(f"channels = {front.count} must be at least 1")
        name, each = limit(front.channel, load.bytes_per_io, load.read_ratio)
        busy["channels" if name == "channel" else f"channels ({name})"] = load.io_rate / (front.count * each)
    return busy


def boxes_needed(
    target: Target,
    volumes: Sequence[MeasuredVolume],
    *,
    growth: float = 1.0,
    response_ms: float = math.inf,
    capacity_gb: float | None = None,
    front: Front | None = None,
) -> BoxCount:
    """Fewest equal boxes that hold the data, with no station above `FULLEST` and no mean response above its limit.

    Args:
        growth: rates to plan for over the measured ones.
        response_ms: longest acceptable mean response of a box.
        capacity_gb: data one box holds, where it is not the machine file's.

    Raises:
        RequestError: not even one box per volume does; names the volume and the station.
    """
    asked = _Asked(target, grown(volumes, growth), response_ms, front or Front())
    least = _least(target, asked.volumes, capacity_gb)
    if asked.lacks(least):
        limit = asked.lacks(len(volumes))
        if limit:
            raise RequestError(f"no number of {target.name} boxes carries this work: {limit}", remedy=REMEDY)
        boxes = _fewest(asked, least, len(volumes))
        return BoxCount(boxes, asked.lacks(boxes - 1))
    return BoxCount(least, "data and volumes to hold" if least > 1 else "")


@dataclass(frozen=True)
class _Asked:
    target: Target
    volumes: tuple[MeasuredVolume, ...]
    response_ms: float
    front: Front

    def lacks(self, boxes: int) -> str:
        """The shortage with that many boxes, in words; empty if there is none."""
        hands = [hand for hand in dealt(self.volumes, boxes) if any(volume.planned_rate for volume in hand)]
        worst = [(*_fullest(stations(self.target, together(hand), self.front)), hand) for hand in hands]
        share, station, hand = max(worst, key=lambda found: found[0])
        if share > FULLEST:
            whose = f" for {hand[0].volume} alone" if len(hand) == 1 else ""
            return f"{station}{whose} would need {_times(share)} its capacity"
        if self.response_ms < math.inf and any(_mean_ms(self.target, h) > self.response_ms for h in hands):
            return f"a response within {human_number(self.response_ms)} ms"
        return ""


def _times(share: float) -> str:
    return f"{human_number(share)} times" if share > 1 else f"{human_number(100 * share)} % of"


def _fullest(busy: Mapping[str, float]) -> tuple[float, str]:
    """The fullest station by name; the box as a whole only if no single station limits it."""
    station = max(busy, key=lambda name: (round(busy[name], 3), name != WHOLE))
    return busy[station], station


def _fewest(asked: _Asked, least: int, most: int) -> int:
    """Between a count that lacks something and one that doesn't, by halving."""
    while most - least > 1:
        middle = (least + most) // 2
        least, most = (middle, most) if asked.lacks(middle) else (least, middle)
    return most


def _least(target: Target, volumes: Sequence[MeasuredVolume], capacity_gb: float | None) -> int:
    """Boxes needed to hold the data and the volumes, at any rate."""
    room = capacity_gb or target.capacity_gb or math.inf
    slots = target.volumes_max or len(volumes)
    return max(1, math.ceil(together(volumes).capacity_gb / room), math.ceil(len(volumes) / slots))


def _rows(target: Target, volumes: Sequence[MeasuredVolume], held: float = LIKELY) -> tuple[VolumeForecast, ...]:
    """Machines are known with small blocks: what these volumes transfer beyond such a block comes on top.

    Args:
        held: share of a small hit's time that is its transfer.
    """
    load = together(volumes)
    times, small_ms = target.service_ms(load, volumes), held * target.hit_ms(load)
    return tuple(row_of(v, ms + max(v.conn_ms - small_ms, 0.0)) for v, ms in zip(volumes, times, strict=True))


def row_of(volume: MeasuredVolume, service_ms: float) -> VolumeForecast:
    """A volume with this service time: its host queue keeps the burstiness that its measured wait showed."""
    rate = volume.planned_rate
    poisson_ms = host_wait_ms(rate, service_ms, volume.exposures) if not math.isinf(service_ms) else math.inf
    wait_ms = poisson_ms * volume.burst_ratio
    return VolumeForecast(volume.volume, rate, wait_ms, service_ms, wait_ms + service_ms, volume.response_ms)


def _bounded(target: Target, volumes: Sequence[MeasuredVolume]) -> tuple[VolumeForecast, ...]:
    """Each volume on the likely machine, with bounds from the fastest and slowest possible one."""
    fast, slow = (_end_rows(target, volumes, end, held) for end, held in ((-1, LEAST), (1, MOST)))
    return tuple(
        replace(
            row,
            response_low_ms=min(row.response_ms, low.response_ms),
            response_high_ms=max(row.response_ms, high.response_ms),
            slow_ms=high.service_ms,
        )
        for row, low, high in zip(_rows(target, volumes), fast, slow, strict=True)
    )


def _end_rows(target: Target, volumes: Sequence[MeasuredVolume], end: int, held: float) -> tuple[VolumeForecast, ...]:
    work = grown(volumes, 1 + end * target.load_error_ratio)
    return _rows(target.at_end(end, together(work)), work, held)


def _mean_ms(target: Target, volumes: Sequence[MeasuredVolume]) -> float:
    """Mean response weighted by rate."""
    return weighted(_rows(target, volumes), "response_ms")


def weighted(rows: Sequence[VolumeForecast], name: str) -> float:
    """Mean of a column, weighted by rate."""
    busy = [row for row in rows if row.io_rate]
    return float(sum(row.io_rate * getattr(row, name) for row in busy) / sum(row.io_rate for row in busy))


def _growth_max(target: Target, volumes: Sequence[MeasuredVolume], most: float) -> float:
    """Largest growth at which every volume still has a finite response, at most `most`."""
    low, high = 0.0, most
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if math.isfinite(_mean_ms(target, grown(volumes, middle))) else (low, middle)
    return high
