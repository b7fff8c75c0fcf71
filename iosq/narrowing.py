"""Build the filter of a lake from options as users write them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

from iosq.toolkit.errors import IosqError, RequestError

if TYPE_CHECKING:
    from iosq.toolkit.advise.finding import Known
    from iosq.toolkit.sql.filter import Filter, Instant

When = str | date
Names = str | Sequence[str]
_LCU = re.compile(r"[0-9A-Fa-f]{1,4}")
_NAME = re.compile(r"[^\s]{1,8}")


def narrowing(
    since: When | None = None,
    until: When | None = None,
    system: Names | None = None,
    lcu: Names | None = None,
    volume: Names | None = None,
) -> Filter:
    """The requested filter, false if it is empty; RequestError that names the option of an invalid value."""
    from iosq.toolkit.sql.filter import Filter

    begin, end = instant_of("--since", since), instant_of("--until", until, end=True)
    if begin and end and begin.is_utc == end.is_utc and begin.at >= end.at:
        raise RequestError(f"{until} is not after {since}", place="--until", remedy="give a later time")
    return Filter(
        begin,
        end,
        _names("--system", system, _NAME),
        tuple(dict.fromkeys(name.zfill(4) for name in _names("--lcu", lcu, _LCU))),
        _names("--volume", volume, _NAME),
    )


def single(option: str, values: tuple[str, ...]) -> str | None:
    """The only value of an option that takes one value, or None; RequestError if several are given."""
    if len(values) > 1:
        raise RequestError(f"{', '.join(values)} can't be combined", place=option, remedy="name one of them")
    return values[0] if values else None


def instant_of(option: str, when: When | None, *, end: bool = False) -> Instant | None:
    """An instant in local time or in UTC (with Z); a date as an `end` includes that day; None for None.

    RequestError that names the option if the text is not a date or time.
    """
    from iosq.toolkit.sql.filter import instant

    try:
        return instant(when if isinstance(when, str) else when.isoformat(), end=end) if when else None
    except IosqError as error:
        raise RequestError(error.what, place=option, remedy=error.remedy) from error


def _names(option: str, values: Names | None, form: re.Pattern[str]) -> tuple[str, ...]:
    listed = [values] if isinstance(values, str) else list(values or ())
    wrong = [v for v in listed if not form.fullmatch(v)]
    if wrong:
        what = "up to four hexadecimal digits" if form is _LCU else "a name of up to eight characters"
        raise RequestError(f"{wrong[0]!r} is not {what}", place=option)
    return tuple(dict.fromkeys(v.upper() for v in listed))


def known_of(machine: str | None, read_ratio: float | None, footprint_gb: float | None) -> Known:
    """The box assumptions given by the user, for data that the lake lacks; RequestError that names a wrong option."""
    from iosq.models.queueing.checks import positive, ratio
    from iosq.toolkit.advise.finding import Known
    from iosq.toolkit.predict.sources import named

    if footprint_gb is not None:
        positive(**{"--footprint-gb": footprint_gb})
    if read_ratio is not None:
        ratio(**{"--read-ratio": read_ratio})
    if machine is not None:
        named(machine)  # an unknown machine is an error even if no finding uses it
    return Known(machine, read_ratio, footprint_gb)
