"""Common parts of PAV what-ifs from a lake: the request, and the box in the selected interval."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from iosq.models.pav.answers import WhatIf
from iosq.toolkit.predict import headroom, lake
from iosq.toolkit.predict.closed_load import Crowd, Member
from iosq.toolkit.predict.elasticity import elasticity_bounds, elasticity_scatter
from iosq.toolkit.predict.given import NOTHING, Given
from iosq.toolkit.predict.lake import Reading
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
    curve: NewRow
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

    def crowd(self, members: Sequence[Member], given: Given, pool: int | None = None) -> Crowd:
        """All its volumes; those of `members` that wait are a closed workload. `pool`: their shared aliases."""
        known = elasticity_scatter(self.curve), self.curve["in_service_max"]
        waiting = [(r, m.queue) for r, m in zip(self.readings, members, strict=True) if m.waits]
        eased = self.headroom([r for r, _ in waiting], [queue for _, queue in waiting], given)
        return Crowd(self.readings[0].box, members, *known, pool=pool, headroom=eased)


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


def helped_hour(
    hours: Sequence[T], box_at: Callable[[T], Then], gain: Callable[[Then, T], float]
) -> tuple[T, Then, str]:
    """The hour of closed work to report, chosen as in advice; the box at that hour, and a description.

    Args:
        hours: that which loses most first; a single one is not solved to choose it.
        box_at: the box in one of them.
        gain: by how much aliases raise the rate then.
    """
    for at, hour in enumerate(hours if len(hours) > 1 else ()):
        box = box_at(hour)
        if gain(box, hour) > NO_HELP:
            return hour, box, HELPED if at else LONGEST
    return hours[0], box_at(hours[0]), LONGEST


def notes(box: Then, measured: Reading, asked: Asked, which: str = LONGEST) -> tuple[str, ...]:
    """Scope of the answer: the interval, the I/Os in the box, the values taken from a machine."""
    lcus = sorted({r.lcu for r in box.readings if r.lcu})
    named = f"{measured.box} (LCU {', '.join(lcus)})" if lcus else measured.box
    texts = [
        f"{which}: {lake.when(measured, asked.utc)}; "
        f"{plural(len({r.volume for r in box.readings}), 'volume')} of {named} together"
    ]
    if asked.given.machine:
        texts.append("of the machine file only the growth of service time with load is taken, not its level")
    return tuple(texts)


def facts(measured: Reading) -> NewRow:
    """The interval, the system that measured and the box, for programs."""
    when = {in_file("interval_start", measured.utc_offset_s): measured.began, "utc_offset_s": measured.utc_offset_s}
    return {"system": measured.system, "box": measured.box, **when}
