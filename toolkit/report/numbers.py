"""How numbers and instants are written on the page."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

from iosq.toolkit.units import human_number

_DIGITS = 5


def rounded(value: Any) -> Any:
    """A fraction cut to five significant digits, an instant as text without a zone; anything else as it is.

    Five digits are more than a picture shows and fewer than the order of adding can change.
    """
    if isinstance(value, float):
        return None if value != value else float(f"{value:.{_DIGITS}g}")
    if isinstance(value, Decimal):
        return int(value) if value == int(value) else rounded(float(value))
    if isinstance(value, dt.datetime):
        return value.strftime("%Y-%m-%dT%H:%M:%S")
    return value


def shown(value: Any) -> str:
    """A value for a reader: three significant digits, instants to the minute, `–` for none."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return human_number(value)
    if isinstance(value, dt.datetime):
        return f"{value:%Y-%m-%d %H:%M}"
    return str(value)


def duration(seconds: float) -> str:
    """`31 min`, `7.5 h` or `12 days`: the unit a reader would take."""
    for limit, size, name in ((90, 1, "s"), (5400, 60, "min"), (172_800, 3600, "h")):
        if seconds < limit:
            return f"{seconds / size:.3g} {name}"
    return f"{seconds / 86400:.3g} days"
