"""Model of open loads: an arrival rate per volume, as measured in production intervals.

Arrivals are bursty, to a degree shown by the measured wait. Two models of burstiness bracket the result: Poisson
arrivals at a higher rate for part of the time (busy periods, absorbed by a few exposures), and simultaneous arrivals
(batches, which wait unless there are as many exposures as I/Os in the batch).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from iosq.models.arrays import Columns, Floats, Mask
from iosq.models.pav.answers import RateSource
from iosq.models.pav.box import BoxLoad
from iosq.models.pav.power_curve import PowerCurve
from iosq.models.pav.residual import DOUBT
from iosq.models.pav.station import Served, Stretch, serve
from iosq.models.pav.volume import SLACK, uses_aliases
from iosq.models.queueing.checks import not_negative, overload, positive, ratio
from iosq.toolkit.errors import RequestError

Waits = Callable[[Floats, Floats], Served]
"""Maps (factor on the arrival rate, probability that an I/O brings another), one per volume, to the solution."""
UNKNOWN = "no box: bounds from a box that serves hardly more than now to one that serves any number as fast as now"
MOST_ALIASES = 4096  # addresses of 16 LCUs, more than any that lend to each other
FULL = 0.98  # highest utilisation assumed for a volume: above, every modelled wait exceeds the measured one
CEILING = 0.995  # utilisation from which waits are longer than a measurement of minutes can show
EVERYONE = slice(None)
_HALVINGS = 22
_POINTS = 600  # points of a box's curve, 2 % apart
_NEGLIGIBLE_MS = 1e-6


class AnotherBoxError(RequestError):
    """The measured rate exceeds the capacity of the machine file, so it is another box."""


@dataclass(frozen=True)
class OpenVolumes(Columns):
    """Measured volumes of one box over an interval; arrays of equal length, one element per volume.

    rate: I/Os per second; wait_ms (IOSQ) and service_ms (pend + disc + conn) per I/O; exposures: base + aliases.
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
        """Check and broadcast; RequestError for an impossible value, or a volume busier than its exposures allow."""
        positive(rate=rate, service_ms=service_ms, exposures=exposures, footprint_gb=footprint_gb)
        not_negative(wait_ms=wait_ms)
        ratio(read_ratio=read_ratio)
        given = (rate, wait_ms, service_ms, exposures, read_ratio, footprint_gb)
        parts = np.broadcast_arrays(*(np.atleast_1d(np.asarray(value, float)) for value in given))
        volumes = OpenVolumes(*parts)
        beyond = volumes.in_service > volumes.exposures + SLACK
        busy = np.where(beyond, volumes.in_service / volumes.exposures, 0.0)
        if beyond.any():
            raise RequestError(
                overload(float(busy.max())),
                place=f"volume {int(np.argmax(busy))}",
                remedy="check rate, service time and exposures",
            )
        return volumes

    @property
    def in_service(self) -> Floats:
        """Mean I/Os of each volume in the box."""
        return self.rate * self.service_ms / 1e3

    def mean(self, values: Floats) -> float:
        """Mean of a value of each volume, weighted by rate."""
        return float((values * self.rate).sum() / self.rate.sum())

    @property
    def steady(self) -> "OpenVolumes":
        """The volumes, with utilisation limited to `FULL`."""
        return replace(self, service_ms=np.minimum(self.service_ms, FULL * self.exposures / self.rate * 1e3))


def box_stretch(source: RateSource, volumes: OpenVolumes, extra: float) -> Stretch:
    """Stretch of service times with the I/Os in the box, from its curve at the volumes' mix.

    Args:
        extra: most I/Os in the box beyond today's mean; the same for every count, as it affects results.

    AnotherBoxError if the measured rate exceeds that of the box with all exposures in use.
    """
    grid, rate = box_curve(source, volumes, extra)
    return stretched(grid, grid / rate, float(volumes.in_service.sum()))


def box_curve(source: RateSource, volumes: OpenVolumes, extra: float) -> tuple[Floats, Floats]:
    """Numbers of I/Os in the box, and the rate at each; arguments as for `box_stretch`."""
    now, most = float(volumes.in_service.sum()), float(volumes.exposures.sum() + extra)
    full = float(source.rate(volumes_load(volumes, np.array([most])))[0])
    asked = float(volumes.rate.sum()) / full
    if asked >= DOUBT:
        raise AnotherBoxError(
            overload(asked), place=f"box {source.name}", remedy="the rate was measured: name the machine it ran on"
        )
    grid = np.geomspace(max(now * 1e-2, 1e-3), now + extra, _POINTS)
    return grid, np.asarray(source.rate(volumes_load(volumes, grid)))


def stretched(inside: Floats, time: Floats, now: float) -> Stretch:
    """Stretch from service times at numbers of I/Os in the box: the time relative to that at `now`."""
    today = float(np.interp(now, inside, time))
    return lambda asked: np.interp(asked, inside, time / today)


def is_full(source: RateSource, volumes: OpenVolumes) -> bool:
    """True if by its curve the box completes no more than today with any number inside."""
    now = float(volumes.in_service.sum())
    today, most = source.rate(volumes_load(volumes, np.array([now, now + len(volumes.rate) + MOST_ALIASES])))
    return bool(today >= CEILING * most)


def unknown_box(volumes: OpenVolumes) -> PowerCurve:
    """An unknown box: its rate may be anything from constant to proportional to the I/Os inside."""
    rate, inside = float(volumes.rate.sum()), float(volumes.in_service.sum())
    return PowerCurve("the box", rate, inside, (0.0, 1.0), 0.0, UNKNOWN)


def sweep(
    volumes: OpenVolumes, exposures: ArrayLike, stretch: Stretch, chosen: slice = EVERYONE
) -> tuple[Served, Served]:
    """Waits with other exposure counts, with burstiness as busy periods and as batches.

    Args:
        exposures: shape (..., chosen volumes).
        chosen: the requested volumes; the others are also in the box.

    Returns:
        Two `Served` of that shape; with today's exposures both waits are the measured ones.
    """
    others = (volumes.in_service.sum() - volumes.in_service)[chosen]
    asked = volumes.pick(chosen)
    steady_ms = asked.steady.service_ms

    def waits(count: Floats) -> Waits:
        return lambda busier, batching: serve(asked.rate * busier, steady_ms, count, others, stretch, batching)

    shape = np.broadcast_shapes(np.shape(exposures), asked.rate.shape)
    wanted = np.broadcast_to(np.asarray(exposures, float), shape)
    return read_both_ways(
        waits(asked.exposures), waits(wanted), asked.wait_ms, asked.service_ms, wanted / asked.exposures
    )


def read_both_ways(
    now: Waits, new: Waits, measured_ms: Floats, service_ms: Floats, grown: Floats
) -> tuple[Served, Served]:
    """Calibrate burstiness by today's waits and apply it to the new setting: as busy periods and as batches.

    Only the modelled change between the settings is used: today's values are as measured. If arrivals are more even
    than Poisson, or service times vary little, the measured wait is shorter than that of Poisson arrivals, and there
    are neither busy periods nor batches. Then the change by more exposures is reduced by the ratio of the waits: an I/O
    that doesn't wait can't start sooner. With more exposures the ratio rises for even service times and falls for even
    arrivals, one result for each (`_evened`). With fewer exposures one result has today's ratio, the other the full
    change of Poisson arrivals.

    Args:
        now, new: waits with today's setting and with the new one.
        grown: new exposures over today's.
    """
    fewer, more = grown < 1, np.maximum(grown, 1.0)
    zero = np.zeros(measured_ms.shape)
    plain = now(zero + 1, zero)
    poisson, below = plain.wait_ms, plain.utilization_ratio < CEILING
    calmer = np.isfinite(poisson) & (poisson > np.maximum(measured_ms, _NEGLIGIBLE_MS))
    even = np.divide(measured_ms, poisson, out=zero + 1, where=calmer)
    busier = _bisected(lambda x: now(1 / (1 - x), zero).wait_ms, measured_ms)
    batching = _bisected(lambda x: now(zero + 1, x).wait_ms, measured_ms)
    measured = measured_ms, service_ms
    busy_now, busy_new = (solve(1 / (1 - busier), zero) for solve in (now, new))
    batch_now, batch_new = (solve(zero + 1, batching) for solve in (now, new))
    busy = _changed(busy_now, busy_new, measured, (even, even), below)
    batches = _changed(batch_now, batch_new, measured, (np.where(fewer, 1.0, even), zero + 1), below)
    return _evened(busy, even, 1 / more, below), _evened(batches, even, more**2, below)


def _evened(served: Served, even: Floats, power: Floats, below: Mask) -> Served:
    """Scale the ratio of waits to those of Poisson arrivals to a power of today's ratio `even`.

    A test shows that simulated M/D/c queues are above the power c / c' of the exposures, E_k/M/c and D/M/c below
    (c' / c)².
    """
    share = np.where(below & (even > 0), even, 1.0) ** (power - 1)
    return replace(served, wait_ms=served.wait_ms * share)


def _changed(
    today: Served,
    tomorrow: Served,
    measured: tuple[Floats, Floats],
    shares: tuple[Floats, Floats],
    below: Mask,
) -> Served:
    """The measured wait and service plus these shares of the modelled change.

    Earlier admission zero delays service. If the utilisation today is not `below` the ceiling, nothing changes.
    """
    wait_ms, service_ms = measured
    steady = below & np.isfinite(today.wait_ms) & (today.service_ms > 0)
    level = np.divide(service_ms, today.service_ms, out=np.ones(steady.shape), where=steady)
    served = np.isfinite(tomorrow.wait_ms)
    longer = np.where(served & steady, tomorrow.wait_ms, 0.0) - np.where(served & steady, today.wait_ms, 0.0)
    slower = np.where(steady, tomorrow.service_ms - today.service_ms, 0.0) * level
    wait = np.where(served | ~steady, np.maximum(wait_ms + shares[0] * longer, 0.0), np.inf)
    slower = np.minimum(shares[1] * slower, np.maximum(wait_ms - wait, shares[0] * slower))
    return replace(tomorrow, wait_ms=wait, service_ms=service_ms + slower)


def _bisected(wait_of: Callable[[Floats], Floats], wanted_ms: Floats) -> Floats:
    """x in [0, 1) at which a wait that increases with x reaches the measured one; 0 if it is longer for x = 0."""
    low, high = np.zeros(wanted_ms.shape), np.ones(wanted_ms.shape) - 1e-6
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        short = wait_of(middle) < wanted_ms
        low, high = np.where(short, middle, low), np.where(short, high, middle)
    return low


def volumes_load(volumes: OpenVolumes, inside: Floats) -> BoxLoad:
    """The load on the box by these volumes, with `inside` I/Os in it."""
    reads, aliased = volumes.mean(volumes.read_ratio), volumes.mean(uses_aliases(volumes.exposures))
    return BoxLoad.of(inside, min(reads, 1.0), volumes.footprint_gb.sum(), aliased, 0.0)
