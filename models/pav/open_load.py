"""PAV what-if for open loads: an arrival rate per volume, as production intervals measure it.

Arrivals come in bursts, and the measured wait says how much so. Two readings of it bracket the answer: Poisson arrivals
at a higher rate for part of the time (busy periods, which a few exposures absorb), and arrivals several at once
(batches, which wait in line for any exposure short of the batch).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from iosq.models.pav.answers import RateSource
from iosq.models.pav.box import BoxLoad
from iosq.models.pav.station import Served, Stretch, serve
from iosq.models.queueing.checks import not_negative, positive, ratio
from iosq.toolkit.errors import RequestError

Floats = NDArray[np.float64]
Waits = Callable[[Floats, Floats], Served]
"""(factor on the arrival rate, chance that an I/O brings another), one per volume, to what the volumes then do."""
DOUBT = 1.25  # a box may be measured this much above its fitted ceiling before it is taken for another one
EVERYONE = slice(None)
_HALVINGS = 22
_POINTS = 600  # of a box's curve, 2 % apart
_NEGLIGIBLE_MS = 1e-6


@dataclass(frozen=True)
class OpenVolumes:
    """Volumes of one box as measured over an interval; arrays of equal length, one element per volume.

    rate: I/Os per second; wait_ms (IOSQ) and service_ms (pend + disc + conn) per I/O; exposures: base + aliases now.
    """

    rate: Floats
    wait_ms: Floats
    service_ms: Floats
    exposures: Floats
    read_ratio: Floats
    footprint_gb: Floats

    @staticmethod
    def of(
        rate: ArrayLike,
        wait_ms: ArrayLike,
        service_ms: ArrayLike,
        exposures: ArrayLike,
        read_ratio: ArrayLike,
        footprint_gb: ArrayLike,
    ) -> "OpenVolumes":
        """Checked and broadcast.

        Raises:
            RequestError: an impossible value, or a volume busier than its exposures allow.
        """
        positive(rate=rate, service_ms=service_ms, exposures=exposures, footprint_gb=footprint_gb)
        not_negative(wait_ms=wait_ms)
        ratio(read_ratio=read_ratio)
        given = (rate, wait_ms, service_ms, exposures, read_ratio, footprint_gb)
        parts = np.broadcast_arrays(*(np.atleast_1d(np.asarray(value, float)) for value in given))
        volumes = OpenVolumes(*parts)
        busy = volumes.in_service / volumes.exposures
        _refuse_unstable(f"volume {int(np.argmax(busy))}", float(busy.max()))
        return volumes

    @property
    def in_service(self) -> Floats:
        """Mean I/Os of each volume in the box."""
        return self.rate * self.service_ms / 1e3

    def pick(self, chosen: slice) -> "OpenVolumes":
        """The volumes in this range."""
        return OpenVolumes(*(part[chosen] for part in vars(self).values()))


def box_stretch(source: RateSource, volumes: OpenVolumes, extra: float) -> Stretch:
    """How service times stretch as the box holds more than now, from its curve at the volumes' mix.

    Args:
        extra: most I/Os the box may hold beyond today's mean; the same for every count, or answers depend on it.

    Raises:
        RequestError: more was measured than this box completes with every exposure at work: it is another box.
    """
    now, most = float(volumes.in_service.sum()), float(volumes.exposures.sum() + extra)
    full = float(source.rate(volumes_load(volumes, np.array([most])))[0])
    _refuse_unstable(f"box {source.name}", float(volumes.rate.sum()) / full / DOUBT)
    grid = np.geomspace(max(now * 1e-2, 1e-3), now + extra, _POINTS)
    time = grid / source.rate(volumes_load(volumes, grid))
    today = float(np.interp(now, grid, time))
    return lambda inside: np.interp(inside, grid, time / today)


def unknown_stretch(volumes: OpenVolumes, most_ratio: float = 1.0) -> tuple[Stretch, Stretch]:
    """The two ends of what an unmeasured box may do: serve any number as fast as now, or no faster in sum than now.

    Args:
        most_ratio: what the second completes at most over what it completes now.
    """
    most = most_ratio * float(volumes.in_service.sum())
    return (lambda inside: np.ones_like(inside), lambda inside: np.maximum(inside / most, 1.0))


def sweep(
    volumes: OpenVolumes, exposures: ArrayLike, stretch: Stretch, chosen: slice = EVERYONE
) -> tuple[Served, Served]:
    """Waits under other exposure counts, burstiness read both ways: (busy periods, batches).

    Args:
        exposures: shape (..., chosen volumes).
        chosen: the volumes asked about; the others are still in the box.

    Returns:
        Two `Served` of that shape; under today's exposures both waits are the measured ones.
    """
    others = (volumes.in_service.sum() - volumes.in_service)[chosen]
    asked = volumes.pick(chosen)

    def waits(count: Floats) -> Waits:
        return lambda busier, batching: serve(asked.rate * busier, asked.service_ms, count, others, stretch, batching)

    shape = np.broadcast_shapes(np.shape(exposures), asked.rate.shape)
    wanted = np.broadcast_to(np.asarray(exposures, float), shape)
    return read_both_ways(waits(asked.exposures), waits(wanted), asked.wait_ms, asked.service_ms)


def read_both_ways(now: Waits, then: Waits, measured_ms: Floats, service_ms: Floats) -> tuple[Served, Served]:
    """Calibrate burstiness on today's waits and apply it to tomorrow's setting: as busy periods and as batches.

    Arrivals more even than Poisson are neither: there both readings scale the waits of Poisson arrivals down.
    Service keeps its measured level: bursts crowd the box more than its mean load tells, and the measured mean has
    that in it already. Only how service changes from today's setting to tomorrow's is the model's.

    Args:
        measured_ms: today's mean waits.
        service_ms: today's mean service times.
    """
    never = np.zeros(measured_ms.shape)
    poisson = now(never + 1, never).wait_ms
    calmer = np.isfinite(poisson) & (poisson > np.maximum(measured_ms, _NEGLIGIBLE_MS))
    even = np.divide(measured_ms, poisson, out=never + 1, where=calmer)
    busier = _bisected(lambda x: now(1 / (1 - x), never).wait_ms, measured_ms)
    batching = _bisected(lambda x: now(never + 1, x).wait_ms, measured_ms)
    return (
        _calmed(_levelled(now, then, 1 / (1 - busier), never, service_ms), even),
        _calmed(_levelled(now, then, never + 1, batching, service_ms), even),
    )


def _levelled(now: Waits, then: Waits, busier: Floats, batching: Floats, service_ms: Floats) -> Served:
    today, tomorrow = now(busier, batching).service_ms, then(busier, batching)
    level = np.divide(service_ms, today, out=np.ones(np.shape(today)), where=np.isfinite(today) & (today > 0))
    return replace(tomorrow, service_ms=tomorrow.service_ms * level)


def _bisected(wait_of: Callable[[Floats], Floats], wanted_ms: Floats) -> Floats:
    """x in [0, 1) where a wait that grows with x reaches what was measured; 0 where it exceeds that from the start."""
    low, high = np.zeros(wanted_ms.shape), np.ones(wanted_ms.shape) - 1e-6
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        short = wait_of(middle) < wanted_ms
        low, high = np.where(short, middle, low), np.where(short, high, middle)
    return low


def _calmed(served: Served, factor: Floats) -> Served:
    calm = np.where(np.isfinite(served.wait_ms), served.wait_ms, 0.0) * factor
    return replace(served, wait_ms=np.where(np.isfinite(served.wait_ms), calm, np.inf))


def volumes_load(volumes: OpenVolumes, inside: Floats) -> BoxLoad:
    """What the box sees of these volumes with that many I/Os inside."""
    reads = float((volumes.rate * volumes.read_ratio).sum() / volumes.rate.sum())
    aliased = bool((volumes.exposures > 1).mean() >= 0.5)
    return BoxLoad.of(inside, min(reads, 1.0), volumes.footprint_gb.sum(), aliased, False)


def _refuse_unstable(station: str, utilization: float) -> None:
    if utilization >= 1:
        raise RequestError(
            f"utilization is {utilization:.3g}, {utilization - 1:.3g} above what can be served",
            place=station,
            remedy="lower the arrival rate, or check rate, service time and exposures",
        )
