"""Columns of a report that are not read, or not all their values: one issue for each, from whatever source."""

from __future__ import annotations

from collections.abc import Iterable

from iosq.parsers.api import Issue, Severity
from iosq.parsers.needed import needed

COLUMN = "unread_column"
VALUES = "unread_values"
CODES = COLUMN, VALUES
LONGEST = 200  # characters of a heading that is quoted; damage may make it any length


def heading(report: str, text: str, line: int, table: str, lacking: Iterable[str]) -> Issue:
    """A heading that stands for no column.

    Args:
        report: the report's name.
        text: the heading.
        line: where it stands.
        table: the raw table of the rows below.
        lacking: columns of the table that have no heading here: it may be one of them. Where a view reads one, data is
            lost.
    """
    severity: Severity = "notice" if needed(table).isdisjoint(lacking) else "data_loss"
    return Issue(COLUMN, severity, f"{report}: heading not understood: {text[:LONGEST]}", line, line)


def values(report: str, column: str, line: int, count: int = 1) -> Issue:
    """A column with values that can't be read; what is lost is an issue of its own."""
    return Issue(VALUES, "notice", f"{report}: values not understood in column {column[:LONGEST]}", line, line, count)


def no_heading(report: str, line: int, count: int = 1) -> Issue:
    """Values that stand below no heading; what is lost is an issue of its own."""
    return Issue(COLUMN, "notice", f"{report}: values under no heading", line, line, count)
