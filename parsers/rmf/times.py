"""Reads start and length of intervals in the formats that RMF prints."""

import re
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

_STAMP = re.compile(r"(\d\d)/(\d\d)/(\d{4})[- ]+(\d\d)[.:](\d\d)[.:](\d\d)\Z")
_COMPACT = re.compile(r"\d{14}\Z")
_PARTS = re.compile(r"\d{1,6}(?:[.:]\d{1,6}){1,3}\Z")
HOUR = 3600.0


@dataclass(frozen=True, slots=True)
class Interval:
    """Columns common to all rows. `start` is UTC if `utc_offset_s` is known, else printed local time."""

    system: str | None = None
    start: datetime | None = None
    utc_offset_s: int | None = None
    seconds: float | None = None


@lru_cache(1024)  # the same text is on every page of an interval
def stamp(text: str) -> datetime | None:
    """The time of `04/06/2022-12.30.00`, `04/12/2022 00:23:20` or `20220421122000`; None if it is invalid."""
    text = text.strip()
    found = _STAMP.match(text)
    try:
        if found:
            month, day, year, hour, minute, second = map(int, found.groups())
            return datetime(year, month, day, hour, minute, second)
        return datetime.strptime(text, "%Y%m%d%H%M%S") if _COMPACT.match(text) else None
    except ValueError:
        return None


@lru_cache(1024)
def minutes(text: str) -> float | None:
    """Length of an interval report in seconds; None if `text` is ambiguous.

    The usual form is minutes, seconds, milliseconds (`29.59.999`, `10.00`). Two final digits are seconds, not
    milliseconds: `01.00.00` is an hour. `15.00.00` would be 15 hours, but no RMF interval is longer than one.
    """
    seconds, fields = hours(text), _fields(text)
    too_long = seconds is not None and seconds > HOUR and len(fields) == 3 and len(fields[2]) == 2
    return None if too_long else seconds


def hours(text: str) -> float | None:
    """Length of a duration report in seconds: hours, minutes, seconds (`000.38.01`), or a form of `minutes`."""
    fields = _fields(text)
    if len(fields) == 3 and len(fields[2]) == 1:  # truncated: seconds have two digits, milliseconds three
        return None
    if len(fields) == 3 and len(fields[2]) == 2:
        fields.append("0")
    elif len(fields) < 4:
        fields = ["0", *fields, "0"][:4]
    if len(fields) != 4 or len(fields[2]) != 2:
        return None
    hour, minute, second = map(int, fields[:3])
    if second > 59 or (hour and minute > 59):
        return None
    return hour * HOUR + minute * 60 + second + float(f"0.{fields[3]}")


def _fields(text: str) -> list[str]:
    text = text.strip()
    return re.split(r"[.:]", text) if _PARTS.match(text) else []
