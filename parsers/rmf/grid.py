"""Many rows under the same headings, read column by column; equal to what `out.read` gives for each.

A row on which anything is unusual (two numbers under one heading, a value under none) is `odd` and left to the reader
of single rows. Words in place of numbers are its `strays`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from iosq.parsers.listing.tokens import LONGEST, Places, Tokens, tokens
from iosq.parsers.rmf.cells import LARGEST, Values, put
from iosq.parsers.rmf.heading import LONGEST as WIDEST
from iosq.parsers.rmf.heading import Columns
from iosq.parsers.rmf.knowledge import ANY, Field
from iosq.parsers.rmf.out import GLUED
from iosq.parsers.rmf.place import APART, Place

Mask = NDArray[np.bool_]
Column = pa.Array | NDArray[np.float64]
Numbers = NDArray[np.float64]


@dataclass(slots=True)
class Grid:
    """Rows by column: numbers (NaN where there is none) and texts (None); words where numbers belong, by row."""

    count: int
    odd: Mask
    strays: dict[int, list[str]] = field(default_factory=dict)
    numbers: dict[str, Numbers] = field(default_factory=dict)
    texts: dict[str, pa.StringArray] = field(default_factory=dict)

    @property
    def plain(self) -> Mask:
        """Rows of nothing but values."""
        some = ~self.odd
        some[list(self.strays)] = False
        return some

    def has(self, name: str) -> Mask:
        """Rows with a value in a column."""
        if name in self.numbers:
            some: Mask = ~np.isnan(self.numbers[name])
            return some
        if name in self.texts:
            valid: Mask = self.texts[name].is_valid().to_numpy(zero_copy_only=False)
            return valid
        return np.zeros(self.count, np.bool_)

    def any(self, names: Sequence[str]) -> Mask:
        """Rows with a value in any of several columns."""
        found = np.zeros(self.count, np.bool_)
        for name in names:
            found |= self.has(name)
        return found

    def fits(self, name: str, pattern: re.Pattern[str]) -> Mask:
        """Rows whose text in a column a compiled expression matches from end to end."""
        if name not in self.texts:
            return np.zeros(self.count, np.bool_)
        coded = self.texts[name].dictionary_encode()
        good = np.array([*(pattern.fullmatch(t) is not None for t in coded.dictionary.to_pylist()), False])
        matched: Mask = good[coded.indices.fill_null(len(good) - 1).to_numpy()]
        return matched


def read_all(columns: Columns, lines: Sequence[str]) -> Grid:
    """Every value of lines under the nearest heading."""
    odd = np.zeros(len(lines), np.bool_)
    if not "".join(lines).isascii() or max(map(len, lines)) > WIDEST:
        odd |= [not line.isascii() or len(line) > WIDEST for line in lines]
        lines = ["" if strange else line for line, strange in zip(lines, odd, strict=True)]
    found, grid = tokens(lines), Grid(len(lines), odd)
    others: list[Places] = []
    for place, at in _placed(columns, found):
        if place.field is None:
            odd[found.line[at]] = True
        elif place.numeric:
            others.append(_numbers(grid, found, place.field, at))
        else:
            grid.texts[place.name] = _texts(found, at, grid.count)
            odd |= _apart(found, at, place, grid.count)
            if place.field.width:
                odd |= _misfits(grid, found, place.field, at)
    _glued(grid, columns, found)
    if others:
        _strays(grid, found, np.sort(np.concatenate(others)))
    return grid


def _placed(columns: Columns, found: Tokens) -> list[tuple[Place, Places]]:
    """Which words stand in which column."""
    width = int(found.end.max(initial=0)) + 1
    spans = found.start * width + found.end
    of_span = np.full(width * width, -1, np.int16)
    of_span[spans] = 0
    numbers: dict[int, int] = {}  # columns are few, and each is one object
    places: list[Place] = []
    for span in np.flatnonzero(of_span == 0).tolist():
        place = columns.find(divmod(span, width))
        if numbers.setdefault(id(place), len(places)) == len(places):
            places.append(place)
        of_span[span] = numbers[id(place)]
    of_word = of_span[spans]
    order = np.argsort(of_word, kind="stable")
    ends = np.cumsum(np.bincount(of_word, minlength=len(places)))
    return list(zip(places, np.split(order, ends[:-1]), strict=True)) if places else []


def _texts(found: Tokens, at: Places, count: int) -> pa.StringArray:
    """A column of texts; several words are joined by a blank."""
    line = found.line[at]
    if (line[1:] == line[:-1]).any():
        joined: list[str | None] = [None] * count
        for row, word in zip(line.tolist(), found.texts.take(pa.array(at)).to_pylist(), strict=True):
            known = joined[row]
            joined[row] = f"{known} {word}" if known else word
        return pa.array(joined, pa.string())
    return _scattered(found.texts.take(pa.array(at)), line, count)


def _apart(found: Tokens, at: Places, place: Place, count: int) -> Mask:
    """Rows whose words in a column of texts may not be one text: far apart, or the first is not the nearest."""
    odd = np.zeros(count, np.bool_)
    line, start, end = found.line[at], found.start[at], found.end[at]
    same = line[1:] == line[:-1]
    blanks = start[1:] - end[:-1]
    farther = np.abs(start[:-1] - place.start) > np.abs(start[1:] - place.start)
    several = place.field is not None and place.field.several
    odd[line[1:][same & ((blanks > APART) | (farther & (blanks > 1)) | (not several))]] = True
    return odd


def _misfits(grid: Grid, found: Tokens, target: Field, at: Places) -> Mask:
    """Rows with several words in a column, too long a one, or one that it cannot hold."""
    line = found.line[at]
    wrong = np.zeros(grid.count, np.bool_)
    wrong[line[1:][line[1:] == line[:-1]]] = True
    wrong[line[found.end[at] - found.start[at] > target.width]] = True
    if target.pattern is ANY:
        return wrong
    matched: Mask = wrong | (grid.has(target.name) & ~grid.fits(target.name, target.pattern))
    return matched


def _numbers(grid: Grid, found: Tokens, target: Field, at: Places) -> Places:
    """A column of numbers, and that of their marks: which words are not in them."""
    line, values = found.line[at], found.numbers[at]
    other, wrong = np.isnan(values), np.zeros(len(at), np.bool_)
    if not target.simple:
        other |= (values > LARGEST) | (values != np.floor(values))
    if other.any():
        coded = found.texts.take(pa.array(at[other])).dictionary_encode()
        codes, read = coded.indices.to_numpy(), [_read(target, text) for text in coded.dictionary.to_pylist()]
        values[other] = np.array([(r or {}).get(target.name, np.nan) for r in read])[codes]
        wrong[other] = np.array([r is None for r in read])[codes]
        marks = pa.array([r.get(target.mark) if r else None for r in read], pa.string())
        if marks.null_count < len(marks):
            grid.texts[target.mark] = _scattered(marks.take(coded.indices), line[other], grid.count)
    taken = line[~wrong]
    grid.odd[taken[1:][taken[1:] == taken[:-1]]] = True
    column = np.full(grid.count, np.nan)
    column[taken] = values[~wrong]
    grid.numbers[target.name] = column
    return at[wrong]


def _glued(grid: Grid, columns: Columns, found: Tokens) -> None:
    """Numbers that stand below a second column, which has nothing else, may be two: their rows are odd."""
    width = int(found.end.max(initial=0)) + 1
    spans = found.start * width + found.end
    for span in np.unique(spans).tolist():
        start, end = divmod(span, width)
        own = columns.find((start, end))
        others = [p.name for p in columns.places if p is not own and p.field and p.within(start, end)]
        if own.numeric and others:
            rows = np.unique(found.line[spans == span])
            grid.odd[rows] |= ~np.logical_and.reduce([grid.has(name)[rows] for name in others])


def _strays(grid: Grid, found: Tokens, at: Places) -> None:
    """Words in columns of numbers: text, or several numbers without a blank between them.

    Args:
        at: which words.
    """
    for row, text in zip(found.line[at].tolist(), found.texts.take(pa.array(at)).to_pylist(), strict=True):
        grid.strays.setdefault(row, []).append(text)
        grid.odd[row] |= len(text) > LONGEST or GLUED.fullmatch(text) is not None


def _scattered(texts: pa.StringArray, line: Places, count: int) -> pa.StringArray:
    """A column of texts that are those of some lines."""
    where = np.full(count, -1)
    where[line] = np.arange(len(line))
    return texts.take(pa.array(where, pa.int64(), mask=where < 0))


def _read(target: Field, text: str) -> Values | None:
    """A number and its mark as the reader of single rows has them; None if that has to look closer."""
    values: Values = {}
    return values if len(text) <= LONGEST and put(values, target, text) else None
