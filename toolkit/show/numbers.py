"""Numbers, names and instants in words, with uniform precision, rounding and plurals."""

import datetime as dt
from collections.abc import Callable, Iterable
from decimal import Decimal
from math import inf, isinf, isnan
from typing import Any

from iosq.toolkit.units import human_bytes as human_bytes
from iosq.toolkit.units import human_number as human_number
from iosq.toolkit.units import with_unit

NONE = "–"
DAY_H = 24
FINE_S = 36_000.0  # longer durations are rounded to ten minutes
# text for an infinite prediction
BEYOND = "no limit"
MOST_NAMES = 6
_LEAST_PERCENT = 0.01
_DIGITS = 5
_MB = 1e6
_FEW_BYTES = 1e5
# a smaller gain in response or rate counts as none: our choice, as in the rule closed_load
NO_HELP = 1.05
_BYTES = ("bytes", "bytes_needed")


def plural(count: float, one: str, many: str = "") -> str:
    """`1 volume`, `2 volumes`, `1,200 boxes` (`many` for irregular plurals)."""
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"


def aliases(count: int) -> str:
    """`1 alias`, `2 aliases`."""
    return plural(count, "alias", "aliases")


def alias_range(fewest: int | None, most: int | None, likely: int | None = None) -> str:
    """Aliases that clear a wait: `1 alias`, `2 to 5 aliases`, `2 aliases or more`; without `fewest` no count does.

    `likely`: the middle of the likely range, shown if no number is certain: `2 aliases or more, 5 likely`.
    """
    if fewest is None:
        return "no count clears it"
    return count_range(fewest, most, likely, aliases) if fewest or most is not None else "any number of aliases"


def count_range(fewest: int, most: int | None, likely: int | None = None, noun: Callable[[int], str] = str) -> str:
    """`2`, `2 to 5`, `2 or more`, `2 or more, 5 likely`; `noun` gives one count in words."""
    if most is not None:
        return noun(most) if fewest == most else f"{fewest:,} to {noun(most)}"
    return f"{noun(fewest)} or more{f', {likely:,} likely' if likely is not None and likely >= fewest else ''}"


def interval(value: float, low: float, high: float, unit: str) -> str:
    """A value and its bounds: `3 ms (2 to 4)`, `3 ms (2 or more)`; `3 ms` if they are equal as shown."""
    middle, least, most = (human_number(end) for end in (value, low, high))
    if middle == least == most:
        return f"{middle} {unit}"
    return f"{middle} {unit} ({least} {'or more' if isinf(high) else f'to {most}'})"


def share(ratio: float) -> str:
    """A share in percent; below one percent with one nonzero digit, so that a small share is not shown as 0."""
    percent = 100 * ratio
    if 0 < percent < _LEAST_PERCENT:
        return f"less than {_LEAST_PERCENT:g} %"
    return f"{percent:.0f} %" if percent >= 1 or not percent else f"{percent:.1g} %"


def listed(names: Iterable[str], most: int = MOST_NAMES) -> str:
    """`A, B and C`; a longer list has the first `most` names `and 18 more`."""
    every = list(names)
    first, rest = (every[:most], [f"{len(every) - most:,} more"]) if len(every) > most else (every[:-1], every[-1:])
    return " and ".join(filter(None, [", ".join(first), *rest]))


def rounded(value: Any, digits: int = _DIGITS) -> Any:
    """A fraction rounded to significant digits, an instant as text without a zone, anything else unchanged.

    The default of five digits is finer than a picture shows, and not affected by the order of summation.
    """
    if isinstance(value, float):
        return None if isnan(value) else float(f"{value:.{digits}g}")
    if isinstance(value, Decimal):
        return int(value) if value == int(value) else rounded(float(value), digits)
    if isinstance(value, dt.datetime):
        return value.strftime("%Y-%m-%dT%H:%M:%S")
    return value


def shown(value: object, name: str = "", digits: int = 3) -> str:
    """A value for readers: significant digits, instants to the minute, `–` for None.

    `name`: of its column; bytes get a unit. `digits`: significant digits of a fraction below a thousand.
    """
    if value is None or (isinstance(value, float) and isnan(value)):
        return NONE
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float | Decimal):
        return _number(value, name, digits)
    if isinstance(value, dt.datetime):
        return f"{value:%Y-%m-%d %H:%M}" if not value.second else f"{value:%Y-%m-%d %H:%M:%S}"
    return str(value)


def _number(value: float | Decimal, name: str, digits: int) -> str:
    if isinf(value):
        return BEYOND
    if name.endswith("bytes_rate"):
        return f"{human_number(float(value) / _MB)} MB/s"
    if name.endswith(_BYTES) and value >= _FEW_BYTES:
        return human_bytes(float(value))
    whole = value == int(value) or abs(value) >= 10**digits
    return f"{value:,.0f}" if whole else human_number(float(value), digits)


def amount(value: object, unit: str) -> str:
    """A value with its unit; bytes in a readable unit."""
    if unit in ("bytes", "bytes per second", "bytes/s"):
        return shown(value, "bytes" if unit == "bytes" else "bytes_rate")
    return with_unit(shown(value), unit) if value is not None else NONE


def duration(seconds: float) -> str:
    """A duration in words with about three digits: `45 s`, `31 min`, `4 h 10 min`, `14 h 20 min`, `132 h`."""
    for limit, size, name in ((90, 1, "s"), (5400, 60, "min")):
        if seconds < limit:
            return f"{_two(seconds / size)} {name}"
    step = 60 if seconds < FINE_S else 600
    hours, minutes = divmod(step // 60 * round(seconds / step), 60)
    return f"{hours} h {minutes} min" if minutes and hours < DAY_H else f"{_two(seconds / 3600)} h"


def _two(value: float) -> str:
    return f"{value:.1f}" if value < 9.95 and value != round(value) else f"{value:,.0f}"


def fixed(value: float, decimals: int) -> str:
    """A number with fixed decimals, the same for all values of a table column."""
    return BEYOND if isinf(value) else f"{value:,.{decimals}f}"


def small_gain(now: float, then: float) -> str:
    """The gain in words if a time gets hardly shorter; empty if it gets shorter by `NO_HELP` or more."""
    if not 0 < now < NO_HELP * then < inf:
        return ""
    percent = round(100 * (1 - then / now))
    return f"a small gain of {percent} %" if percent > 0 else "no gain"
