"""Waits before aliases were added or the box changed: measurements take precedence over predictions.

Rows of volumes have the columns of the query `volume_now`, rows of pools those of `pool_now`. The columns of the judged
interval are next to them.
"""

import math

from iosq.models.pav.answers import MOVED, has_moved
from iosq.toolkit.predict.evidence import SEEN
from iosq.toolkit.predict.work import Work
from iosq.toolkit.rows import NewRow, Row

NO_QUEUE = 0.05  # I/Os waiting, mean of an interval: as pav_candidate takes for none
TRIED = 1.25  # times: more exposures than that are a trial


def since(r: Row, then: Work | None, queue: float, change: str = "since") -> NewRow:
    """Measurements after a change next to those before it: columns of the phrases about waits that ended.

    Args:
        r: with `since_start`, `since_rate`, `since_queue` and `since_response_ms`, or the same of another change.
        then: what waited; None where that is unknown.
        queue: I/Os that waited.
        change: what these columns begin with.
    """
    start, rate, left, response = (r.get(f"{change}_{n}") for n in ("start", "rate", "queue", "response_ms"))
    left_ms = 1e3 * (left or 0.0) / rate if rate else 0.0
    return {
        "change_start": start,
        "change_rate": rate,
        "change_queue": left or 0.0,
        "change_ms": response,
        "then_queue": queue,
        "then_rate": then and then.rate,
        "then_ms": then and then.wait_ms + then.service_ms,
        "is_comparable": bool(then and (rate or 0.0) >= SEEN * then.rate),
        "waits_on": bool(then and left_ms >= then.wait_ms / 2),
        "moved_wait": _moved(then, response, left_ms) if then else "",
        "is_clear": (left or 0.0) < NO_QUEUE,
    }


def _moved(then: Work, response: float | None, left_ms: float) -> str:
    """How much of a wait that ended came back as time in the box, in words; empty if most of it is gone."""
    before, gone = then.wait_ms + then.service_ms, then.wait_ms - left_ms
    # a smaller share of the response is not a relevant wait
    if response is None or gone < (1 - MOVED) * before or not has_moved(gone, before - response):
        return ""
    return "the wait" if response > MOVED * before else "most of the wait"


def pool_size(r: Row) -> int:
    """Aliases a pool had last, which may be others than in the interval; none where no record shows how many."""
    return int((r["aliases"] if r["aliases_now"] is None else r["aliases_now"]) or 0)


def pool_has_moved(r: Row) -> bool:
    """True if a pool is in another box than in this interval."""
    return bool(r["other_start"] and r["interval_start"] <= r["other_start"])


def pool_is_settled(r: Row, rate: float | None) -> bool:
    """True if a pool has another size now, and the I/O rate was comparable with that."""
    if r["aliases_now"] is None or r["aliases_now"] == r["aliases"] or not rate:
        return False
    return bool((r["since_rate"] or 0.0) >= SEEN * rate)


def has_more(r: Row) -> bool:
    """True if a volume has more exposures since."""
    return r["since_exposures"] is not None and r["since_exposures"] > round(r["exposures"] or 1)


def has_known_exposures(r: Row) -> bool:
    """True if any interval shows how many exposures a volume has."""
    return r["known_exposures"] is not None or has_more(r)


def volume_aliases(r: Row) -> int:
    """Aliases that a volume has now."""
    return round(r["since_exposures"] if has_more(r) else r["exposures"] or 1) - 1


def is_settled(r: Row, queue: float) -> bool:
    """True if a volume got exposures, the I/O rate was comparable since, and fewer than `queue` I/Os waited."""
    return has_more(r) and r["since_queue"] < queue and r["since_rate"] >= SEEN * r["io_rate"]


def is_unseen(r: Row, queue: float) -> bool:
    """True if a volume kept its added exposures, and the same load has not come since."""
    return has_more(r) and r["is_new"] and r["since_queue"] < queue and not is_settled(r, queue)


def is_elsewhere(r: Row, queue: float) -> bool:
    """True if a volume is in another box since, and fewer than `queue` I/Os wait there."""
    return r["moved_start"] is not None and r["box_now"] != r["box"] and r["moved_queue"] < queue


def has_left(r: Row, queue: float) -> bool:
    """The same for another box, LCU or kind of PAV; rows with the columns `now_`."""
    is_other = r["now_lcu"] != r["lcu"] or bool(r["now_hyperpav"]) != bool(r["is_hyperpav"])
    is_other |= r["left_box_now"] not in (None, r["box"])
    later = r["now_start"] is not None and r["now_start"] > r["local_start"]
    return bool(is_other and later and (r["now_queue"] or 0.0) < queue)


def is_without_gain(r: Row, gain: float) -> bool:
    """True if the exposures a volume got gave the same I/Os outstanding so little that no further ones help.

    `gain`: the least rise of the rate that is a help, times.
    """
    if r["since_exposures"] is None or not r["is_new"] or r["since_exposures"] != round(r["exposures"] or 1):
        return False
    comparable = r["before_outstanding"] >= SEEN * _outstanding(r)
    return bool(comparable and r["since_exposures"] >= TRIED * r["before_exposures"] and residual_gain(r) <= gain)


def _outstanding(r: Row) -> float:
    return float(r["in_service"] + r["queue_length"])


def residual_gain(r: Row) -> float:
    """By how many times the rate would rise with an exposure for each I/O outstanding, at the pace of the last ones."""
    grown = max(r["since_rate"] / r["before_rate"], 1.0)
    pace = math.log(grown) / math.log(r["since_exposures"] / r["before_exposures"])
    return float((_outstanding(r) / r["in_service"]) ** pace)
