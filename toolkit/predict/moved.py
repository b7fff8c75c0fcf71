"""Volumes that move to another box of the lake, predicted by that box's own curve."""

import datetime as dt
import math
import statistics
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from iosq.models.machine import available
from iosq.models.migrate import row_of
from iosq.models.migrate.same_box import inside_at, response_at
from iosq.models.migrate.workload import MeasuredVolume
from iosq.models.pav.answers import Interval
from iosq.models.pav.residual import ERROR
from iosq.toolkit.errors import RequestError
from iosq.toolkit.predict import lake
from iosq.toolkit.predict.answer import Answer
from iosq.toolkit.predict.changes import draw
from iosq.toolkit.predict.lake import Reading
from iosq.toolkit.predict.migrate import Wish, volumes_of
from iosq.toolkit.predict.same_box import AS_MEASURED, AtRates, of_box, why_bounds
from iosq.toolkit.predict.scatter import HOUR, one_over
from iosq.toolkit.show.clock import in_file
from iosq.toolkit.show.numbers import human_number, interval, plural
from iosq.toolkit.show.values import plain
from iosq.toolkit.sql.engine import Connection
from iosq.toolkit.sql.filter import Filter, Instant
from iosq.toolkit.sql.guard import query

METHOD = (
    "by the box's own curve: pend and disconnect as its own volumes have them, connect as measured; "
    "iosq validate --lake tests the same prediction on moves that the lake has seen"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined(AtRates):
    """Response of volumes that join a box; `own_ms`: mean response of the box's own volumes in the same interval."""

    own_ms: Interval


def lake_answer(
    con: Connection, wish: Wish, chosen: Filter, closed: Mapping[str, float], at: Instant | None = None,
    *, utc: bool = False,
) -> Answer:  # fmt: skip
    """Mean response of the volumes that move, in their busiest interval with measurements of the new box.

    `con`: the lake with all volumes; `wish`: the box, by its name or serial number, and the growth; `chosen`: names of
    what moves, by default all that is not in the box. RequestError if there is no such box, nothing moves to it, it was
    not measured then, or an option is for machines only.
    """
    box = _named(con, wish.to)
    _refuse_of_machines(wish)
    seen = lake.on_all_platforms(con, closed=closed)
    there = lake.by_interval(r for r in seen if r.box == box and r.is_fit)
    coming = lake.by_interval(r for r in seen if r.box != box and lake.is_chosen(r, chosen))
    if at:
        coming = {t: group for t, group in coming.items() if lake.starts_at(group, at)}
        if not coming:
            raise lake.no_interval(at)
    when = busiest(coming, there)
    if when is None:
        raise RequestError(f"no interval has both box {box} and volumes elsewhere that move", remedy="choose others")
    return _answer(box, coming[when], joined(con, there[when], coming[when], wish.growth), there[when], wish, utc)


def busiest(coming: Mapping[dt.datetime, Sequence[Reading]], there: Collection[dt.datetime]) -> dt.datetime | None:
    """The interval, of those with the new box, with most outstanding I/Os of the volumes that move."""
    both = (at for at in coming if at in there)
    return max(both, key=lambda at: sum(r.in_service + r.queue for r in coming[at]), default=None)


def joined(con: Connection, there: Sequence[Reading], coming: Sequence[Reading], growth: float = 1.0) -> Joined:
    """Mean response of volumes that come from another box, at the rates measured in the old box.

    Pend and disconnect depend on the box: they become the mean of its own volumes. Connect depends on the data, and in
    part on the old box: the interval reaches from the measured connect time to the mean of the new box's volumes.

    `there`: all volumes of the box with usable times, in one interval; `coming`: the volumes in the other box, in the
    same interval. RequestError if a measured value is impossible.
    """
    curve, state = of_box(con, there)
    own, new = ([volumes_of([r], AS_MEASURED)[0] for r in of] for of in (there, coming))
    arriving = [False] * len(own) + [True] * len(new)
    rates = [*(v.io_rate for v in own), *(growth * v.io_rate for v in new)]
    box_ms, conn_ms = _mean(own, lambda v: v.pend_ms + v.disc_ms), _mean(own, lambda v: v.conn_ms)
    kept, usual = ([*own, *(_placed(v, box_ms, ms or v.conn_ms) for v in new)] for ms in (None, conn_ms))
    likely, other = (response_at(curve, volumes, rates, arriving, arriving) for volumes in (kept, usual))
    found = Interval(likely.value, min(likely.low, other.low), max(likely.high, other.high))
    inside = inside_at(kept, rates, sum(curve.elasticity) / 2, arriving) * state.in_service
    scatter = math.hypot(ERROR if state.scatter is None else state.scatter, _unlike(own, new, box_ms))
    others = response_at(curve, kept, rates, [not comes for comes in arriving], arriving)
    return Joined(found, why_bounds(curve, found, inside), scatter, own_ms=others)


def _answer(
    box: str, moved: Sequence[Reading], found: Joined, there: Sequence[Reading], wish: Wish, utc: bool
) -> Answer:
    then, first, now_ms = found.measured_ms, moved[0], lake.mean_response_ms(moved)
    ends = [plain(then.low), plain(then.high)]
    which = f"{plural(len({r.volume for r in moved}), 'volume')} in box {box}"
    row = {
        "box": box,
        "volumes": len({r.volume for r in moved}),
        "io_rate": wish.growth * sum(r.rate for r in moved),
        "measured_response_ms": now_ms,
        "response_ms": None if found.note else then.value,
        "response_low_ms": ends[0],
        "response_high_ms": ends[1],
        "identifiable": not found.note,
        "note": found.note,
    }
    texts = (
        f"{which}: {human_number(now_ms)} ms measured now, {_in_words(then, found.note)} then",
        f"the volumes that were there: {human_number(lake.mean_response_ms(there))} ms in the same interval as it was, "
        f"{_in_words(found.own_ms, found.note)} with what moves",
        f"the busiest interval of what moves: {lake.when(first, utc)}",
        METHOD,
    )
    facts = {f"box_{name}": row[name] for name in ("response_ms", "response_low_ms", "response_high_ms")}
    facts |= {in_file("interval_start", first.utc_offset_s): first.start, "growth": wish.growth}
    shown = {"name": which, "response_ms": now_ms, "after_low_ms": ends[0], "after_high_ms": ends[1]}
    picture = None if None in ends else lambda: draw([shown], texts[0], "means of one interval")
    return Answer((row,), texts, facts, picture, ("identifiable",))


def _in_words(of: Interval, note: str) -> str:
    if not note:
        return interval(of.value, of.low, of.high, "ms")
    low, high = map(human_number, (of.low, of.high))
    return f"{low} ms or more" if math.isinf(of.high) else f"{low} to {high} ms"


def _named(con: Connection, name: str) -> str:
    """The box of that name or serial number; RequestError listing all machines and boxes if there is none."""
    rows = query(con, "SELECT DISTINCT box, serial FROM box_interval ORDER BY box").to_pylist()
    wanted = name.upper()
    serials = {(r["serial"] or "").lstrip("0"): r["box"] for r in rows}
    found = next((r["box"] for r in rows if r["box"] == wanted), serials.get(wanted.lstrip("0")))
    if found is None:
        boxes = ", ".join(r["box"] for r in rows)
        remedy = f"choose a machine ({', '.join(available())}), a .toml file, or a box of this lake ({boxes})"
        raise RequestError(f"there is no machine and no box {name!r}", place="--to", remedy=remedy)
    return str(found)


def _refuse_of_machines(wish: Wish) -> None:
    """Raise RequestError for options that need a machine file."""
    plain = Wish(wish.to)
    for name in ("boxes", "response_ms", "channel", "channels", "block_bytes", "capacity_gb", "back_end"):
        if getattr(wish, name) != getattr(plain, name):
            place = f"--{name.replace('_', '-')}"
            raise RequestError("is about a machine, not a box of the lake", place=place, remedy="leave it out")


def _placed(volume: MeasuredVolume, box_ms: float, conn_ms: float) -> MeasuredVolume:
    """The volume with the times of another box; its wait keeps its burstiness."""
    wait_ms = row_of(volume, box_ms + conn_ms).wait_ms
    return replace(
        volume, pend_ms=0.0, disc_ms=box_ms, conn_ms=conn_ms, wait_ms=wait_ms if math.isfinite(wait_ms) else 0.0
    )


def _mean(volumes: Sequence[MeasuredVolume], of: Callable[[MeasuredVolume], float]) -> float:
    return sum(v.io_rate * of(v) for v in volumes) / sum(v.io_rate for v in volumes)


def _unlike(own: Sequence[MeasuredVolume], new: Sequence[MeasuredVolume], box_ms: float) -> float:
    """Likely difference between the means of new and own volumes, as part of the scatter of one interval.

    Volumes differ in pend and disconnect; the difference is the same in all intervals after the move.
    """
    logs = [math.log(max(v.pend_ms + v.disc_ms, 1e-3)) for v in own]
    apart = statistics.stdev(logs) if len(logs) > 1 else math.inf
    part = box_ms / (box_ms + _mean(new, lambda v: v.conn_ms))
    shares = (one_over([v.io_rate for v in of]) for of in (own, new))
    return part * apart * math.sqrt(sum(shares) / (1 + 1 / HOUR))
