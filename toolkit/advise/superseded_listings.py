"""Listings that overlap records and other listings: notices about what is left out of either."""

from __future__ import annotations

from typing import TYPE_CHECKING

from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import duration, plural
from iosq.toolkit.sql.questions import ask, load

if TYPE_CHECKING:
    from iosq.toolkit.sql.engine import Connection

QUESTION = load(__package__, "superseded_listings.sql")
_NAMES = {
    "device": ("device", ""),
    "queue": ("LCU", ""),
    "channel": ("channel", ""),
    "cache": ("device in cache reports", "devices in cache reports"),
    "box": ("box", "boxes"),
}


def left_out(con: Connection) -> str:
    """A sentence for each kind of loss, report and system; empty where nothing that was measured is left out.

    Args:
        con: a lake, or a part of it.
    """
    return " ".join(text for row in ask(con, QUESTION).to_pylist() for text in _notices(row) if text)


def _notices(r: Row) -> tuple[str, ...]:
    return _records(r), _coarse(r), _lost(r), _twice(r), _clock(r)


def _those(r: Row, count: str) -> str:
    return f"{plural(r[count], *_NAMES[r['report']])} of {r['system']}"


def _records(r: Row) -> str:
    if not r["records_subjects"]:
        return ""
    return (
        f"Ignored: records of {_those(r, 'records_subjects')} (up to {duration(r['records_s'])}), covered by a longer "
        "interval of a listing (view listing_beside)."
    )


def _coarse(r: Row) -> str:
    if not r["coarse_subjects"]:
        return ""
    return (
        f"Ignored: listing intervals of {_those(r, 'coarse_subjects')} (up to {duration(r['coarse_s'])}), covered by a "
        "longer interval (view listing_beside)."
    )


def _lost(r: Row) -> str:
    if not r["lost_subjects"]:
        return ""
    return (
        f"Ignored: listing rows of {_those(r, 'lost_subjects')}, covered only in part by what counts instead. Of one "
        f"up to {duration(r['lost_s'])} are missing (view listing_left_out)."
    )


def _twice(r: Row) -> str:
    if not r["twice_subjects"]:
        return ""
    return (
        f"Intervals of {_those(r, 'twice_subjects')} overlap by up to {duration(r['twice_s'])}. It counts twice, "
        "since neither covers half of the other (view listing_left_out)."
    )


def _clock(r: Row) -> str:
    if not r["clashing"]:
        return ""
    return (
        f"Ignored: {plural(r['clashing'], 'interval')} of {r['system']}'s listings. Clocks were changed, and their "
        "offset is unknown (view listing_interval). Records of that day settle it."
    )
