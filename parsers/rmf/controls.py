"""Handles pages without carriage control in a listing that has it: the first characters of their lines are text."""

from dataclasses import replace
from functools import cache

from iosq.parsers.listing.lines import CONTROLS, Block
from iosq.parsers.rmf.knowledge import reports

_TAKEN = "01-"  # characters that were blanked as controls


class Controls:
    """Restores the first characters of lines, page by page."""

    def __init__(self) -> None:
        self._titled = False  # a title has been seen
        self._new = False  # a page has started since the last title
        self._bare = False  # the page has no carriage control

    def restored(self, block: Block) -> Block:
        """Restore lines below a title that starts no page, if an earlier title or text in column 1 shows the need."""
        titles = _titles(block.lines) if block.controls else []
        if not self._bare and all(block.controls[title] == "1" for title in titles):
            self._titled |= bool(titles)
            self._new = "1" in block.controls[titles[-1] + 1 :] if titles else self._new or "1" in block.controls
            return block
        lines, controls, begin = list(block.lines), list(block.controls), 0
        for title, following in zip(titles, [*titles[1:], len(lines)], strict=True):
            self._pass(lines, controls, begin, title)
            begin = title + 1
            new = self._new or block.controls[title] == "1"
            known = self._titled or not CONTROLS.issuperset(block.controls[title:following])
            self._bare, self._titled, self._new = known and not new, True, False
            self._pass(lines, controls, title, begin)
            self._new = False
        self._pass(lines, controls, begin, len(lines))
        return replace(block, lines=lines, controls="".join(controls))

    def _pass(self, lines: list[str], controls: list[str], begin: int, end: int) -> None:
        if not self._bare:
            self._new |= "1" in controls[begin:end]
            return
        for at in range(begin, end):
            if controls[at] in _TAKEN:
                lines[at], controls[at] = controls[at] + lines[at][1:], " "


@cache
def _endings() -> frozenset[str]:
    """The last words of titles, as printed."""
    return frozenset(" ".join(title[-1]) for report in reports() if not report.screen for title in report.titles)


def _titles(lines: list[str]) -> list[int]:
    return [at for at, line in enumerate(lines) if any(ending in line for ending in _endings())]
