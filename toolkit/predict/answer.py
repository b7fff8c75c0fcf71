"""The result type of every what-if."""

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from iosq.toolkit.errors import RequestError
from iosq.toolkit.late import pl
from iosq.toolkit.rows import NewRow, Row
from iosq.toolkit.show import output, picture, terminal
from iosq.toolkit.show.numbers import shown
from iosq.toolkit.show.rows import WRITERS
from iosq.toolkit.show.table import Grid, card, grid, text
from iosq.toolkit.show.theme import Picture

FORMATS = ("table", "json", "csv")


@dataclass(frozen=True)
class Answer:
    """Rows for programs and tables, sentences for readers, a picture on demand.

    Attributes:
        rows: one object per row; a column's name ends in its unit, `X_low_ms` and `X_high_ms` bound `X_ms`.
        common: values common to all rows (subject, calibration): in every JSON row, left out of the table.
        conclusions: what the rows show, one sentence each.
        draw: draws the chart of these rows, or of rows passed in their place, with the main conclusion as title; None
            if there is nothing to draw.
        hidden: columns for programs only.
    """

    rows: tuple[Row, ...]
    conclusions: tuple[str, ...]
    common: Row = field(default_factory=dict)
    draw: Callable[..., Picture] | None = None
    hidden: tuple[str, ...] = ()

    def objects(self) -> list[NewRow]:
        """The rows with their common values."""
        return [{**self.common, **row} for row in self.rows]

    def text(self, form: str = "table", most: int | None = None) -> str:
        """The rows as `table`, `json` or `csv`; a table has at most the first `most` rows.

        Raises:
            RequestError: unknown format.
        """
        if form == "table":
            rows = [{n: v for n, v in row.items() if n not in self.hidden} for row in self.rows[:most]]
            return card(_grid_of(rows)) if len(rows) == 1 else table(rows, terminal.width())
        if form not in FORMATS:
            raise RequestError(f"unknown format {form!r}", place="--format", remedy=f"choose {', '.join(FORMATS)}")
        rows = self.objects()
        names, target = _names_of(rows), io.BytesIO()
        WRITERS[form](names, ([row.get(name) for name in names] for row in rows), target)
        return target.getvalue().decode().rstrip("\n")

    def save(self, target: str | Path) -> None:
        """Write the chart (.html, .png, .pdf, .svg) or the rows (.json, .csv), by the file's extension.

        Raises:
            RequestError: the file can't be written, its extension is unknown, or the answer has no chart.
        """
        target = Path(target)
        output.check(target, picture.WITH_ROWS)
        ending = target.suffix.lower()
        if ending in (".json", ".csv"):
            output.write(target, self.text(ending[1:]) + "\n")
        elif self.draw is None:
            raise RequestError("this answer has no chart", place=f"--output {target}", remedy="write .json or .csv")
        else:
            picture.save(self.draw(), target)

    def frame(self) -> "pl.DataFrame":
        """The rows as a polars frame, with their common values."""
        return pl.DataFrame(self.objects(), infer_schema_length=None)


def table(rows: Sequence[Row], width: int | None = None) -> str:
    """The rows as a text table; numbers right-aligned, intervals after their value."""
    return text(_grid_of(rows), width)


def sibling(name: str, which: str) -> str:
    """Name of the column that bounds another: `wait_ms` and `low` give `wait_low_ms`, `io_rate` gives `io_rate_low`."""
    head, _, unit = name.rpartition("_")
    return f"{head}_{which}_{unit}" if unit in ("ms", "s") and head else f"{name}_{which}"


def _names_of(rows: Sequence[Row]) -> list[str]:
    """The columns of all rows."""
    return list(dict.fromkeys(name for row in rows for name in row))


def _grid_of(rows: Sequence[Row]) -> Grid:
    """The columns other than bounds, each value with its interval."""
    names = _names_of(rows)
    bounds = {sibling(name, which) for name in names for which in ("low", "high")}
    names = [name for name in names if name not in bounds]
    right = grid(names, [[row.get(name) for name in names] for row in rows]).right
    return Grid(names, [[_cell(row, name) for name in names] for row in rows], right)


def _cell(row: Row, name: str) -> str:
    low, high = row.get(sibling(name, "low")), row.get(sibling(name, "high"))
    value = shown(row.get(name), name)
    if low is not None and high is None:
        least = f"{shown(low, name)} or more"
        return least if row.get(name) is None else f"{value} ({least})"
    if low is None or high is None or low == high:
        return value
    if row.get(name) is None:
        ends = shown(low, name), shown(high, name)
        return ends[0] if ends[0] == ends[1] else " to ".join(ends)
    return f"{value} ({shown(low, name)} to {shown(high, name)})"
