"""Columns of a report with unread values, some or all: one issue for each, from any source."""

from __future__ import annotations

from collections.abc import Iterable

from iosq.parsers.api import Issue, Severity
from iosq.parsers.needed import needed

COLUMN = "unread_column"
VALUES = "unread_values"
CODES = COLUMN, VALUES
LONGEST = 200  # characters of a heading that is quoted; damage may make it any length


def heading(report: str, text: str, line: int, table: str, lacking: Iterable[str]) -> Issue:
    """A heading of an unknown column.

    Args:
        report: the report's name.
        text: the heading.
        line: its line number.
        table: the raw table of the rows below.
        lacking: columns of the table that have no heading here: it may be one of them. Where a view reads one, data is
            lost.
    """
    severity: Severity = "notice" if needed(table).isdisjoint(lacking) else "data_loss"
    return Issue(COLUMN, severity, f"{report}: heading not understood: {text[:LONGEST]}", line, line)


def values(report: str, column: str, line: int, count: int = 1) -> Issue:
    """A column with unreadable values; an issue of its own reports the lost values."""
    return Issue(VALUES, "notice", f"{report}: values not understood in column {column[:LONGEST]}", line, line, count)


def no_heading(report: str, line: int, count: int = 1) -> Issue:
    """Values below no heading; an issue of its own reports the lost values."""
    return Issue(COLUMN, "notice", f"{report}: values under no heading", line, line, count)
