"""Effect of more load on the boxes of a lake, each in its busiest interval."""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from iosq.models.pav.answers import Interval
from iosq.toolkit.errors import RequestError
from iosq.toolkit.predict import lake
from iosq.toolkit.predict.answer import Answer
from iosq.toolkit.predict.changes import Change, draw
from iosq.toolkit.predict.lake import Reading
from iosq.toolkit.predict.same_box import AtRates, at_rates
from iosq.toolkit.predict.scatter import half_width
from iosq.toolkit.predict.site.experiments import PEAKS
from iosq.toolkit.rows import NewRow, Row
from iosq.toolkit.show.clock import in_file
from iosq.toolkit.show.numbers import plural
from iosq.toolkit.show.theme import Picture
from iosq.toolkit.show.values import plain
from iosq.toolkit.sql.engine import Connection
from iosq.toolkit.sql.filter import Filter, Instant
from iosq.toolkit.sql.questions import ask
from iosq.toolkit.units import human_number

USABLE = 0.9  # minimum share of a box's I/Os to volumes with usable times, else unknown; our choice
UNKNOWN = Interval(math.inf, math.inf, math.inf)
ALL, SOME = (
    "all its volumes grow by the same factor",
    "the chosen volumes grow, and its other volumes keep their rates. "
    "Rates and responses are those of the chosen volumes",
)
SAME_INTERVAL = (
    "the interval after is of the same interval with more load; a mean measured on another day is off by as much as "
    "scatter_percent besides, in nine of ten cases"
)
ARRIVALS = (
    "arrivals come at the new rate, however long an I/O takes. Requesters that wait for each answer send fewer I/Os "
    "when answers take longer"
)


def lake_answer(
    con: Connection, wish: Change, chosen: Filter, closed: Mapping[str, float], at: Instant | None = None,
    *, utc: bool = False,
) -> Answer:  # fmt: skip
    """Mean response of each box, or of its chosen volumes, at `wish.times` the measured rates.

    `con`: the lake with all volumes; `chosen`: names of what grows; `at`: start of the interval, by default the busiest
    of each box. RequestError if none starts then, or no chosen volume has usable times in it.
    """
    days = ask(con, PEAKS, start=at and at.at, is_utc=bool(at and at.is_utc)).to_pylist()
    if at and not days:
        raise lake.no_interval(at)
    rows = tuple(_rows(con, days, wish.times, chosen, closed, utc))
    if not rows:
        what = "no chosen volume has usable times in that interval of its box"
        raise RequestError(what, remedy="choose others")
    which = "each box is in its busiest interval" if at is None else "each box is in the interval asked for"
    scope = SOME if chosen.named() else ALL
    hidden = ("identifiable", "utc_offset_s", "interval_start", "interval_start_local")
    texts = (*_conclusions(rows, wish.times), which, scope, SAME_INTERVAL, ARRIVALS)
    return Answer(rows, texts, {"change": wish.what}, lambda rows=rows: _draw(rows, texts[0]), hidden)


def _rows(
    con: Connection, days: Sequence[Row], growth: float, chosen: Filter, closed: Mapping[str, float], utc: bool
) -> Iterator[NewRow]:
    boxes = groupby(days, key=lambda row: str(row["box"]))
    peaks = [max(of_box, key=lambda row: float(row["io_rate"])) for _, of_box in boxes]
    only = {"start": {row["interval_start"] for row in peaks}}
    intervals = lake.by_interval(lake.on_all_platforms(con, only, closed))
    for peak in peaks:
        of_box = [r for r in intervals.get(peak["interval_start"], []) if r.box == peak["box"]]
        group = [r for r in of_box if r.is_fit] or of_box
        subject = [lake.is_chosen(r, chosen) for r in group]
        if any(subject):
            yield _row(con, peak, group, subject, growth, utc)


def _row(
    con: Connection, peak: Row, group: Sequence[Reading], subject: Sequence[bool], growth: float, utc: bool
) -> NewRow:
    own = [r for r, grows in zip(group, subject, strict=True) if grows]
    rate = sum(r.rate for r in own)
    predicted = _predicted(con, peak, group, subject, growth)
    waiting = sum(r.is_closed for r in own)
    note = f"closed work on {plural(waiting, 'volume')}: more rate needs more requesters there" if waiting else ""
    after = predicted.response_ms
    return {
        "box": peak["box"],
        "when": lake.on_clock(peak["interval_start"], peak["utc_offset_s"], peak["box"], utc),
        in_file("interval_start", peak["utc_offset_s"]): peak["interval_start"],
        "utc_offset_s": peak["utc_offset_s"],
        "volumes": len({r.volume for r in own}),
        "io_rate": rate,
        "after_io_rate": rate * growth,
        "response_ms": lake.mean_response_ms(own),
        "after_ms": None if predicted.note else after.value,
        "after_low_ms": plain(after.low),
        "after_high_ms": plain(after.high),
        "scatter_percent": 100 * math.expm1(half_width(predicted.scatter, predicted.intervals)),
        "identifiable": not predicted.note,
        "note": "; ".join(text for text in (predicted.note, note) if text),
    }


def _predicted(con: Connection, peak: Row, group: Sequence[Reading], subject: Sequence[bool], growth: float) -> AtRates:
    share = sum(r.rate for r in group if r.is_fit) / peak["io_rate"]
    if share < USABLE:
        return AtRates(UNKNOWN, f"unknown: volumes with usable times did only {100 * share:.0f} % of its I/Os")
    rates = [r.rate * (growth if grows else 1.0) for r, grows in zip(group, subject, strict=True)]
    try:
        return at_rates(con, group, rates, subject)
    except RequestError as error:
        return AtRates(UNKNOWN, f"unknown: {error}")


def _draw(rows: Sequence[Row], title: str) -> Picture:
    known = [{**row, "name": row["box"]} for row in rows if row["after_high_ms"] is not None]
    return draw(known, title, "boxes with an answer, each in one interval")


def _conclusions(rows: Sequence[Row], growth: float) -> list[str]:
    known = [r for r in rows if r["after_ms"] is not None]
    texts = []
    if known:
        rate = sum(r["io_rate"] for r in known)
        now, then = (human_number(sum(r["io_rate"] * r[n] for r in known) / rate) for n in ("response_ms", "after_ms"))
        boxes = plural(len(known), "box", "boxes")
        texts.append(f"{growth:g} times the rate: mean response {now} ms now, {then} ms then ({boxes})")
    if len(known) < len(rows):
        boxes = plural(len(rows) - len(known), "box", "boxes")
        texts.append(f"no single number for {boxes} of {len(rows)}: see the note")
    return texts
