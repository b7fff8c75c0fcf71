"""Rows summed up by a printed line (`sums.csv`), according to reports and their documentation.

Only additive values: rates and counts, never times, which are means.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, reduce
from operator import and_

import pyarrow.compute as pc

from iosq.toolkit.rows import csv_rows


@dataclass(frozen=True)
class Sum:
    """Lines of a table that sum up rows of the same interval.

    Attributes:
        whole: table of the totals, `lines` which of its rows they are, `by` which rows each is about.
        parts: table of the rows, `rows` which of them, `of` the columns that stand for those of `by`.
        member: columns that identify the rows of one total; a copy of a page adds nothing.
        columns: summed columns.
        names: what a total is of, and what its rows are: one, several.
        counts: which of the two views go by.
        text: column with the words that a row may have in place of numbers, if there is one.
        loss: whether rows that are missing are a loss, or the report may have been asked for without them.
    """

    whole: str
    lines: pc.Expression
    by: tuple[str, ...]
    parts: str
    rows: pc.Expression
    of: tuple[str, ...]
    member: tuple[str, ...]
    columns: tuple[str, ...]
    names: tuple[str, ...]
    counts: str
    text: str
    loss: bool


@cache
def sums() -> tuple[Sum, ...]:
    """The lines of `sums.csv`."""
    return tuple(_sum(row) for row in csv_rows("iosq.parsers.listing", "sums.csv"))


def _sum(row: dict[str, str]) -> Sum:
    by, of, member, columns = (tuple(row[name].split()) for name in ("by", "of", "member", "columns"))
    lines, rows, names = _where(row["lines"]), _where(row["rows"]), tuple(row["names"].split("/"))
    loss = row["loss"] == "yes"
    return Sum(
        row["whole"], lines, by, row["parts"], rows, of, member, columns, names, row["counts"], row["text"], loss
    )


def _where(text: str) -> pc.Expression:
    """All of some conditions: a column with a value, with another one, with any (`device`), with none (`no device`)."""
    return reduce(and_, map(_condition, text.split(" & ")))


def _condition(text: str) -> pc.Expression:
    name, is_equal, value = text.partition("=")
    if not is_equal:
        column = pc.field(name.removeprefix("no "))
        return ~column.is_valid() if name.startswith("no ") else column.is_valid()
    return pc.field(name[:-1]) != value if name.endswith("!") else pc.field(name) == value
