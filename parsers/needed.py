"""Columns of raw listing tables that the views read; `needed.csv` is generated from the SQL of the views."""

from functools import cache

from iosq.toolkit.rows import csv_rows


@cache
def _all() -> dict[str, frozenset[str]]:
    return {row["table"]: frozenset(row["columns"].split()) for row in csv_rows("iosq.parsers", "needed.csv")}


def needed(table: str) -> frozenset[str]:
    """The columns of `table` that a view reads."""
    return _all().get(table, frozenset())
