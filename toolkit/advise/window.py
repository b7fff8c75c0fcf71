"""When it was worst: runs of bad intervals as SQL, and as words."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

# the system's local time in microseconds, of any view of intervals
LOCAL = "unix_micros(local_start) AS start_us, unix_micros(local_end) AS end_us"
_EPOCH = dt.datetime(1970, 1, 1)


DAY_S = 86400


def a_day(lost_s: float, span_s: float) -> float:
    """I/O time lost a day, from what a span lost: a part of a day says nothing about the rest of it."""
    return lost_s * DAY_S / max(span_s, DAY_S)


def worst_window(bad: str, keys: str) -> str:
    """Common table expressions that end in `worst`: the run of bad intervals that lost most, one row per key.

    Args:
        bad: a relation named before, one row per key and bad interval, with `start_us`, `end_us` and `lost`.
        keys: its key columns, separated by commas.

    `worst` has the keys, `window_start_us`, `window_end_us`, `bad_intervals` (of all runs) and `runs`. One good
    interval does not end a run.
    """
    return f"""marked AS (
    SELECT {keys}, start_us, end_us, lost,
           CASE WHEN 2 * start_us - end_us <= lag(end_us) OVER (PARTITION BY {keys} ORDER BY start_us)
                THEN 0 ELSE 1 END AS begins
    FROM {bad}
), numbered AS (
    SELECT {keys}, start_us, end_us, lost, sum(begins) OVER (PARTITION BY {keys} ORDER BY start_us) AS run
    FROM marked
), run AS (
    SELECT {keys}, run, min(start_us) AS window_start_us, max(end_us) AS window_end_us, sum(lost) AS lost,
           count(*) AS intervals
    FROM numbered GROUP BY {keys}, run
), placed AS (
    SELECT {keys}, window_start_us, window_end_us, sum(intervals) OVER (PARTITION BY {keys}) AS bad_intervals,
           count(*) OVER (PARTITION BY {keys}) AS runs,
           row_number() OVER (PARTITION BY {keys} ORDER BY lost DESC, window_start_us) AS place
    FROM run
), worst AS (
    SELECT {keys}, window_start_us, window_end_us, bad_intervals, runs FROM placed WHERE place = 1
)"""


def period(row: Mapping[str, Any]) -> str:
    """When it was bad, from a row of `worst`: its only window, or the worst of several."""
    window = spoken(row["window_start_us"], row["window_end_us"])
    return window if row["runs"] == 1 else f"{row['runs']} times, worst {window}"


def _minute(micros: int) -> dt.datetime:
    return _EPOCH + dt.timedelta(minutes=round(micros / 60_000_000))


def spoken(start_us: int, end_us: int) -> str:
    """A window in words: `01:30-04:30 on 2026-03-02`, or both dates where it runs over midnight.

    Args:
        start_us: local time, microseconds since 1970 without a zone.
        end_us: the same; midnight belongs to the day before it.
    """
    start, end = _minute(start_us), _minute(end_us)
    midnight = end.hour == end.minute == 0 and end - start <= dt.timedelta(days=1)
    if (end - dt.timedelta(minutes=1)).date() == start.date():
        return f"{start:%H:%M}-{'24:00' if midnight else f'{end:%H:%M}'} on {start:%Y-%m-%d}"
    return f"{start:%Y-%m-%d %H:%M} to {end:%Y-%m-%d %H:%M}"
