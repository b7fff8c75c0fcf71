"""Which readings are closed work, by the definition of the SQL macro `closed_work`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from iosq.toolkit.predict import closed_load
from iosq.toolkit.predict.lake import Reading

Key = tuple[str, str, object]
SHORTER = 0.75  # of the response of requesters: theirs is as long in whatever part of an interval they ran


def is_closed(r: Reading) -> bool:
    """Whether this reading alone shows that requesters wait for each answer."""
    return r.is_fit and not r.is_hyperpav and closed_load.is_closed(r.in_service, r.queue, r.measured_exposures)


@dataclass(frozen=True)
class Work:
    """Readings of closed work, and those whose queue may be of it too.

    Near saturation the rounding of a service time to a tenth of a millisecond decides about one interval. So an
    interval next to a closed one counts too. One with no more I/Os outstanding than those requesters had counts as
    well, unless random arrivals make such a queue and its I/Os are much shorter.
    """

    keys: frozenset[Key]

    @staticmethod
    def of(readings: Iterable[Reading]) -> Work:
        """Of any number of volumes, all their intervals."""
        ordered = sorted(readings, key=lambda r: (r.system, r.volume, r.began))
        of_volumes = (list(own) for _, own in groupby(ordered, key=lambda r: (r.system, r.volume)))
        return Work(frozenset(_key(r) for own in of_volumes for r in _closed_or_rest(own)))

    def queues(self, r: Reading) -> bool:
        """Whether what queues there is closed work."""
        return r.is_fit and r.queue >= closed_load.QUEUE and _key(r) in self.keys


def _closed_or_rest(own: Sequence[Reading]) -> list[Reading]:
    """Of one volume's readings in the order of time."""
    closed = [is_closed(r) for r in own]
    least_ms = min((_response_ms(r) for r, is_so in zip(own, closed, strict=True) if is_so), default=0.0)
    # random arrivals have no fixed number of I/Os to compare with
    outstanding = [math.inf if _is_random(r, least_ms) else r.in_service + r.queue for r in own]
    return [r for r, is_so in zip(own, of_requesters(closed, outstanding), strict=True) if is_so]


def of_requesters(closed: Sequence[bool], outstanding: Sequence[float]) -> list[bool]:
    """Which of a volume's intervals, in order of time, may come from the requesters seen in some of them."""
    most = max((number for number, is_so in zip(outstanding, closed, strict=True) if is_so), default=-1.0)
    return [any(closed[max(at - 1, 0) : at + 2]) or number <= most for at, number in enumerate(outstanding)]


def _is_random(r: Reading, closed_ms: float) -> bool:
    shorter = _response_ms(r) <= SHORTER * closed_ms
    return shorter and closed_load.is_random(r.in_service, r.queue, r.measured_exposures)


def _response_ms(r: Reading) -> float:
    return r.wait_ms + r.service_ms


def _key(r: Reading) -> Key:
    return r.system, r.volume, r.began
