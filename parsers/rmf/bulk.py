"""Device rows by the thousand: lines whose blanks are at the same places are cut and converted together.

Only what can't be anything but a device row with plain numbers is taken here; every other line goes the long way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from iosq.parsers.arrow import schema
from iosq.parsers.listing import cells
from iosq.parsers.listing.lines import Block
from iosq.parsers.rmf.bodies import FEWEST
from iosq.parsers.rmf.cells import Values, put
from iosq.parsers.rmf.heading import SHAPE, Columns, Cuts
from iosq.parsers.rmf.knowledge import Field
from iosq.parsers.rmf.rows import Rows
from iosq.parsers.rmf.times import Interval
from iosq.toolkit.rows import NewRow

TABLE = "rmf_dasd_device"
PLAIN = b"0123456789. "  # what a run of numbers is made of
TOGETHER = 64  # lines looked at as one; if one of them is not plain, they are looked at again
SHORTEST, LONGEST = 4, 5  # digits of a device number
HEXADECIMAL = b"0123456789ABCDEF"
WIDEST = 15  # digits that a double holds exactly

Intervals = list[tuple[int, Interval]]
"""Intervals with the number of the first line each is about."""


@dataclass(slots=True)
class Group:
    """Lines of one shape: where their device number and their run of numbers are, and the lines with their numbers."""

    columns: Columns
    cuts: Cuts
    device: slice
    run: slice
    lines: list[str] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)

    def fits(self, lines: Sequence[str]) -> bool:
        """Whether lines of the shape hold a device number, and nothing but digits and points in their run."""
        run, device = self.run, self.device
        return not _others("".join([line[run] for line in lines]), PLAIN) and (
            not _others("".join([line[device] for line in lines]), HEXADECIMAL)
        )


def _others(text: str, usual: bytes) -> bytes:
    """What is left of a text without the usual characters; in a tenth of the time that strip() takes."""
    return text.encode("latin-1", "replace").translate(None, usual)


Retry = Callable[[Columns, str, int, Interval], object]


class Bulk:
    """Gathers device rows; `flush` gives them to `rows` as one batch, and lines that were not so plain to `retry`."""

    def __init__(self, rows: Rows, retry: Retry) -> None:
        self._rows, self._retry = rows, retry
        self._shape = schema(rows.table(TABLE))
        self._groups: dict[str, Group | None] = {}
        self._columns: Columns | None = None
        self._full: list[Group] = []
        self._intervals: Intervals = []
        self._shaped: Block | None = None
        self._shapes: list[str] = []

    def take(self, columns: Columns, block: Block, span: tuple[int, int], interval: Interval) -> int:
        """Keep the lines of `span` (first, end) that are device rows of plain numbers, as far as they go.

        Returns the place of the first line that has to be looked at more closely.
        """
        if columns is not self._columns:
            self._turn(columns)
        at, end = span
        shapes = self._shapes_of(block)
        while at < end:
            shape, last, most = shapes[at], at + 1, min(end, at + TOGETHER)
            while last < most and shapes[last] == shape:
                last += 1
            at = self._alike(self._begin(shape, block.lines[at]), block, at, last)
            if at < last:
                break
        if at > span[0]:
            self._intervals.append((block.number + span[0], interval))
        return at

    def _alike(self, group: Group | None, block: Block, at: int, end: int) -> int:
        """Keep lines of one shape, as far as they are device rows of plain numbers."""
        if group is None:
            return at
        lines = block.lines[at:end]
        if not group.fits(lines):
            lines = list(takewhile(lambda line: group.fits([line]), lines))
        group.lines += lines
        group.numbers += range(block.number + at, block.number + at + len(lines))
        return at + len(lines)

    def _shapes_of(self, block: Block) -> list[str]:
        """The shapes of all lines of a block: many at once take a tenth of the time."""
        if self._shaped is not block:
            self._shaped, self._shapes = block, "\n".join(block.lines).translate(SHAPE).split("\n")
        return self._shapes

    def _begin(self, shape: str, text: str) -> Group | None:
        """The group of a shape that is met for the first time, None where such lines are not for here."""
        if shape not in self._groups:
            self._groups[shape] = _group(self._columns, text) if self._columns else None
        return self._groups[shape]

    def _turn(self, columns: Columns) -> None:
        self._full += [g for g in self._groups.values() if g and g.lines]
        self._columns, self._groups = columns, {}

    def flush(self) -> None:
        """Convert what was gathered."""
        self._full += [g for g in self._groups.values() if g and g.lines]
        self._groups = {}
        full, self._full = self._full, []
        intervals, self._intervals = self._intervals, []
        for group in full:
            if (batch := self._convert(group, intervals)) is not None:
                self._rows.add_batch(TABLE, batch)

    def _convert(self, group: Group, intervals: Intervals) -> pa.RecordBatch | None:
        count = len(group.lines)
        of_line = np.searchsorted([first for first, _ in intervals], group.numbers, "right") - 1
        try:
            values = _cells(group)
        except ValueError:  # a number in the run that is none: one by one
            for line, number, at in zip(group.lines, group.numbers, of_line.tolist(), strict=True):
                self._retry(group.columns, line, number, intervals[at][1])
            return None
        values |= {**_common([i for _, i in intervals], of_line), "line": group.numbers, "online": [True] * count}
        arrays = [
            pa.array(values[f.name], type=f.type) if f.name in values else pa.nulls(count, f.type) for f in self._shape
        ]
        return pa.RecordBatch.from_arrays(arrays, schema=self._shape)


def _group(columns: Columns, text: str) -> Group | None:
    """The group a line begins, or None if lines of its shape are not for here."""
    cuts = columns.cut(text)
    names = [place.name for _, _, place in cuts.singly]
    known = all(place.field is not None for _, _, place in cuts.singly)
    if not known or len(set(names)) < len(names) or len(cuts.names) < FEWEST or "activity_rate" not in cuts.names:
        return None
    device = next((slice(start, end) for start, end, place in cuts.singly if place.name == "device"), None)
    if not device or not SHORTEST <= device.stop - device.start <= LONGEST:
        return None
    return Group(columns, cuts, device, slice(cuts.start, cuts.end))


def _cells(group: Group) -> NewRow:
    """The columns of lines of one shape.

    Raises:
        ValueError: what should be a number is none.
    """
    grid = cells.matrix(group.lines)
    values: NewRow = {place.name: _numbers(grid[start:end]) for start, end, place in group.cuts.run}
    for start, end, place in group.cuts.singly:
        if place.field is None or not place.numeric:
            values[place.name] = cells.text(grid[start:end])
        else:
            values |= _marked(place.field, [line[start:end] for line in group.lines])
    return values


def _marked(target: Field, column: list[str]) -> NewRow:
    """Numbers that may have marks or suffixes, and their marks."""
    known = {text: _number(target, text) for text in set(column)}
    values = {target.name: [known[text][0] for text in column]}
    return values | ({target.mark: [known[text][1] for text in column]} if target.mark else {})


def _numbers(digits: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Digits with a point at most as numbers, shape (characters, rows); equal to `float` of each to the last bit.

    Raises:
        ValueError: a cell has several points, no digit, or more digits than a double holds exactly.
    """
    points = digits == ord(".")
    found = points.sum(axis=0)
    if len(digits) > WIDEST or (found > 1).any() or (found == len(digits)).any():
        raise ValueError("not plain numbers")
    total = np.zeros(digits.shape[1], np.int64)
    scale = np.zeros(digits.shape[1], np.int64)
    for character, point in zip(digits, points, strict=True):
        total = np.where(point, total, total * 10 + (character - 48))
        scale = np.where(point, 1, scale * 10)  # 1 at the point, then tenfold for each digit behind it
    return total / np.maximum(scale, 1)


def _common(intervals: Sequence[Interval], of_line: NDArray[np.int64]) -> NewRow:
    """What rows begin with, from the interval of each line."""
    place = pa.array(of_line, pa.int64())
    columns = {
        "system": pa.array([i.system for i in intervals], pa.string()),
        "interval_start": pa.array([i.start for i in intervals], pa.timestamp("us")),
        "interval_s": pa.array([i.seconds for i in intervals], pa.float64()),
    }
    return {name: column.take(place) for name, column in columns.items()}


def _number(target: Field, text: str) -> tuple[Any, str | None]:
    """A number and its mark.

    Raises:
        ValueError: it is none.
    """
    values: Values = {}
    if not put(values, target, text):
        raise ValueError(text)
    return values.get(target.name), values.get(target.mark)
