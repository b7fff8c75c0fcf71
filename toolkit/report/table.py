"""Define the tables of the page, and fill them with rows as cells.

Most are SQL files with a header. A table of findings is a module with a `TABLE` that has `from_findings` instead of
`sql`, as for charts.
"""

import datetime as dt
import importlib
import pkgutil
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

from iosq.toolkit.advise import Finding
from iosq.toolkit.report import tables as folder
from iosq.toolkit.rows import NewRow, Row, csv_rows
from iosq.toolkit.show import records
from iosq.toolkit.show.numbers import fixed, rounded, shown
from iosq.toolkit.sql.engine import Connection
from iosq.toolkit.sql.guard import query
from iosq.toolkit.sql.macros import expanded

FOLDER = Path(__file__).with_name("tables")
Rows = list[NewRow]
Columns = Mapping[str, tuple[str, int | None]]  # heading and decimals
ROWS = 50
CHART_ROWS = 100
# maximum number of rows that the script searches and sorts; see `budget`
HELD = 10_000
_HEAD = re.compile(r"^-- (title|about|missing|zvm): (.*)$")
_COLUMN = re.compile(r"^-- (column|detail) (\w+)(?: \.(\d))?: (.*)$")
_USUAL = "-- columns: "  # columns with the decimals and headings of headings.csv


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its title, heading and decimals of each column, and the query for the columns.

    `details` are further columns, for the page of a row's subject. `number` orders tables. If
    `from_findings` gives the rows, `reads` is the SQL it runs and `command` prints the same table. `shown` selects the
    rows to show on the page, `counted` summarises all rows in a sentence; for `zvm` see `quality.absent`.
    """

    number: int
    name: str
    title: str
    about: str
    missing: str
    columns: Columns
    details: Columns
    sql: str = ""
    from_findings: Callable[[Connection, Sequence[Finding]], Rows] | None = None
    reads: Sequence[str] = ()
    command: str = ""
    shown: Callable[[Row], bool] | None = None
    counted: Callable[[Rows], str] | None = None
    zvm: str | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """A value as shown; `sort` is its sort key (of numbers and instants not the text).

    `link` is the id of the page about the value, if any.
    """

    text: str
    sort: str
    link: str = ""


@dataclass(frozen=True, slots=True)
class ChartTable:
    """The data of a chart as a table; `total` counts all rows."""

    headings: Sequence[str]
    numeric: Sequence[bool]
    rows: Sequence[Sequence[Cell]]
    total: int


@dataclass(frozen=True, slots=True)
class Filled(ChartTable):
    """A table with the rows to show and the headings of the columns that have values.

    `counted` summarises all rows. `data` has the `held` rows that the page's script searches and sorts, if they are
    more than `rows`. `absent` is the text if there are no rows.
    """

    table: Table
    counted: str
    held: int
    data: Row | None
    absent: str = ""


def chart_table(rows: Sequence[Row], columns: Columns) -> ChartTable:
    """The first CHART_ROWS rows of a chart as a table."""
    cells = [[cell(row[name], decimals) for name, (_, decimals) in columns.items()] for row in rows[:CHART_ROWS]]
    headings = [heading for heading, _ in columns.values()]
    return ChartTable(headings, [decimals is not None for _, decimals in columns.values()], cells, len(rows))


def datum(value: Any, decimals: int | None) -> Any:
    """A cell for the script's tables: a number rounded to the decimals shown, or the text."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool | dt.datetime):
        return shown(value)
    number = round(float(value), decimals or 0)
    return int(number) if number.is_integer() else number


def parse(file: Path) -> Table:
    """A table from its file, `40_lcus.sql`: header lines followed by one SELECT.

    `missing` is the text if there are no rows, `zvm` that of a lake of z/VM systems only: none without it.
    """
    lines, (number, _, name) = file.read_text("utf-8").splitlines(), file.stem.partition("_")
    head = {m[1]: m[2] for m in map(_HEAD.match, lines) if m}
    promised = [column for line in lines for column in _promised(line)]
    known = [(of, name, (text, int(places) if places else None)) for of, name, places, text in promised]
    columns, details = ({name: column for of, name, column in known if of == kind} for kind in ("column", "detail"))
    sql = expanded("\n".join(line for line in lines if not line.startswith("--")), file.name)
    zvm = None if head.get("zvm") == "same" else head.get("zvm", "").format_map(vars(records))
    texts = name, head["title"], head["about"], head["missing"]
    return Table(int(number), *texts, columns, details, sql, zvm=zvm)


def _promised(line: str) -> list[tuple[str, ...]]:
    """Kind, name, decimals and heading of the columns that a header line names."""
    if line.startswith(_USUAL):
        return [("column", name, *_headings()[name]) for name in line.removeprefix(_USUAL).split(", ")]
    return [found.groups() for found in [_COLUMN.match(line)] if found]


@cache
def _headings() -> dict[str, tuple[str, str]]:
    return {r["column"]: (r["decimals"], r["heading"]) for r in csv_rows("iosq.toolkit.report", "headings.csv")}


@cache
def tables() -> tuple[Table, ...]:
    """All tables, in order of `number`, which an SQL file has at the start of its name."""
    names = sorted(m.name for m in pkgutil.iter_modules(folder.__path__))
    modules: list[Table] = [importlib.import_module(f"{folder.__name__}.{name}").TABLE for name in names]
    files = [parse(file) for file in FOLDER.glob("*.sql")]
    return tuple(sorted([*modules, *files], key=lambda t: (t.number, t.name)))


def named(name: str) -> Table:
    """The table of that name."""
    return next(table for table in tables() if table.name == name)


def cell(value: Any, decimals: int | None = None, link: str = "") -> Cell:
    """A value of a query as a cell."""
    value = rounded(value) if isinstance(value, float | Decimal) else value
    counted = isinstance(value, int | float) and not isinstance(value, bool) and decimals is not None
    return Cell(fixed(value, decimals or 0) if counted else shown(value), "" if value is None else str(value), link)


def numeric_columns(rows: Sequence[Row]) -> set[str]:
    """The numeric columns, by the first known value of each; all rows have the same columns."""
    first = {name: next((row[name] for row in rows if row[name] is not None), "") for name in (rows[0] if rows else ())}
    return {n for n, v in first.items() if isinstance(v, int | float | Decimal) and not isinstance(v, bool)}


def filled_columns(names: Iterable[str], rows: Sequence[Row]) -> list[str]:
    """The columns that have a value in any row, in the given order."""
    return [name for name in names if any(row[name] is not None for row in rows)]


def rows_of(con: Connection, table: Table, findings: Sequence[Finding]) -> Rows:
    """All rows of a table, from its query or from the findings."""
    if table.from_findings:
        return table.from_findings(con, findings)
    rows: Rows = query(con, table.sql).to_pylist()
    return rows


def fill(
    con: Connection,
    table: Table,
    findings: Sequence[Finding] = (),
    link: Callable[[str, Row], str] | None = None,
    known: Rows | None = None,
) -> Filled:
    """A table with its first rows; `link` gives the id of the page for a cell; `known`: all rows, if already read."""
    all_rows = rows_of(con, table, findings) if known is None else known
    chosen = [r for r in all_rows if table.shown(r)] if table.shown else all_rows
    names, numbers, held = filled_columns(table.columns, all_rows), numeric_columns(all_rows), chosen[:HELD]
    to = link or (lambda _name, _row: "")
    rows = [[cell(row[name], table.columns[name][1], to(name, row)) for name in names] for row in chosen[:ROWS]]
    decimals = {name: table.columns[name][1] or 0 if name in numbers else None for name in names}
    data = _data(held, decimals, to) if len(chosen) > ROWS else None
    counted = table.counted(all_rows) if table.counted else ""
    headings, numeric = [table.columns[name][0] for name in names], [name in numbers for name in names]
    return Filled(headings, numeric, rows, len(chosen), table, counted, len(held), data)


def _data(rows: Rows, decimals: Mapping[str, int | None], link: Callable[[str, Row], str]) -> NewRow:
    """Rows for the script; a cell with a page is a pair of its value and the page's id."""
    made = []
    for row in rows:
        pairs = [(datum(row[name], places), link(name, row)) for name, places in decimals.items()]
        made.append([[value, page] if page else value for value, page in pairs])
    return {"columns": list(decimals.values()), "rows": made}
