"""The result type of every what-if."""

import io
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from iosq.toolkit.errors import RequestError
from iosq.toolkit.late import pl
from iosq.toolkit.predict.output import grid_of, names_of, table
from iosq.toolkit.rows import NewRow, Row
from iosq.toolkit.show import output, picture, terminal
from iosq.toolkit.show.rows import WRITERS
from iosq.toolkit.show.table import card
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
            return card(grid_of(rows)) if len(rows) == 1 else table(rows, terminal.width())
        if form not in FORMATS:
            raise RequestError(f"unknown format {form!r}", place="--format", remedy=f"choose {', '.join(FORMATS)}")
        rows = self.objects()
        names, target = names_of(rows), io.BytesIO()
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
