"""The only solver for open arrivals: aliases of a volume or of a pool, with the box behind them."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import _lru_cache_wrapper, lru_cache

import numpy as np

from iosq.models.pav.answers import Interval, RateSource, WhatIf, concluded
from iosq.models.pav.open_answers import what_if_open, what_if_pool
from iosq.models.pav.open_load import AnotherBoxError, OpenVolumes
from iosq.models.pav.power_curve import PowerCurve
from iosq.models.pav.volume import whole_exposures
from iosq.toolkit.errors import RequestError
from iosq.toolkit.predict import headroom, sources
from iosq.toolkit.predict.elasticity import elasticity_bounds
from iosq.toolkit.predict.footprint import swept
from iosq.toolkit.predict.given import Given
from iosq.toolkit.predict.scatter import of_measured_means, scatter_of
from iosq.toolkit.rows import Row

_Solve = Callable[[RateSource], WhatIf]
SEED = 1
NO_WAIT = Interval(0.0, 0.0, 0.0)
# default counts of an answer: how far beyond today's number, and the least upper end for a volume and a pool
BEYOND, USUAL_ALIASES, USUAL_POOL = 24, 8, 40
MEASURED = "service times against I/Os in the box, as measured in its busier intervals"
SETTLE = (
    "bounds only: no measured interval shows response times with more I/Os at once in the box "
    "(their number hardly varied, or only single volumes got slower)"
)
CACHED = 4096  # answers of about 20 KB each; enough for a day of a hundred busy volumes
# least I/Os of other work in the box, because a machine's curve is undefined at 0
_NEGLIGIBLE = 1e-3


@dataclass(frozen=True)
class Load:
    """One volume in one interval: I/Os per second, ms per I/O, base and aliases (a mean over the interval)."""

    rate: float
    wait_ms: float
    service_ms: float
    exposures: float = 1.0

    @property
    def in_service(self) -> float:
        """Mean I/Os of the volume in the box."""
        return self.rate * self.service_ms / 1e3


@dataclass(frozen=True)
class BoxState:
    """The box in an interval: I/Os in it, volumes that do I/O, their reads / all I/Os (None: unknown).

    elasticity: bounds by the measured curve, None if not measured. headroom: factor by which the load on path and back
    end could grow, None if they are short or not recorded. scatter: scatter of the volumes' mean in a measured
    interval around that curve, None if unknown.
    """

    in_service: float
    volumes: int
    read_ratio: float | None = None
    elasticity: tuple[float, float] | None = None
    headroom: float | None = None
    scatter: float | None = None


def loads_of(members: Sequence[Row]) -> list[Load]:
    """The volumes of a pool in one interval, from rows with `io_rate`, `wait_ms` and `service_ms`."""
    return [Load(m["io_rate"], max(m["wait_ms"] or 0.0, 0.0), m["service_ms"]) for m in members]


def box_state(members: Sequence[Row], given: Given) -> BoxState:
    """The box of `members`, rows with `in_box`, `volumes` and `read_ratio` of the box, its curve and headroom."""
    r = members[0]
    waiting = headroom.longest(members, [m.rate * m.wait_ms for m in loads_of(members)], given.headroom)
    eased = headroom.headroom(waiting, given.headroom)
    volumes = r["volumes"] or len(members)
    return BoxState(r["in_box"] or 0.0, volumes, r["read_ratio"], elasticity_bounds(r), eased, scatter_of(members))


def alias_counts(now: int) -> range:
    """Counts of a volume's own aliases to predict, from 0."""
    return range(max(now + BEYOND, USUAL_ALIASES) + 1)


def pool_counts(now: int) -> range:
    """Sizes of a pool to predict, from 0; a larger pool gets a wider range."""
    return range(max(now + BEYOND * max(1, now // 16), USUAL_POOL) + 1)


def aliases_now(load: Load) -> int:
    """Number of aliases of a volume, as an integer."""
    return whole_exposures(load.exposures, load.in_service) - 1


def volume(load: Load, box: BoxState, given: Given, counts: Sequence[int]) -> WhatIf:
    """Effect of each number of aliases on one volume, with all else in the box unchanged.

    A named machine gives only the growth of service time with load, not its level. If it could not carry the measured
    load, the lake's own curve is used, as stated in `calibrated_on`. RequestError if there is no such machine, or the
    read ratio is unknown.
    """
    return swept(given, lambda known: _solver(known, _volume)(load, box, known, tuple(counts)))


@lru_cache(maxsize=CACHED)
def _volume(load: Load, box: BoxState, given: Given, counts: tuple[int, ...]) -> WhatIf:
    own = _volumes([load], aliases_now(load), box, given, box.volumes / 2)
    both = own.joined(_rest(box, given, load.in_service, load.service_ms, box.volumes / 2))
    rng = np.random.default_rng(SEED)
    found = _solved(box, given, lambda source: what_if_open(source, both, counts, rng, subject=0))
    return of_measured_means(found, aliases_now(load), box.scatter)


def pool(loads: Sequence[Load], aliases: int, box: BoxState, given: Given, counts: Sequence[int]) -> WhatIf:
    """Effect of each pool size on the pool's volumes, with all else in the box unchanged.

    `aliases`: those in the pool when the volumes were measured. RequestError as of `volume`, or if the measured wait
    has another cause than the pool.
    """
    return swept(given, lambda known: _solver(known, _pool)(tuple(loads), aliases, box, known, tuple(counts)))


@lru_cache(maxsize=CACHED)
def _pool(loads: tuple[Load, ...], aliases: int, box: BoxState, given: Given, counts: tuple[int, ...]) -> WhatIf:
    own = _volumes(loads, aliases, box, given, 1.0)
    service_ms = float(own.in_service.sum() / own.rate.sum() * 1e3)
    rest = _rest(box, given, float(own.in_service.sum()), service_ms, max(box.volumes - len(loads), 1))
    rng = np.random.default_rng(SEED)
    found = _solved(box, given, lambda source: what_if_pool(source, own, counts, rng, current=aliases, rest=rest))
    return of_measured_means(found, aliases, box.scatter)


def room_for(aliases: int, queue: float, queued_most: int | None) -> int | None:
    """As many aliases as make room for all I/Os that were ever queued at once; None where that is unknown."""
    return aliases + queued_most if queued_most and queued_most >= queue else None


def with_room(found: WhatIf, room: int | None) -> WhatIf:
    """The answer where `room` aliases take as many I/Os as ever were outstanding at once: with them none waits."""
    if room is None or (found.most is not None and found.most <= room):
        return found
    kept = [p if p.aliases < room else replace(p, wait_ms=NO_WAIT, response_ms=p.service_ms) for p in found.predictions]
    goal = [1 / max(p.response_ms.value, 1e-9) for p in kept]
    basis = f"{found.calibrated_on}. With {room} aliases there is room for as many I/Os as ever queued at once"
    return concluded(kept, goal, found.limit, basis, found.settle)


def _solver(given: Given, solver: "_lru_cache_wrapper[WhatIf]") -> Callable[..., WhatIf]:
    """The solver with cached results, because rules, what-ifs and the page solve the same cases in one process.

    Without a cache for a user's machine file, which may change between two calls.
    """
    return solver.__wrapped__ if (given.machine or "").endswith(".toml") else solver


def _solved(box: BoxState, given: Given, solve: _Solve) -> WhatIf:
    if given.machine is None:
        return solve(own_curve(box, given))
    if box.elasticity is None and box.headroom is None:
        return sources.unless_contradicted(given.machine, 1.0, max(box.in_service, _NEGLIGIBLE), solve)
    try:
        named = solve(sources.named(given.machine))
    except AnotherBoxError as error:
        return _by_own_curve(f"{error.place}: {error.what}", box, given, solve)
    if named.identifiable:
        return named
    # measurements of this box are better evidence than a file of a box without such a load
    return _by_own_curve(f"{given.machine}: {named.settle}", box, given, solve)


def _by_own_curve(machine: str, box: BoxState, given: Given, solve: _Solve) -> WhatIf:
    """The answer by the lake's own curve; `machine`: the machine left out, with the reason."""
    found = solve(own_curve(box, given))
    return replace(found, calibrated_on=f"{found.calibrated_on}; left out {machine}")


def own_curve(box: BoxState, given: Given) -> PowerCurve:
    """The curve of the box by its measurements."""
    known = box.elasticity is not None
    inside = max(box.in_service, _NEGLIGIBLE)
    if box.headroom is not None:
        return headroom.curve("the box", 1.0, inside, box.headroom, given.headroom)
    return PowerCurve(
        "the box", 1.0, inside, box.elasticity or (0.0, 1.0), inside if known else 0.0, MEASURED if known else SETTLE
    )


def _volumes(loads: Sequence[Load], aliases: int, box: BoxState, given: Given, volumes: float) -> OpenVolumes:
    return OpenVolumes.of(
        [load.rate for load in loads],
        [max(load.wait_ms, 0.0) for load in loads],
        [load.service_ms for load in loads],
        [whole_exposures(1 + aliases, load.in_service) for load in loads],
        _read_ratio(box, given),
        given.touched_gb * volumes,
    )


def _rest(box: BoxState, given: Given, own: float, service_ms: float, volumes: float) -> OpenVolumes:
    """All other volumes of the box, as one volume that never waits."""
    others = max(box.in_service - own, _NEGLIGIBLE)
    return OpenVolumes.of(
        others * 1e3 / service_ms, 0.0, service_ms, math.ceil(others) + 1, _read_ratio(box, given),
        given.touched_gb * max(volumes, 0.5),
    )  # fmt: skip


def _read_ratio(box: BoxState, given: Given) -> float:
    known = given.read_ratio if box.read_ratio is None else min(box.read_ratio, 1.0)
    if known is None and given.machine is not None:
        raise RequestError(
            "the lake has no cache records: the read share is unknown", place="--machine", remedy="give --read-ratio"
        )
    return 0.5 if known is None else known
