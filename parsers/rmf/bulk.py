"""Rows of many pages taken together; those that are unusual go the long way, one by one and in their order.

What is put here can be nothing but a row or a line not understood, so that how it is read changes nothing of how the
lines below it are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from operator import itemgetter

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from iosq.parsers.arrow import schema
from iosq.parsers.rmf.grid import Column, Grid, Mask, read_all
from iosq.parsers.rmf.heading import Columns
from iosq.parsers.rmf.knowledge import Report, Section
from iosq.parsers.rmf.many import TAKERS, Many
from iosq.parsers.rmf.rows import Rows
from iosq.parsers.rmf.times import Interval
from iosq.parsers.rmf.words import Words
from iosq.toolkit.rows import NewRow

# a word that is a number is in no title and no heading; titles of pages begin with a single letter, RMF or I/O
CERTAIN = re.compile(r"(?:[^\S\n]*+(?!RMF|I/O )\S\S[^\n]*?(?<!\w)\d++(?!\w)[^\n]*+\n)*+")
"""Lines below headings that can be no title, heading or rule, whatever they are."""
TOGETHER = 1500  # lines taken at once: more leave the processor's cache, fewer cost a start each
LOOKED_AT = 8, 64  # lines looked at together


@dataclass(frozen=True, slots=True)
class Run:
    """Successive lines of a page under the same headings; `number` is that of the first."""

    columns: Columns
    report: Report
    section: Section
    title: Words
    kind: str
    interval: Interval
    head: dict[str, str]
    subsystem: str | None
    number: int
    lines: list[str]


Event = tuple[int, Callable[[], object]]
"""What has to happen in the order of lines."""


class Bulk:
    """Gathers runs; `flush` gives their rows to `rows`.

    Args:
        rows: where rows go.
        single: takes a row of a run by itself, with its number and text.
        passed: gets what the last of rows taken together leaves to those below.
    """

    def __init__(
        self, rows: Rows, single: Callable[[Run, int, str], object], passed: Callable[[Run, NewRow], object]
    ) -> None:
        self._rows, self._single, self._passed = rows, single, passed
        self._groups: dict[tuple[int, str, Words], list[Run]] = {}
        self._events: list[Event] = []

    def add(self, run: Run) -> None:
        """Keep the lines of a run."""
        self._groups.setdefault((id(run.columns), run.section.table.name, run.title), []).append(run)

    def between(self, number: int, what: Callable[[], object]) -> bool:
        """Have something done between rows, if any are kept."""
        if self._groups:
            self._events.append((number, what))
        return bool(self._groups)

    def flush(self) -> None:
        """Read what was gathered."""
        groups, self._groups = self._groups, {}
        events, self._events = self._events, []
        for runs in groups.values():
            for part in _parts(runs):
                events += self._take(part)
        for _, event in sorted(events, key=itemgetter(0)):
            event()

    def _take(self, runs: list[Run]) -> list[Event]:
        """Give rows that may be taken together to `rows`; what is to be done for the others."""
        first = runs[0]
        grid = read_all(first.columns, [line for run in runs for line in run.lines])
        sizes = np.array([len(run.lines) for run in runs])
        of_row = np.repeat(np.arange(len(runs)), sizes)
        starts = np.cumsum(sizes) - sizes
        begins = np.zeros(grid.count, np.bool_)
        begins[starts] = True
        numbers = np.array([run.number for run in runs])[of_row] + np.arange(grid.count) - starts[of_row]
        singly = np.ones(grid.count, np.bool_)
        events: list[Event] = []
        for many in TAKERS[first.report.layout](grid, first.section, first.title, begins):
            keep, table = many.good & ~many.dropped, many.table or first.section.table.name
            singly &= ~many.good
            if keep.any():
                batch = self._batch(table, runs, of_row, grid, many, numbers)
                self._rows.add_batch(table, batch if keep.all() else batch.filter(pa.array(keep)))
            events += self._left(runs, many, of_row, numbers)
        return events + self._late(runs, singly, of_row, starts, numbers)

    def _batch(
        self, table: str, runs: list[Run], of_row: NDArray[np.int64], grid: Grid, many: Many, numbers: NDArray[np.int64]
    ) -> pa.RecordBatch:
        place = pa.array(of_row)
        values: NewRow = {**_common(runs, place), "line": numbers}
        values |= {**grid.numbers, **grid.texts, **many.values, **_of_pages(runs, grid, place)}
        shape = schema(self._rows.table(table))
        arrays = [_array(values[f.name], f.type) if f.name in values else pa.nulls(grid.count, f.type) for f in shape]
        return pa.RecordBatch.from_arrays(arrays, schema=shape)

    def _late(
        self,
        runs: list[Run],
        singly: Mask,
        of_row: NDArray[np.int64],
        starts: NDArray[np.int64],
        numbers: NDArray[np.int64],
    ) -> list[Event]:
        """Rows to be read by themselves."""
        events: list[Event] = []
        for at in np.flatnonzero(singly).tolist():
            run, number = runs[of_row[at]], int(numbers[at])
            text = run.lines[at - starts[of_row[at]]]
            events.append((number, partial(self._single, run, number, text)))
        return events

    def _left(self, runs: list[Run], many: Many, of_row: NDArray[np.int64], numbers: NDArray[np.int64]) -> list[Event]:
        """What rows leave to those below."""
        events: list[Event] = []
        if many.carried:
            for at in np.flatnonzero(_ends(many.good & ~many.dropped, of_row)).tolist():
                run, left = runs[of_row[at]], {n: _one(many.values[n], at) for n in many.carried}
                events.append((int(numbers[at]), partial(self._passed, run, left)))
        return events


def _parts(runs: Sequence[Run]) -> Iterator[list[Run]]:
    """Runs of about `TOGETHER` lines."""
    part: list[Run] = []
    lines = 0
    for run in runs:
        part.append(run)
        lines += len(run.lines)
        if lines >= TOGETHER:
            yield part
            part, lines = [], 0
    if part:
        yield part


def _ends(good: Mask, of_row: NDArray[np.int64]) -> Mask:
    """The last rows of those that stand together in a run."""
    on = np.zeros_like(good)
    on[:-1] = good[1:] & (of_row[1:] == of_row[:-1])
    return good & ~on


def _one(column: Column, at: int) -> object:
    value = column[at]
    return value.as_py() if isinstance(value, pa.Scalar) else value


def _array(column: Column, kind: pa.DataType) -> pa.Array:
    if isinstance(column, np.ndarray) and column.dtype == np.float64:
        column = pa.array(column, pa.float64(), from_pandas=True)
    if isinstance(column, pa.Array):
        return column if column.type == kind else column.cast(kind)
    return pa.array(column, kind)


def _common(runs: Sequence[Run], place: pa.Array) -> NewRow:
    """What rows begin with."""
    intervals = [run.interval for run in runs]
    columns = {
        "system": pa.array([i.system for i in intervals], pa.string()),
        "interval_start": pa.array([i.start for i in intervals], pa.timestamp("us")),
        "interval_s": pa.array([i.seconds for i in intervals], pa.float64()),
    }
    return {name: column.take(place) for name, column in columns.items()}


def _of_pages(runs: Sequence[Run], grid: Grid, place: pa.Array) -> NewRow:
    """Columns that the page gives to rows that don't have them."""
    given = {name: [run.head.get(name) for run in runs] for name in runs[0].section.rows.head}
    if runs[0].report.layout == "cache" and runs[0].section.table.name != "rmf_cache_summary":
        given["subsystem"] = [run.subsystem for run in runs]
    columns = {name: pa.array(values, pa.string()).take(place) for name, values in given.items()}
    return {n: pc.coalesce(grid.texts[n], column) if n in grid.texts else column for n, column in columns.items()}
