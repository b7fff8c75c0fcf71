"""Listings beside records and other listings: what is left out of either is said beside findings and in the report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import duration, plural
from iosq.toolkit.sql.questions import ask, load

if TYPE_CHECKING:
    from iosq.toolkit.sql.engine import Connection

QUESTION = load(__package__, "beside.sql")
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
    return " ".join(text for row in ask(con, QUESTION).to_pylist() for text in _said(row) if text)


def _said(r: Row) -> tuple[str, ...]:
    return _records(r), _coarse(r), _lost(r), _twice(r), _clock(r)


def _those(r: Row, count: str) -> str:
    return f"{plural(r[count], *_NAMES[r['report']])} of {r['system']}"


def _records(r: Row) -> str:
    if not r["records_subjects"]:
        return ""
    return (
        f"Records of {_those(r, 'records_subjects')} (up to {duration(r['records_s'])}) are left out: a listing holds "
        "more of that time, and counts (view listing_beside)."
    )


def _coarse(r: Row) -> str:
    if not r["coarse_subjects"]:
        return ""
    return (
        f"Listings of shorter intervals of {_those(r, 'coarse_subjects')} (up to {duration(r['coarse_s'])}) are left "
        "out: a longer interval holds more of that time, and counts (view listing_beside)."
    )


def _lost(r: Row) -> str:
    if not r["lost_subjects"]:
        return ""
    return (
        f"Rows of {_those(r, 'lost_subjects')} in a listing are left out though what counts in their place holds only "
        f"a part of their time: up to {duration(r['lost_s'])} of one are missing (view listing_left_out)."
    )


def _twice(r: Row) -> str:
    if not r["twice_subjects"]:
        return ""
    return (
        f"Intervals of {_those(r, 'twice_subjects')} have time in common (up to {duration(r['twice_s'])}), which counts"
        " twice: neither of the two holds more than half of the other (view listing_left_out)."
    )


def _clock(r: Row) -> str:
    if not r["clashing"]:
        return ""
    return (
        f"{plural(r['clashing'], 'interval')} of {r['system']}'s listings left out: clocks were changed, and no change "
        "between the offsets known keeps them from meeting others (view listing_interval). Records of that day tell."
    )
