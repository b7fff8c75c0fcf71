"""Detects intervals printed more than once in a listing, and decides which printing counts.

Local time repeats an hour when clocks go back, and joined listings may overlap. Rows of two printings must never be
combined into one interval: a volume would get its base from one and its alias from the other. Pages series intervals
all start where the first one does are cumulative means: only the first is an interval.
"""

from bisect import bisect_left, insort
from collections import deque
from dataclasses import dataclass, field
from datetime import datetime

from iosq.parsers.api import Issue, Severity
from iosq.parsers.fcx.pages import Page

MOST = 300_000  # row keys kept: an hour of one-minute intervals for 5000 devices
SAME_RATIO = 2  # interval lengths that differ by more are a part and the whole, not two printings
GROWN = 1.5  # length ratio from which an interval with the same start is a cumulative mean
LAP = 0.1  # overlap, as a share of the shorter interval, that is tolerated: pages end and start seconds apart

Series = tuple[str, str | None]
Key = tuple[str, ...]
"""The first two words of a row."""


@dataclass(slots=True, eq=False)
class Printing:
    """Adjacent pages of one interval: keys of their rows, and hashes of their texts."""

    start: float
    seconds: float
    line: int
    keys: set[Key] = field(default_factory=set)
    texts: set[int] = field(default_factory=set)
    pages: list[Page] = field(default_factory=list)
    again: bool = False

    def same_time(self, other: "Printing") -> bool:
        """True if the middle of each interval is inside the other, and their lengths are similar."""
        short, long = sorted((self.seconds, other.seconds))
        distance = self.start - other.start + (self.seconds - other.seconds) / 2
        return long <= SAME_RATIO * short and abs(distance) < short / 2

    def grows_from(self, other: "Printing") -> bool:
        """True if the other interval is the first part of this one."""
        return self.start == other.start and self.seconds >= GROWN * other.seconds

    def shared_s(self, other: "Printing") -> float:
        """Seconds that both cover; 0 if one contains the other."""
        first, last = sorted((self, other), key=lambda p: p.start)
        ends = first.start + first.seconds, last.start + last.seconds
        shared = ends[0] - last.start
        is_part = first.start == last.start or ends[1] <= ends[0]
        return 0.0 if is_part or shared <= LAP * min(first.seconds, last.seconds) else shared


class Passes:
    """Tracks the pages of a listing and marks those that print an interval again with other numbers."""

    def __init__(self) -> None:
        self._open: dict[Series, Printing] = {}
        self._starts: dict[Series, list[tuple[float, int]]] = {}
        self._known: dict[int, Printing] = {}
        self._order: deque[tuple[Series, Printing]] = deque()
        self._key_count = 0

    def page(self, page: Page, rows: list[str]) -> Issue | None:
        """Add the rows of a page (or of its next part); return an issue if a second printing of an interval starts."""
        if page.start is None or not page.seconds or not rows:
            return None
        series, start = (page.report, page.system), _second(page.start)
        keys, text = {tuple(line.split(None, 2)[:2]) for line in rows}, hash(tuple(map(str.rstrip, rows)))
        now = self._open.get(series)
        if now is None or (now.start, now.seconds) != (start, page.seconds) or not _goes_on(now, keys, text):
            now = self._open[series] = Printing(start, page.seconds, page.line)
        now.pages.append(page)
        found = [] if now.again else [p for p in self._near(series, now) if p is not now and p.keys & keys]
        before = _before(found, now, text)
        laps = None if before or len(now.pages) > 1 else next((p for p in found if now.shared_s(p)), None)
        now.again = now.again or before is not None
        if not now.again:
            self._keep(series, now, keys, text)
        for taken in now.pages:
            taken.again = now.again
        if before:
            return _grows(page, before) if now.grows_from(before) else _changed(page, before)
        return _laps(page, laps, now.shared_s(laps)) if laps else None

    def _near(self, series: Series, now: Printing) -> list[Printing]:
        starts = self._starts.get(series, [])
        reach = SAME_RATIO * now.seconds
        first, last = bisect_left(starts, (now.start - reach, 0)), bisect_left(starts, (now.start + reach, 0))
        return [self._known[name] for _, name in starts[first:last]]

    def _keep(self, series: Series, now: Printing, keys: set[Key], text: int) -> None:
        if not now.keys:
            self._known[id(now)] = now
            self._order.append((series, now))
            insort(self._starts.setdefault(series, []), (now.start, id(now)))
        self._key_count += len(keys - now.keys)
        now.keys |= keys
        now.texts.add(text)
        while self._key_count > MOST and len(self._order) > 1:
            self._forget(*self._order.popleft())

    def _forget(self, series: Series, old: Printing) -> None:
        starts = self._starts[series]
        del starts[bisect_left(starts, (old.start, id(old)))]
        del self._known[id(old)]
        self._key_count -= len(old.keys)


def _before(found: list[Printing], now: Printing, text: int) -> Printing | None:
    """The earlier printing, of those with the same keys, of this interval; None if this page is a copy of it."""
    growing = [p for p in found if now.grows_from(p)]
    # a mean over several printed intervals does not count as a repetition
    means = [] if any(p.start > now.start for p in found) else growing
    earlier = [p for p in found if p.same_time(now) and p not in growing] + means
    return None if any(text in p.texts for p in earlier) else next(iter(earlier), None)


def _goes_on(now: Printing, keys: set[Key], text: int) -> bool:
    """True if a page of the same span continues the printing: it has only new rows, or is a copy."""
    return now.again or text in now.texts or not now.keys & keys


def _second(moment: datetime) -> float:
    return (moment - datetime(1970, 1, 1)).total_seconds()


def _changed(page: Page, before: Printing) -> Issue:
    text = f"{page.start} is printed again, with other numbers than in line {before.line} ff. (clocks set back?)"
    return _issue("fcx.repeat", "data_loss", page, f"{text}: rows kept without time")


def _grows(page: Page, before: Printing) -> Issue:
    text = f"the page to {page.end} begins when line {before.line} ff. does: a growing mean, rows kept without time"
    return _issue("fcx.cumulative", "data_loss", page, f"{text}. Print INTERIM pages or DEVLOG (FCX168)")


def _laps(page: Page, before: Printing, shared_s: float) -> Issue:
    text = (
        f"{page.start} ff. overlaps line {before.line} ff. by {shared_s:.0f} s: one of them counts if it holds the "
        "middle of the other, else both, and I/Os of that time twice. Print intervals that don't overlap"
    )
    return _issue("fcx.overlap", "notice", page, text)


def _issue(code: str, severity: Severity, page: Page, text: str) -> Issue:
    return Issue(code, severity, f"{page.report}: {text}", page.line, page.line)
