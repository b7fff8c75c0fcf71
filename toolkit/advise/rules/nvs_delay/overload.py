"""Intervals of a box in which writes waited for NVS: a steady overload, bursts, or something that held destage back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from iosq.models.nvs import TRACK_BYTES, seconds_to_fill
from iosq.toolkit.advise.window import spoken
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import plural, share
from iosq.toolkit.units import human_bytes


@dataclass(frozen=True)
class Overload:
    """All intervals; those of a steady overload; bursts apart from them, which may come at other hours."""

    rows: list[Row]
    steady: list[Row]
    bursts: list[Row]

    @property
    def first(self) -> Row:
        """Any row, for what all of them share."""
        return self.rows[0]

    @property
    def worst(self) -> Row:
        """The interval with the most delayed writes: of a steady overload, else of the bursts, else of all."""
        return max(self.steady or self.bursts or self.rows, key=lambda r: r["nvs_delay_count"] or 0.0)

    @property
    def as_busy_free(self) -> int:
        """Intervals with as much work in which no write waited."""
        return max(r["as_busy_free"] or 0 for r in self.rows)

    @property
    def fast(self) -> Row | None:
        """The burst with the highest destage that may be the ceiling."""
        return max((r for r in self.bursts if r["at_ceiling"]), key=lambda r: r["destage_rate"], default=None)


def overloads(rows: list[Row]) -> Iterator[Overload]:
    """The boxes of the query's answer."""
    for _, group in groupby(rows, key=lambda r: r["box"]):
        members = list(group)
        steady = [r for r in members if r["is_steady_then"]]
        ends = {r["local_end"] for r in steady} | {r["local_start"] for r in steady}
        # no destage rate: no burst is known. What adjoins a steady overload is its beginning or end
        known = [r for r in members if not r["is_steady_then"] and r["destage_rate"] is not None]
        yield Overload(members, steady, [r for r in known if not {r["local_start"], r["local_end"]} & ends])


@dataclass(frozen=True, slots=True)
class Kind:
    """What a finding says of the cause, and its advice."""

    text: str
    advice: str


def kind(o: Overload, limits: Mapping[str, float]) -> Kind:
    """The first that applies: pinned, steady, held back, bursts at a possible ceiling, bursts, unknown."""
    if (o.first["pinned_ratio"] or 0.0) >= limits["pinned_ratio"]:
        return _pinned(o)
    if o.steady:
        return _steady(o, limits["writer_ratio"])
    if o.as_busy_free:
        return _held_back(o)
    if o.bursts:
        return _at_ceiling(o, o.fast) if o.fast else _burst(o)
    return Kind(
        "Destage isn't recorded, or too few of the box's writes are delayed",
        "Spread these writes over time first. Whether more NVS would help is unknown",
    )


def _pinned(o: Overload) -> Kind:
    return Kind(
        f"{share(o.first['pinned_ratio'])} of NVS is pinned: it holds data that can't be destaged, as of a failed rank",
        "Find out why data is pinned: messages of the box about a failed rank or array, IDCAMS LISTDATA PINNED. More "
        "NVS is not the cure",
    )


def _steady(o: Overload, most: float) -> Kind:
    first, last, worst = o.steady[0], o.steady[-1], o.worst
    late, writes = (worst[name] / worst["interval_s"] for name in ("nvs_delay_count", "write_count"))
    lasts = bool(worst["nvs_bytes"]) and seconds_to_fill(worst["nvs_bytes"], late) >= worst["run_s"]
    filled = f": twice as much would be full after {filled_s(worst):.0f} s" if worst["nvs_bytes"] else ""
    ways = "take writes away in these hours, spread them over boxes, or get a faster back end"
    if lasts:
        more = "As much NVS again would take those for as long as it lasted (iosq simulate nvs shows other sizes)"
        advice = f"T{ways[1:]}. More NVS is an alternative if writers that no longer wait write no more"
    else:
        more, advice = f"More NVS would only delay the overflow{filled}", f"Do not buy NVS for this: {ways}"
    at = spoken(first["local_start"], last["local_end"])
    also = f". Bursts at other times: {plural(len(o.bursts), 'interval')}" if o.bursts else ""
    return Kind(
        f"The box can't destage what is written ({at}): in {plural(len(o.steady), 'interval')} destage stands at "
        f"{worst['destage_rate']:,.0f} tracks/s, its ceiling. In the worst {late:,.0f} of {writes:,.0f} writes/s found "
        f"no room. {more}{_writer(o.first, most)}{also}",
        advice,
    )


def _writer(r: Row, most: float) -> str:
    """Who writes, if one volume has a good part of it."""
    if r["writer_ratio"] is None or r["writer_ratio"] < most:
        return ""
    sequential = r["writer_sequential_ratio"]
    how = f", {share(sequential)} of its I/O sequential" if sequential is not None else ""
    job = f"; job {r['writer_job']} uses it most" if r["writer_job"] else ""
    return f". {share(r['writer_ratio'])} of the writes then go to volume {r['writer']}{how}{job}"


def _held_back(o: Overload) -> Kind:
    return Kind(
        f"In {plural(o.as_busy_free, 'interval')} with as many writes and as much destaged none waited, so neither NVS "
        "nor destage is too small for this load: either these came at once, or something held destage back",
        "First find out what was different then: messages of the box and of the system, a fault or microcode change, a "
        "cluster or NVS out of service, a resynchronisation. Buy nothing for it before that is known",
    )


def _at_ceiling(o: Overload, fast: Row) -> Kind:
    return Kind(
        f"{_bursts(o)}, while the box destaged up to {fast['destage_rate']:,.0f} tracks/s; in no interval did it "
        f"destage more than {fast['destage_rate_max']:,.0f}. That may be its ceiling, so whether NVS or destage is "
        "short is unknown",
        "Spread the bursts over a few minutes if their jobs can: that helps either way. Shorter intervals, or a longer "
        "span, show whether the box ever destages more: buy neither NVS nor disks before that is known",
    )


def _burst(o: Overload) -> Kind:
    room = human_bytes(float(o.worst["nvs_delay_count"] * TRACK_BYTES))
    return Kind(
        f"{_bursts(o)}, but over the interval the box destaged {o.worst['destage_rate']:,.0f} tracks/s without running "
        f"at its ceiling. More NVS would absorb them: {room} would do for the worst",
        "Spread the bursts over a few minutes if their jobs can, else add NVS; nothing else in the box is short",
    )


def _bursts(o: Overload) -> str:
    return f"Writes came in bursts, in {plural(len(o.bursts), 'interval')}"


def late_rate(r: Row) -> float | None:
    """Writes per second without room in NVS; None where a part of the box alone delays writes."""
    return float(r["nvs_delay_count"] / r["interval_s"]) if r["interval_s"] else None


def filled_s(r: Row) -> float | None:
    """Seconds until twice the NVS would be full; None where its size is unknown."""
    late = late_rate(r)
    return seconds_to_fill(2 * float(r["nvs_bytes"]), late) if r["nvs_bytes"] and late else None
