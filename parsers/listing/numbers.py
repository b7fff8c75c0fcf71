"""Printed numbers: right-justified, without leading zero, with dots for missing and K, M or G for thousands.

The decimal sign is a point. An apostrophe parts thousands, and so does a comma where nothing else can be meant:
`1,234.5` and `1,234,567`. A lone comma (`1,234`, `12,5`) may be a decimal one, and the cell is bad.

`number` reads one text and has the rules; `parse` reads a matrix of cells at once.
"""

from __future__ import annotations

import re

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from iosq.parsers.listing.cells import BLANK, text

MISSING = re.compile(r"\s*(>?\.+|-+|>)?\s*")
NUMBER = re.compile(
    r"\s*(-?)(\d+|\d{1,3}(?:'\d{3})+|\d{1,3}(?:,\d{3})+(?=\.)|\d{1,3}(?:,\d{3}){2,})?(?:\.(\d*))?([KMGkmg]?)\s*"
)
DECIMAL_COMMA = re.compile(r"(?<![^\s-])[\d.]*,\d+(?!\S)")  # a number whose only comma is the last sign in it
FACTORS = {"": 1, "K": 1_000, "M": 1_000_000, "G": 1_000_000_000}
WIDEST = 18  # more digits do not fit the 64-bit integers the matrix is summed in

NARROW = 10  # fewer digits fit 32 bits, which takes half the time

PLAIN = np.isin(np.arange(256), [ord(character) for character in "0123456789. "])
Whole = NDArray[np.int32] | NDArray[np.int64]


def comma_hint(text: str) -> str:
    """What to say of a text that is no number because of a comma; '' where there is none of that kind."""
    return " (decimal points are read, no decimal commas)" if DECIMAL_COMMA.search(text) else ""


def number(text: str) -> float | None:
    """One printed number; None where the text says that there is none (blank, dots, dashes, `>....`).

    Raises:
        ValueError: the text is neither.
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
    """Numbers of a matrix of cells, shape (characters, rows): values (NaN where missing or bad) and which are bad."""
    used = np.flatnonzero((cells != BLANK).any(axis=1))
    cells = cells[used[0] : used[-1] + 1] if used.size else cells[:0]
    return _plain(cells) if PLAIN[cells].all() else _read(text(cells))


def _plain(cells: NDArray[np.uint8]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Cells of digits and points, as in nearly all columns."""
    rows = cells.shape[1]
    total: Whole = np.zeros(rows, np.int32) if len(cells) < NARROW else np.zeros(rows, np.int64)
    digits, points, scale = (np.zeros(rows, np.uint8) for _ in range(3))
    bad, begun, behind_blank = (np.zeros(rows, np.bool_) for _ in range(3))
    for character in cells:
        digit, point, blank = character >= ord("0"), character == ord("."), character == BLANK
        total = np.where(digit, total * 10 + (character - ord("0")), total)
        scale += digit & (points > 0)
        bad |= (begun & behind_blank & ~blank) | (point & (digits > 0) & (points > 0))
        digits += digit
        points += point
        begun |= ~blank
        behind_blank = blank
    bad |= (digits > WIDEST) | ((digits > 0) & (points > 1))
    value = total / 10.0 ** np.minimum(scale, WIDEST)
    value[(digits == 0) | bad] = np.nan
    return value, bad


def _read(cells: pa.StringArray) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Cells of all kinds, each text read once."""
    coded = cells.dictionary_encode()
    read = np.array([_number(cell) for cell in coded.dictionary.to_pylist()])[coded.indices.to_numpy()]
    return read[:, 0], read[:, 1] > 0


def _number(cell: str) -> tuple[float, bool]:
    """A number, NaN where there is none, and whether the cell is bad."""
    try:
        found = number(cell)
    except ValueError:
        return np.nan, True
    return np.nan if found is None else found, False


def decimal_signs(cells: NDArray[np.uint8]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which cells hold a comma, and which a point and digits."""
    digits = (cells >= ord("0")) & (cells <= ord("9"))
    return (cells == ord(",")).any(axis=0), (cells == ord(".")).any(axis=0) & digits.any(axis=0)
