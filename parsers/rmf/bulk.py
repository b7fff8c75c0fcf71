"""Device rows by the thousand: lines whose blanks are at the same places are cut and converted together.

Only what can't be anything but a device row with plain numbers is taken here; every other line goes the long way.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
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
        batches = [batch for group in full if (batch := self._convert(group)) is not None]
        if batches:
            whole = pa.Table.from_batches(batches).combine_chunks()
            self._rows.add_batch(TABLE, whole.to_batches()[0])

    def _convert(self, group: Group) -> pa.RecordBatch | None:
        count = len(group.lines)
        try:
            values = {**_run(group), **_singly(group)}
        except ValueError:  # a number in the run that is none: one by one
            for line, number, interval in zip(group.lines, group.numbers, group.intervals, strict=True):
                self._retry(group.columns, line, number, interval)
            return None
        values |= {**_common(group.intervals), "line": group.numbers, "online": [True] * count}
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


def _run(group: Group) -> dict[str, Any]:
    """The numbers one behind the other, by column.

    Raises:
        ValueError: one of them is no number.
    """
    texts = [line[group.run] for line in group.lines]
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)  # how numpy says that a text is no number
        try:
            found = np.fromstring(" ".join(texts), np.float64, sep=" ")
        except DeprecationWarning as error:
            raise ValueError(error) from error
    columns = found.reshape(len(texts), len(group.cuts.names)).T
    return dict(zip(group.cuts.names, columns, strict=True))


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


def _common(intervals: list[Interval]) -> dict[str, Any]:
    """What rows begin with: a page's rows share one interval."""
    known = {id(i): n for n, i in enumerate({id(i): i for i in intervals}.values())}
    distinct = list({id(i): i for i in intervals}.values())
    place = pa.array([known[id(i)] for i in intervals], pa.int32())
    columns = {
        "system": pa.array([i.system for i in distinct], pa.string()),
        "interval_start": pa.array([i.start for i in distinct], pa.timestamp("us")),
        "interval_s": pa.array([i.seconds for i in distinct], pa.float64()),
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
