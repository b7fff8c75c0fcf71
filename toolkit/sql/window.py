"""The time range of a query, and the views with rows that depend only on a day and the hours around it.

Views join overlapping intervals. With `reach: a day` in the header they read records at most `REACH_US` around it.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

import duckdb

from iosq.toolkit.sql.catalog import View
from iosq.toolkit.sql.filter import Filter, Instant
from iosq.toolkit.sql.raw import literal

DAY_US = 86_400_000_000  # header text for a lookback of one day
_RECORDS = "smf"  # what reads listings and monitor records looks for clocks and counters days away
_CHAIN = 4  # intervals: three consecutive overlaps, and the requested one
REACH_US = _CHAIN * 3_600_000_000  # RMF's longest interval is an hour


class Window(NamedTuple):
    """From when until when, both included, in microseconds since 1970; None: from the beginning or to the end."""

    since_us: int | None = None
    until_us: int | None = None

    def __bool__(self) -> bool:
        return self != (None, None)

    def holds(self, day: int | None) -> bool:
        """True if a day (since 1970, UTC) has any of it; rows without a time may be of any."""
        if day is None:
            return True
        return (self.since_us is None or (day + 1) * DAY_US > self.since_us) and (
            self.until_us is None or day * DAY_US <= self.until_us
        )

    def reaches(self, first_us: int | None, last_us: int | None) -> bool:
        """True if views with `reach: a day` may read records of a span for it; those without a time may be of any."""
        if first_us is None or last_us is None:
            return True
        return (self.since_us is None or last_us >= self.since_us - REACH_US) and (
            self.until_us is None or first_us <= self.until_us + REACH_US
        )


def of_filter(where: Filter) -> Window:
    """The time that a filter leaves."""
    since = _utc_us(where.since, -DAY_US) if where.since else None
    return Window(since, _utc_us(where.until, DAY_US) if where.until else None)


def of_records(table: str) -> bool:
    """True if a day's rows of views need the rows of a raw table within reach only."""
    return table.startswith(_RECORDS)


def daily_views(views: Sequence[View], raw: Collection[str]) -> list[View]:
    """The views whose rows of a day are made of the files within reach of it.

    `views`: each after those it reads, without sources that give no rows. `raw`: the raw tables that have rows.
    """
    read: dict[str, frozenset[str]] = {}  # below each view: raw tables
    near: set[str] = set()
    for view in views:
        below = view.reads & read.keys() - {view.name}
        read[view.name] = (view.reads & frozenset(raw)).union(*(read[name] for name in below))
        is_timed = all(map(of_records, read[view.name]))
        near |= {view.name} if view.is_near and is_timed and below <= near else set()
    return [v for v in views if v.name in near and _is_timed(v)]


def joined_views(views: Sequence[View], daily: Sequence[View], raw: Collection[str]) -> dict[str, frozenset[str]]:
    """The views whose rows of a day are made of daily views, records and dimensions, with the dimensions of each.

    Dimensions are stored views about the whole lake, made of no such view themselves. `views` and `raw` are as for
    `daily_views`, which gives `daily`.
    """
    known, near = {v.name: v for v in views}, {v.name for v in daily}
    found: dict[str, frozenset[str]] = {}
    above = set[str]()  # what is made of those found
    for view in (v for v in views if v.name not in near):
        below = view.reads & known.keys() - {view.name}
        others = below - near - found.keys()
        fit = all(known[name].is_stored and not known[name].is_near for name in others) and not others & above
        if fit and _is_timed(view) and all(map(of_records, view.reads & set(raw))):
            found[view.name] = others
        elif below & (above | found.keys()):
            above.add(view.name)
    return found


def _is_timed(view: View) -> bool:
    return view.is_near and any(c.name == "interval_start" for c in view.columns)


def lookback_us(lengths: Iterable[tuple[str, Sequence[str]]]) -> int:
    """Largest distance between an interval and the records of its rows: at most `REACH_US`.

    `lengths`: columns with lengths in seconds, each with the Parquet files that have it.
    """
    longest = 0.0
    with duckdb.connect(":memory:") as con:
        for column, files in lengths:
            listed = ", ".join(literal(f) for f in files)
            found = con.execute(f"SELECT max({column}) FROM read_parquet([{listed}], hive_partitioning = false)")
            longest = max([longest, *(seconds for (seconds,) in found.fetchall() if seconds is not None)])
    return min(_CHAIN * round(longest * 1e6), REACH_US)


def _utc_us(instant: Instant, zone_us: int) -> int:
    """Local time is less than a day from UTC."""
    us = (instant.at - datetime(1970, 1, 1)) // timedelta(microseconds=1)
    return us + (0 if instant.is_utc else zone_us)
