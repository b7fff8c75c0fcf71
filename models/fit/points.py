"""Measured points: I/Os in the box and rate."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from iosq.models.arrays import Columns, Floats
from iosq.models.pav.box import BoxLoad
from iosq.models.pav.residual import DOUBT
from iosq.models.queueing.checks import positive, ratio
from iosq.toolkit.errors import RequestError

SAME_WORK = 0.05  # difference of read share, and relative difference of data, within which work is the same
AGAIN = 0.01  # relative difference of I/Os in the box within which a state is measured again
APART = 1.5  # factor by which points may violate the bounds of any box; published boxes reach 1.28 at the first alias
SINGLE = 0.02  # queue per volume that counts as waiting: above rounding errors, one request in fifty intervals


@dataclass(frozen=True)
class Points(Columns):
    """Loads and the rate (I/Os per second of the whole box) measured at each; `rate` is one-dimensional."""

    load: BoxLoad
    rate: Floats

    @property
    def in_box_range(self) -> float:
        """Largest number of I/Os in the box over the smallest: 1 if it did not vary."""
        return float(self.load.in_box.max() / self.load.in_box.min())

    @property
    def in_box_span(self) -> str:
        """The measured range of I/Os in the box, for messages."""
        return f"{self.load.in_box.min():.3g} to {self.load.in_box.max():.3g} in the box"


def points(load: BoxLoad, rate: ArrayLike) -> Points:
    """Check and build points; RequestError if a rate is not positive, or loads and rates differ in number."""
    measured = np.atleast_1d(np.asarray(rate, float))
    positive(rate=measured)
    if measured.shape != load.in_box.shape:
        raise RequestError(f"{measured.size} rates for {load.in_box.size} loads", place="rate")
    return Points(load, measured)


def contradiction(given: Points) -> tuple[int, int] | None:
    """The first two points, in their order, that contradict each other for any box; None if there are none.

    With the same work, more I/Os in the box never lower the rate, and never raise it more than proportionally
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
        repeated = same & (np.abs(more) < AGAIN) & (load.aliased[before] == load.aliased[at])
        repeated &= load.queued[before] == load.queued[at]
        broken = same & (beyond > np.where(repeated, np.log(DOUBT), np.log(APART)))
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
    """Points from a lake's intervals of one box, one point per usable interval.

    Args:
        rate: I/Os per second, over all volumes of the box.
        in_service: mean I/Os in progress (rate times service time), over all volumes.
        read_ratio: reads over reads and writes; NaN if unknown.
        footprint_gb: data accessed in the interval; a constant if not measured.
        volumes: volumes of the box with I/O; more I/Os in service than that means aliases are in use.
        queue: mean requests waiting in the host, over all volumes.

    RequestError if no interval has a rate, I/Os in service and a read share.
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
