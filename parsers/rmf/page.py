"""Reads the head of a page by its labels: title, system, interval and storage subsystem."""

import re
from functools import cache, lru_cache

from iosq.parsers.rmf.times import Interval, hours, minutes, stamp
from iosq.parsers.rmf.words import Words, words
from iosq.toolkit.rows import toml

# `C A C H E   S U B S Y S T E M`: characters one blank apart, words further apart; some titles start with `I/O`
_SPACED = re.compile(
    r"\s*((?:I/O\s+)?[A-Z] (?:[A-Z0-9/&] ){2,}(?:\s*(?:[A-Z0-9/&]|I/O)(?= |$))*)\s*(?:PAGE\s+\d+\s*)?\Z"
)
_SCREEN = re.compile(r"\s*RMF\s+(?:-\s*([A-Z]+)|V\d+R\d+\s+(\S+(?: \S+)*?))(?=\s+-\s|\s{2,})")
_GAP = re.compile(r"\s{2,}")

SLACK = 3660.0  # most seconds that a duration exceeds END minus START: clocks set back, rounding
LABELS = ("labels",)  # groups of labels on every page

# labels that identify a line as part of the page head, as no row of numbers has them
STRONG = frozenset({"system", "version", "samples", "page", "cache_date", "type_model", "subsystem", "volser", "iodf"})


@lru_cache(1024)  # the lines above the rows repeat on every page
def title(line: str) -> Words | None:
    """The words of a title with spaced letters, or of a Monitor screen's first line; None if the line is neither."""
    bare = line.lstrip()
    if bare[1:2] != " " and not bare.startswith(("RMF", "I/O ")):  # fast, since it runs for every line
        return None
    screen = _SCREEN.match(line)
    if screen:
        return words(f"RMF {screen.group(1) or screen.group(2)}")
    found = _SPACED.match(line)
    if found is None:
        return None
    return words(" ".join(part.replace(" ", "") for part in _GAP.split(found.group(1).strip())))


@cache
def _labels(group: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    raw = toml("iosq.parsers.rmf", "page.toml")
    return tuple((key, re.compile(pattern)) for key, pattern in raw[group].items())


@lru_cache(1024)  # the pages of an interval have the same head
def labels(line: str, groups: tuple[str, ...] = LABELS) -> tuple[dict[str, str], str]:
    """Values of a page head line by label (read-only), and the line with these texts blanked.

    `groups` are sections of `page.toml` with the labels to search for.
    """
    found: dict[str, str] = {}
    for group in groups:
        for key, pattern in _labels(group):
            match = pattern.search(line)
            if match:
                found[key] = (match.group(1) or "") if match.re.groups else match.group()
                line = line[: match.start()] + " " * len(match.group()) + line[match.end() :]
    return found, line


def interval(head: dict[str, str]) -> Interval:
    """The interval of a page: interval reports have DATE, TIME and minutes, duration reports START and hours.

    Rates of cache reports are per second of the cache gatherer's interval (CDATE, CTIME, CINT), which takes precedence:
    if it is printed but unreadable, no other interval replaces it.
    """
    start, seconds = stamp(f"{head.get('date')}-{head.get('time')}"), minutes(head.get("interval", ""))
    if "start" in head:
        start, seconds = stamp(head["start"]), hours(head.get("interval", ""))
        end = stamp(head.get("end", ""))
        if start and end and seconds and seconds > (end - start).total_seconds() + SLACK:
            seconds = None
    if "cache_date" in head:
        start = stamp(f"{head['cache_date']}-{head.get('cache_time')}") or start
        cache_length = hours if "start" in head else minutes
        seconds = cache_length(head["cache_interval"]) if "cache_interval" in head else seconds
    if "screen_date" in head:
        month, day, year = head["screen_date"].split("/")
        start = stamp(f"{month}/{day}/20{year}-{head.get('screen_time')}")
        seconds = float(head["screen_range"]) if "screen_range" in head else None
    return Interval(system=head.get("system"), start=start, seconds=seconds)
