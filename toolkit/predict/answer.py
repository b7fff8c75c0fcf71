"""What every what-if gives back, whatever was asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from iosq.toolkit.show.theme import Picture

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Answer:
    """Rows for programs and tables, sentences for people, a picture on demand.

    Attributes:
        rows: one object per row; a column's name ends in its unit, `X_low_ms` and `X_high_ms` bound `X_ms`.
        common: what holds for every row (subject, calibration): in every JSON row, left out of the table.
        conclusions: what to make of the rows, one sentence each.
        draw: makes the chart, its title the finding; None where there is nothing to draw.
        hidden: columns for programs only.
    """

    rows: tuple[Row, ...]
    conclusions: tuple[str, ...]
    common: Row = field(default_factory=dict)
    draw: Callable[[], Picture] | None = None
    hidden: tuple[str, ...] = ()

    def objects(self) -> list[dict[str, Any]]:
        """The rows with what is common to all of them."""
        return [{**self.common, **row} for row in self.rows]
