"""Show instants in local time with its offset, or in UTC; the heading names the clock."""

import datetime as dt
import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import shown

# a column's name, or min, max or any_value of it
_NAMED = re.compile(r"(?:(?:min|max|any_value)\(\W*)?(\w+)\W*\)?", re.IGNORECASE)
PRINTED: Final = "local as printed"
Zone = Literal["UTC", "local as printed", "UTC or local as printed"]
_LOCAL = "_local"
_OFFSET, _SYSTEM = "utc_offset_s", "system"


@dataclass(frozen=True, slots=True)
class Clock:
    """Clocks and offsets of a lake.

    `instants`: names of columns in UTC. `offsets`: seconds local time is ahead of UTC, by system (several if
    clocks were changed). `utc`: the reader wants UTC. `without_offset`: the zone of instants in rows without an
    offset; in rows of listings they may be local times as printed.
    """

    instants: Container[str]
    offsets: Mapping[str, frozenset[int]] = field(default_factory=dict)
    utc: bool = False
    without_offset: Zone = "UTC"

    def is_instant(self, name: str) -> bool:
        found = _NAMED.fullmatch(name)
        return bool(found and found[1] in self.instants)

    def in_file(self, name: str) -> str:
        """The name of a column in a file: with `_local` for instants if no row has an offset."""
        return name + _LOCAL if self.without_offset == PRINTED and name in self.instants else name

    def read(self, names: Sequence[str], rows: Sequence[Sequence[Any]]) -> tuple[list[str], list[list[Any]]]:
        """Headings and rows with instants in local time, as text if their offsets differ.

        Instants stay in UTC if the reader wants UTC, or if the offset of a row is unknown.
        """
        at = [place for place, name in enumerate(names) if self.is_instant(name)]
        offsets = [self._offset(dict(zip(names, row, strict=True))) for row in rows] if at else []
        heads, cells = list(names), [list(row) for row in rows]
        known = [offset for offset in offsets if offset is not None]
        if self.utc or len(known) < len(offsets) or not offsets:
            for place in at:
                heads[place] += f", {self._as_they_are(len(known), len(offsets))}"
            return heads, cells
        is_common = len(set(known)) == 1
        for place in at:
            heads[place] += f", local ({spoken(known[0])})" if is_common else ", local"
            for row, offset in zip(cells, known, strict=True):
                row[place] = _moved(row[place], offset, is_common)
        return heads, cells

    def _as_they_are(self, known: int, rows: int) -> str:
        """The name of the clock for instants that are not converted to local time."""
        if known and known == rows:
            return "UTC"
        return "UTC or local as printed" if known and self.without_offset == PRINTED else self.without_offset

    def _offset(self, row: Row) -> int | None:
        """Seconds that a row's local time is ahead of UTC; None if unknown."""
        if row.get(_OFFSET) is not None:
            return int(row[_OFFSET])
        if self.without_offset != "UTC":
            return None
        possible = self.offsets.get(row.get(_SYSTEM, ""), frozenset())
        if not possible:
            possible = frozenset().union(*self.offsets.values())
        return next(iter(possible)) if len(possible) == 1 else None


def _moved(value: Any, offset: int, is_common: bool) -> Any:
    if not isinstance(value, dt.datetime):
        return value
    local = value + dt.timedelta(seconds=offset)
    return local if is_common else f"{shown(local)} {spoken(offset)}"


def span(first: dt.datetime, last: dt.datetime, offset: int | None, utc: bool = False, *, printed: bool = False) -> str:
    """A span of two UTC instants in words: `2025-11-18 00:00 to 2025-11-18 23:45, local (+01:00)`.

    `offset`: seconds local time is ahead; None if systems differ or it is unknown: UTC is shown. `printed`: the
    instants are local times as listings print them, with an unknown offset.
    """
    if printed:
        return f"{shown(first)} to {shown(last)}, {PRINTED}"
    if utc or offset is None:
        return f"{shown(first)} to {shown(last)} UTC"
    ahead = dt.timedelta(seconds=offset)
    return f"{shown(first + ahead)} to {shown(last + ahead)}, local ({spoken(offset)})"


def moment(at: dt.datetime, offset: int | None, utc: bool = False) -> str:
    """A single instant in words, in the form of `span`: `2025-11-18 09:15, local (+01:00)`."""
    if utc or offset is None:
        return f"{shown(at)} UTC"
    return f"{shown(at + dt.timedelta(seconds=offset))}, local ({spoken(offset)})"


def in_file(name: str, offset: int | None) -> str:
    """The name of an instant in a file: with `_local` if its offset is unknown, otherwise unchanged."""
    return name + _LOCAL if offset is None else name


def worded(text: str, utc: bool) -> str:
    """The text, with `local time` replaced by `UTC` if `utc`."""
    return text.replace("local time", "UTC") if utc else text


def spoken(offset: int) -> str:
    """`+01:00` for 3,600 seconds."""
    minutes = abs(offset) // 60
    return f"{'-' if offset < 0 else '+'}{minutes // 60:02}:{minutes % 60:02}"
