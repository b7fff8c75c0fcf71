"""Lines of another form than the first ones of a file: one of several joined listings is lost."""

from __future__ import annotations

from iosq.parsers.api import Issue
from iosq.parsers.listing.lines import Block

LONGEST, MOST_WORDS = 512, 64  # of a line; more are several records without line ends
# blanks of EBCDIC read as ASCII, and those of ASCII read as EBCDIC
BLANKS = "@" * 8, "\x80" * 8


class Foreign:
    """Looks for them, and reports the first."""

    def __init__(self) -> None:
        self._reported = False

    def issues(self, block: Block) -> list[Issue]:
        """An issue, if these lines are the first of another form."""
        at = None if self._reported else _first(block)
        if at is None:
            return []
        self._reported = True
        what = "is several lines without an end" if _is_long(block, at) else "is in another code page"
        text = f"line {block.number + at} {what}, and not as the first ones: read each listing from a file of its own"
        return [Issue("other_form", "data_loss", text, block.number + at)]


def _first(block: Block) -> int | None:
    text = "\n".join(block.lines)
    places = [place for blanks in BLANKS if (place := text.find(blanks)) >= 0]
    found = [text.count("\n", 0, place) for place in places]
    if max(block.sizes, default=0) > LONGEST:
        found += [at for at in range(len(block.lines)) if _is_long(block, at)][:1]
    return min(found, default=None)


def _is_long(block: Block, at: int) -> bool:
    return block.sizes[at] > LONGEST and len(block.lines[at].split()) > MOST_WORDS
