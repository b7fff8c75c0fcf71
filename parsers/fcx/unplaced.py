"""Reports rows excluded from all views because their page has no system or date."""

from collections.abc import Iterator, Sequence

from iosq.parsers.api import Issue
from iosq.parsers.fcx.pages import Page

WHOLE = 100  # characters: narrower pages have lost the right half of the page heading
REASONS = {"fcx.span": "the pages print no date", "fcx.system": "the pages name no system"}


class Unplaced:
    """Counts such rows; a printed page with an unreadable span is reported elsewhere."""

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
