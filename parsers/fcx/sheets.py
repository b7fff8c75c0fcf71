"""Collects rows under the same headings over pages, to split them together."""

import re
from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from iosq.parsers.api import Balance, Batch, Issue
from iosq.parsers.arrow import column_batch
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
        last = report.match(self.columns)[-1] if self.columns else None
        if self.columns and (last is None or last.numeric):
            self.columns += (Heading(BEYOND, "", self.edge + 1, self.edge + 2),)
        self.known: list[Known | None] = report.match(self.columns)
        self.numeric = [
            h.words != BEYOND and (k is None or k.numeric) for h, k in zip(self.columns, self.known, strict=True)
        ]
        self.rows, self.marked = Rows(), Rows()
        self.cuts: list[int] | None = None
        self.ends: dict[int, set[int]] = {}

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

    def _split(self, lines: Sequence[str]) -> tuple[NDArray[np.uint8], Mask, list[tuple[int, int]]]:
        """The characters of lines as a matrix, which of them are no blanks, and the begin and end of each column."""
        grid = cells.matrix(lines, self.edge + 2)
        filled = grid != cells.BLANK
        if self.cuts is None:
            self.cuts = cells.cuts(self.columns, self.numeric, filled)
        return grid, filled, list(zip([0, *self.cuts], [*self.cuts, grid.shape[0]], strict=True))

    def _device_rows(self, balance: Balance) -> Iterator[Batch | Issue]:
        rows = self.rows
        if not self.usable:
            wanted = f"{self.report.key} or end_time" if "time" in self.report.rows else self.report.key
            yield self._left_out(balance, rows, f"without a column {wanted}")
            return
        table = Cut(self, rows, *self._split(rows.lines))
        yield from table.batches()
        self._count(balance, rows, int(table.kept.sum()))

    def _count(self, balance: Balance, rows: Rows, kept: int) -> None:
        balance.count(self.report.name, "decoded", sum(rows.sizes), kept)
        balance.count(self.report.name, "failed", 0, len(rows.lines) - kept)

    def _left_out(self, balance: Balance, rows: Rows, why: str) -> Issue:
        self._count(balance, rows, 0)
        text = f"{self.report.name}: {len(rows.lines)} lines {why}"
        return Issue("fcx.layout", "data_loss", text, rows.numbers[0], rows.numbers[0], len(rows.lines))

    def _marked_rows(self, balance: Balance) -> Iterator[Batch | Issue]:
        """Rows marked `>>` as (label, column, value); their label spans the text columns."""
        rows = self.marked
        if not self.columns:
            yield self._left_out(balance, rows, "marked >> without headings")
            return
        grid, filled, zones = self._split(rows.lines)
        labels = [found[1] if (found := LABEL.match(line)) else line.strip() for line in rows.lines]
        ends = np.array([line.find(label) + len(label) for line, label in zip(rows.lines, labels, strict=True)])
        for heading, known, numeric, (start, end) in zip(self.columns, self.known, self.numeric, zones, strict=True):
            if numeric:
                values, bad = numbers.parse(grid[start:end])
                whole = ~(bad | cells.split_rows(filled, start) | cells.split_rows(filled, end))
                usable = ~np.isnan(values) & whole & (ends <= max(heading.start, start))
                yield from self._summary(rows, labels, known.name if known else heading.name, values, usable)
        self._count(balance, rows, len(rows.lines))

    def _summary(
        self, rows: Rows, labels: list[str], name: str, values: NDArray[np.float64], usable: Mask
    ) -> Iterator[Batch]:
        if not usable.any():
            return
        count = len(labels)
        own = {"report": [self.report.name] * count, "label": labels, "name": [name] * count, "value": values}
        yield Batch(SUMMARY.name, column_batch(SUMMARY, common(rows) | own, count).filter(pa.array(usable)))
