"""Reads printed numbers: right-justified, no leading zero, dots for missing, suffix K, M or G.

The decimal sign is a point. An apostrophe separates thousands, and so does a comma if it is unambiguous: `1,234.5` and
`1,234,567`. A single comma (`1,234`, `12,5`) may be a decimal comma, so that cell is bad.

`number` reads one text; `parse` reads a matrix of cells by the same rules.
"""

import re

import numpy as np
from numpy.typing import NDArray

from iosq.parsers.listing.cells import text

MISSING = re.compile(r"\s*(>?\.+|-+|>)?\s*")
NUMBER = re.compile(
    r"\s*(-?)(\d+|\d{1,3}(?:'\d{3})+|\d{1,3}(?:,\d{3})+(?=\.)|\d{1,3}(?:,\d{3}){2,})?(?:\.(\d*))?([KMGkmg]?)\s*"
)
DECIMAL_COMMA = re.compile(r"(?<![^\s-])[\d.]*,\d+(?!\S)")  # a number with one comma, which is its last separator
FACTORS = {"": 1, "K": 1_000, "M": 1_000_000, "G": 1_000_000_000}
WIDEST = 18  # most digits; more are damage


def comma_hint(text: str) -> str:
    """A hint for a text that is no number because of a decimal comma; '' for other texts."""
    return " (decimal points are read, no decimal commas)" if DECIMAL_COMMA.search(text) else ""


def number(text: str) -> float | None:
    """One printed number; None for a missing value (blank, dots, dashes, `>....`).

    Raises:
        ValueError: the text is not a number.
    """
    if MISSING.fullmatch(text):
        return None
    found = NUMBER.fullmatch(text)
    digits = "" if found is None else re.sub("[',]", "", found[2] or "") + (found[3] or "")
    if found is None or not digits or len(digits) > WIDEST:
        raise ValueError(f"not a number: {text.strip()!r}")
    value: float = int(digits) / 10 ** len(found[3] or "") * FACTORS[found[4].upper()]
    return -value if found[1] else value


def parse(cells: NDArray[np.uint8]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Read a matrix of cells, shape (characters, rows): values (NaN if missing or bad) and a mask of bad cells."""
    coded = text(cells).dictionary_encode()
    read = np.array([_number(cell) for cell in coded.dictionary.to_pylist()])[coded.indices.to_numpy()]
    return read[:, 0], read[:, 1] > 0


def _number(cell: str) -> tuple[float, bool]:
    """The number, NaN if missing or bad, and True if the cell is bad."""
    try:
        found = number(cell)
    except ValueError:
        return np.nan, True
    return np.nan if found is None else found, False


def decimal_signs(cells: NDArray[np.uint8]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Masks of cells with a comma, and of cells with a point and digits."""
    digits = (cells >= ord("0")) & (cells <= ord("9"))
    return (cells == ord(",")).any(axis=0), (cells == ord(".")).any(axis=0) & digits.any(axis=0)
