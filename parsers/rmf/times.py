"""When a report's interval began and how long it was, from the forms RMF writes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

_STAMP = re.compile(r"(\d\d)/(\d\d)/(\d{4})[- ]+(\d\d)[.:](\d\d)[.:](\d\d)\Z")
_COMPACT = re.compile(r"\d{14}\Z")
_PARTS = re.compile(r"\d{1,6}(?:[.:]\d{1,6}){1,2}\Z")


@dataclass(frozen=True, slots=True)
class Interval:
    """What every row begins with. `start` is UTC only where `utc_offset_s` is known, else the printed local time."""

    system: str | None = None
    start: datetime | None = None
    utc_offset_s: int | None = None
    seconds: float | None = None


@lru_cache(1024)  # every page of an interval says the same
def stamp(text: str) -> datetime | None:
    """`04/06/2022-12.30.00`, `04/12/2022 00:23:20` or `20220421122000`; None if it is no instant."""
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
    """Seconds of an interval in the form minutes, seconds, milliseconds (`29.59.999`, `10.00`)."""
    if not _PARTS.match(text.strip()):
        return None
    parts = re.split(r"[.:]", text.strip())
    milli = int(parts[2]) / 10 ** len(parts[2]) if len(parts) == 3 else 0.0
    return int(parts[0]) * 60 + int(parts[1]) + milli


def hours(text: str) -> float | None:
    """Seconds of a duration report's interval in the form hours, minutes, seconds (`000.38.01`)."""
    parts = re.split(r"[.:]", text.strip())
    if len(parts) != 3 or not _PARTS.match(text.strip()):
        return None
    return float(int(parts[0]) * 3600 + int(parts[1]) * 60 + int(parts[2]))
