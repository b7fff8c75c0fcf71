"""Filters of a lake for all queries: a span of time, systems, control units or volumes.

A filter applies to every view that has its column. Views with rows per interval or per period of validity are computed
from the whole lake and filtered afterwards, so that a value is the same with and without a filter. Views about the
whole span (such as `pav_candidate`) are computed from the filtered rows. Views about subsystems have no LCU and no
volume: they keep the whole boxes of the selected LCUs and volumes.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from iosq.toolkit.errors import RequestError
from iosq.toolkit.sql.catalog import View
from iosq.toolkit.sql.raw import literal, quoted

_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_CLOCK = re.compile(r"T?(\d\d:\d\d(?::\d\d)?)")
FOLLOWED = ("subsystem", "box", "volser")
# columns of an option's values; a device without a serial is in `volume` alone
COLUMNS = {
    "--since": ("interval_start",), "--until": ("interval_start",), "--system": ("system",), "--lcu": ("lcu",),
    "--volume": ("volume", "volser"),
}  # fmt: skip
_REMEDY = "write 2025-11-18, 2025-11-18T08:00 (the system's local time) or 2025-11-18T07:00Z"


@dataclass(frozen=True, slots=True)
class Instant:
    """A moment in the local time of the measuring system, or in UTC."""

    at: datetime
    is_utc: bool = False

    def sql(self, view: View) -> str:
        """The moment as UTC, in terms of a view's columns."""
        text = f"TIMESTAMP {literal(self.at.isoformat(sep=' '))}"
        local = not self.is_utc and any(c.name == "utc_offset_s" for c in view.columns)
        return shifted(text, "-coalesce(utc_offset_s, 0)") if local else text


def shifted(moment: str, seconds: str) -> str:
    """SQL of a moment some seconds later."""
    return f"CAST(timestamp_micros(unix_micros({moment}) + CAST({seconds} AS BIGINT) * 1000000) AS TIMESTAMP)"


def instant(text: str, *, end: bool = False) -> Instant:
    """Read a date or an ISO instant, RequestError if it is neither; a date as an `end` includes that day."""
    day, midnight, _ = text.partition("T24:00")
    if midnight and _DATE.fullmatch(day):
        return instant(day, end=True)
    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        raise RequestError(f"{text!r} is not a date or time", remedy=_REMEDY) from error
    if end and _DATE.fullmatch(text):
        found += timedelta(days=1)
    if found.tzinfo is None:
        return Instant(found)
    return Instant(found.astimezone(UTC).replace(tzinfo=None), is_utc=True)


@dataclass(frozen=True, slots=True)
class Filter:
    """Selected data: intervals that start from `since` until before `until`, of these systems, LCUs and volumes.

    Empty parts restrict nothing. Volumes are volume serials, or devices where a volume has none. Views about subsystems
    and boxes follow the boxes that the LCUs and volumes are in (see `iosq.toolkit.sql.connect`): NVS, destage and cache
    are the box's, and a part of them would be no box's. Data sets follow the volumes of the LCUs.
    """

    since: Instant | None = None
    until: Instant | None = None
    systems: tuple[str, ...] = ()
    lcus: tuple[str, ...] = ()
    volumes: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.since or self.until or self.systems or self.lcus or self.volumes)

    @property
    def names(self) -> dict[str, tuple[str, ...]]:
        """The systems, LCUs and volumes by their options."""
        return {"--system": self.systems, "--lcu": self.lcus, "--volume": self.volumes}

    @property
    def given(self) -> list[str]:
        """The options that define it."""
        return [option for option, part in {"--since": self.since, "--until": self.until, **self.names}.items() if part]

    def span(self) -> "Filter":
        """The times alone."""
        return Filter(self.since, self.until)

    def named(self) -> "Filter":
        """The systems, LCUs and volumes alone."""
        return replace(self, since=None, until=None)

    def misses(self, view: View) -> list[str]:
        """Options that cannot filter a view's rows: it has no column for them."""
        names = {c.name for c in view.columns}
        return [option for option in self.given if names.isdisjoint(COLUMNS[option])]

    def condition(self, view: View) -> str:
        """The SQL condition on a view's rows; empty if it has none of the columns."""
        names = {c.name for c in view.columns}
        parts, found = self._times(view), {option: [n for n in COLUMNS[option] if n in names] for option in self.names}
        parts += [among(found[option], values) for option, values in self.names.items() if found[option]]
        parts += [_near(found["--volume"][0], self.volumes)] if found["--volume"] else []
        return " AND ".join(p for p in parts if p)

    def follows(self, view: View) -> str:
        """The column through which a view without LCU or volume is filtered; empty if it needs none."""
        names = {c.name for c in view.columns}
        lost = (self.lcus and "lcu" not in names) or (self.volumes and not names & {"volume", "volser"})
        if not lost or not names & {"interval_start", "since"}:
            return ""
        return next((c for c in FOLLOWED if c in names), "")

    def _times(self, view: View) -> list[str]:
        """Conditions on the start of an interval, or on the validity of a row."""
        names = {c.name for c in view.columns}
        begins, ends = ("interval_start", "interval_start >=") if "interval_start" in names else ("since", "until >")
        ends = "last_seen >=" if {"interval_start", "last_seen"} <= names else ends  # a row of several intervals
        if begins not in names:
            return []
        since = [f"{ends} {self.since.sql(view)}"] if self.since else []
        return since + ([f"{begins} < {self.until.sql(view)}"] if self.until else [])


def among(columns: Sequence[str], values: Sequence[str]) -> str:
    """The SQL condition that any of some columns has one of some values; empty without values."""
    listed = ", ".join(literal(v) for v in values)
    return f"({' OR '.join(f'{quoted(c)} IN ({listed})' for c in columns)})" if values else ""


def _near(column: str, values: Sequence[str]) -> str:
    """A range around some volumes: a name begins with its serial. An OR over two columns would read all of a file."""
    name = quoted(column)
    return f"{name} >= {literal(min(values))} AND {name} < {literal(max(values) + '!')}" if values else ""


def span(text: str) -> Filter:
    """Read `2025-11-18..2025-11-19`, `2025-11-18T08:00..T12:00` or one date: the end is exclusive unless a date.

    RequestError if it is not a span, or ends before it begins.
    """
    first, dots, last = text.partition("..")
    begin, clock = instant(first), _CLOCK.fullmatch(last)
    if clock:
        last = f"{begin.at.date().isoformat()}T{clock[1]}{'Z' if begin.is_utc else ''}"
    end = instant(last if dots else first, end=True)
    if begin.at >= end.at and begin.is_utc == end.is_utc:
        raise RequestError(f"{text!r} ends before it begins", remedy="write the earlier one first")
    return Filter(begin, end)
