"""The load of one interval, summed over volumes, to compare intervals with different numbers of aliases."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from iosq.models.pav.answers import is_clear
from iosq.toolkit.predict.given import CLOSED
from iosq.toolkit.predict.lake import Reading, weighted
from iosq.toolkit.rows import Row

WHOLE = CLOSED["whole"]  # exposures changed within the interval if their mean differs from an integer by more


@dataclass(frozen=True)
class Work:
    """The load of one interval with a number of aliases, summed over volumes: rates per s, ms per I/O.

    read_ratio: None if no record has it; at: start of the interval; others: I/Os in service of other work in the
    box, None if unknown; is_steady: true if the number of aliases did not change; seconds: length of the interval.
    """

    aliases: int
    rate: float
    wait_ms: float
    service_ms: float
    read_ratio: float | None
    at: dt.datetime
    others: float | None = None
    is_steady: bool = True
    seconds: float = 900.0

    @property
    def outstanding(self) -> float:
        """Mean I/Os in the host and in the box."""
        return self.rate * (self.wait_ms + self.service_ms) / 1e3

    @property
    def is_clear(self) -> bool:
        """True if the wait is too short to matter."""
        return is_clear(self.wait_ms, self.service_ms, self.rate)


def of_volume(r: Reading) -> Work:
    """The load of a volume with aliases of its own."""
    is_steady = abs(r.measured_exposures - r.exposures) <= WHOLE
    return Work(r.exposures - 1, r.rate, r.wait_ms, r.service_ms, r.read_ratio, r.began, None, is_steady, r.interval_s)


def of_group(aliases: int, group: Sequence[Reading]) -> Work:
    """The load of several volumes, which share a pool of `aliases` or have this number each."""
    rate = sum(r.rate for r in group)
    wait, service = (sum(r.rate * getattr(r, name) for r in group) / rate for name in ("wait_ms", "service_ms"))
    reads = weighted((r.read_ratio, r.rate) for r in group)
    return Work(aliases, rate, wait, service, reads, group[0].began, seconds=group[0].interval_s)


def of_rows(aliases: int, members: Sequence[Row]) -> Work:
    """The load of several volumes given as rows, with the other work of their box."""
    rate = float(sum(r["io_rate"] for r in members))
    wait, service = (sum(r["io_rate"] * (r[name] or 0.0) for r in members) / rate for name in ("wait_ms", "service_ms"))
    reads = weighted((r["own_read_ratio"], r["io_rate"]) for r in members)
    in_box = members[0].get("in_box")
    others = None if in_box is None else in_box - rate * service / 1e3
    return Work(aliases, rate, wait, service, reads, members[0]["interval_start"], others)


def of_trial(r: Row) -> Work:
    """The load in a row of the query `closed_trial`, which omits intervals in which the number of aliases changed."""
    rate, inside, in_box = r["trial_rate"], r["trial_in_service"], r.get("trial_box_in_service")
    wait, service = (1e3 * count / rate for count in (r["trial_queue"], inside))
    others = None if in_box is None else in_box - inside
    reads, at, seconds = r["trial_read_ratio"], r["trial_start"], r["trial_s"]
    return Work(int(r["trial_aliases"]), rate, wait, service, reads, at, others, seconds=seconds)
