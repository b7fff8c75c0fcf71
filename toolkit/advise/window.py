"""The worst time in words, and the lost time per day."""

import datetime as dt
from dataclasses import dataclass, replace

from iosq.toolkit.rows import Row

# a span of this share of a day counts as a full day: our choice
NEARLY = 0.99
_DAY_H = 24
EPOCH = dt.datetime(1970, 1, 1)


@dataclass(frozen=True, slots=True)
class Episode:
    """When it was bad: local start and end of the worst run; bad intervals and days with one, of all runs.

    `first`: local start of the first run, where that is not the worst one. `last` is the day of the last run, where the
    worst was on another one; `until` is the local end of that run.
    """

    start: dt.datetime
    end: dt.datetime
    intervals: int
    days: int
    first: dt.datetime | None = None
    last: dt.date | None = None
    until: dt.datetime | None = None

    @property
    def whole(self) -> "Episode":
        """The time from the first bad interval to the last one."""
        return replace(self, start=self.first_seen, end=self.last_seen)

    @property
    def in_us(self) -> dict[str, float]:
        """The parameters `start_us` and `end_us` of questions: the worst run, local time."""
        start, end = ((at - EPOCH) / dt.timedelta(microseconds=1) for at in (self.start, self.end))
        return {"start_us": start, "end_us": end}

    @property
    def is_one_run(self) -> bool:
        """True if all bad intervals are in the worst run."""
        return self.first_seen == self.start and self.last_seen == self.end

    def differs_by(self, other: "Episode") -> dt.timedelta:
        """How far apart they begin or end, whichever is more, each from its first bad interval to its last one."""
        mine, theirs = self.whole, other.whole
        return max(abs(mine.start - theirs.start), abs(mine.end - theirs.end))

    def ends(self, days: float) -> "tuple[Episode, Episode] | None":
        """The first and the last quarter of the whole time, if it lasts that many days or longer."""
        start, end = self.first_seen, self.last_seen
        quarter = (end - start) / 4
        parts = replace(self, start=start, end=start + quarter), replace(self, start=end - quarter, end=end)
        return parts if end - start >= dt.timedelta(days=days) else None

    @property
    def first_seen(self) -> dt.datetime:
        """Local start of the first bad interval."""
        return self.first or self.start

    @property
    def last_seen(self) -> dt.datetime:
        """Local end of the last bad interval."""
        return self.until or self.end


# of a finding that is about all of the time measured
ALWAYS = Episode(EPOCH, dt.datetime(2100, 1, 1), 0, 1)


def episode(row: Row) -> Episode | None:
    """The same from a row with a worst run (see `worst_run.sql`); None where a damaged listing lacks its end."""
    start, end = row["window_start"], row["window_end"]
    if end is None:
        return None
    last = _day(row["last_end"])
    last = None if last == _day(end) else last
    return Episode(start, end, row["bad_intervals"], row["bad_days"], row["first_start"], last, row["last_end"])


def a_day(lost_s: float, days: float | None) -> float:
    """Lost I/O time per day; a partial day (or an unknown span) is not extrapolated."""
    return lost_s / max(days or 0.0, 1.0)


def less_than_a_day(days: float | None, recorded_s: float | None) -> float | None:
    """The seconds measured, where all of them are one part of a day; else None."""
    is_less = recorded_s and (days or 0.0) < 1 / NEARLY and recorded_s < NEARLY * 86_400
    return recorded_s if is_less else None


def period(row: Row) -> str:
    """When it was bad, from a row with a worst run (see `worst_run.sql`): its window, or how often and the worst."""
    start, end, every, often = row["window_start"], row["window_end"], row.get("every_h"), f"{row['runs']} times"
    if row["runs"] == 1:
        return spoken(start, end)
    if every and every >= _DAY_H and end and end - start < dt.timedelta(hours=_DAY_H):
        first, last = row["first_start"].date(), _day(row["last_end"])
        if every != _DAY_H:
            return f"on {start:%A}s {_hours(start, end)}, {often}"
        share = row["runs"] / ((last - first).days + 1) if last else 0
        days = "every day" if share >= 1 else "most days" if 2 * share > 1 else f"{often} at"
        return f"{days} {_hours(start, end)} from {first}{f' to {last}' if last else ''}"
    return f"{_every(every) if every else ''}{often}, worst {spoken(start, end)}"


def _every(hours: float) -> str:
    if hours < 1:
        return f"every {60 * hours:.0f} min, "
    return "every hour, " if hours == 1 else f"every {hours:.0f} hours, "


def _day(end: dt.datetime | None) -> dt.date | None:
    """Midnight belongs to the day before it."""
    return (_minute(end) - dt.timedelta(minutes=1)).date() if end else None


def rests_on(row: Row) -> str:
    """Length and scope of the measurement, in words.

    Args:
        row: with `hours` measured, `system_names` separated by `|` and `has_month_end`.
    """
    names = sorted(set(row["system_names"].split("|")))
    systems = f"system{'s' if len(names) > 1 else ''} {', '.join(names)}"
    days = f"{row['hours'] / 24:.0f} days" if row["hours"] >= 36 else f"{row['hours']:.0f} hours"
    return f"{days} of {systems}, {'a' if row['has_month_end'] else 'no'} month's end among them"


def _minute(at: dt.datetime) -> dt.datetime:
    """The nearest full minute."""
    return (at + dt.timedelta(seconds=30)).replace(second=0, microsecond=0)


def spoken(start: dt.datetime, end: dt.datetime | None) -> str:
    """A window in words: `01:30-04:30 on 2026-03-02`, with both dates if it crosses midnight.

    Args:
        start: local time.
        end: the same; midnight belongs to the day before it. None: a damaged listing lacks the length.
    """
    if end is None:
        return f"from {_minute(start):%H:%M on %Y-%m-%d}"
    start, end = _minute(start), _minute(end)
    if (end - dt.timedelta(minutes=1)).date() == start.date():
        return f"{_hours(start, end)} on {start:%Y-%m-%d}"
    return f"{start:%Y-%m-%d %H:%M} to {end:%Y-%m-%d %H:%M}"


def _hours(start: dt.datetime, end: dt.datetime) -> str:
    """Times of day: `22:00-24:00`."""
    start, end = _minute(start), _minute(end)
    midnight = end.hour == end.minute == 0 and end - start <= dt.timedelta(days=1)
    return f"{start:%H:%M}-{'24:00' if midnight else f'{end:%H:%M}'}"
