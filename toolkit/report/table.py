"""Tables of the page: SQL files with a header, and their rows as cells."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from iosq.toolkit.report.numbers import fixed, rounded, shown
from iosq.toolkit.sql.guard import query

if TYPE_CHECKING:
    import duckdb

FOLDER = Path(__file__).with_name("tables")
ROWS = 50
_HEAD = re.compile(r"^-- (name|title|about|missing): (.*)$")
_COLUMN = re.compile(r"^-- (column|detail) (\w+)(?: \.(\d))?: (.*)$")


@dataclass(frozen=True, slots=True)
class Table:
    """A table: what it is called, heading and decimals of each column, and the query that gives the columns.

    `details` are headings of further columns, for the page of a single row's subject.
    """

    name: str
    title: str
    about: str
    missing: str
    columns: Mapping[str, str]
    details: Mapping[str, str]
    decimals: Mapping[str, int]
    sql: str


@dataclass(frozen=True, slots=True)
class Cell:
    """One value as shown, and `sort`: what to sort it by where that is not the text (numbers, instants).

    `link` is the id of the page about what it names, if there is one.
    """

    text: str
    sort: str
    link: str = ""


@dataclass(frozen=True, slots=True)
class Filled:
    """A table with the rows to show; `total` counts those there are."""

    table: Table
    rows: Sequence[Sequence[Cell]]
    total: int
    numeric: Sequence[bool]


def parse(text: str) -> Table:
    """A table from its file: header lines, then one SELECT."""
    lines = text.splitlines()
    head = {m[1]: m[2] for m in map(_HEAD.match, lines) if m}
    found = [m for m in map(_COLUMN.match, lines) if m]
    columns, details = ({m[2]: m[4] for m in found if m[1] == kind} for kind in ("column", "detail"))
    decimals = {m[2]: int(m[3]) for m in found if m[3]}
    sql = "\n".join(line for line in lines if not line.startswith("--"))
    return Table(head["name"], head["title"], head["about"], head["missing"], columns, details, decimals, sql)


@cache
def tables() -> tuple[Table, ...]:
    """All tables, in order of their files' names."""
    return tuple(parse(p.read_text("utf-8")) for p in sorted(FOLDER.glob("*.sql")))


def columns_of(table: Table) -> dict[str, str]:
    """Headings of all columns, those of a single row's page included."""
    return {**table.columns, **table.details}


def cell(value: Any, decimals: int | None = None, link: str = "") -> Cell:
    """A value of a query as a cell."""
    value = rounded(value) if isinstance(value, float | Decimal) else value
    counted = isinstance(value, int | float) and not isinstance(value, bool) and decimals is not None
    return Cell(fixed(value, decimals or 0) if counted else shown(value), "" if value is None else str(value), link)


def numeric_columns(rows: Sequence[Mapping[str, Any]]) -> set[str]:
    """The columns that hold a number in some row."""
    return {
        name
        for row in rows
        for name, value in row.items()
        if isinstance(value, int | float | Decimal) and not isinstance(value, bool)
    }


def fill(
    con: duckdb.DuckDBPyConnection, table: Table, link: Callable[[str, Mapping[str, Any]], str] | None = None
) -> Filled:
    """A table's first rows; `link` gives the id of the page a column of a row names."""
    answer = query(con, table.sql)
    rows = [
        [cell(row[name], table.decimals.get(name), link(name, row) if link else "") for name in table.columns]
        for row in answer.slice(0, ROWS).to_pylist()
    ]
    kinds = {f.name: str(f.type) for f in answer.schema}
    numeric = [bool(re.match(r"u?int|double|float|decimal", kinds[name])) for name in table.columns]
    return Filled(table, rows, answer.num_rows, numeric)
