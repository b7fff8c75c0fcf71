"""A volume that waits, with what is known of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from iosq.toolkit.advise import changed
from iosq.toolkit.advise.aliases import Need, volume_need
from iosq.toolkit.advise.asked import Evidence
from iosq.toolkit.advise.finding import Hour, Known
from iosq.toolkit.predict import headroom
from iosq.toolkit.predict.elasticity import elasticity_bounds
from iosq.toolkit.predict.measured import Work
from iosq.toolkit.predict.open_load import BoxState, Load, aliases_now
from iosq.toolkit.rows import Row

TRIAL = tuple(f"trial_{name}" for name in ("rate", "wait_ms", "service_ms", "exposures", "read_ratio", "start"))
PEAK = ("io_rate", "wait_ms", "service_ms", "exposures", "own_read_ratio", "interval_start")


@dataclass(frozen=True)
class Volume:
    """A volume with its peak interval, the hours whose need is worked out, and comparable intervals."""

    row: Row
    hourly: Sequence[Row]
    tried: Sequence[Work]
    limits: Mapping[str, float]
    known: Known

    @property
    def is_settled(self) -> bool:
        """Whether as many I/Os came since and found an exposure."""
        return changed.is_settled(self.row, self.limits["queue_length"])

    @cached_property
    def need(self) -> Need:
        """What more aliases do for it in the peak."""
        return self._need(self.row)

    @property
    def hours(self) -> tuple[Hour, ...]:
        """The same in each hour."""
        return tuple(self._hour(r, self._need(r)) for r in self.hourly)

    def _need(self, r: Row) -> Need:
        load = Load(r["io_rate"], r["wait_ms"], r["service_ms"], r["exposures"] or 1)
        eased = headroom.headroom([r], self.known.headroom)
        box = BoxState(r["in_box"] or 0.0, r["volumes"] or 1, r["read_ratio"], elasticity_bounds(r), eased)
        return volume_need(load, box, self.known, self.tried, _work(r, *PEAK))

    def _hour(self, r: Row, n: Need) -> Hour:
        return Hour(r["local_start"], r["local_end"], r["queue_length"], r["wait_ms"], n.fewest, n.most, n.likely)


def volume(
    rows: Sequence[Row], limits: Mapping[str, float], known: Known, evidence: Evidence, *, with_hours: bool
) -> Volume:
    """The volume of some rows of the rule's query."""
    name = {key: rows[0][key] for key in ("platform", "system", "volume")}
    now = evidence.row("volume_now", **name)
    intervals = [
        {**now, **evidence.row("then", **name, interval_start=r["interval_start"]), **r} for r in rows
    ]  # fmt: skip
    peak = max(intervals, key=lambda r: (r["is_peak"], r["queue_length"]))
    trials = evidence.rows("trial", **name) if peak["is_peak"] else ()
    tried = [replace(_work(r, *TRIAL), seconds=r["trial_s"]) for r in trials]
    return Volume(peak, [r for r in intervals if r["is_hour"]] if with_hours else [], tried, limits, known)


def _work(r: Row, *names: str) -> Work:
    rate, wait_ms, service_ms, exposures, reads, at = (r[name] for name in names)
    return Work(aliases_now(Load(rate, wait_ms, service_ms, exposures or 1)), rate, wait_ms, service_ms, reads, at)
