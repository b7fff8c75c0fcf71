"""Collects rows under the same headings over pages, to split them together."""

import re
from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from iosq.parsers.api import Balance, Batch, Issue
from iosq.parsers.arrow import schema
from iosq.parsers.fcx.cut import BEYOND, Cut
from iosq.parsers.fcx.knowledge import START, SUMMARY, Known, Report
from iosq.parsers.fcx.rows import Mask, Rows, common
from iosq.parsers.listing import cells, numbers, unread
from iosq.parsers.listing.heading import Heading, headings

LABEL = re.compile(r"\s*(>>.*?)(?=\s{2,}|\s+[.\d]|$)")
CLOCK = re.compile(rf"\s*{START['time']}")


class Sheet:
    """One layout (report and heading lines) and the rows read under it."""

    def __init__(self, report: Report, lines: Sequence[str], line: int) -> None:
        self.report, self.line = report, line
        self.columns = report.joined(report.realigned(headings(lines)))
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
        """True if rows can be identified: the key heading was found, and in a log also that of the time."""
        names = {k.name for k in self.known if k is not None}
        timed = any(CLOCK.match(line) for line in self.rows.lines[:1])
        return self.report.key in names and (not timed or "end_time" in names)

    def unknown(self) -> Iterator[Issue]:
        """One issue per heading that is not understood."""
        found = {k.name for k in self.known if k is not None}
        lacking = [k.name for k in self.report.columns if k.name not in found]
        for heading, known in zip(self.columns, self.known, strict=True):
            if known is None and heading.words != BEYOND:
                yield unread.heading(self.report.name, heading.name, self.line, self.report.name, lacking)

    def flush(self, balance: Balance) -> Iterator[Batch | Issue]:
        """Split the collected lines into rows and issues, and count them by outcome."""
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
        table = Cut(self, rows, grid, filled, self._zones(grid, filled))
        yield from table.batches()
        self._count(count, rows, table.kept)

    def _count(self, count: pa.Array, rows: Rows, kept: Mask) -> None:
        count.read += len(rows.lines)
        count.decoded += int(kept.sum())
        count.failed += int((~kept).sum())
        count.bytes += sum(rows.sizes)

    def _marked_rows(self, balance: Balance) -> Iterator[Batch | Issue]:
        """Rows marked `>>` as (label, column, value); their label spans the text columns."""
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
        own = {
            "label": pa.array(labels, pa.string()),
            "name": pa.array([name] * count, pa.string()),
            "value": pa.array(values),
        }
        data = common(rows) | {"report": pa.array([self.report.name] * count, pa.string())} | own
        batch = pa.RecordBatch.from_arrays([data[n] for n in SUMMARY.names], schema=schema(SUMMARY))
        yield Batch(SUMMARY.name, batch.filter(pa.array(usable)))


def _last_is_numeric(report: Report, columns: Sequence[Heading]) -> bool:
    last = report.match(columns)[-1]
    return last is None or last.numeric
