"""Measured points: I/Os in the box and the rate."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from iosq.models.pav.box import BoxLoad
from iosq.models.pav.residual import DOUBT
from iosq.models.queueing.checks import positive, ratio
from iosq.toolkit.errors import RequestError

Floats = NDArray[np.float64]
SAME_WORK = 0.05  # in read share and (relative) data: the same work
AGAIN = 0.01  # in the number in the box: the same state measured again
APART = 1.5  # times that published boxes break the laws of any box at most, with a margin: 1.28 where aliases begin
SINGLE = 0.02  # half a percent of repeatability is lost in it, one request waiting in fifty intervals is not


@dataclass(frozen=True)
class Points:
    """Loads and the rate (I/Os per second of the whole box) measured at each; `rate` is one-dimensional."""

    load: BoxLoad
    rate: Floats

    def __len__(self) -> int:
        return len(self.rate)

    def pick(self, index: ArrayLike) -> "Points":
        """The points at these positions (or under this mask)."""
        at = np.asarray(index)
        return Points(self.load.pick(at), self.rate[at])

    @property
    def in_box_range(self) -> float:
        """Largest number in the box over the smallest: 1 where it never varied."""
        return float(self.load.in_box.max() / self.load.in_box.min())

    @property
    def in_box_span(self) -> str:
        """The numbers in the box that were measured, for messages."""
        return f"{self.load.in_box.min():.3g} to {self.load.in_box.max():.3g} in the box"


def points(load: BoxLoad, rate: ArrayLike) -> Points:
    """Checked points; RequestError if a rate is not above zero, or loads and rates differ in number."""
    measured = np.atleast_1d(np.asarray(rate, float))
    positive(rate=measured)
    if measured.shape != load.in_box.shape:
        raise RequestError(f"{measured.size} rates for {load.in_box.size} loads", place="rate")
    return Points(load, measured)


def contradiction(given: Points) -> tuple[int, int] | None:
    """The first two points, in their order, that contradict each other for any box; None if there are none.

    With the same work, more I/Os in the box never lower the rate, nor raise it more than in proportion
    (`iosq.models.pav.bounds`).
    """
    load, rate = given.load.flat(), np.log(given.rate)
    inside, data = np.log(load.in_box), np.log(load.footprint_gb)
    for at in range(1, len(given)):
        before = slice(at)
        more, faster = inside[at] - inside[before], rate[at] - rate[before]
        beyond = np.maximum(faster - np.maximum(more, 0.0), np.minimum(more, 0.0) - faster)
        same = np.abs(load.read_ratio[at] - load.read_ratio[before]) <= SAME_WORK
        same &= np.abs(data[at] - data[before]) <= SAME_WORK
        again = same & (np.abs(more) < AGAIN) & (load.aliased[before] == load.aliased[at])
        again &= load.queued[before] == load.queued[at]
        broken = same & (beyond > np.where(again, np.log(DOUBT), np.log(APART)))
        if broken.any():
            return int(np.argmax(broken)), at
    return None


def points_from_intervals(
    rate: ArrayLike,
    in_service: ArrayLike,
    read_ratio: ArrayLike,
    footprint_gb: ArrayLike,
    *,
    volumes: int,
    queue: ArrayLike,
) -> Points:
    """Points from a lake's intervals of one box: each interval one point, unusable ones left out.

    Args:
        rate: I/Os per second, all volumes of the box together.
        in_service: mean I/Os in progress (rate times service time), all volumes together.
        read_ratio: reads over reads and writes; NaN where unknown.
        footprint_gb: data touched in the interval; a constant where it was not measured.
        volumes: volumes of the box that do I/O; more in service than that means aliases are in use.
        queue: mean requests waiting in the host, all volumes together.

    Raises:
        RequestError: no interval has a rate, I/Os in service and a read share.
    """
    positive(volumes=volumes)
    parts = np.broadcast_arrays(
        *(np.atleast_1d(np.asarray(v, float)) for v in (rate, in_service, read_ratio, footprint_gb, queue))
    )
    usable = np.all([np.isfinite(v) for v in parts], axis=0) & (parts[0] > 0) & (parts[1] > 0) & (parts[3] > 0)
    if not usable.any():
        raise RequestError("no interval has a rate, I/Os in service, a read share and a footprint", place="intervals")
    x, n, r, f, waiting = (v[usable] for v in parts)
    ratio(read_ratio=r)
    return points(BoxLoad.of(n, r, f, n > volumes, waiting > SINGLE * volumes), x)
