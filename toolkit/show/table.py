"""Tables as text: columns side by side, or one value per line if they don't fit."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import SupportsFloat

from iosq.toolkit.errors import printable
from iosq.toolkit.show.numbers import listed, plural, shown

# maximum number of rows to show with one value per line
VERTICAL = 8
# maximum number of rows on a terminal
ROWS = 40
_GAP = 2


@dataclass(frozen=True, slots=True)
class Grid:
    """Headings and cells as text; `right`: true for numeric columns; `total`: number of all rows."""

    names: Sequence[str]
    rows: Sequence[Sequence[str]]
    right: Sequence[bool]
    total: int | None = None


def grid(names: Sequence[str], rows: Sequence[Sequence[object]], digits: int = 3) -> Grid:
    """Values as cells; numeric columns are right-aligned."""
    right = [all(_is_number(row[at]) for row in rows) for at in range(len(names))]
    cells = [[value if isinstance(value, str) else shown(value, name, digits)
              for name, value in zip(names, row, strict=True)] for row in rows]  # fmt: skip
    return Grid(names, cells, right)


def _is_number(value: object) -> bool:
    return value is None or (not isinstance(value, str | bool) and isinstance(value, SupportsFloat))


def text(table: Grid, width: int | None = None, *, bold: bool = False) -> str:
    """The table as text.

    `width`: characters per line. A few rows that don't fit are shown with one value per line; otherwise the last
    columns are left out, and a line names them. None: all rows at full width.
    """
    table = _printable(table)
    if width is None or not table.rows:
        return _across(table, bold)
    rest = []
    most = len(table.rows) if table.total is None else table.total
    if len(table.rows) > ROWS or most > len(table.rows):
        rest = [f"{min(ROWS, len(table.rows)):,} of {most:,} rows; -o FILE writes all"]
        table = Grid(table.names, table.rows[:ROWS], table.right)
    fits = _fitting(table, width)
    if fits < len(table.names) and len(table.rows) <= VERTICAL:
        return "\n".join([_down(table), *rest])
    if fits < len(table.names):
        gone = table.names[fits:]
        rest.append(f"{plural(len(gone), 'column')} left out for lack of room: {listed(gone)}; -o FILE writes all")
        table = Grid(table.names[:fits], [row[:fits] for row in table.rows], table.right[:fits])
    return "\n".join([_across(table, bold), *rest])


def _printable(table: Grid) -> Grid:
    return Grid(
        [printable(name) for name in table.names],
        [[cell if cell.isprintable() else printable(cell) for cell in row] for row in table.rows],
        table.right,
        table.total,
    )


def _fitting(table: Grid, width: int) -> int:
    from rich.cells import cell_len

    taken = -_GAP
    for place, name in enumerate(table.names):
        taken += _GAP + max(cell_len(cell) for cell in (name, *(row[place] for row in table.rows)))
        if taken > width:
            return max(place, 1)
    return len(table.names)


def _across(table: Grid, bold: bool) -> str:
    from rich.cells import cell_len

    lines = [list(table.names), *table.rows]
    widths = [max(cell_len(line[at]) for line in lines) for at in range(len(table.names))]

    def line(cells: Sequence[str]) -> str:
        room = [(" " * (wide - cell_len(cell)), cell) for cell, wide in zip(cells, widths, strict=True)]
        sides = (
            f"{gap}{cell}" if right else f"{cell}{gap}" for (gap, cell), right in zip(room, table.right, strict=True)
        )
        return (" " * _GAP).join(sides).rstrip()

    head, *body = map(line, lines)
    return "\n".join([f"\x1b[1m{head}\x1b[0m" if bold else head, *body])


def _down(table: Grid) -> str:
    """The table with one value per line, and an empty line between rows."""
    wide = max(map(len, table.names))
    rows = (
        "\n".join(f"{name.ljust(wide)}  {cell}" for name, cell in zip(table.names, row, strict=True))
        for row in table.rows
    )
    return "\n\n".join(rows)


def card(table: Grid) -> str:
    """A table of a single row, with one value per line."""
    return _down(_printable(table))
