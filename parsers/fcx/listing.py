"""Reads a listing in one pass: tracks pages line by line, and passes runs of data rows to sheets.

Every line is decoded, skipped as furniture (headings and the like), or reported as not understood; the balance counts
lines.
"""

import re
from collections.abc import Iterator, Sequence

from iosq.parsers.api import Balance, Batch, Issue, Outcome, Severity
from iosq.parsers.arrow import Rows
from iosq.parsers.fcx import knowledge, pages
from iosq.parsers.fcx.details import Details
from iosq.parsers.fcx.knowledge import EXTENT, PAGE
from iosq.parsers.fcx.pages import Page
from iosq.parsers.fcx.passes import Passes
from iosq.parsers.fcx.sheets import Sheet
from iosq.parsers.fcx.tables import tables
from iosq.parsers.listing.heading import RULE
from iosq.parsers.listing.lines import Block
from iosq.toolkit.rows import NewRow

KIND = "fcx"
LAYOUTS = 200
ONLY_NORMAL = "'NORMAL' I/O only"  # placeholder for the columns of sequential I/O
DEEPEST = 40  # lines of a page heading; if there are more, the page has no rows of a known form
WHOLE = 100  # characters: narrower pages have lost the right half of the page heading
REASONS = {"fcx.span": "the pages print no date", "fcx.system": "the pages name no system"}


class Listing:
    """One pass over a listing. `state` is the place of the last line: outside, head, body, labels, strange or lost."""

    def __init__(self, balance: Balance) -> None:
        self.balance = balance
        self.state = "outside"
        self.page: Page | None = None
        self.sheet: Sheet | None = None
        self.details: Details | None = None
        self.row: re.Pattern[str] = re.compile(r"(?!)")
        self.sheets: dict[tuple[str, ...], Sheet] = {}
        self.reported: set[str] = set()
        self.out: list[Batch | Issue] = []
        self.strange: dict[str, list[int]] = {}
        self.passes = Passes()
        self.fresh: list[str] = []  # rows of the page that are not compared with other pages yet
        self.rows_of_pages = Rows(tables())
        self.unplaced = Unplaced()
        self.gathered = 0

    # ---- lines

    def block(self, block: Block) -> None:
        at, lines = 0, block.lines
        while at < len(lines):
            end = self._run(lines, at)
            if end > at:
                self._rows(block, at, end)
            else:
                self._line(lines[at], block.number + at, block.sizes[at], block.controls[at : at + 1])
                end = at + 1
            at = end
        if lines and not block.whole:
            self._check_last(block.number + len(lines) - 1)

    def _check_last(self, number: int) -> None:
        """Report a last line without line end, and drop it if it is a row shorter than usual."""
        text = f"the listing ends in line {number} without a line end; it may be truncated"
        severity: Severity = "data_loss" if self.state == "head" else "notice"
        self.out.append(Issue("fcx.cut", severity, text, number, number))
        rows = self.sheet.rows if self.sheet is not None else None
        if self.sheet is None or rows is None or rows.numbers[-1:] != [number]:
            return
        usual = max((len(line.rstrip()) for line in rows.lines[-50:-1]), default=self.sheet.edge)
        if len(rows.lines[-1].rstrip()) < usual:
            self._count("failed", rows.drop_last())
            self._issue("fcx.line", f"the last row is truncated: line {number}", number)

    def _run(self, lines: list[str], at: int) -> int:
        if self.state not in ("head", "body"):
            return at
        match, last = self.row.match, len(lines)
        while at < last and match(lines[at]):
            at += 1
        return at

    def _rows(self, block: Block, at: int, end: int) -> None:
        page, sheet = self._body()
        sheet.rows.add(page, block.number + at, block.lines[at:end], block.sizes[at:end])
        self.fresh += block.lines[at:end]
        self.unplaced.rows(page, block.lines[at:end])
        self.gathered += end - at

    def _line(self, line: str, number: int, size: int, control: str) -> None:
        if "FCX" in line and (page := pages.heading(line, number)):
            self._open_page(page)
            self._count("skipped", size)
        elif ">>" in line and self.state in ("head", "body") and line.lstrip().startswith(">>"):
            page, sheet = self._body()
            sheet.marked.add(page, number, [line], [size])
            self.gathered += 1
        elif self.state == "head":
            self._head(line, number, size)
        elif RULE.fullmatch(line) or (self.page and not self.page.printed and pages.SCREEN_FOOT.match(line)):
            self._count("skipped", size)
        elif self.state == "labels":
            self._label(line, number, size)
        elif self.state == "body" and self.page is not None and line.rstrip() in self.page.lines:
            self._count("skipped", size)
        else:
            self._foreign(line, number, size, control)

    # ---- page headings

    def _open_page(self, page: Page) -> None:
        self._close_page()
        self.page, self.sheet = page, None
        report = knowledge.reports().get(page.report)
        self.row = report.row if report else re.compile(r"(?!)")
        self.state = "head" if report else "strange"
        if report and "labels" in report.rows:
            self.details = Details(report, page)

    def _head(self, line: str, number: int, size: int) -> None:
        page = self.page
        assert page is not None
        if page.take(line):
            page.spaced = page.lines == [""]
            page.lines.clear()
        elif self.details is not None and (page.start or not page.printed) and not RULE.fullmatch(line):
            self._finish_head()
            self.state = "labels"
            self._label(line, number, size)
            return
        else:
            page.lines.append(line.rstrip())
            self.state = "lost" if len(page.lines) > DEEPEST else "head"
        self._count("skipped", size)

    def _finish_head(self) -> None:
        """Complete the page heading and check its time span."""
        page = self.page
        assert page is not None
        page.settle()
        if page.conflict and page.printed:
            text = f"{page.report}: interval of the page unknown: {page.conflict}"
            self.out.append(Issue("fcx.span", "data_loss", text, page.line, page.line))
        if page.printed and page.number is None and not page.doubt:
            text = f"{page.report}: the page heading has no page number: its lines may be cut at the right"
            self._once(Issue("fcx.cut", "data_loss", text, page.line, page.line))
        if page.doubt:
            self.out.append(Issue("fcx.page", "notice", f"{page.report}: {page.doubt}", page.line, page.line))
        self.rows_of_pages.add(PAGE.name, _page_row(page))
        self.gathered += 1

    def _body(self) -> tuple[Page, Sheet]:
        """The page and its sheet; the first row ends the page heading."""
        page = self.page
        assert page is not None
        if self.sheet is None:
            self._finish_head()
            self.state = "body"
            report = knowledge.reports()[page.report]
            self._above(page)
            self.sheet = self._layout((page.report, *page.lines), report, page)
        return page, self.sheet

    def _above(self, page: Page) -> None:
        """Report unread lines above the column headings, once per wording."""
        for line in page.above:
            words = re.split(r"\d", line.strip())[0].strip()
            text = f"{page.report}: a line above the column headings is not read: {words[:60]!r}"
            self._once(Issue("fcx.line", "notice", text, page.line, page.line))

    def _layout(self, key: tuple[str, ...], report: knowledge.Report, page: Page) -> Sheet:
        sheet = self.sheets.get(key)
        if sheet is None:
            if len(self.sheets) >= LAYOUTS:
                self.flush()
                self.sheets.clear()
            words = [line for line in page.headings or key[1:] if knowledge.normalise(line) not in _titles(report)]
            sheet = self.sheets[key] = Sheet(report, words, page.line)
            for issue in sheet.unknown():
                self._once(issue)
        return sheet

    def _once(self, issue: Issue) -> None:
        if issue.message not in self.reported:
            self.reported.add(issue.message)
            self.out.append(issue)

    def _close_page(self) -> None:
        page = self.page
        self._compare()
        if page is not None and self.state == "head":
            self._finish_head()
            text = f"{page.report}: page without rows"
            self.out.append(Issue("fcx.page", "notice", text, page.line, page.line))
        if self.details is not None:
            self._close_details(self.details)
        self.details = None

    def _compare(self) -> None:
        """Check if another page printed the interval of the current page's rows."""
        if self.page is not None and self.fresh and (issue := self.passes.page(self.page, self.fresh)):
            self.out.append(issue)
        self.fresh = []

    def _close_details(self, details: Details) -> None:
        self.out += details.issues
        if (row := details.row()) is not None:
            self.rows_of_pages.add(details.report.table.name, row)
            for area in details.area_rows():
                self.rows_of_pages.add(EXTENT.name, area)
            self.unplaced.rows(details.page, [""])
            self.gathered += 1 + len(details.areas)
        else:
            place = details.page.line
            self.out.append(Issue("fcx.layout", "data_loss", f"{details.report.name}: no device number", place, place))

    # ---- lines of pages without columns, and unknown lines

    def _label(self, line: str, number: int, size: int) -> None:
        page = self.page
        assert page is not None and self.details is not None
        cache = knowledge.reports().get(f"{page.report}_cache")
        line = line.replace(ONLY_NORMAL, " " * len(ONLY_NORMAL))
        if self.sheet is not None and cache is not None and cache.row.match(line):
            self.sheet.rows.add(page, number, [line], [size])
            self.gathered += 1
            return
        self.sheet = None
        if cache is not None and knowledge.normalise("%RDHIT") in knowledge.normalise(line):
            self.sheet = self._layout((cache.name, line.rstrip()), cache, page)
            self._count("skipped", size)
            return
        outcome = self.details.take(line, number)
        self._count(outcome or "failed", size)
        if outcome is None:
            self._issue("fcx.line", f"{page.report}: line not understood: {line.strip()[:132]!r}", number)

    def _foreign(self, line: str, number: int, size: int, control: str) -> None:
        kind = self.page.report if self.page else KIND
        if control == "+":
            self._count("skipped", size)
            return
        self._count("failed", size)
        if self.state == "strange":
            self.strange.setdefault(kind, [number, 0])[1] += 1
            return
        if self.state == "body" and (control == "1" or pages.STRAY.match(line)):
            self.state = "lost"  # an unreadable page heading: rows below belong to an unknown interval
        self._issue("fcx.line", f"{kind}: line not understood: {line.strip()[:132]!r}", number)

    def _issue(self, code: str, text: str, number: int) -> None:
        last = self.out[-1] if self.out else None
        if isinstance(last, Issue) and last.code == code and last.offset + last.count == number:
            self.out[-1] = Issue(code, last.severity, last.message, last.offset, last.record, last.count + 1)
        else:
            self.out.append(Issue(code, "data_loss", text, number, number))

    def _count(self, outcome: Outcome, size: int) -> None:
        self.balance.count(self.page.report if self.page else KIND, outcome, size)

    # ---- results

    def flush(self) -> None:
        """Split the collected rows into cells."""
        self._compare()
        for sheet in self.sheets.values():
            self.out += sheet.flush(self.balance)
        self.gathered = 0
        self.out += self.rows_of_pages.take()

    def finish(self) -> None:
        self._close_page()
        self.flush()
        self.out += self.unplaced.issues()
        for kind, (line, count) in self.strange.items():
            title = knowledge.not_taken().get(kind, "unknown report")
            text = f"{kind}: report not understood, lines counted only: {title}"
            self.out.append(Issue("fcx.report", "notice", text, line, line, count))


def _titles(report: knowledge.Report) -> frozenset[str]:
    return frozenset(knowledge.normalise(t) for t in (report.title, report.title.split(" (")[0]))


def _page_row(p: Page) -> NewRow:
    same = ("system", "line", "report", "run", "cpu", "serial", "release", "remark")
    interval = {"interval_start": p.start, "interval_end": p.end, "interval_s": p.seconds}
    return {name: getattr(p, name) for name in same} | interval | {"name": p.name or None, "page": p.number}


class Unplaced:
    """Counts rows excluded from all views because their page has no system or date.

    A printed page with an unreadable span is reported elsewhere.
    """

    def __init__(self) -> None:
        # by report and reason: first page, number of rows, length of the longest line
        self._lost: dict[tuple[str, str], tuple[Page, int, int]] = {}

    def rows(self, page: Page, lines: Sequence[str]) -> None:
        code = "fcx.span" if page.start is None else "fcx.system" if page.system is None else ""
        if not code or (page.printed and page.start is None):
            return
        key = page.report, code
        first, rows, widest = self._lost.get(key, (page, 0, 0))
        self._lost[key] = first, rows + len(lines), max(widest, *(len(line.rstrip()) for line in lines))

    def issues(self) -> Iterator[Issue]:
        for (report, code), (page, rows, widest) in self._lost.items():
            remedy = "Give the printed report with its whole page heading"
            if page.printed and 0 < widest < WHOLE:
                remedy = f"Lines end at column {widest}: transfer the listing with its full record length"
            text = f"{report}: {REASONS[code]}: {rows} rows reach no view. {remedy}"
            yield Issue(code, "data_loss", text, page.line, page.line, rows)
