"""Checks the last line of a listing without a line end: it may be truncated."""

import re
from collections.abc import Sequence

from iosq.parsers.rmf import page
from iosq.parsers.rmf.heading import TOKEN, Columns

EXAMINED = 2000  # lines before the last one: several pages
_NUMBER = re.compile(r"[\d.]*\d[\d.]*")
_WORD = re.compile("[A-Z]{2}")


def as_usual(text: str, earlier: Sequence[str], columns: Columns | None) -> bool:
    """True if a line is complete: it ends below the last heading, or like an earlier line with the same last column.

    Without headings (labels and their values) an earlier line must have the same words and length.
    """
    edge = len(text.rstrip())
    if columns and edge >= columns.places[-1].end:
        return True
    similar = [line for line in earlier[-EXAMINED:] if len(line.rstrip()) == edge and _is_row(line)]
    last = _last(text, columns)
    return any(_last(line, columns) == last for line in similar)


def _last(line: str, columns: Columns | None) -> tuple[str | None, str]:
    """The last column of a line and whether it has words; all words of the line if there are no columns."""
    if columns is None:
        return None, " ".join(_NUMBER.sub("9", word) for word in line.split())
    *_, token = TOKEN.finditer(line)
    return columns.find(token.span()).name, "words" if _WORD.search(token.group()) else "number"


def _is_row(line: str) -> bool:
    return any(c.isdigit() for c in line) and not page.labels(line)[0]
