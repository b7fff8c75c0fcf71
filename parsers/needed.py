"""Columns of raw listing tables that the views read; `needed.csv` is generated from the SQL of the views."""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files


@cache
def _all() -> dict[str, frozenset[str]]:
    text = files("iosq.parsers").joinpath("needed.csv").read_text("utf-8")
    return {row["table"]: frozenset(row["columns"].split()) for row in csv.DictReader(text.splitlines())}


def needed(table: str) -> frozenset[str]:
    """The columns of `table` that a view reads."""
    return _all().get(table, frozenset())
