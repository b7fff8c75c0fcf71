"""Reports rows excluded from all views because their page has no system or date."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from iosq.parsers.api import Issue
from iosq.parsers.fcx.pages import Page

WHOLE = 100  # characters: narrower pages have lost the right half of the page heading


@dataclass(slots=True)
class Lost:
    """Rows of one report lost for one reason: line of the first page, number of rows, longest line."""

    line: int
    printed: bool
    rows: int = 0
    widest: int = 0


class Unplaced:
    """Counts such rows; a printed page with an unreadable span is reported elsewhere."""

    def __init__(self) -> None:
        self._lost: dict[tuple[str, str], Lost] = {}

    def rows(self, page: Page, lines: Sequence[str]) -> None:
        """Add rows of a page."""
        code = "" if page.printed and page.start is None else _reason(page)
        if code:
            lost = self._lost.setdefault((page.report, code), Lost(page.line, page.printed))
            lost.rows += len(lines)
            lost.widest = max(lost.widest, *(len(line.rstrip()) for line in lines))

    def issues(self) -> Iterator[Issue]:
        """One issue per report and reason."""
        for (report, code), lost in self._lost.items():
            text = f"{report}: {REASONS[code]}: {lost.rows} rows reach no view. {_remedy(lost)}"
            yield Issue(code, "data_loss", text, lost.line, lost.line, lost.rows)


REASONS = {"fcx.span": "the pages print no date", "fcx.system": "the pages name no system"}


def _reason(page: Page) -> str:
    if page.start is None:
        return "fcx.span"
    return "fcx.system" if page.system is None else ""


def _remedy(lost: Lost) -> str:
    if lost.printed and 0 < lost.widest < WHOLE:
        return f"Lines end at column {lost.widest}: transfer the listing with its full record length"
    return "Give the printed report with its whole page heading"
