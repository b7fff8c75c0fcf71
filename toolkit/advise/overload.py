"""Writes that find NVS full, box by box: bursts or a steady overload, decided once for all NVS rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from iosq.toolkit.advise.subject import Subject, waits_of
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import plural


@dataclass(frozen=True)
class Overload:
    """The intervals of one box in which writes waited for NVS: those of a steady overload, and bursts apart from them.

    A box may have both, at different hours: what one day shows isn't outvoted by another.
    """

    rows: list[Row]
    steady: list[Row]
    bursts: list[Row]

    @property
    def first(self) -> Row:
        """Any row, for what all of them share."""
        return self.rows[0]

    @property
    def delayed(self) -> float:
        """Writes delayed, all intervals."""
        return float(sum(r["nvs_delay_count"] for r in self.rows))

    def per_write(self, name: str) -> float | None:
        """`lost_s`, `lost_low_s` or `lost_high_s` of the worst interval as milliseconds per write; None if untold."""
        worst = max(self.rows, key=lambda r: r["lost_s"] or 0.0)
        return None if worst[name] is None else 1000 * float(worst[name] / worst["write_count"])

    @property
    def covers(self) -> frozenset[tuple[str, Subject]]:
        """Volumes that wait in the host only because their I/Os stay in the box for so long."""
        return waits_of(self.first["waiting"], self.first["waiting_on"])


def overloads(rows: list[Row]) -> Iterator[Overload]:
    """The boxes of the query's answer."""
    for _, group in groupby(rows, key=lambda r: r["box"]):
        members = list(group)
        steady = [r for r in members if r["is_steady_then"]]
        ends = {r["local_end"] for r in steady} | {r["local_start"] for r in steady}
        # without destage nothing tells a burst; what adjoins a steady overload is its beginning or end
        told = [r for r in members if not r["is_steady_then"] and r["destage_rate"] is not None]
        apart = [r for r in told if not {r["local_start"], r["local_end"]} & ends]
        yield Overload(members, steady, apart)


def held_back(r: Row) -> str:
    """What refutes that the box is too small, where it carried as much without delay; else nothing."""
    if not r["as_busy_free"]:
        return ""
    return (
        f"In {plural(r['as_busy_free'], 'interval')} with as many writes and as much destaged none waited, so neither "
        "NVS nor destage is too small for this load: either these came at once, or something held destage back"
    )


HELD_BACK = (
    "First ask what was different then: messages of the box and of the system, a fault or microcode change, a cluster "
    "or NVS out of service, a resynchronisation. Buy nothing for it before that is known"
)
