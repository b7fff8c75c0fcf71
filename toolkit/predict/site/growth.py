"""Load growth: the busiest intervals of the last days, held out and predicted from the days before."""

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import replace

from iosq.toolkit.errors import RequestError
from iosq.toolkit.predict import lake
from iosq.toolkit.predict.lake import Reading
from iosq.toolkit.predict.same_box import at_rates
from iosq.toolkit.predict.site.accuracy import Trial
from iosq.toolkit.predict.site.experiments import BUSIEST, PEAKS, Before, Change
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import human_number
from iosq.toolkit.sql.engine import Connection
from iosq.toolkit.sql.questions import ask

HELD_OUT = 4  # one day in this number is held out
GREW = 1.05  # minimum rate / highest rate of the days before; our choice
SAME_VOLUMES = 0.9  # minimum share of I/Os by volumes that did I/O before, else it is other work; our choice


def growth(con: Connection, before: Before) -> Iterator[Trial]:
    """A trial for each held-out day on which a box had more I/Os than on any day before."""
    peaks = ask(con, PEAKS, **BUSIEST).to_pylist()
    days = sorted({row["local_day"] for row in peaks})
    first = days[-max(len(days) // HELD_OUT, 1)] if len(days) > 1 else None
    if first is None:
        return
    pairs = [pair for box in dict.fromkeys(row["box"] for row in peaks) for pair in _grown(peaks, box, first)]
    starts = {row["interval_start"] for pair in pairs for row in pair}
    if not starts:
        return
    readings = lake.by_interval(lake.on_all_platforms(con, {"start": starts}))
    at = min(row["local_day"] - dt.timedelta(seconds=row["utc_offset_s"] or 0) for _, row in pairs)
    with before(at) as past:
        for pair in pairs:
            old, new = pair
            groups = ([r for r in readings.get(row["interval_start"], []) if r.box == row["box"]] for row in (old, new))
            yield _trial(past, old, new, *groups)


def _grown(peaks: Sequence[Row], box: str, first: dt.datetime) -> Iterator[tuple[Row, Row]]:
    """Pairs of the busiest interval of the days before, and that of a later day with a higher rate."""
    known = [row for row in peaks if row["box"] == box and row["local_day"] < first]
    if not known:
        return
    most = max(known, key=lambda row: float(row["io_rate"]))
    for row in peaks:
        if row["box"] == box and row["local_day"] >= first and row["io_rate"] >= GREW * most["io_rate"]:
            yield most, row


def _trial(con: Connection, old: Row, new: Row, before: Sequence[Reading], later: Sequence[Reading]) -> Trial:
    """The trial for the volumes that did I/O in both intervals."""
    rate, grown = (f"{human_number(row['io_rate'])} I/Os per s" for row in (old, new))
    change = Change("load", "", "", (new["box"],), rate, grown, new["interval_start"], None, new["utc_offset_s"])
    trial = Trial(change, new["io_rate"])
    by_name = {r.name: r for r in later}
    both = [r for r in before if r.name in by_name and r.is_fit]
    after = [by_name[r.name] for r in both]
    if sum(r.rate for r in after) < SAME_VOLUMES * new["io_rate"]:
        return replace(trial, note="other volumes did part of the I/Os before: the box holds other work")
    measured_ms = lake.mean_response_ms(after)
    try:
        found = at_rates(con, both, [r.rate for r in after])
    except RequestError as error:
        return replace(trial, note=str(error), measured_ms=measured_ms)
    return replace(
        trial,
        predicted=found.measured_ms,
        measured_ms=measured_ms,
        is_identifiable=not found.note,
        note=found.note,
    )
