"""Checks page numbers: a jump within a report means missing pages."""

from dataclasses import dataclass

from iosq.parsers.listing.notes import Notes
from iosq.parsers.rmf.words import Words

LONGEST = 9  # most digits of a page number; more are damage
STEADY = 2  # intervals with consecutive numbers that must precede a jump before it is reported


@dataclass(slots=True)
class _Last:
    when: tuple[str | None, ...]
    number: int
    steady: int = 0


class Numbering:
    """Tracks page numbers; they continue within a report, system and interval, and in some listings beyond."""

    def __init__(self, notes: Notes) -> None:
        self._notes = notes
        self._last: dict[tuple[Words, str | None], _Last] = {}
        self._before: int | None = None  # the number of the previous page, of any report

    def page(self, title: Words, head: dict[str, str], line: int) -> None:
        """Add a finished page, which starts in `line`; `title` is empty for a report that is not read."""
        page = head.get("page", "")
        if title and not page:
            text = "page head without PAGE at the end of its longest line: lines and their last numbers may be cut"
            self._notes.once("no_page_number", "notice", text, line)
        if not page.isdecimal() or len(page) > LONGEST:
            return
        number, before = int(page), self._before
        self._before = number
        if title:
            self._follow(title, head, number, before, line)

    def _begin(self, title: Words, number: int, before: int | None, line: int) -> None:
        """Report that a system's report does not start with its first page; this may be a deliberate extract."""
        if number > 1 and number - 1 != before:
            text = f"{' '.join(title)}: page {number} is the first: what stood on pages before it is not there"
            self._notes.add("pages_missing", "notice", text, line)

    def _follow(self, title: Words, head: dict[str, str], number: int, before: int | None, line: int) -> None:
        """Compare the number with the report's previous page; pages between them may belong to other reports."""
        when, key = tuple(head.get(name) for name in ("date", "time", "start")), (title, head.get("system"))
        last = self._last.get(key)
        self._last[key] = now = _Last(when, number)
        if last is None:
            self._begin(title, number, before, line)
            return
        same = when == last.when
        now.steady = last.steady + (not same) if number == last.number + 1 else last.steady if same else 0
        if number > last.number + 1 and number - 1 != before and (same or last.steady >= STEADY):
            text = f"{' '.join(title)}: page {number} follows page {last.number}: what stood in between is missing"
            self._notes.add("pages_missing", "data_loss", text, line)
            now.steady = last.steady
