"""Volumes whose exposures were changed since they waited: what was measured since speaks before what is predicted.

Rows have `exposures`, `io_rate`, `in_service` and `queue_length` of the interval asked about, and what the view
`exposure_change` tells: `since_exposures` (None: there was no change), `since_start`, `since_rate`, `since_queue`,
`before_exposures`, `before_rate`, `before_outstanding` and `is_new`.
"""

from __future__ import annotations

import math

from iosq.toolkit.advise.finding import Finding, Number
from iosq.toolkit.advise.subject import volume
from iosq.toolkit.advise.window import a_day, period
from iosq.toolkit.predict.measured import SEEN
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import plural
from iosq.toolkit.sql.raw import literal
from iosq.toolkit.units import human_number

TRIED = 1.25  # times: more exposures than that are a trial


def has_more(r: Row) -> bool:
    """Whether the volume has more exposures since."""
    return r["since_exposures"] is not None and r["since_exposures"] > round(r["exposures"] or 1)


def is_settled(r: Row, queue: float) -> bool:
    """Whether as many I/Os came since and found an exposure.

    Args:
        queue: from how many I/Os on a queue counts.
    """
    return has_more(r) and r["since_queue"] < queue and r["since_rate"] >= SEEN * r["io_rate"]


def is_unseen(r: Row, queue: float) -> bool:
    """Whether it has them for good, and no such work came since: nobody knows what the exposures do for it."""
    return has_more(r) and r["is_new"] and r["since_queue"] < queue and not is_settled(r, queue)


def is_in_vain(r: Row, gain: float) -> bool:
    """Whether the exposures it got gave as many I/Os outstanding so little that no further ones help.

    Args:
        gain: least rise of the rate that is a help.
    """
    if r["since_exposures"] is None or not r["is_new"] or r["since_exposures"] != round(r["exposures"] or 1):
        return False
    alike = r["before_outstanding"] >= SEEN * _outstanding(r)
    more = r["since_exposures"] >= TRIED * r["before_exposures"]
    return bool(alike and more and _left(r) <= gain)


def _outstanding(r: Row) -> float:
    return float(r["in_service"] + r["queue_length"])


def _left(r: Row) -> float:
    """By how many times the rate would rise with an exposure for each I/O outstanding, at the pace of the last ones."""
    grown = max(r["since_rate"] / r["before_rate"], 1.0)
    pace = math.log(grown) / math.log(r["since_exposures"] / r["before_exposures"])
    return float((_outstanding(r) / r["in_service"]) ** pace)


def now(r: Row) -> int:
    """Aliases that the volume has now."""
    return round(r["since_exposures"] if has_more(r) else r["exposures"] or 1) - 1


def settled(r: Row, lost_s: float, span_s: float) -> Finding:
    """A queue that ended with the change.

    Args:
        lost_s: time in the queue.
        span_s: length of all intervals.
    """
    return Finding(
        severity="note",
        subject=volume(r["volume"], r["system"]),
        text=(
            f"Volume {r['volume']} had a queue of {human_number(r['queue_length'])} I/Os on {r['system']} for its "
            f"{_exposures(r['exposures'] or 1)} ({period(r)}). Since {r['since_start']:%H:%M on %Y-%m-%d} it has "
            f"{_exposures(r['since_exposures'])}, as many I/Os came, and they no longer wait"
        ),
        advice="Nothing is to be done: the aliases it got have settled it",
        numbers=before_and_since(r, r["queue_length"], r["io_rate"]),
        sql=(
            "SELECT interval_start, exposures, io_rate, queue_length, wait_ms, response_ms FROM volume_interval "
            f"WHERE volume = {literal(r['volume'])} AND system = {literal(r['system'])} ORDER BY interval_start"
        ),
        lost_s=a_day(lost_s, span_s),
    )


def before_and_since(r: Row, queue: float, rate: float) -> tuple[Number, ...]:
    """Queue and rate of a wait that ended, and the largest with what there is since."""
    return (
        Number("queued in the host, before", queue, "I/Os"),
        Number("longest queue since", r["since_queue"], "I/Os"),
        Number("I/O rate, before", rate, "per s"),
        Number("highest I/O rate since", r["since_rate"], "per s"),
    )


def unseen(r: Row) -> str:
    """Why nobody can tell how many more."""
    return (
        f"Can't be told yet: since {r['since_start']:%H:%M on %Y-%m-%d} it has "
        f"{_exposures(r['since_exposures'])} in place of {round(r['exposures'] or 1)}, and no such work "
        "came since. Measure it with them before the number is changed again"
    )


def in_vain(r: Row) -> str:
    """Why no more: the last ones were no help."""
    then, left = r["since_rate"] / r["before_rate"], _left(r) - 1
    return (
        f"Aliases will not help (now {now(r)}), as was measured: with {_exposures(r['since_exposures'])} in place of "
        f"{round(r['before_exposures'])}, and as many I/Os outstanding, the rate is at most {100 * then:.0f} % of what "
        f"it was; at that pace one for each I/O outstanding gives {100 * left:.0f} % more. The wait only moves to what "
        "is behind the exposures: look there first, or move work to another hour"
    )


def _exposures(count: float) -> str:
    return plural(round(count), "exposure")
