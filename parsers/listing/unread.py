"""Issues about report columns with unread values, some or all."""

from collections.abc import Iterable
from functools import cache

from iosq.parsers.api import Issue, Severity
from iosq.toolkit.rows import csv_rows

COLUMN = "unread_column"
VALUES = "unread_values"
CODES = COLUMN, VALUES
LONGEST = 200  # characters quoted of a heading; damage may make it any length


@cache
def _needed() -> dict[str, frozenset[str]]:
    """Columns of raw listing tables that the views read; `needed.csv` is generated from the SQL of the views."""
    return {row["table"]: frozenset(row["columns"].split()) for row in csv_rows("iosq.parsers", "needed.csv")}


def heading(report: str, text: str, line: int, table: str, lacking: Iterable[str]) -> Issue:
    """Issue about a heading that is not understood, above rows of a raw table.

    It may be one of the columns without a heading here (`lacking`); data is lost if a view reads one of them.
    """
    severity: Severity = "notice" if _needed().get(table, frozenset()).isdisjoint(lacking) else "data_loss"
    return Issue(COLUMN, severity, f"{report}: heading not understood: {text[:LONGEST]}", line, line)


def values(report: str, column: str, line: int, count: int = 1) -> Issue:
    """Issue about a column with unreadable values; a separate issue reports the lost values."""
    return Issue(VALUES, "notice", f"{report}: values not understood in column {column[:LONGEST]}", line, line, count)


def no_heading(report: str, line: int, count: int = 1) -> Issue:
    """Issue about values without a heading; a separate issue reports the lost values."""
    return Issue(COLUMN, "notice", f"{report}: values under no heading", line, line, count)
