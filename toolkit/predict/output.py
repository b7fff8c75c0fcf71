"""Rows of an answer as a text table, each value with its interval."""

from collections.abc import Sequence

from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import shown
from iosq.toolkit.show.table import Grid, grid, text


def table(rows: Sequence[Row], width: int | None = None) -> str:
    """The rows as a text table; numbers right-aligned, intervals after their value."""
    return text(grid_of(rows), width)


def sibling(name: str, which: str) -> str:
    """Name of the column that bounds another: `wait_ms` and `low` give `wait_low_ms`, `io_rate` gives `io_rate_low`."""
    head, _, unit = name.rpartition("_")
    return f"{head}_{which}_{unit}" if unit in ("ms", "s") and head else f"{name}_{which}"


def names_of(rows: Sequence[Row]) -> list[str]:
    """The columns of all rows."""
    return list(dict.fromkeys(name for row in rows for name in row))


def grid_of(rows: Sequence[Row]) -> Grid:
    """The columns other than bounds, each value with its interval."""
    names = names_of(rows)
    bounds = {sibling(name, which) for name in names for which in ("low", "high")}
    names = [name for name in names if name not in bounds]
    right = grid(names, [[row.get(name) for name in names] for row in rows]).right
    return Grid(names, [[_cell(row, name) for name in names] for row in rows], right)


def _cell(row: Row, name: str) -> str:
    low, high = row.get(sibling(name, "low")), row.get(sibling(name, "high"))
    value = shown(row.get(name), name)
    if low is not None and high is None:
        least = f"{shown(low, name)} or more"
        return least if row.get(name) is None else f"{value} ({least})"
    if low is None or high is None or low == high:
        return value
    if row.get(name) is None:
        ends = shown(low, name), shown(high, name)
        return ends[0] if ends[0] == ends[1] else " to ".join(ends)
    return f"{value} ({shown(low, name)} to {shown(high, name)})"
