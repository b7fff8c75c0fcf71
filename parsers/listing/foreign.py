"""Detects lines in another format than the first lines of a file, as in joined listings: they can't be read."""

from iosq.parsers.api import Issue
from iosq.parsers.listing.lines import Block

LONGEST, MOST_WORDS = 512, 64  # limits of a line; a longer one is several records without line ends
# blanks of EBCDIC read as ASCII, and those of ASCII read as EBCDIC
BLANKS = "@" * 8, "\x80" * 8


class Foreign:
    """Searches blocks for such lines, and reports the first."""

    def __init__(self) -> None:
        self._reported = False

    def issues(self, block: Block) -> list[Issue]:
        at = None if self._reported else _first(block)
        if at is None:
            return []
        self._reported = True
        what = "is several lines without a line end" if _is_long(block, at) else "is in another code page"
        text = f"line {block.number + at} {what}, unlike the first lines: put each listing into a separate file"
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
