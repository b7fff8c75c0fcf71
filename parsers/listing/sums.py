"""Printed total lines and the rows they sum up (`sums.csv`), according to reports and their documentation.

Only rates and counts are summed, never times, which are means.
"""

from dataclasses import dataclass
from functools import cache, reduce
from operator import and_

import pyarrow.compute as pc

from iosq.toolkit.rows import NewRow, csv_rows


@dataclass(frozen=True)
class Sum:
    """Lines of a table that sum up rows of the same interval.

    Attributes:
        whole: table of the totals; `lines` selects its total rows, `by` are their key columns.
        parts: table of the rows; `rows` selects them, `part_by` are their columns that match `by`.
        member: columns that identify a row of a total, so that a copied page adds nothing.
        columns: summed columns.
        names: for messages: subject of the total, name of one row, name of several rows.
        counts: for messages: which of the two views use.
        text: column with text that a row may have instead of numbers, '' if none.
        loss: True if missing rows are a loss, False if the report may have been requested without them.
    """

    whole: str
    lines: pc.Expression
    by: tuple[str, ...]
    parts: str
    rows: pc.Expression
    part_by: tuple[str, ...]
    member: tuple[str, ...]
    columns: tuple[str, ...]
    names: tuple[str, ...]
    counts: str
    text: str
    loss: bool


@cache
def sums() -> tuple[Sum, ...]:
    """The rows of `sums.csv`."""
    return tuple(_sum(row) for row in csv_rows("iosq.parsers.listing", "sums.csv"))


def _sum(row: dict[str, str]) -> Sum:
    made: NewRow = {**row, "names": tuple(row["names"].split("/")), "loss": row["loss"] == "yes"}
    made |= {name: tuple(row[name].split()) for name in ("by", "part_by", "member", "columns")}
    return Sum(**made | {name: _where(row[name]) for name in ("lines", "rows")})


def _where(text: str) -> pc.Expression:
    """Conjunction of conditions: `a=x`, `a!=x`, `device` (not NULL), `no device` (NULL), joined by ` & `."""
    return reduce(and_, map(_condition, text.split(" & ")))


def _condition(text: str) -> pc.Expression:
    name, is_equal, value = text.partition("=")
    if not is_equal:
        column = pc.field(name.removeprefix("no "))
        return ~column.is_valid() if name.startswith("no ") else column.is_valid()
    return pc.field(name[:-1]) != value if name.endswith("!") else pc.field(name) == value
