"""Device rows by the thousand: lines whose blanks are at the same places are cut and converted together.

Only what can't be anything but a device row with plain numbers is taken here; every other line goes the long way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from iosq.parsers.arrow import schema
from iosq.parsers.rmf.bodies import DEVICE, FEWEST
from iosq.parsers.rmf.cells import Values, put
from iosq.parsers.rmf.heading import SHAPE, Columns, Cuts
from iosq.parsers.rmf.knowledge import Field
from iosq.parsers.rmf.rows import Rows
from iosq.parsers.rmf.times import Interval
from iosq.toolkit.rows import NewRow

TABLE = "rmf_dasd_device"
PLAIN = "0123456789. "  # a run of numbers that strip() leaves nothing of
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

    def take(
        self, columns: Columns, lines: Sequence[str], span: tuple[int, int], number: int, interval: Interval
    ) -> int:
        """Keep the lines of `span` (first, end) that are device rows of plain numbers, as far as they go.

        Returns the place of the first line that has to be looked at more closely; `number` is that of `lines[0]`.
        """
        if columns is not self._columns:
            self._turn(columns)
        at, end = span
        groups, match, shapes = self._groups, DEVICE.match, SHAPE
        for at in range(at, end):  # noqa: B020 - the place is wanted afterwards
            text = lines[at]
            group = groups.get(shape := text.translate(shapes)) or self._begin(shape, text)
            if group is None or text[group.run].strip(PLAIN) or not match(text[group.device]):
                break
            group.lines.append(text)
            group.numbers.append(number + at)
        else:
            at = end
        if at > span[0]:
            self._intervals.append((number + span[0], interval))
        return at

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
        batches = [batch for group in full if (batch := self._convert(group, intervals)) is not None]
        if batches:
            whole = pa.Table.from_batches(batches).combine_chunks()
            self._rows.add_batch(TABLE, whole.to_batches()[0])

    def _convert(self, group: Group, intervals: Intervals) -> pa.RecordBatch | None:
        count = len(group.lines)
        of_line = np.searchsorted([first for first, _ in intervals], group.numbers, "right") - 1
        try:
            values = {**_run(group), **_singly(group)}
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
    return Group(columns, cuts, device, slice(cuts.start, cuts.end)) if device else None


def _run(group: Group) -> dict[str, NDArray[np.float64]]:
    """The numbers one behind the other, by column.

    Raises:
        ValueError: one of them is no number.
    """
    start, end = group.run.start, group.run.stop
    text = "".join([line[start:end] for line in group.lines])
    grid = np.frombuffer(text.encode("latin-1"), np.uint8).reshape(len(group.lines), end - start).T
    return {place.name: _numbers(grid[a - start : b - start]) for a, b, place in group.cuts.run}


def _numbers(cells: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Digits with a point at most as numbers, shape (characters, rows); equal to `float` of each to the last bit.

    Raises:
        ValueError: a cell has several points, no digit, or more digits than a double holds exactly.
    """
    points = cells == ord(".")
    found = points.sum(axis=0)
    if len(cells) > WIDEST or (found > 1).any() or (found == len(cells)).any():
        raise ValueError("not plain numbers")
    total = np.zeros(cells.shape[1], np.int64)
    scale = np.zeros(cells.shape[1], np.int64)
    for character, point in zip(cells, points, strict=True):
        total = np.where(point, total, total * 10 + (character - 48))
        scale = np.where(point, 1, scale * 10)  # 1 at the point, then tenfold for each digit behind it
    return total / np.maximum(scale, 1)


def _singly(group: Group) -> dict[str, list[Any]]:
    """The other values, by column.

    Raises:
        ValueError: one of them should be a number and is none.
    """
    values: dict[str, list[Any]] = {}
    for start, end, place in group.cuts.singly:
        column = [line[start:end] for line in group.lines]
        if not place.numeric:
            values[place.name] = column
        elif place.field is not None:
            pairs = [_number(place.field, text) for text in column]
            values[place.name] = [p[0] for p in pairs]
            if place.field.mark:
                values[place.field.mark] = [p[1] for p in pairs]
    return values


def _common(intervals: Sequence[Interval], of_line: NDArray[np.int64]) -> NewRow:
    """What rows begin with, from the interval of each line."""
    place = pa.array(of_line, pa.int64())
    columns = {
        "system": pa.array([i.system for i in intervals], pa.string()),
        "interval_start": pa.array([i.start for i in intervals], pa.timestamp("us")),
        "interval_s": pa.array([i.seconds for i in intervals], pa.float64()),
    }
    return {name: column.take(place) for name, column in columns.items()}


@lru_cache(4096)
def _number(target: Field, text: str) -> tuple[Any, str | None]:
    """A number and its mark.

    Raises:
        ValueError: it is none.
    """
    values: Values = {}
    if not put(values, target, text):
        raise ValueError(text)
    return values.get(target.name), values.get(target.mark)
