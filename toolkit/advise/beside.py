"""Listings beside records of the same time, of which one is left out: said beside the findings and in the report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import duration, plural
from iosq.toolkit.sql.questions import ask, load

if TYPE_CHECKING:
    from iosq.toolkit.sql.engine import Connection

QUESTION = load(__package__, "beside.sql")


def left_out(con: Connection) -> str:
    """A sentence for each kind of loss and system; empty where nothing that was measured is left out.

    Args:
        con: a lake, or a part of it.
    """
    return " ".join(text for row in ask(con, QUESTION).to_pylist() for text in _said(row) if text)


def _said(r: Row) -> tuple[str, ...]:
    return _records(r), _listing(r), _clock(r)


def _records(r: Row) -> str:
    if not r["records_devices"]:
        return ""
    devices = plural(r["records_devices"], "device")
    return (
        f"Records of {devices} of {r['system']} (up to {duration(r['records_s'])}) are left out: a listing holds more "
        "of that time, and counts (view listing_record)."
    )


def _listing(r: Row) -> str:
    if not r["listing_devices"]:
        return ""
    devices = plural(r["listing_devices"], "device")
    return (
        f"Rows of {devices} in a listing of {r['system']} are left out though records hold only the larger part of "
        f"their time: up to {duration(r['lost_s'])} of a device are missing (view listing_record)."
    )


def _clock(r: Row) -> str:
    if not r["clashing"]:
        return ""
    return (
        f"{plural(r['clashing'], 'interval')} of {r['system']}'s listings left out: clocks were changed, and no change "
        "between the offsets known keeps them from meeting others (view listing_interval). Records of that day tell."
    )
