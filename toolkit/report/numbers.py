"""How numbers and instants are written on the page."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from math import isinf
from typing import Any

from iosq.toolkit.units import human_number

_DIGITS = 5
# what a prediction that goes beyond every bound is called
BEYOND = "no limit"


def rounded(value: Any, digits: int = _DIGITS) -> Any:
    """A fraction cut to some significant digits, an instant as text without a zone; anything else as it is.

    Five digits, if not told otherwise, are more than a picture shows and fewer than the order of adding can change.
    """
    if isinstance(value, float):
        return None if value != value else float(f"{value:.{digits}g}")
    if isinstance(value, Decimal):
        return int(value) if value == int(value) else rounded(float(value), digits)
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
        return BEYOND if isinf(value) else human_number(value)
    if isinstance(value, dt.datetime):
        return f"{value:%Y-%m-%d %H:%M}"
    return str(value)


def duration(seconds: float) -> str:
    """`31 min` or `7.5 h`: two significant digits at least, in the unit a reader would take."""
    for limit, size, name in ((90, 1, "s"), (5400, 60, "min")):
        if seconds < limit:
            return f"{_two(seconds / size)} {name}"
    return f"{_two(seconds / 3600)} h"


def _two(value: float) -> str:
    return f"{value:.1f}" if value < 9.95 and value != round(value) else f"{value:,.0f}"


def fixed(value: float, decimals: int) -> str:
    """A number of a table column: all of a column have the same decimals, so that they can be compared at a glance."""
    return BEYOND if isinf(value) else f"{value:,.{decimals}f}"
