"""Printed numbers: right-justified, without leading zero, with dots for missing and K, M or G for thousands.

The decimal sign is a point. An apostrophe parts thousands, and so does a comma where nothing else can be meant:
`1,234.5` and `1,234,567`. A lone comma (`1,234`, `12,5`) may be a decimal one, and the cell is bad.

`number` reads one text and is the plain statement of the rules; `parse` reads a matrix of cells at once.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

MISSING = re.compile(r"\s*(>?\.+|-+|>)?\s*")
NUMBER = re.compile(
    r"\s*(-?)(\d+|\d{1,3}(?:'\d{3})+|\d{1,3}(?:,\d{3})+(?=\.)|\d{1,3}(?:,\d{3}){2,})?(?:\.(\d*))?([KMGkmg]?)\s*"
)
DECIMAL_COMMA = re.compile(r"(?<![^\s-])[\d.]*,\d+(?!\S)")  # a number whose only comma is the last sign in it
FACTORS = {"": 1, "K": 1_000, "M": 1_000_000, "G": 1_000_000_000}
WIDEST = 18  # more digits do not fit the 64-bit integers the matrix is summed in

NARROW = 10  # fewer digits fit 32 bits, which takes half the time

BLANK, DIGIT, DOT, MINUS, MARK, SUFFIX, MORE, OTHER = range(8)
KIND = np.full(256, OTHER, np.uint8)
for _characters, _kind in ((" \n", BLANK), ("0123456789", DIGIT), (".", DOT), ("-", MINUS), ("',", MARK), (">", MORE)):
    KIND[[ord(c) for c in _characters]] = _kind
FACTOR = np.ones(256)
for _letter, _factor in list(FACTORS.items())[1:]:
    KIND[[ord(_letter), ord(_letter.lower())]] = SUFFIX
    FACTOR[[ord(_letter), ord(_letter.lower())]] = _factor


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
    used = np.flatnonzero((cells != 32).any(axis=1))
    cells = cells[used[0] : used[-1] + 1] if used.size else cells[:0]
    rows = cells.shape[1]
    total: Whole = np.zeros(rows, np.int32) if len(cells) < NARROW else np.zeros(rows, np.int64)
    scale, factor = np.zeros(rows, np.uint8), np.ones(rows)
    seen = np.zeros((8, rows), np.uint8)
    bad, begun = np.zeros(rows, np.bool_), np.zeros(rows, np.bool_)
    previous = np.zeros(rows, np.uint8)
    kinds = KIND[cells]
    usual = bool((kinds <= DOT).all())  # digits and points: nearly all columns
    if (kinds == MARK).any():
        bad |= _parted_badly(cells, kinds)
    for character, kind in zip(cells, kinds, strict=True):
        digit, point, used = kind == DIGIT, kind == DOT, kind != BLANK
        total = np.where(digit, total * 10 + (character - 48), total)
        scale += digit & (seen[DOT] > 0)
        bad |= (used & begun & (previous == BLANK)) | (point & (seen[DIGIT] > 0) & (seen[DOT] > 0))
        if not usual:
            bad |= _misplaced(kind, begun, seen)
            factor *= FACTOR[character]
            _count(seen, kind)
        seen[DIGIT] += digit
        seen[DOT] += point
        begun |= used
        previous = kind
    return _finish(total, scale, factor, seen, bad)


def decimal_signs(cells: NDArray[np.uint8]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which cells hold a comma, and which a point and digits."""
    kinds = KIND[cells]
    return (cells == ord(",")).any(axis=0), (kinds == DOT).any(axis=0) & (kinds == DIGIT).any(axis=0)


def _parted_badly(cells: NDArray[np.uint8], kinds: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Cells whose marks do not part thousands: other than three digits behind one, two signs, or a lone comma."""
    rows = cells.shape[1]
    wrong, point = np.zeros(rows, np.bool_), np.zeros(rows, np.bool_)
    digits, commas, others = (np.zeros(rows, np.uint8) for _ in range(3))
    for character, kind in zip(cells, kinds, strict=True):
        mark = kind == MARK
        wrong |= mark & ((digits > 3) | ((commas + others > 0) & (digits != 3)))
        commas += mark & (character == ord(","))
        others += mark & (character != ord(","))
        point |= kind == DOT
        digits = np.where(mark, 0, digits + ((kind == DIGIT) & ~point)).astype(np.uint8)
    parted = commas + others > 0
    wrong |= (parted & (digits != 3)) | ((commas > 0) & (others > 0)) | ((commas == 1) & ~point)
    return wrong


def _count(seen: NDArray[np.uint8], kind: NDArray[np.uint8]) -> None:
    for k in (MINUS, SUFFIX, MORE):
        seen[k] += kind == k


def _misplaced(kind: NDArray[np.uint8], begun: NDArray[np.bool_], seen: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Signs where they can't be; blanks and points are looked at elsewhere."""
    wrong: NDArray[np.bool_] = kind == OTHER
    wrong |= (kind == DIGIT) & ((seen[SUFFIX] > 0) | (seen[MORE] > 0))
    wrong |= (kind == MARK) & ((seen[DIGIT] == 0) | (seen[DOT] > 0) | (seen[SUFFIX] > 0))
    wrong |= (kind == SUFFIX) & (seen[DIGIT] == 0)
    wrong |= (kind == DOT) & (seen[DIGIT] > 0) & (seen[SUFFIX] > 0)
    wrong |= (kind == MINUS) & ((seen[DIGIT] > 0) | (seen[DOT] > 0) | (seen[MORE] > 0))
    wrong |= (kind == MORE) & begun
    return wrong


def _finish(
    total: Whole,
    scale: NDArray[np.uint8],
    factor: NDArray[np.float64],
    seen: NDArray[np.uint8],
    bad: NDArray[np.bool_],
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    missing = seen[DIGIT] == 0
    bad = bad | (seen[DIGIT] > WIDEST) | (seen[SUFFIX] > 1)
    bad |= missing & (seen[MINUS] > 0) & ((seen[DOT] > 0) | (seen[MORE] > 0))
    bad |= ~missing & ((seen[DOT] > 1) | (seen[MINUS] > 1) | (seen[MORE] > 0))
    value = total / 10.0 ** np.minimum(scale, WIDEST) * factor
    value[seen[MINUS] > 0] *= -1
    value[missing | bad] = np.nan
    return value, bad
