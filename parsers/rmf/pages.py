"""Reads a listing line by line: tracks page, report and section, and passes rows to the report's class."""

import re
from collections.abc import Sequence
from dataclasses import replace

from iosq.parsers.api import Outcome, Severity
from iosq.parsers.arrow import Rows
from iosq.parsers.listing import unread
from iosq.parsers.listing.notes import Notes
from iosq.parsers.rmf import page
from iosq.parsers.rmf.bind import vocabulary
from iosq.parsers.rmf.bodies import LAYOUTS, Body
from iosq.parsers.rmf.cache import CacheBody
from iosq.parsers.rmf.ending import as_usual
from iosq.parsers.rmf.heading import MOST_HEADINGS, Columns, columns, is_heading
from iosq.parsers.rmf.knowledge import Report, Section, cut_of, is_squeezed, reports, titled
from iosq.parsers.rmf.numbering import Numbering
from iosq.parsers.rmf.out import Out, read
from iosq.parsers.rmf.setback import Setback
from iosq.parsers.rmf.words import Words, words

_RULE = re.compile(r"[\s_=*.-]*\Z")  # or a blank line
_DIGIT = re.compile(r"\d")
_JOB_LOG = re.compile(r"J E S [23]  J O B  L O G")  # printed before a job's reports
_LENGTHS = ("INTERVAL", "interval"), ("CINT", "cache_interval")
# cheap test for lines below the page head
_HEAD_MARK = re.compile("[STVCR](?:YSTEM ID|SID |DATE|YPE-MODEL|OLSER |PT VERSION|OTAL SAMPLES)")


class Pages:
    """Reads the lines of a listing in order.

    `headings` are the heading lines above the next row; `kind` names the report under which the last line is counted:
    `rmf.device`, `rmf.cache`, ...; `rmf.other` for reports that are not read, `rmf.none` outside any report.
    `others` is True if there were pages and none of them belongs to a report that is read; None without pages.
    """

    def __init__(self, rows: Rows, notes: Notes) -> None:
        self._notes = notes
        self._out = Out(rows, notes)
        self._cache = CacheBody(self._out, next(r for r in reports() if r.layout == "cache"))
        self._bodies: dict[str, Body] = {
            r.name: self._cache if r.layout == "cache" else LAYOUTS[r.layout](self._out) for r in reports()
        }
        self._report: Report | None = None
        self._title: Words = ()
        self._part: Words = ()
        self._section: Section | None = None
        self._head: dict[str, str] = {}
        self.headings: list[str] = []
        self._columns: Columns | None = None
        self._in_body = False
        self._empty = False  # the page has no row yet
        self._in_job_log = False
        self._setback = Setback()
        self._numbering, self._top = Numbering(notes), 0
        self.kind = "rmf.none"
        self.others: bool | None = None

    def line(self, text: str, number: int, *, new_page: bool) -> Outcome:
        """Read one line; `new_page` comes from its carriage control."""
        self._out.number = number
        if new_page and self._in_body:
            self._new_page(())
        if _RULE.match(text):
            return "skipped"
        bare = text.strip()
        if (title := page.title(text)) is not None:
            self._in_job_log = False
            self._new_page(title)
            self._head.update(page.labels(text, ("title",))[0])
            if self._report and self._report.screen:
                self._screen_head(text)
            return "skipped"
        if self._report and self._report.screen:
            text = self._screen_head(text)
            if not text.strip():
                return "skipped"
        elif self._is_head(text):
            return "skipped"
        if self._report is None:
            return self._outside(bare)
        outcome = self._within(self._report, text, bare)
        self._empty &= outcome == "skipped"
        return outcome

    def last(self, text: str, number: int, earlier: Sequence[str], *, new_page: bool) -> Outcome:
        """Read the last line, which has no line end; it is left out if its numbers may be truncated."""
        inside = self._report is not None and self._in_body and not new_page and page.title(text) is None
        if not inside or not _DIGIT.search(text) or _HEAD_MARK.search(text):
            return self.line(text, number, new_page=new_page)
        columns = self._columns
        if self.headings and self._section and not columns:
            columns = self._under(self._section)
        if as_usual(text, earlier, columns if columns and columns.places else None):
            return self.line(text, number, new_page=new_page)
        text = f"the listing ends within line {number}: the line is left out, and rows after it are missing"
        self._notes.add("cut", "data_loss", text, number)
        return "failed"

    def finish(self) -> None:
        """Report an incomplete last page and end the listing."""
        if self._empty:
            text = f"the listing ends in line {self._out.number}, on a page that has no row yet: its rows are missing"
            self._notes.add("cut", "data_loss", text, self._out.number)
        self._check_number()
        self._finish()

    def _finish(self) -> None:
        if self._report is not None:
            self._bodies[self._report.name].finish()

    # pages

    def _new_page(self, title: Words) -> None:
        """Start a new page, which invalidates the previous head."""
        report = titled().get(title)
        self._check_number()
        if self._report and report is not self._report:
            self._finish()
        if title and report is None:
            self._other(title)
        if title:
            self.others = report is None and self.others is not False
        self._report, self._title, self._part, self._head = report, title, title, {}
        self._out.report = report.metric if report else ""
        self.kind = f"rmf.{report.metric.lower()}" if report else "rmf.other" if title else "rmf.none"
        sections = report.sections if report else ()
        self._section = next((s for s in sections if title in s.titles or not s.titles), None)
        self._unbind()
        self._in_body, self._empty = False, report is not None and not report.screen
        self._cache.section()

    def _other(self, title: Words) -> None:
        """Report a page that is not read, or whose title is damaged: truncated, or without blanks between words."""
        name, whole = " ".join(title), cut_of(title)
        if whole or is_squeezed(title):
            cut = f"is the beginning of {whole}: lines are truncated at the right"
            why = cut if whole else "has no wider blanks between its words: blanks between columns are lost"
            text = f"title {name} {why}. The page is not read; print or send complete lines"
            self._notes.once("cut_title", "data_loss", text, self._out.number, name)
        else:
            text = f"iosq does not read report {name}: its lines are skipped"
            self._notes.once("other_report", "info", text, self._out.number, name)

    def _check_number(self) -> None:
        numbered = self._report and not self._report.screen
        self._numbering.page(self._title if numbered else (), self._head, self._top)
        self._top = self._out.number

    def _is_head(self, text: str) -> bool:
        """True if the line belongs to the page head.

        A repeated head may be the remainder of the next page: the system of the following rows is unknown.
        """
        if self._in_body and not _HEAD_MARK.search(text):
            return False
        labels, left = page.labels(text, (*page.LABELS, *(self._report.head if self._report else ())))
        if not labels or ((self._in_body or left.strip()) and page.STRONG.isdisjoint(labels)):
            return False
        if self._in_body and ("system" in labels or not page.STRONG.isdisjoint(labels.keys() & self._head.keys())):
            self._new_page(())
        self._head.update(labels)
        self._in_job_log = False  # a page with its title lost
        if self._in_body and self._report:  # a part of the page head that comes late because of damage
            self._out.interval = page.interval(self._head)
            self._bodies[self._report.name].head(self._head)
        return True

    def _screen_head(self, text: str) -> str:
        """Store system and time from a line of a screen; return the line without them."""
        if self._in_body:
            return text
        labels, left = page.labels(text, ("screen",))
        self._head.update(labels)
        self._out.interval = page.interval(self._head)
        return left

    def _begin_body(self) -> None:
        """Handle the first line below the page head, which is complete now: set the interval or report it missing."""
        self._in_body = True
        self._out.interval = page.interval(self._head)
        if self._out.interval.start is None or self._out.interval.system is None or not self._head:
            severity: Severity = "notice" if self._report and self._report.screen else "data_loss"
            self._notes.add("no_interval", severity, "page head without system, date or time", self._out.number)
        else:
            text = "the listing has local time without a UTC offset: interval_start is the local time"
            self._notes.once("local_time", "info", text, self._out.number)
            if self._report and not self._report.screen:
                if not self._out.interval.seconds:
                    lengths = [f"{n} {self._head[k]}" for n, k in _LENGTHS if k in self._head]
                    what = f"{lengths[-1]} gives no certain length" if lengths else "page head without INTERVAL"
                    text = f"{what}: rows kept in the raw table, no view counts them"
                    self._notes.add("no_interval", "data_loss", text, self._out.number)
                self._out.interval = self._setback.parted(
                    self._report.name, self._out.interval, self._notes, self._out.number
                )
                self._owned(self._report)
        self._out.head = self._head
        if self._report:
            self._bodies[self._report.name].head(self._head)

    def _owned(self, report: Report) -> None:
        """Report a page that does not name the owner of its rows; views don't count them."""
        missing = [label for name, label in report.owner.get(self._title, {}).items() if name not in self._head]
        if missing:
            text = f"page head without {' and '.join(missing)}: the owner of its rows is unknown, and no view uses them"
            self._notes.add("no_owner", "data_loss", text, self._out.number)
            self._out.interval = replace(self._out.interval, start=None)

    def _outside(self, bare: str) -> Outcome:
        """Handle a line of a skipped report, or outside any report."""
        self._in_body = True
        if self._title or self._in_job_log:
            return "skipped"
        if not _JOB_LOG.match(bare):
            return self._fail("outside_report", bare)
        self._in_job_log = True
        text = "the job log of JES, up to the next page of a report, is skipped"
        self._notes.once("job_log", "info", text, self._out.number)
        return "skipped"

    def _fail(self, code: str, bare: str) -> Outcome:
        self._notes.add(code, "data_loss", f"line not understood: {bare}", self._out.number)
        return "failed"

    # sections

    def _within(self, report: Report, text: str, bare: str) -> Outcome:
        if not self._in_body:
            self._begin_body()
        numbers = _DIGIT.search(bare) is not None  # titles and headings have no digits, and look like a row's message
        if numbers and self._is_row(report, text):
            return "decoded"
        if not numbers and self._is_section(report, bare):  # no title has a digit
            return "skipped"
        if report.layout == "cache" and (outcome := self._cache_line(text)) is not None:
            return outcome if outcome != "failed" else self._fail("bad_line", bare)
        if self._is_heading(report, text):
            return "skipped"
        if self.headings and self._section and not self._columns:
            self._bind(self._section)
            numbers = False
        if not numbers and self._is_row(report, text):
            return "decoded"
        return self._fail("bad_line", bare)

    def _is_section(self, report: Report, bare: str) -> bool:
        title = words(bare)
        section = report.titled.get(title)
        if section is None:
            return False
        self._section, self._part = section, title
        self._unbind()
        self._cache.titled(section, self._head)
        return True

    def _is_heading(self, report: Report, text: str) -> bool:
        candidates = [self._section] if self._section else report.sections
        for section in candidates:
            if is_heading(text, vocabulary(section.fields)):
                if self._columns or len(self.headings) >= MOST_HEADINGS:
                    if text == self.headings[0]:  # they may belong to the next page, with its head lost
                        message = "headings repeat without a page head: the rows below belong to the page above"
                        self._notes.add("no_page_head", "notice", message, self._out.number)
                    self._unbind()
                self._section = section
                self.headings.append(text)
                return True
        return False

    def _bind(self, section: Section) -> None:
        self._columns = self._under(section)
        for text in self._columns.unknown:
            lacking = section.lacking(place.name for place in self._columns.places)
            self._notes.put(unread.heading(self._out.report, text, self._out.number, section.table.name, lacking))
        if not self._columns.places:
            self._columns = None

    def _under(self, section: Section) -> Columns:
        return columns(tuple(self.headings), section.fields, (), self._report.groups if self._report else ())

    def _unbind(self) -> None:
        self.headings, self._columns = [], None

    def _is_row(self, report: Report, text: str) -> bool:
        if not self._columns or not self._section or (report.layout == "cache" and self._cache.open_panels):
            return False
        cells = read(self._columns, text)
        taken = self._bodies[report.name].row(cells, self._section, self._part)
        if taken:
            self._out.report_unplaced(cells)
        return taken

    def _cache_line(self, text: str) -> Outcome | None:
        """Read a line that only the cache report has; None for lines that other reports have too."""
        if self._cache.panels(text):
            return "skipped"
        if self._cache.open_panels:
            return "decoded" if self._cache.panel_line(text) else "failed"
        table = self._section.table.name if self._section else "rmf_cache_status"
        if table not in ("rmf_cache_status", "rmf_cache_overview") or self.headings:
            return None
        if table == "rmf_cache_overview" and self._section and is_heading(text, vocabulary(self._section.fields)):
            return None
        pairs = self._cache.pairs(text)
        return "skipped" if pairs is None else "decoded" if pairs else "failed"
