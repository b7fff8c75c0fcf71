"""What no machine measures: a damaged record's values are left out of views by the range of their unit."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

from iosq.toolkit.sql.catalog import ViewColumn
from iosq.toolkit.sql.raw import quoted


@cache
def most() -> dict[str, str]:
    """The highest value that is believed, by unit; the lowest is 0."""
    with Path(__file__).with_name("possible.csv").open(encoding="utf-8", newline="") as file:
        return {row["unit"]: row["most"] for row in csv.DictReader(file)}


def believed(column: ViewColumn) -> str:
    """SQL of a source's column, cast to what the view promises; NULL where the value is impossible.

    Whole numbers are counters as recorded, which have no room for nonsense, and offsets, which may be negative.
    """
    name = quoted(column.name)
    cast = f"CAST({name} AS {column.type})"
    if column.type != "DOUBLE" or column.unit not in most():
        return cast
    return f"CASE WHEN {name} BETWEEN 0 AND {most()[column.unit]} THEN {cast} END"
