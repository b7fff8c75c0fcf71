"""Detects the repeated hour when clocks are set back: a listing prints its times twice without distinction."""

from dataclasses import replace
from datetime import datetime, timedelta

from iosq.parsers.listing.notes import Notes
from iosq.parsers.rmf.times import Interval

HOUR = timedelta(hours=1)
# clocks are set back around midnight or early in the morning; a listing that goes back at noon was joined from two
NIGHT = frozenset({22, 23, 0, 1, 2, 3})


class Setback:
    """Tracks the intervals of a listing; those of one report, system and length are in time order."""

    def __init__(self) -> None:
        self._latest: dict[tuple[str, str, int], datetime] = {}
        self._passed: dict[tuple[str, str, int], datetime] = {}  # intervals up to here occur twice

    def parted(self, report: str, interval: Interval, notes: Notes, line: int) -> Interval:
        """The interval; without its start, and with an issue, if it is in the second pass of a repeated hour."""
        if not self._again(report, interval):
            return interval
        text = f"time goes back to {interval.start:%Y-%m-%d %H:%M}, as when clocks are set back: rows kept without time"
        notes.add("hour_repeated", "data_loss", text, line)
        return replace(interval, start=None)

    def _again(self, report: str, interval: Interval) -> bool:
        """True if an interval is in the second pass of a repeated hour.

        Intervals of an hour are not detected: the second one looks like another page of the first.
        """
        if interval.start is None or interval.utc_offset_s is not None or not interval.system or not interval.seconds:
            return False
        key = report, interval.system, round(interval.seconds / 60)
        latest = self._latest.get(key, interval.start)
        if latest - HOUR <= interval.start < latest and interval.start.hour in NIGHT:
            self._passed[key] = latest
        if interval.start <= self._passed.get(key, datetime.min):
            return True
        self._latest[key] = interval.start
        return False
