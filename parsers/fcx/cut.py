"""Splits rows under known headings into columns: every cell becomes a value, NULL, or an issue."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from iosq.parsers.api import Batch, Issue, Table
from iosq.parsers.arrow import column_batch
from iosq.parsers.fcx.knowledge import OTHER, Known
from iosq.parsers.fcx.rows import Mask, Rows, common, interval_starts
from iosq.parsers.listing import cells, numbers, unread
from iosq.parsers.listing.heading import Heading
from iosq.toolkit.rows import NewRow

if TYPE_CHECKING:
    from iosq.parsers.fcx.sheets import Sheet

SHIFTED = 0.1  # share of cells out of line above which a column is not right-justified
BEYOND = "(right of the last heading)"


class Cut:
    """The rows of one flush, split column by column, with issues about unreadable cells."""

    def __init__(
        self, sheet: "Sheet", rows: Rows, grid: NDArray[np.uint8], filled: Mask, zones: list[tuple[int, int]]
    ) -> None:
        self.sheet, self.rows, self.grid, self.filled, self.zones = sheet, rows, grid, filled, zones
        self.issues: list[Issue] = []
        self.data = common(rows)
        self.others: list[tuple[str, Any]] = []
        self.kept = np.ones(len(rows.lines), np.bool_)
        self.commas = bool((grid == ord(",")).any()) and self._has_decimal_commas()
        for heading, known, zone in zip(sheet.columns, sheet.known, zones, strict=True):
            self._column(heading, known, zone)
        self._indent()
        self._times()

    def _has_decimal_commas(self) -> bool:
        """True if more numbers have a comma than a point, which is reported as an issue."""
        zones = [z for k, z in zip(self.sheet.known, self.zones, strict=True) if k is not None and k.numeric]
        signs = [numbers.decimal_signs(self.grid[start:end]) for start, end in zones]
        commas = np.array([c for c, _ in signs])
        if commas.sum() <= sum(int(p.sum()) for _, p in signs):
            return False
        lines = commas.any(axis=0)
        line, count = self.rows.numbers[int(np.argmax(lines))], int(lines.sum())
        text = (
            f"{self.sheet.report.name}: the numbers have decimal commas and are left out; print the listing with "
            "decimal points, or change the commas"
        )
        self.issues.append(Issue("fcx.comma", "data_loss", text, line, line, count))
        return True

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
        array = cells.text(part)
        if name != BEYOND or written.any():
            self.others.append((name, array))
        # two cells under one heading: one of them has no heading
        astray = written if name == BEYOND else pc.match_substring(array, "  ").to_numpy(zero_copy_only=False)
        if astray.any():
            line, count = self.rows.numbers[int(np.argmax(astray))], int(astray.sum())
            self.issues.append(unread.no_heading(self.sheet.report.name, line, count))

    def _numbers(self, heading: Heading, known: Known, zone: tuple[int, int], crossed: Mask) -> None:
        part = self.grid[zone[0] : zone[1]]
        values, bad = numbers.parse(part)
        wrong = bad | crossed | _shifted(part, heading.end - zone[0])
        reported = np.zeros_like(wrong)
        if self.commas:  # a point separates thousands here, so 1.234 is no number either
            reported, points = numbers.decimal_signs(part)
            wrong |= points
        self._report(wrong & ~reported, f"number under {heading.name}", known.name)
        values[wrong] = np.nan
        self.data[known.name] = pa.array(values, pa.float64(), from_pandas=True)

    def _text(self, known: Known, part: NDArray[np.uint8], crossed: Mask) -> None:
        array = cells.text(part)
        if not known.several:  # the next column's heading is missing
            crossed = crossed | pc.match_substring(array, " ").to_numpy(zero_copy_only=False)
        self._report(crossed, f"text of {known.name}", known.name)
        if known.name == self.sheet.report.key:
            pattern = re.compile(r"[0-9A-F][0-9A-F>-]*" if known.name == "device" else r"[0-9A-F]{2,5}")
            found = array.dictionary_encode()
            good = np.array([bool(pattern.fullmatch(t)) for t in found.dictionary.to_pylist()], np.bool_)
            self.kept = good[found.indices.to_numpy()] & ~crossed
            self._report(~self.kept & ~crossed, f"key {known.name}")
        self.data[known.name] = array if not crossed.any() else pa.array(array.to_pylist(), pa.string(), mask=crossed)

    def _report(self, wrong: Mask, what: str, column: str = "") -> None:
        if wrong.any():
            first = int(np.argmax(wrong))
            line, count = self.rows.numbers[first], int(wrong.sum())
            text = (
                f"{self.sheet.report.name}: {what} not understood, first in {self.rows.lines[first].rstrip()[:132]!r}"
            )
            self.issues.append(Issue("fcx.cell", "data_loss", text, line, line, count))
            if column:
                self.issues.append(unread.values(self.sheet.report.name, column, line, count))

    def _indent(self) -> None:
        """Drop rows that start right of the first heading: they are shifted, with cells under wrong headings."""
        shifted = np.argmax(self.filled, axis=0) >= self.sheet.columns[0].end
        self._report(shifted & self.kept, "row with another indentation than its headings")
        self.kept &= ~shifted

    def _times(self) -> None:
        if "end_time" not in self.data:
            return
        starts, spans, wrong = interval_starts(self.rows, self.data["end_time"].to_pylist(), self.sheet.ends)
        repeated = self.rows.per_row([p.again for p in self.rows.pages], pa.bool_()).to_numpy(zero_copy_only=False)
        self._report(wrong & self.kept & ~repeated, "interval end time")
        self.data["interval_start"] = pa.array(starts, pa.int64(), mask=wrong).cast(pa.timestamp("us"))
        self.data["interval_s"] = pa.array(spans, pa.float64(), mask=wrong)

    def batches(self) -> Iterator[Batch | Issue]:
        yield from self.issues
        table, count = self.sheet.report.table, len(self.kept)
        yield self._batch(table, self.data)
        for heading, text in self.others:
            own = {"report": [table.name] * count, "heading": [heading] * count, "cell": text}
            yield self._batch(OTHER, self.data | own)

    def _batch(self, table: Table, columns: NewRow) -> Batch:
        rows = column_batch(table, columns, len(self.kept))
        return Batch(table.name, rows if self.kept.all() else rows.filter(pa.array(self.kept, pa.bool_())))


def _shifted(part: NDArray[np.uint8], edge: int) -> Mask:
    """Mask of cells that don't end where most of their column do: the line lost or gained a character, or is cut.

    `edge` is the heading's end. A column in which many cells differ is not right-justified.
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
