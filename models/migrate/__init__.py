"""Predicts measured work on another machine: response per volume, first saturated station, growth, number of boxes."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from iosq.models.channel import Channel, limit
from iosq.models.migrate.targets import Target
from iosq.models.migrate.workload import BoxLoad, MeasuredVolume, dealt, grown, host_wait_ms, together
from iosq.toolkit.errors import RequestError
from iosq.toolkit.units import human_number

NEARLY = 0.999  # share of a station's ceiling from which that station limits growth
HALVINGS = 16
FULLEST = 0.8  # highest planned utilisation of a station: a planning rule, the number is our choice
WHOLE = "box"  # key of the whole box in `Target.utilization`
REMEDY = "spread the work of its busiest volumes, or choose another machine"
CAVEATS = ("read hit ratios and the burstiness of arrivals stay as measured",)
TRANSFER = "connect times stay as measured, minus the part in that machine's cache-hit time"
# share of a small hit's time that is its transfer
LEAST, LIKELY, MOST = 1.0, 0.5, 0.0


@dataclass(frozen=True)
class BoxCount:
    """Fewest boxes, and the shortage with one box less as text; '' if one box is enough."""

    boxes: int
    limit: str


@dataclass(frozen=True)
class Front:
    """Channels of the new box; they are ignored if `channel` is None."""

    channel: Channel | None = None
    count: int = 1


@dataclass(frozen=True)
class VolumeForecast:
    """One volume on the new box, in ms, with its measurement; infinite if it saturates.

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
    """Forecast of all volumes on one new box.

    response_ms is weighted by rate, low and high include the box's own error; `utilization` is by station;
    `growth_max` is the factor on today's rates beyond which a response is infinite, because the station in
    `saturates_first` is full (`exposures`: a volume has too few aliases); densities are I/Os per second and GB, needed
    by the work and offered by a full box (None if the machine file states no capacity); `caveats` are assumptions,
    `beyond` describes how far the work exceeds the measured range of the machine.
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
    """Predict these volumes, with their aliases, on one box of the target.

    RequestError for no work, more volumes than fit in the box, or an impossible growth factor or channel count.
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
    """`utilization` without the whole box, unless that is all: further boxes don't help if volumes lack exposures."""
    busy = utilization(target, load, front)
    return {name: share for name, share in busy.items() if name != WHOLE or len(busy) == 1}


def utilization(target: Target, load: BoxLoad, front: Front) -> dict[str, float]:
    """Utilisation of the box's stations, and of its channels if given."""
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
    front: Front | None = None,
) -> BoxCount:
    """Fewest equal boxes for the data, with no station above `FULLEST` and no mean response above its limit.

    Args:
        growth: planned rates over measured ones.
        response_ms: longest acceptable mean response of a box.

    RequestError if not even one box per volume is enough; names the volume and the station.
    """
    plan = _Plan(target, grown(volumes, growth), response_ms, front or Front())
    least = _least(target, plan.volumes)
    if plan.shortage(least):
        limit = plan.shortage(len(volumes))
        if limit:
            raise RequestError(f"no number of {target.name} boxes carries this work: {limit}", remedy=REMEDY)
        boxes = _fewest(plan, least, len(volumes))
        return BoxCount(boxes, plan.shortage(boxes - 1))
    return BoxCount(least, "data and volumes to hold" if least > 1 else "")


@dataclass(frozen=True)
class _Plan:
    target: Target
    volumes: tuple[MeasuredVolume, ...]
    response_ms: float
    front: Front

    def shortage(self, boxes: int) -> str:
        """The shortage with this number of boxes as text; '' if there is none."""
        groups = [group for group in dealt(self.volumes, boxes) if any(volume.planned_rate for volume in group)]
        worst = [(*_fullest(stations(self.target, together(group), self.front)), group) for group in groups]
        share, station, group = max(worst, key=lambda found: found[0])
        if share > FULLEST:
            subject = f" for {group[0].volume} alone" if len(group) == 1 else ""
            return f"{station}{subject} would need {_times(share)} its capacity"
        if self.response_ms < math.inf and any(_mean_ms(self.target, g) > self.response_ms for g in groups):
            return f"a response within {human_number(self.response_ms)} ms"
        return ""


def _times(share: float) -> str:
    return f"{human_number(share)} times" if share > 1 else f"{human_number(100 * share)} % of"


def _fullest(busy: Mapping[str, float]) -> tuple[float, str]:
    """Utilisation and name of the fullest station; the whole box only if no single station limits it."""
    station = max(busy, key=lambda name: (round(busy[name], 3), name != WHOLE))
    return busy[station], station


def _fewest(plan: _Plan, least: int, most: int) -> int:
    """Fewest boxes without a shortage, by bisection; `least` is too few, `most` is enough."""
    while most - least > 1:
        middle = (least + most) // 2
        least, most = (middle, most) if plan.shortage(middle) else (least, middle)
    return most


def _least(target: Target, volumes: Sequence[MeasuredVolume]) -> int:
    """Boxes needed for the data and the number of volumes, whatever the I/O rate."""
    room = target.capacity_gb or math.inf
    slots = target.volumes_max or len(volumes)
    return max(1, math.ceil(together(volumes).capacity_gb / room), math.ceil(len(volumes) / slots))


def _rows(target: Target, volumes: Sequence[MeasuredVolume], share: float = LIKELY) -> tuple[VolumeForecast, ...]:
    """Forecast each volume. Machines are measured with small blocks, so connect time beyond a small hit is added."""
    load = together(volumes)
    times, small_ms = target.service_ms(load, volumes), share * target.hit_ms(load)
    return tuple(row_of(v, ms + max(v.conn_ms - small_ms, 0.0)) for v, ms in zip(volumes, times, strict=True))


def row_of(volume: MeasuredVolume, service_ms: float) -> VolumeForecast:
    """A volume with this service time; its host queue keeps the measured burstiness."""
    rate = volume.planned_rate
    poisson_ms = host_wait_ms(rate, service_ms, volume.exposures) if not math.isinf(service_ms) else math.inf
    wait_ms = poisson_ms * volume.burst_ratio
    return VolumeForecast(volume.volume, rate, wait_ms, service_ms, wait_ms + service_ms, volume.response_ms)


def _bounded(target: Target, volumes: Sequence[MeasuredVolume]) -> tuple[VolumeForecast, ...]:
    """Forecast each volume on the likely machine, with bounds by the fastest and slowest possible one."""
    fast, slow = (_end_rows(target, volumes, end, share) for end, share in ((-1, LEAST), (1, MOST)))
    return tuple(
        replace(
            row,
            response_low_ms=min(row.response_ms, low.response_ms),
            response_high_ms=max(row.response_ms, high.response_ms),
            slow_ms=high.service_ms,
        )
        for row, low, high in zip(_rows(target, volumes), fast, slow, strict=True)
    )


def _end_rows(target: Target, volumes: Sequence[MeasuredVolume], end: int, share: float) -> tuple[VolumeForecast, ...]:
    work = grown(volumes, 1 + end * target.load_error_ratio)
    return _rows(target.at_end(end, together(work)), work, share)


def _mean_ms(target: Target, volumes: Sequence[MeasuredVolume]) -> float:
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
