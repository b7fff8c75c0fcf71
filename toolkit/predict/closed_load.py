"""The one solver for closed workloads: volumes of a box, or of a pool, all solved together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from iosq.models.arrays import Floats
from iosq.models.pav.answers import BEST, NO_STATIONS, Measured, Prediction, RateSource, WhatIf
from iosq.models.pav.bounds import in_box
from iosq.models.pav.box import BoxLoad
from iosq.models.pav.closed import load_now, what_if_closed
from iosq.models.pav.power_curve import PowerCurve
from iosq.models.pav.volume import ClosedVolumes
from iosq.toolkit.errors import RequestError
from iosq.toolkit.predict import evidence, headroom, sources
from iosq.toolkit.predict.elasticity import elasticity_scatter
from iosq.toolkit.predict.footprint import swept
from iosq.toolkit.predict.given import CLOSED, Given
from iosq.toolkit.predict.work import Work, of_rows
from iosq.toolkit.rows import Row
from iosq.toolkit.sql.engine import Connection
from iosq.toolkit.sql.questions import ask, load

IS_CLOSED = load(evidence.__name__, "is_closed.sql")

SEED = 1
MEASURED = "the box's rate against the I/Os in it, as measured in its busier intervals"
UNKNOWN = (
    "bounds only: the lake does not show how the box serves more of this work at once. Name its machine (--machine)"
)
BETWEEN = "what was measured of other counts; between and beyond them bounds: no I/O gets faster by more in the box"
FLAT = 4.0  # factor of I/Os in the box at the same rate beyond which more of them give no gain; our choice


@dataclass(frozen=True)
class Crowd:
    """All volumes of a box in one interval; those marked in `waiting` have a closed workload.

    rows: of `members.sql` or `closed_member.sql`, with the curve of the box; size: aliases in the pool of the waiting
    volumes, None if each has its own; trials: their measured load at other times; is_known: true if curve, path and
    back end of the box may be used.
    """

    rows: Sequence[Row]
    waiting: Sequence[bool]
    size: int | None = None
    trials: Sequence[Work] = ()
    is_known: bool = True

    @property
    def closed(self) -> list[Row]:
        """The rows of the waiting volumes."""
        return [row for row, waits in zip(self.rows, self.waiting, strict=True) if waits]

    @property
    def aliases(self) -> int:
        """Aliases in the pool now, or the smallest number of a waiting volume."""
        return int(min(round(row["exposures"]) for row in self.closed)) - 1 if self.size is None else self.size

    @property
    def lost_s(self) -> float:
        """Time that closed work of the box lost in this interval."""
        return float(self.closed[0]["interval_lost_s"])

    def longest(self, given: Given) -> list[Row]:
        """The rows of the longest queues, for short texts and to find the bottleneck."""
        return headroom.longest(self.closed, [row["queue_length"] for row in self.closed], given.headroom)

    @property
    def rate(self) -> float:
        """I/Os per second of the waiting volumes."""
        return self._sum("io_rate")

    @property
    def queue(self) -> float:
        """I/Os of the waiting volumes that queue in the host."""
        return self._sum("queue_length")

    @property
    def requesters(self) -> float:
        """Outstanding I/Os of the waiting volumes: in the host and in the box."""
        return self.queue + self._sum("in_service")

    @property
    def work(self) -> Work:
        """The combined load of the waiting volumes, for comparison with other measured times."""
        return of_rows(self.aliases, self.closed)

    @property
    def measured(self) -> Measured:
        """Current values of the waiting volumes."""
        return Measured(self.rate, self.queue / self.rate * 1e3, self._sum("in_service") / self.rate * 1e3)

    def _sum(self, name: str) -> float:
        return float(sum(row[name] for row in self.closed))


def is_closed(
    con: Connection, in_service: float, queue: float, count: float, limits: Mapping[str, float] = CLOSED
) -> bool:
    """True if a closed workload keeps `count` exposures, or aliases of a pool, busy."""
    known = {name: limits[name] for name in ("queue_length", "busy", "evenness")}
    numbers = {"in_service": float(in_service), "queued": float(queue), "count": float(count)}
    return bool(ask(con, IS_CLOSED, **known, **numbers).to_pylist()[0]["is_closed"])


def solved(crowd: Crowd, counts: Sequence[int], given: Given) -> WhatIf:
    """Prediction of the waiting volumes together for each count; today's count as measured.

    RequestError if a machine is named and the read ratio is unknown.
    """
    return swept(given, lambda known: _solved(crowd, counts, known))


def _solved(crowd: Crowd, counts: Sequence[int], given: Given) -> WhatIf:
    volumes, now = _volumes(crowd, given), _aliases(crowd)
    subject, pooled = np.array(crowd.waiting), crowd.size is not None
    box_rate = float(sum(row["io_rate"] for row in crowd.rows))
    source = _source(crowd, load_now(volumes, now, pooled, subject), box_rate, given)
    rng, measured = np.random.default_rng(SEED), crowd.measured
    return what_if_closed(source, volumes, counts, rng, current=now, pooled=pooled, subject=subject, measured=measured)


def informative(what_if: WhatIf) -> Sequence[Prediction]:
    """The predictions that are more than bounds, if one is for more aliases than today; otherwise all."""
    known = [p for p in what_if.predictions if p.identifiable]
    return what_if.predictions if len(known) < 2 or _may_still_help(what_if, known) else known


def _may_still_help(what_if: WhatIf, known: Sequence[Prediction]) -> bool:
    """True if a machine's curve shows no gain but allows one, and ends before it shows the effect of more I/Os."""
    now, by_stations = known[0].rate.value, what_if.limit != NO_STATIONS
    if what_if.identifiable or not by_stations or any(p.is_measured for p in known[1:]):
        return False
    is_short = in_box(known[-1]) < FLAT * in_box(known[0])
    return is_short and max(p.rate.value for p in known) * BEST < now < BEST * max(p.rate.high for p in known)


def gain(what_if: WhatIf, now: int) -> float:
    """The largest factor by which the rate rises, over the `informative` counts."""
    beyond = replace(what_if, predictions=tuple(p for p in what_if.predictions if p.aliases >= now))
    first, *more = informative(beyond)
    return max((p.rate.value for p in more), default=first.rate.value) / first.rate.value


def _volumes(crowd: Crowd, given: Given) -> ClosedVolumes:
    inside = [r["in_service"] + waits * r["queue_length"] for r, waits in zip(crowd.rows, crowd.waiting, strict=True)]
    return ClosedVolumes.of(inside, [_read_ratio(row, given) for row in crowd.rows], given.touched_gb)


def _read_ratio(row: Row, given: Given) -> float:
    own = row["own_read_ratio"]
    share = given.read_ratio if own is None else min(own, 1.0)
    if share is None and given.machine is not None:
        raise RequestError(
            f"no cache record of {row['volume']} in the lake: its read share is unknown",
            place="--machine",
            remedy="give --read-ratio",
        )
    return 0.5 if share is None else share


def _aliases(crowd: Crowd) -> Floats:
    """Aliases of the pool, or of each volume; volumes that do not wait get enough for their I/Os in progress."""
    if crowd.size is not None:
        return np.asarray(crowd.size, float)
    pairs = zip(crowd.rows, crowd.waiting, strict=True)
    given = [r["exposures"] if waits else max(r["exposures"], r["in_service"]) for r, waits in pairs]
    return np.maximum(np.round(np.array(given, float) - 1), 0.0)


def _source(crowd: Crowd, load: BoxLoad, box_rate: float, given: Given) -> RateSource:
    if given.machine is not None:
        return sources.refitted(given.machine, load, box_rate, np.random.default_rng(SEED))
    inside, row = float(load.in_box[0]), crowd.rows[0]
    growth_factor = headroom.headroom(crowd.longest(given), given.headroom) if crowd.is_known else None
    if growth_factor is not None:
        return headroom.curve(row["box"], box_rate, inside, growth_factor, given.headroom)
    elasticity = elasticity_scatter(row) if crowd.is_known else None
    if elasticity is None:
        return PowerCurve(row["box"], box_rate, inside, (0.0, 1.0), 0.0, UNKNOWN)
    return PowerCurve(row["box"], box_rate, inside, elasticity, row["in_service_max"] or 0.0, MEASURED)
