"""Data lines collected for a table, with line numbers and pages, and the intervals of rows."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from iosq.parsers.fcx.pages import Page
from iosq.toolkit.rows import NewRow

DAY_US = 86_400_000_000

Mask = NDArray[np.bool_]


@dataclass(slots=True)
class Rows:
    """Data lines with their numbers, sizes and pages; `counts` is the number of lines per page."""

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
        """Remove the last line and return its size."""
        self.lines.pop()
        self.numbers.pop()
        self.counts[-1] -= 1
        return self.sizes.pop()

    def per_row(self, values: Sequence[Any], kind: Any) -> Any:
        """A value of each page, repeated for its rows, as an Arrow array."""
        array = pa.array(values, kind)
        return array.take(pa.array(np.repeat(np.arange(len(values)), self.counts)))


def common(rows: Rows) -> NewRow:
    """The common columns of every table, from the pages of the rows."""
    pages = rows.pages
    return {
        "system": rows.per_row([p.system for p in pages], pa.string()),
        "interval_start": rows.per_row([p.rows_start for p in pages], pa.timestamp("us")),
        "utc_offset_s": pa.nulls(len(rows.lines), pa.int32()),
        "interval_s": rows.per_row([p.seconds for p in pages], pa.float64()),
        "line": pa.array(rows.numbers, pa.int64()),
    }


def interval_starts(
    rows: Rows, texts: list[str | None], known: dict[int, set[int]]
) -> tuple[NDArray[np.int64], NDArray[np.float64], Mask]:
    """Start (microseconds) and length (s) of each row's interval from its printed end, and a mask of rows without one.

    An interval starts at the end of the one before it, the first at the start of the page's span. `known` collects the
    ends of each span so far, as a span's rows may come in several pieces.
    """
    begin = rows.per_row([p.rows_start for p in rows.pages], pa.timestamp("us")).cast(pa.int64())
    limit = rows.per_row([p.end for p in rows.pages], pa.timestamp("us")).cast(pa.int64())
    start = begin.fill_null(-1).to_numpy()
    of_day = {t: _of_day(t) for t in set(texts)}
    clock = np.array([of_day[t] for t in texts], np.int64)
    end = start - start % DAY_US + clock
    end += np.where(end <= start, DAY_US, 0)
    beyond = end > limit.fill_null(-1).to_numpy()
    wrong = (clock < 0) | (start < 0) | beyond | (limit.fill_null(0).to_numpy() - start > DAY_US)
    previous = start.copy()
    for span in np.unique(start[~wrong]):
        in_span = (start == span) & ~wrong
        ends = known.setdefault(int(span), {int(span)})
        ends |= set(end[in_span].tolist())
        order = np.array(sorted(ends))
        previous[in_span] = order[np.searchsorted(order, end[in_span]) - 1]
    return previous, (end - previous) / 1e6, wrong


def _of_day(text: str | None) -> int:
    found = re.fullmatch(r"(\d\d):(\d\d):(\d\d)", text or "")
    if not found or int(found[1]) > 23 or int(found[2]) > 59 or int(found[3]) > 59:
        return -DAY_US
    return (int(found[1]) * 3600 + int(found[2]) * 60 + int(found[3])) * 1_000_000
