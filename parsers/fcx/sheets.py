"""Rows under the same headings, gathered over pages and cut together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from iosq.parsers.api import Balance, Batch, Issue
from iosq.parsers.arrow import schema
from iosq.parsers.fcx.knowledge import OTHER, START, SUMMARY, Known, Report
from iosq.parsers.fcx.pages import Page
from iosq.parsers.listing import cells, numbers
from iosq.parsers.listing.heading import Heading, headings

LABEL = re.compile(r"\s*(>>.*?)(?=\s{2,}|\s+[.\d]|$)")
CLOCK = re.compile(rf"\s*{START['time']}")
DAY_US = 86_400_000_000
SHIFTED = 0.1  # more cells than that out of line: the column is not right-justified

BEYOND = "(right of the last heading)"

Mask = NDArray[np.bool_]


@dataclass(slots=True)
class Rows:
    """Data lines with their numbers, sizes and pages (one count for each page)."""

    lines: list[str] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    pages: list[Page] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)

    def add(self, page: Page, number: int, lines: Sequence[str], sizes: Sequence[int]) -> None:
        if not self.pages or self.pages[-1] is not page:
            self.pages.append(page)
            self.counts.append(0)
        self.counts[-1] += len(lines)
        self.lines += lines
        self.sizes += sizes
        self.numbers += range(number, number + len(lines))

    def drop_last(self) -> int:
        """Take the last line back; its size."""
        self.lines.pop()
        self.numbers.pop()
        self.counts[-1] -= 1
        return self.sizes.pop()

    def per_row(self, values: Sequence[Any], kind: Any) -> Any:
        """A value of each page, repeated for its rows, as an Arrow array."""
        array = pa.array(values, kind)
        return array.take(pa.array(np.repeat(np.arange(len(values)), self.counts)))


def micros(moment: datetime | None) -> int | None:
    """Microseconds since 1970 of a time without zone."""
    return None if moment is None else int(moment.replace(tzinfo=UTC).timestamp()) * 1_000_000


class Sheet:
    """One layout (report and heading lines) and the rows read under it."""

    def __init__(self, report: Report, lines: Sequence[str], line: int) -> None:
        self.report, self.line = report, line
        self.columns = headings(lines)
        self.edge = max((h.end for h in self.columns), default=0)
        if self.columns and _last_is_numeric(report, self.columns):
            self.columns += (Heading(BEYOND, "", self.edge + 1, self.edge + 2),)
        self.known: list[Known | None] = report.match(self.columns)
        self.numeric = [
            h.words != BEYOND and (k is None or k.numeric) for h, k in zip(self.columns, self.known, strict=True)
        ]
        self.rows, self.marked = Rows(), Rows()
        self.cuts: list[int] | None = None
        self.ends: dict[int, set[int]] = {}

    def __len__(self) -> int:
        return len(self.rows.lines) + len(self.marked.lines)

    @property
    def usable(self) -> bool:
        """Whether nobody can mistake whose numbers these are: the key heading, and in a log the time's, were found."""
        names = {k.name for k in self.known if k is not None}
        timed = any(CLOCK.match(line) for line in self.rows.lines[:1])
        return self.report.key in names and (not timed or "end_time" in names)

    def unknown(self) -> Iterator[Issue]:
        """One issue for each heading that is not understood."""
        for heading, known in zip(self.columns, self.known, strict=True):
            if known is None and heading.words != BEYOND:
                text = f"{self.report.name}: heading not understood, cells kept in fcx_other_cell: {heading.name}"
                yield Issue("fcx.heading", "notice", text, self.line, self.line)

    def flush(self, balance: Balance) -> Iterator[Batch | Issue]:
        """Cut what was gathered: rows and issues; lines are counted here, when it is known whether they were used."""
        if self.rows.lines:
            yield from self._device_rows(balance)
        if self.marked.lines:
            yield from self._marked_rows(balance)
        self.rows, self.marked = Rows(), Rows()

    def _width(self) -> int:
        return self.edge + 2

    def _zones(self, grid: NDArray[np.uint8], filled: Mask) -> list[tuple[int, int]]:
        if self.cuts is None:
            self.cuts = cells.cuts(self.columns, self.numeric, filled)
        return list(zip([0, *self.cuts], [*self.cuts, grid.shape[0]], strict=True))

    def _device_rows(self, balance: Balance) -> Iterator[Batch | Issue]:
        rows, count = self.rows, balance.kind(self.report.name)
        if not self.usable:
            self._count(count, rows, np.zeros(len(rows.lines), np.bool_))
            wanted = f"{self.report.key} or end_time" if "time" in self.report.rows else self.report.key
            text = f"{self.report.name}: {len(rows.lines)} lines without a column {wanted}"
            yield Issue("fcx.layout", "data_loss", text, rows.numbers[0], rows.numbers[0], len(rows.lines))
            return
        grid = cells.matrix(rows.lines, self._width())
        filled = grid != cells.BLANK
        table = _Cut(self, rows, grid, filled, self._zones(grid, filled))
        yield from table.batches()
        self._count(count, rows, table.kept)

    def _count(self, count: Any, rows: Rows, kept: Mask) -> None:
        count.read += len(rows.lines)
        count.decoded += int(kept.sum())
        count.failed += int((~kept).sum())
        count.bytes += sum(rows.sizes)

    def _marked_rows(self, balance: Balance) -> Iterator[Batch | Issue]:
        """Rows marked `>>` as (label, column, value); their label runs across the text columns."""
        rows = self.marked
        if not self.columns:
            self._count(balance.kind(self.report.name), rows, np.zeros(len(rows.lines), np.bool_))
            text = f"{self.report.name}: {len(rows.lines)} lines marked >> without headings"
            yield Issue("fcx.layout", "data_loss", text, rows.numbers[0], rows.numbers[0], len(rows.lines))
            return
        grid = cells.matrix(rows.lines, self._width())
        filled = grid != cells.BLANK
        zones = self._zones(grid, filled)
        labels = [found[1] if (found := LABEL.match(line)) else line.strip() for line in rows.lines]
        ends = np.array([line.find(label) + len(label) for line, label in zip(rows.lines, labels, strict=True)])
        for heading, known, numeric, (start, end) in zip(self.columns, self.known, self.numeric, zones, strict=True):
            if numeric:
                values, bad = numbers.parse(grid[start:end])
                whole = ~(bad | cells.split_rows(filled, start) | cells.split_rows(filled, end))
                usable = ~np.isnan(values) & whole & (ends <= max(heading.start, start))
                yield from self._summary(rows, labels, known.name if known else heading.name, values, usable)
        self._count(balance.kind(self.report.name), rows, np.ones(len(rows.lines), np.bool_))

    def _summary(
        self, rows: Rows, labels: list[str], name: str, values: NDArray[np.float64], usable: Mask
    ) -> Iterator[Batch]:
        if not usable.any():
            return
        count = len(labels)
        own = {"label": pa.array(labels), "name": pa.array([name] * count), "value": pa.array(values)}
        data = common(rows) | {"report": pa.array([self.report.name] * count)} | own
        batch = pa.RecordBatch.from_arrays([data[n] for n in SUMMARY.names], schema=schema(SUMMARY))
        yield Batch(SUMMARY.name, batch.filter(pa.array(usable)))


def _last_is_numeric(report: Report, columns: Sequence[Heading]) -> bool:
    last = report.match(columns)[-1]
    return last is None or last.numeric


def common(rows: Rows) -> dict[str, Any]:
    """The columns every table begins with, from the pages the rows stood on."""
    pages = rows.pages
    return {
        "system": rows.per_row([p.system for p in pages], pa.string()),
        "interval_start": rows.per_row([micros(p.start) for p in pages], pa.int64()).cast(pa.timestamp("us")),
        "utc_offset_s": pa.nulls(len(rows.lines), pa.int32()),
        "interval_s": rows.per_row([p.seconds for p in pages], pa.float64()),
        "line": pa.array(rows.numbers, pa.int64()),
    }


class _Cut:
    """The rows of one flush, cut: column by column, with what could not be read."""

    def __init__(
        self, sheet: Sheet, rows: Rows, grid: NDArray[np.uint8], filled: Mask, zones: list[tuple[int, int]]
    ) -> None:
        self.sheet, self.rows, self.grid, self.filled, self.zones = sheet, rows, grid, filled, zones
        self.issues: list[Issue] = []
        self.data = common(rows)
        self.others: list[tuple[str, Any]] = []
        self.kept = np.ones(len(rows.lines), np.bool_)
        for heading, known, zone in zip(sheet.columns, sheet.known, zones, strict=True):
            self._column(heading, known, zone)
        self._times()

    def _column(self, heading: Heading, known: Known | None, zone: tuple[int, int]) -> None:
        part = self.grid[zone[0] : zone[1]]
        crossed = cells.split_rows(self.filled, zone[0]) | cells.split_rows(self.filled, zone[1])
        if known is None:
            self._other(heading.name, part)
        elif known.numeric:
            self._numbers(heading, known, zone, crossed)
        else:
            self._text(known, part, crossed)

    def _other(self, name: str, part: NDArray[np.uint8]) -> None:
        written = (part != cells.BLANK).any(axis=0)
        if name != BEYOND or written.any():
            self.others.append((name, cells.text(part)))
        if name == BEYOND and written.any():
            line, count = self.rows.numbers[int(np.argmax(written))], int(written.sum())
            text = f"{self.sheet.report.name}: text right of the last heading, kept in fcx_other_cell"
            self.issues.append(Issue("fcx.heading", "notice", text, line, line, count))

    def _numbers(self, heading: Heading, known: Known, zone: tuple[int, int], crossed: Mask) -> None:
        part = self.grid[zone[0] : zone[1]]
        values, bad = numbers.parse(part)
        wrong = bad | crossed | _shifted(part, heading.end - zone[0])
        self._report(wrong, f"number under {heading.name}")
        values[wrong] = np.nan
        self.data[known.name] = pa.array(values, from_pandas=True)

    def _text(self, known: Known, part: NDArray[np.uint8], crossed: Mask) -> None:
        self._report(crossed, f"text of {known.name}")
        array = cells.text(part)
        if known.name == self.sheet.report.key:
            pattern = re.compile(r"[0-9A-F][0-9A-F>-]*" if known.name == "device" else r"[0-9A-F]{2,5}")
            found = array.dictionary_encode()
            good = np.array([bool(pattern.fullmatch(t)) for t in found.dictionary.to_pylist()], np.bool_)
            self.kept = good[found.indices.to_numpy()] & ~crossed
            self._report(~self.kept & ~crossed, f"key {known.name}")
        self.data[known.name] = array if not crossed.any() else pa.array(array.to_pylist(), mask=crossed)

    def _report(self, wrong: Mask, what: str) -> None:
        if wrong.any():
            first = int(np.argmax(wrong))
            line, count = self.rows.numbers[first], int(wrong.sum())
            text = (
                f"{self.sheet.report.name}: {what} not understood, first in {self.rows.lines[first].rstrip()[:132]!r}"
            )
            self.issues.append(Issue("fcx.cell", "data_loss", text, line, line, count))

    def _times(self) -> None:
        if "end_time" not in self.data:
            return
        starts, spans, wrong = interval_starts(self.rows, self.data["end_time"].to_pylist(), self.sheet.ends)
        self._report(wrong & self.kept, "interval end time")
        self.data["interval_start"] = pa.array(starts, mask=wrong).cast(pa.timestamp("us"))
        self.data["interval_s"] = pa.array(spans, mask=wrong)

    def batches(self) -> Iterator[Batch | Issue]:
        yield from self.issues
        table = self.sheet.report.table
        kinds = schema(table)
        arrays = [
            self.data[c.name] if c.name in self.data else pa.nulls(len(self.kept), kinds.field(c.name).type)
            for c in table.columns
        ]
        yield Batch(table.name, pa.RecordBatch.from_arrays(arrays, schema=kinds).filter(pa.array(self.kept)))
        for heading, text in self.others:
            own = {"report": [table.name] * len(text), "heading": [heading] * len(text), "cell": text}
            data = common(self.rows) | {name: pa.array(value) for name, value in own.items()}
            data |= {name: self.data[name] for name in ("interval_start", "interval_s")}
            batch = pa.RecordBatch.from_arrays([data[n] for n in OTHER.names], schema=schema(OTHER))
            yield Batch(OTHER.name, batch.filter(pa.array(self.kept)))


def _shifted(part: NDArray[np.uint8], edge: int) -> Mask:
    """Cells that end elsewhere than the others of their column: the line has lost or gained a character, or is cut.

    `edge` is where the heading ends. A column in which many cells disagree is not right-justified: nothing is said.
    """
    filled = part != cells.BLANK
    used = filled.any(axis=0)
    ends = np.where(used, part.shape[0] - np.argmax(filled[::-1], axis=0), -1)
    places = np.bincount(ends[used], minlength=part.shape[0] + 1)
    usual = max(range(len(places)), key=lambda p: (places[p], -abs(p - edge)))
    off: Mask = used & (ends != usual)
    if used.sum() == 1:
        return used if abs(usual - edge) > 1 else np.zeros_like(off)
    return off if off.sum() <= max(1, SHIFTED * used.sum()) else np.zeros_like(off)


def interval_starts(
    rows: Rows, texts: list[str | None], known: dict[int, set[int]]
) -> tuple[NDArray[np.int64], NDArray[np.float64], Mask]:
    """Start (microseconds) and length (s) of each row's interval from its printed end, and which rows have none.

    An interval begins where the one before it ends, the first at the start of the page's span. `known` remembers the
    ends seen so far for each span, as a span's rows may come in several pieces.
    """
    begin = rows.per_row([micros(p.start) for p in rows.pages], pa.int64())
    limit = rows.per_row([micros(p.end) for p in rows.pages], pa.int64())
    start = begin.fill_null(-1).to_numpy()
    of_day = {t: _of_day(t) for t in set(texts)}
    clock = np.array([of_day[t] for t in texts], np.int64)
    end = start - start % DAY_US + clock
    end += np.where(end <= start, DAY_US, 0)
    late = end > limit.fill_null(-1).to_numpy()
    wrong = (clock < 0) | (start < 0) | late | (limit.fill_null(0).to_numpy() - start > DAY_US)
    previous = start.copy()
    for span in np.unique(start[~wrong]):
        here = (start == span) & ~wrong
        ends = known.setdefault(int(span), {int(span)})
        ends |= set(end[here].tolist())
        order = np.array(sorted(ends))
        previous[here] = order[np.searchsorted(order, end[here]) - 1]
    return previous, (end - previous) / 1e6, wrong


def _of_day(text: str | None) -> int:
    found = re.fullmatch(r"(\d\d):(\d\d):(\d\d)", text or "")
    if not found or int(found[1]) > 23 or int(found[2]) > 59 or int(found[3]) > 59:
        return -DAY_US
    return (int(found[1]) * 3600 + int(found[2]) * 60 + int(found[3])) * 1_000_000
