"""Volumes whose exposures were changed since they waited: what was measured since speaks before what is predicted.

Rows have `exposures`, `io_rate`, `in_service`, `queue_length`, `wait_ms` and `service_ms` of the interval asked about,
and what the view `exposure_change` tells: `since_exposures` (None: there was no change), `since_start`, `since_rate`,
`since_queue`, `since_response_ms`, `before_exposures`, `before_rate`, `before_outstanding` and `is_new`.
"""

from __future__ import annotations

import math
from dataclasses import replace

from iosq.models.pav.answers import MOVED, has_moved
from iosq.toolkit.advise.finding import Aliases, Finding, Number
from iosq.toolkit.advise.subject import volume
from iosq.toolkit.advise.window import episode, period
from iosq.toolkit.predict.measured import SEEN
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import plural, share
from iosq.toolkit.sql.raw import literal
from iosq.toolkit.units import human_number

NO_QUEUE = 0.05  # I/Os waiting, mean of an interval: as pav_candidate takes for none
TRIED = 1.25  # times: more exposures than that are a trial


def has_more(r: Row) -> bool:
    """Whether the volume has more exposures since."""
    return r["since_exposures"] is not None and r["since_exposures"] > round(r["exposures"] or 1)


def has_known_exposures(r: Row) -> bool:
    """Whether any interval shows how many exposures the volume has."""
    return r["known_exposures"] is not None or has_more(r)


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


def is_elsewhere(r: Row, queue: float) -> bool:
    """Whether it is in another box since, and doesn't wait there.

    Args:
        queue: from how many I/Os on a queue counts.
    """
    return r["moved_start"] is not None and r["box_now"] != r["box"] and r["moved_queue"] < queue


def elsewhere(r: Row, waits: Finding, place: str = "") -> Finding:
    """What waited in another box than it is in: settled if as many I/Os came since, else not to be told yet.

    Args:
        waits: what it was.
        place: where it is, if there is more to say than the box.
    """
    since = f"since {r['moved_start']:%H:%M on %Y-%m-%d} it is in {place or 'box ' + r['box_now']}"
    if r["moved_rate"] < SEEN * r["io_rate"]:
        return replace(waits, advice=not_yet(since))
    there = there_since(r)
    looks = moved_to(r["wait_ms"] or 0.0, r["service_ms"] or 0.0, there)
    return replace(
        waits,
        severity="watch" if looks else "note",
        advice=looks or "Nothing is to be done: the move has settled it",
        numbers=before_and_since({**r, **there}, r["queue_length"], r["io_rate"]),
        confidence="medium",
        # not "enough": the table of verdicts counts those without a line of their own, and this one waited
        aliases=Aliases("wont_help", now(r)),
    ).also(f"S{since[1:]}, as many I/Os came, and {queued(r['moved_queue'])}")


def not_yet(since: str) -> str:
    """Advice about a wait in another box, `since` in words."""
    return f"Can't be told yet: {since}, and no such work came since. See how it fares there before aliases are added"


def there_since(r: Row) -> Row:
    """What came in the box that it is in now, in place of what came with so many exposures or aliases."""
    return {f"since_{name}": r[f"moved_{name}"] for name in ("queue", "rate", "response_ms")}


def _left(r: Row) -> float:
    """By how many times the rate would rise with an exposure for each I/O outstanding, at the pace of the last ones."""
    grown = max(r["since_rate"] / r["before_rate"], 1.0)
    pace = math.log(grown) / math.log(r["since_exposures"] / r["before_exposures"])
    return float((_outstanding(r) / r["in_service"]) ** pace)


def now(r: Row) -> int:
    """Aliases that the volume has now."""
    return round(r["since_exposures"] if has_more(r) else r["exposures"] or 1) - 1


def settled(r: Row, lost_s: float) -> Finding:
    """A queue that ended with the change.

    Args:
        lost_s: time in the queue.
    """
    moved = moved_to(r["wait_ms"] or 0.0, r["service_ms"] or 0.0, r)
    return Finding(
        severity="watch" if moved else "note",
        subject=volume(r["volume"], r["system"]),
        text=(
            f"Volume {r['volume']} had a queue of {human_number(r['queue_length'])} I/Os on {r['system']} for its "
            f"{_exposures(r['exposures'] or 1)} ({period(r)}). Since {r['since_start']:%H:%M on %Y-%m-%d} it has "
            f"{_exposures(r['since_exposures'])}, as many I/Os came, and {queued(r['since_queue'])}"
        ),
        advice=moved or _settled_by(r),
        numbers=before_and_since(r, r["queue_length"], r["io_rate"]),
        sql=(
            "SELECT interval_start, exposures, io_rate, queue_length, wait_ms, response_ms FROM volume_interval "
            f"WHERE volume = {literal(r['volume'])} AND system = {literal(r['system'])} ORDER BY interval_start"
        ),
        when=episode(r),
        lost_s=lost_s,
        aliases=Aliases("enough", now(r)),
    )


def moved_to(wait_ms: float, service_ms: float, r: Row) -> str:
    """Where to look, if most of a wait that ended came back as time in the box; else nothing.

    Args:
        wait_ms: what an I/O waited then.
        service_ms: what else it took then.
        r: with `since_response_ms`, `since_queue` and `since_rate`.
    """
    since, before = r["since_response_ms"], wait_ms + service_ms
    left = 1e3 * (r["since_queue"] or 0.0) / r["since_rate"] if r["since_rate"] else 0.0
    gone = wait_ms - left
    # less than that of a response is no wait to be missed
    if since is None or gone < (1 - MOVED) * before or not has_moved(gone, before - since):
        return ""
    share = "the wait has" if since > MOVED * before else "most of the wait has"
    return (
        f"No more aliases: an I/O takes {human_number(since)} ms since, {human_number(before)} before, so that {share} "
        "only moved into the box or the way to it. Look there for what became slower"
    )


def queued(queue: float) -> str:
    """What a queue since is, to follow on `as many I/Os came, and`."""
    return "they no longer wait" if queue < NO_QUEUE else f"{human_number(queue)} of them queue at most"


def _settled_by(r: Row) -> str:
    """What has settled it: aliases, or a box that it came to as well."""
    if r.get("box_now") in (None, r["box"]):
        return "Nothing is to be done: the aliases it got have settled it"
    return f"Nothing is to be done: the aliases it got, or box {r['box_now']} in which it is since, have settled it"


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
        f"{round(r['before_exposures'])}, and as many I/Os outstanding, the rate is at most {share(then)} of what "
        f"it was; at that pace one for each I/O outstanding gives {share(left)} more. The wait only moves to what "
        "is behind the exposures: look there first, or move work to another hour"
    )


def _exposures(count: float) -> str:
    return plural(round(count), "exposure")
