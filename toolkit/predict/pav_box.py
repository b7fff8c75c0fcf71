"""Common parts of PAV what-ifs from a lake: the request, and the box in the selected interval."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar

from iosq.models.pav.answers import WhatIf
from iosq.toolkit.predict import closed_load, headroom, lake, measured
from iosq.toolkit.predict.closed_load import Crowd, Member
from iosq.toolkit.predict.elasticity import elasticity_bounds, elasticity_scatter
from iosq.toolkit.predict.given import NOTHING, Given
from iosq.toolkit.predict.lake import Reading
from iosq.toolkit.predict.measured import Work
from iosq.toolkit.predict.open_load import BoxState, Load
from iosq.toolkit.rows import NewRow, Row
from iosq.toolkit.show import stages
from iosq.toolkit.show.clock import in_file
from iosq.toolkit.show.numbers import NO_HELP, plural

if TYPE_CHECKING:
    from iosq.toolkit.sql.engine import Connection


LONGEST = "the interval with the longest queue"
HELPED = "the hour that loses most of those that aliases help"
T = TypeVar("T")  # an interval, as a reading of the requested volume or as all readings of a pool


@dataclass(frozen=True)
class Asked:
    """The request: counts up to `most` (None: as far as it matters), and known values of the box.

    pool: aliases in the pool, where the lake doesn't say; requesters: of the volume, where its workload is closed;
    utc: whether times are in UTC; exposures: base and aliases of the volume, where the lake doesn't show them;
    room: addresses that its LCU has left.
    """

    given: Given = NOTHING
    most: int | None = None
    pool: int | None = None
    requesters: float | None = None
    utc: bool = False
    exposures: int | None = None
    room: int | None = None


@dataclass(frozen=True)
class Then:
    """A box in one interval, with its measured curve."""

    readings: Sequence[Reading]
    curve: Row
    headrooms: Mapping[tuple[str, str], Row]

    def headroom(self, waiting: Sequence[Reading], queues: Sequence[float], given: Given) -> float | None:
        """Factor by which the load on the way of waiting volumes could grow; see `iosq.toolkit.predict.headroom`."""
        return headroom.headroom(self._longest(waiting, queues, given), given.headroom)

    def channel_used(self, waiting: Sequence[Reading], given: Given) -> float:
        """Use of the fullest channel to disks while those waited."""
        return headroom.channel_used(self._longest(waiting, [r.queue for r in waiting], given))

    def held_back(self, what_if: WhatIf, now: int, waiting: Sequence[Reading], given: Given) -> WhatIf:
        """A closed workload's extra I/Os would queue for a full channel, so answers beyond today's are unknown."""
        used = self.channel_used(waiting, given)
        if used < given.headroom["channel_full"]:
            return what_if
        unsure = tuple(
            replace(p, identifiable=p.is_measured or (p.identifiable and p.aliases <= now)) for p in what_if.predictions
        )
        reason = f"not identifiable: the fullest channel to disks is {100 * used:.0f} % used then, so I/Os queue for it"
        return replace(what_if, predictions=unsure, settle=reason)

    def _longest(self, waiting: Sequence[Reading], queues: Sequence[float], given: Given) -> list[Row]:
        rows = [self.headrooms.get((r.system, r.volume), headroom.NOTHING) for r in waiting]
        return headroom.longest(rows, queues, given.headroom)

    def state(self, waiting: Sequence[Reading], given: Given) -> BoxState:
        """State of the box for waiting volumes with an open load."""
        known = [r for r in self.readings if r.read_ratio is not None]
        rate = sum(r.rate for r in known)
        reads = sum(r.rate * (r.read_ratio or 0.0) for r in known) / rate if rate else None
        inside = sum(r.in_service for r in self.readings)
        eased = self.headroom(waiting, [r.queue for r in waiting], given)
        volumes = len({r.volume for r in self.readings})  # several systems use one
        return BoxState(inside, volumes, reads, elasticity_bounds(self.curve), eased)


@dataclass(frozen=True)
class Closed:
    """A closed workload in one interval: the volumes of `waiting`, and all others of their box.

    usual: counts to answer for; tried: their load at other times; now: their load then; pool: aliases that they share,
    None where each has its own; queues: I/Os that wait, by system and volume, in place of those measured.
    """

    box: Then
    waiting: Sequence[Reading]
    usual: range
    tried: Sequence[Work]
    now: Work
    pool: int | None = None
    queues: Mapping[tuple[str, str], float] = field(default_factory=dict)

    def crowd(self, given: Given) -> Crowd:
        """The same for the solver."""
        names = {(r.system, r.volume) for r in self.waiting}
        members = [self._member(r, (r.system, r.volume) in names) for r in self.box.readings]
        eased = self.box.headroom(self.waiting, [m.queue for m in members if m.waits], given)
        curve = elasticity_scatter(self.box.curve), self.box.curve["in_service_max"]
        return Crowd(self.box.readings[0].box, members, *curve, pool=self.pool, headroom=eased)

    def _member(self, r: Reading, waits: bool) -> Member:
        queue = self.queues.get((r.system, r.volume), r.queue)
        return Member(r.volume, r.rate, r.in_service, queue, r.measured_exposures, r.read_ratio, waits)

    def gain(self, given: Given) -> float:
        """By how many times aliases raise the rate at best."""
        crowd = self.crowd(given)
        what_if, _ = measured.closed(crowd, self.usual, given, self.tried, self.now)
        return closed_load.gain(what_if, crowd.aliases)

    def answer(self, asked: Asked) -> tuple[WhatIf, Crowd, str]:
        """The result for each count, and a sentence about measurements."""
        crowd = self.crowd(asked.given)
        counts = counts_of(asked, self.usual)
        what_if, note = measured.closed(crowd, counts, asked.given, self.tried, self.now)
        what_if = self.box.held_back(what_if, crowd.aliases, self.waiting, asked.given)
        if not what_if.identifiable and not what_if.settle:
            what_if = replace(what_if, settle=f"not identifiable: {what_if.calibrated_on}")
        return what_if, crowd, note


def box_then(con: Connection, readings: Sequence[Reading], peak: Reading, platform: str) -> Then:
    """The box with these volumes in the interval of one of them."""
    stages.progress("counts")
    return Then(readings, lake.curve(con, peak.box), lake.headrooms(con, platform, peak.began))


def counts_of(asked: Asked, usual: range) -> range:
    """Alias counts to answer for."""
    return usual if asked.most is None else range(asked.most + 1)


def load_of(r: Reading) -> Load:
    """A reading as the open solver has it."""
    return Load(r.rate, r.wait_ms, r.service_ms, r.measured_exposures)


def hours_of(ordered: Iterable[T], hour: Callable[[T], int]) -> list[T]:
    """The first of each hour of the day."""
    found: dict[int, T] = {}
    for interval in ordered:
        found.setdefault(hour(interval), interval)
    return list(found.values())


def helped_hour(hours: Sequence[T], closed_at: Callable[[T], Closed], given: Given) -> tuple[T, str]:
    """The hour of closed work to report, chosen as in advice, and a description.

    Args:
        hours: that which loses most first; a single one is not solved to choose it.
        closed_at: the closed workload in one of them.
        given: known values of the box.
    """
    for at, hour in enumerate(hours if len(hours) > 1 else ()):
        if closed_at(hour).gain(given) > NO_HELP:
            return hour, HELPED if at else LONGEST
    return hours[0], LONGEST


def notes(box: Then, at: Reading, asked: Asked, which: str = LONGEST) -> tuple[str, ...]:
    """Scope of the answer: the interval, the I/Os in the box, the values taken from a machine."""
    lcus = sorted({r.lcu for r in box.readings if r.lcu})
    named = f"{at.box} (LCU {', '.join(lcus)})" if lcus else at.box
    texts = [
        f"{which}: {lake.when(at, asked.utc)}; "
        f"{plural(len({r.volume for r in box.readings}), 'volume')} of {named} together"
    ]
    if asked.given.machine:
        texts.append("of the machine file only the growth of service time with load is taken, not its level")
    return tuple(texts)


def facts(at: Reading) -> NewRow:
    """The interval, the system that measured and the box, for programs."""
    when = {in_file("interval_start", at.utc_offset_s): at.began, "utc_offset_s": at.utc_offset_s}
    return {"system": at.system, "box": at.box, **when}
