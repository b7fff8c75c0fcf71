"""The one solver for closed workloads: volumes of a box, or of a pool, all solved together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from iosq.models.pav.answers import BEST, NO_STATIONS, Measured, Prediction, RateSource, WhatIf
from iosq.models.pav.bounds import in_box
from iosq.models.pav.box import BoxLoad
from iosq.models.pav.closed import pool_in_use, what_if_closed, what_if_closed_pool
from iosq.models.pav.power_curve import PowerCurve
from iosq.models.pav.volume import ClosedVolumes, pooled_load
from iosq.toolkit.errors import RequestError
from iosq.toolkit.predict import headroom, sources
from iosq.toolkit.predict.footprint import swept
from iosq.toolkit.predict.given import CLOSED, Given

SEED = 1
MEASURED = "the box's rate against the I/Os in it, as measured in its busier intervals"
UNKNOWN = (
    "bounds only: the lake does not show how the box serves more of this work at once. Name its machine (--machine)"
)
BETWEEN = "what was measured of other counts; between and beyond them bounds: no I/O gets faster by more in the box"
FLAT = 4.0  # I/Os in the box relative to today at the same rate: beyond this factor more give no gain; our choice
# aliases a volume may get, as there
MOST = 15


@dataclass(frozen=True)
class Member:
    """One volume of the box in the interval: I/Os per second, in the box and in the host, base and aliases.

    waits: its workload is closed, and it is part of the request.
    """

    volume: str
    rate: float
    in_service: float
    queue: float
    exposures: float
    read_ratio: float | None
    waits: bool


@dataclass(frozen=True)
class Crowd:
    """All volumes of a box in one interval.

    elasticity: as far as single intervals scatter around that of the box's curve, None where nothing is known;
    in_box_max: most I/Os it was seen to hold; pool: aliases that the waiting ones share, None where they have their
    own; headroom: how many times as much path and back end could carry, None where they are short or not recorded.
    """

    box: str
    members: Sequence[Member]
    elasticity: tuple[float, float] | None
    in_box_max: float
    pool: int | None = None
    headroom: float | None = None

    @property
    def waiting(self) -> list[Member]:
        """The volumes of the query."""
        return [m for m in self.members if m.waits]

    @property
    def aliases(self) -> int:
        """Aliases in the pool, or those the poorest waiting volume has."""
        return int(min(round(m.exposures) for m in self.waiting)) - 1 if self.pool is None else self.pool

    @property
    def measured(self) -> Measured:
        """Current values of the waiting volumes."""
        rate = float(sum(m.rate for m in self.waiting))
        queue, inside = (
            float(sum(part)) for part in zip(*((m.queue, m.in_service) for m in self.waiting), strict=True)
        )
        return Measured(rate, queue / rate * 1e3, inside / rate * 1e3)


def usual_counts(now: int) -> range:
    """Alias counts of a volume to answer for."""
    return range(max(MOST, now + 1) + 1)


def is_closed(in_service: float, queue: float, exposures: float, limits: Mapping[str, float] = CLOSED) -> bool:
    """The result of the SQL macro of that name, for numbers."""
    busy = in_service / exposures
    if queue < limits["queue_length"] or busy < limits["busy"]:
        return False
    return busy >= 1 or queue * (1 - busy) < limits["evenness"] * float(busy ** np.sqrt(2 * (exposures + 1)))


def solved(crowd: Crowd, counts: Sequence[int], given: Given) -> WhatIf:
    """Result of the waiting volumes together for each count, today's as measured.

    Raises:
        RequestError: a machine is named and the read share is not known.
    """
    return swept(given, lambda known: _solved(crowd, counts, known))


def _solved(crowd: Crowd, counts: Sequence[int], given: Given) -> WhatIf:
    volumes = _volumes(crowd, given)
    load, box_rate = _load(crowd, volumes), float(sum(m.rate for m in crowd.members))
    source = _source(crowd, load, box_rate, given)
    return _answered(crowd, source, volumes, counts)


def informative(what_if: WhatIf) -> Sequence[Prediction]:
    """The counts from today's on with evidence, if any is above today's; otherwise all, as bounds."""
    known = [p for p in what_if.predictions if p.identifiable]
    return what_if.predictions if len(known) < 2 or _may_still_help(what_if, known) else known


def _may_still_help(what_if: WhatIf, known: Sequence[Prediction]) -> bool:
    """True if a machine's curve that shows no gain leaves it open, and ends before it has shown what more would do."""
    now, by_stations = known[0].rate.value, what_if.limit != NO_STATIONS
    if what_if.identifiable or not by_stations or any(p.is_measured for p in known[1:]):
        return False
    is_short = in_box(known[-1]) < FLAT * in_box(known[0])
    return is_short and max(p.rate.value for p in known) * BEST < now < BEST * max(p.rate.high for p in known)


def gain(what_if: WhatIf, now: int) -> float:
    """By how many times the rate rises at best, of the counts that something is known of."""
    beyond = replace(what_if, predictions=tuple(p for p in what_if.predictions if p.aliases >= now))
    first, *more = informative(beyond)
    return max((p.rate.value for p in more), default=first.rate.value) / first.rate.value


def _answered(crowd: Crowd, source: RateSource, volumes: ClosedVolumes, counts: Sequence[int]) -> WhatIf:
    rng, subject = np.random.default_rng(SEED), np.array([m.waits for m in crowd.members])
    if crowd.pool is None:
        return what_if_closed(
            source, volumes, counts, rng, current=_aliases(crowd), subject=subject, measured=crowd.measured
        )
    return what_if_closed_pool(
        source, volumes, counts, rng, current=crowd.pool, subject=subject, measured=crowd.measured
    )


def _volumes(crowd: Crowd, given: Given) -> ClosedVolumes:
    inside = [m.in_service + (m.queue if m.waits else 0.0) for m in crowd.members]
    return ClosedVolumes.of(inside, [_read_ratio(m, given) for m in crowd.members], given.touched_gb)


def _read_ratio(member: Member, given: Given) -> float:
    share = given.read_ratio if member.read_ratio is None else min(member.read_ratio, 1.0)
    if share is None and given.machine is not None:
        raise RequestError(
            f"no cache record of {member.volume} in the lake: its read share is unknown",
            place="--machine",
            remedy="give --read-ratio",
        )
    return 0.5 if share is None else share


def _aliases(crowd: Crowd) -> NDArray[np.float64]:
    """For volumes that do not wait: enough for their I/Os in progress."""
    given = [m.exposures if m.waits else max(m.exposures, m.in_service) for m in crowd.members]
    return np.maximum(np.round(np.array(given, float) - 1), 0.0)


def _load(crowd: Crowd, volumes: ClosedVolumes) -> BoxLoad:
    """The load of the box today."""
    if crowd.pool is None:
        return volumes.load(_aliases(crowd)[None])
    in_use = pool_in_use(volumes, np.array([crowd.pool]), np.array([m.waits for m in crowd.members]))
    return pooled_load(volumes, in_use, in_use)


def _source(crowd: Crowd, load: BoxLoad, box_rate: float, given: Given) -> RateSource:
    if given.machine is not None:
        return sources.refitted(given.machine, load, box_rate, np.random.default_rng(SEED))
    inside = float(load.in_box[0])
    if crowd.headroom is not None:
        return headroom.curve(crowd.box, box_rate, inside, crowd.headroom, given.headroom)
    if crowd.elasticity is None:
        return PowerCurve(crowd.box, box_rate, inside, (0.0, 1.0), 0.0, UNKNOWN)
    return PowerCurve(crowd.box, box_rate, inside, crowd.elasticity, crowd.in_box_max, MEASURED)
