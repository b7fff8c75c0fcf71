"""Intervals printed more than once in a listing: which of the printings counts.

Local time passes an hour twice when clocks go back, and listings are put together of pieces that overlap. Rows of two
printings must never be one interval's: a volume would get its base from one and its alias from the other.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import deque
from dataclasses import dataclass, field
from datetime import datetime

from iosq.parsers.api import Issue
from iosq.parsers.fcx.pages import Page

MOST = 300_000  # row keys remembered: an hour of minutes for 5000 devices
ALIKE = 2  # lengths that differ by more are not two printings of one interval, but a part and the whole

Whose = tuple[str, str | None]


@dataclass(slots=True, eq=False)
class Printing:
    """Pages of one interval that stand together: what their rows are about, and their texts."""

    start: float
    seconds: float
    line: int
    keys: set[str] = field(default_factory=set)
    texts: set[int] = field(default_factory=set)
    pages: list[Page] = field(default_factory=list)
    again: bool = False

    def same_time(self, other: Printing) -> bool:
        """Whether the middle of each lies in the other, seconds apart or not."""
        short, long = sorted((self.seconds, other.seconds))
        apart = self.start - other.start + (self.seconds - other.seconds) / 2
        return long <= ALIKE * short and abs(apart) < short / 2


class Passes:
    """Follows the pages of a listing and sets those aside that print an interval again with other numbers."""

    def __init__(self) -> None:
        self._open: dict[Whose, Printing] = {}
        self._starts: dict[Whose, list[tuple[float, int]]] = {}
        self._known: dict[int, Printing] = {}
        self._order: deque[tuple[Whose, Printing]] = deque()
        self._held = 0

    def page(self, page: Page, rows: list[str]) -> Issue | None:
        """Take the rows of a page (or of its next part); an issue where a second printing of an interval begins."""
        if page.start is None or not page.seconds or not rows:
            return None
        whose, start = (page.report, page.system), _second(page.start)
        keys, text = {" ".join(line.split(None, 2)[:2]) for line in rows}, hash(tuple(map(str.rstrip, rows)))
        now = self._open.get(whose)
        if now is None or (now.start, now.seconds) != (start, page.seconds) or not _goes_on(now, keys, text):
            now = self._open[whose] = Printing(start, page.seconds, page.line)
        now.pages.append(page)
        before = None if now.again else self._before(whose, now, keys, text)
        now.again = now.again or before is not None
        if not now.again:
            self._keep(whose, now, keys, text)
        for taken in now.pages:
            taken.again = now.again
        return _told(page, before) if before else None

    def _before(self, whose: Whose, now: Printing, keys: set[str], text: int) -> Printing | None:
        """The printing that has rows of these keys for the time before, unless it has a copy of this page."""
        found = [p for p in self._near(whose, now) if p is not now and p.same_time(now) and p.keys & keys]
        return None if any(text in p.texts for p in found) else next(iter(found), None)

    def _near(self, whose: Whose, now: Printing) -> list[Printing]:
        starts = self._starts.get(whose, [])
        reach = ALIKE * now.seconds
        first, last = bisect_left(starts, (now.start - reach, 0)), bisect_left(starts, (now.start + reach, 0))
        return [self._known[name] for _, name in starts[first:last]]

    def _keep(self, whose: Whose, now: Printing, keys: set[str], text: int) -> None:
        if not now.keys:
            self._known[id(now)] = now
            self._order.append((whose, now))
            insort(self._starts.setdefault(whose, []), (now.start, id(now)))
        self._held += len(keys - now.keys)
        now.keys |= keys
        now.texts.add(text)
        while self._held > MOST and len(self._order) > 1:
            self._forget(*self._order.popleft())

    def _forget(self, whose: Whose, old: Printing) -> None:
        starts = self._starts[whose]
        del starts[bisect_left(starts, (old.start, id(old)))]
        del self._known[id(old)]
        self._held -= len(old.keys)


def _goes_on(now: Printing, keys: set[str], text: int) -> bool:
    """Whether a page of the same span belongs to the printing before it: it has rows of its own, or is a copy."""
    return now.again or text in now.texts or not now.keys & keys


def _second(moment: datetime) -> float:
    return (moment - datetime(1970, 1, 1)).total_seconds()


def _told(page: Page, before: Printing) -> Issue:
    text = (
        f"{page.report}: {page.start} is printed again, with other numbers than in line {before.line} ff. (clocks set "
        "back?): rows kept without time"
    )
    return Issue("fcx.repeat", "data_loss", text, page.line, page.line)
