"""The result type of every what-if."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from iosq.toolkit.late import pl
from iosq.toolkit.rows import NewRow, Row
from iosq.toolkit.show.theme import Picture


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
        """The rows as `table`, `json` or `csv`; a table has at most the first `most` rows."""
        from iosq.toolkit.predict.output import text_of

        return text_of(self, form, most)

    def save(self, target: str | Path) -> None:
        """Write the chart (.html, .png, .pdf, .svg) or the rows (.json, .csv), by the file's extension."""
        from iosq.toolkit.predict.output import save

        save(self, Path(target))

    def frame(self) -> "pl.DataFrame":
        """The rows as a polars frame, with their common values."""
        return pl.DataFrame(self.objects(), infer_schema_length=None)
