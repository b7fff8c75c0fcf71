"""Volumes whose measurements can't predict more exposures.

Another system reserves them, SET THROTTLE delays I/Os, or values contradict each other (view `unfit_interval`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from iosq.models.pav.answers import NO_STATIONS, Measured, WhatIf
from iosq.toolkit.predict import open_load, pav_rows
from iosq.toolkit.predict.answer import Answer
from iosq.toolkit.predict.lake import Reading
from iosq.toolkit.predict.pav_box import Asked, facts, load_of, notes
from iosq.toolkit.rows import Row
from iosq.toolkit.units import human_number

HELD = "aliases will not help: another system or guest holds it, and I/Os with an alias wait for the same release"


def informative(mine: Sequence[Reading], least: float) -> list[Reading]:
    """The intervals of a volume to use: those that are fit, unless `least` I/Os queue only in unfit ones."""
    fit = [r for r in mine if r.is_fit]
    if _queue(fit) >= least or _queue(r for r in mine if not r.is_fit) < least:
        return fit or list(mine)
    return list(mine)


def _queue(readings: Iterable[Reading]) -> float:
    return max((r.queue for r in readings), default=0.0)


def why(r: Reading) -> str:
    """The reason, in words: throttle, reserve or contradicting fields."""
    if r.throttled_rate:
        return (
            f"aliases will not help: SET THROTTLE delays {human_number(r.throttled_rate)} I/Os per s to it "
            "(QUERY THROTTLE shows the limit)"
        )
    if not r.is_overfull:
        return HELD
    exposures = human_number(r.measured_exposures)
    return (
        f"unknown: the measurement contradicts itself. {human_number(r.rate)} I/Os a second of "
        f"{human_number(r.service_ms)} ms service (pend {human_number(r.pend_ms)}, disc {human_number(r.disc_ms)}, "
        f"conn {human_number(r.conn_ms)}) are {human_number(r.in_service)} in progress, and {exposures} "
        f"exposure{'s hold' if exposures != '1' else ' holds'} one each: rate, times or exposures are recorded wrong"
    )


def answer(rows: Sequence[Row], peak: Reading, asked: Asked) -> Answer:
    """The measurement, and why it can't predict other counts."""
    now = open_load.aliases_now(load_of(peak)) if not peak.is_overfull else round(peak.measured_exposures) - 1
    measured = Measured(peak.rate, peak.wait_ms, peak.service_ms).prediction(now, known=False)
    what_if = WhatIf((measured,), None, now, False, NO_STATIONS, "what was measured", why(peak))
    subject = f"{peak.volume} on {peak.system}"
    question = pav_rows.Question(subject, current=now)
    kind = "overfull" if peak.is_overfull else "held"
    about = {"volume": peak.volume, "is_closed_workload": False, "unfit": "throttled" if peak.throttled_rate else kind}
    found = pav_rows.answer(question, what_if, facts(peak) | about)
    known = found.rows if peak.has_known_exposures else tuple({**row, "aliases": None} for row in found.rows)
    return replace(found, rows=known, conclusions=(f"{subject}: {why(peak)}", *notes(rows, peak, asked)))
