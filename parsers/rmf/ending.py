"""A listing that ends without a line end may be cut there: whether its last line ends where such lines do."""

from __future__ import annotations

import re
from collections.abc import Sequence

from iosq.parsers.rmf import page
from iosq.parsers.rmf.heading import TOKEN, Columns

LOOKED_AT = 2000  # lines before the last one: several pages
_NUMBER = re.compile(r"[\d.]*\d[\d.]*")
_WORD = re.compile("[A-Z]{2}")


def as_usual(text: str, earlier: Sequence[str], columns: Columns | None) -> bool:
    """True if a line ends below the last heading, or like an earlier line with the same last column.

    Without headings (labels and their values) an earlier line must have the same words and length.

    Args:
        text: the line.
        earlier: lines before it.
        columns: the headings it stands under.
    """
    edge = len(text.rstrip())
    if columns and edge >= columns.places[-1].end:
        return True
    similar = [line for line in earlier[-LOOKED_AT:] if len(line.rstrip()) == edge and _is_row(line)]
    last = _last(text, columns)
    return any(_last(line, columns) == last for line in similar)


def _last(line: str, columns: Columns | None) -> tuple[str | None, str]:
    """The last column of a line and whether it holds words; all words of the line if there are no columns."""
    if columns is None:
        return None, " ".join(_NUMBER.sub("9", word) for word in line.split())
    *_, token = TOKEN.finditer(line)
    return columns.find(token.span()).name, "words" if _WORD.search(token.group()) else "number"


def _is_row(line: str) -> bool:
    return any(c.isdigit() for c in line) and not page.labels(line)[0]
