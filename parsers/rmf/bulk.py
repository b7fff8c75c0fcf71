"""Device rows by the thousand: lines whose blanks are at the same places are cut and converted together.

Only what can't be anything but a device row with plain numbers is taken here; every other line goes the long way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import pyarrow as pa

from iosq.parsers.arrow import schema
from iosq.parsers.rmf.bodies import DEVICE, FEWEST
from iosq.parsers.rmf.cells import Values, put
from iosq.parsers.rmf.heading import SHAPE, Columns, Cuts
from iosq.parsers.rmf.knowledge import Field
from iosq.parsers.rmf.rows import Rows
from iosq.parsers.rmf.times import Interval

TABLE = "rmf_dasd_device"
PLAIN = "0123456789. "  # a run of numbers that strip() leaves nothing of


@dataclass(slots=True)
class Group:
    """Lines of one shape: where their device number and their run of numbers are, and the lines with their places."""

    columns: Columns
    cuts: Cuts
    device: slice
    run: slice
    lines: list[str] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    intervals: list[Interval] = field(default_factory=list)


Retry = Callable[[Columns, str, int, Interval], object]


class Bulk:
    """Gathers device rows; `flush` gives them to `rows` as one batch, and lines that were not so plain to `retry`."""

    def __init__(self, rows: Rows, retry: Retry) -> None:
        self._rows, self._retry = rows, retry
        self._shape = schema(rows.table(TABLE))
        self._groups: dict[str, Group | None] = {}
        self._columns: Columns | None = None
        self._full: list[Group] = []

    def take(self, columns: Columns, text: str, number: int, interval: Interval) -> bool:
        """Keep a line if it is a device row of plain numbers; False if it has to be looked at more closely."""
        if columns is not self._columns:
            self._turn(columns)
        shape = text.translate(SHAPE)
        group = self._groups.get(shape)
        if group is None:
            if shape in self._groups:
                return False
            group = self._groups[shape] = _group(columns, text)
            if group is None:
                return False
        if text[group.run].strip(PLAIN) or not DEVICE.match(text[group.device]):
            return False
        group.lines.append(text)
        group.numbers.append(number)
        group.intervals.append(interval)
        return True

    def _turn(self, columns: Columns) -> None:
        self._full += [g for g in self._groups.values() if g and g.lines]
        self._columns, self._groups = columns, {}

    def flush(self) -> None:
        """Convert what was gathered."""
        self._full += [g for g in self._groups.values() if g and g.lines]
        self._groups = {}
        full, self._full = self._full, []
        found: dict[str, list[Any]] = {name: [] for name in self._shape.names}
        for group in full:
            self._convert(group, found)
        if found["line"]:
            arrays = [pa.array(found[f.name], type=f.type) for f in self._shape]
            self._rows.add_batch(TABLE, pa.RecordBatch.from_arrays(arrays, schema=self._shape))

    def _convert(self, group: Group, found: dict[str, list[Any]]) -> None:
        try:
            values = _values(group)
        except ValueError:  # a number in the run that is none: one by one
            for line, number, interval in zip(group.lines, group.numbers, group.intervals, strict=True):
                self._retry(group.columns, line, number, interval)
            return
        count = len(group.lines)
        values |= {
            "system": [i.system for i in group.intervals],
            "interval_start": [i.start for i in group.intervals],
            "interval_s": [i.seconds for i in group.intervals],
            "line": group.numbers,
            "online": [True] * count,
        }
        for name, column in found.items():
            column += values.get(name) or [None] * count


def _group(columns: Columns, text: str) -> Group | None:
    """The group a line begins, or None if lines of its shape are not for here."""
    cuts = columns.cut(text)
    names = [place.name for _, _, place in cuts.singly]
    known = all(place.field is not None for _, _, place in cuts.singly)
    if not known or len(set(names)) < len(names) or len(cuts.names) < FEWEST or "activity_rate" not in cuts.names:
        return None
    device = next((slice(start, end) for start, end, place in cuts.singly if place.name == "device"), None)
    return Group(columns, cuts, device, slice(cuts.start, cuts.end)) if device else None


def _values(group: Group) -> dict[str, list[Any]]:
    """The lines' values by column.

    Raises:
        ValueError: one of them is no number.
    """
    tokens = list(zip(*[line.split() for line in group.lines], strict=True))
    first = len(group.cuts.singly)
    values: dict[str, list[Any]] = {
        name: list(map(float, column)) for name, column in zip(group.cuts.names, tokens[first:], strict=True)
    }
    for (_, _, place), column in zip(group.cuts.singly, tokens[:first], strict=True):
        if not place.numeric:
            values[place.name] = list(column)
        elif place.field is not None:
            pairs = [_number(place.field, text) for text in column]
            values[place.name] = [p[0] for p in pairs]
            if place.field.mark:
                values[place.field.mark] = [p[1] for p in pairs]
    return values


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
