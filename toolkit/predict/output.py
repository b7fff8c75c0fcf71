"""Write an answer: a table for people, JSON or CSV for programs, a chart as HTML, PNG, PDF or SVG."""

import io
from collections.abc import Sequence
from pathlib import Path

from iosq.toolkit.errors import RequestError
from iosq.toolkit.predict.answer import Answer
from iosq.toolkit.rows import Row
from iosq.toolkit.show import output, picture, terminal
from iosq.toolkit.show.numbers import shown
from iosq.toolkit.show.rows import WRITERS
from iosq.toolkit.show.table import Grid, card, grid, text

FORMATS = ("table", "json", "csv")


def text_of(answer: Answer, form: str, most: int | None = None) -> str:
    """The answer's rows as `table`, `json` or `csv`; a table has at most the first `most` rows.

    Raises:
        RequestError: unknown format.
    """
    if form == "table":
        rows = [{n: v for n, v in row.items() if n not in answer.hidden} for row in answer.rows[:most]]
        return card(_grid(rows)) if len(rows) == 1 else table(rows, terminal.width())
    if form not in FORMATS:
        raise RequestError(f"unknown format {form!r}", place="--format", remedy=f"choose {', '.join(FORMATS)}")
    rows = answer.objects()
    names, target = _names(rows), io.BytesIO()
    WRITERS[form](names, ([row.get(name) for name in names] for row in rows), target)
    return target.getvalue().decode().rstrip("\n")


def check(target: Path) -> None:
    """Check before the computation that `save` can write the target.

    Raises:
        RequestError: the file can't be written, or its extension is unknown.
    """
    output.check(target, picture.WITH_ROWS)


def save(answer: Answer, target: Path) -> None:
    """Write the chart (.html, .png, .pdf, .svg) or the rows (.json, .csv), by the file's extension.

    Raises:
        RequestError: unknown extension, or the answer has no chart.
    """
    check(target)
    ending = target.suffix.lower()
    if ending in (".json", ".csv"):
        output.write(target, text_of(answer, ending[1:]) + "\n")
    elif answer.draw is None:
        raise RequestError("this answer has no chart", place=f"--output {target}", remedy="write .json or .csv")
    else:
        picture.save(answer.draw(), target)


def table(rows: Sequence[Row], width: int | None = None) -> str:
    """The rows as a text table; numbers right-aligned, intervals after their value."""
    return text(_grid(rows), width)


def sibling(name: str, which: str) -> str:
    """Name of the column that bounds another: `wait_ms` and `low` give `wait_low_ms`, `io_rate` gives `io_rate_low`."""
    head, _, unit = name.rpartition("_")
    return f"{head}_{which}_{unit}" if unit in ("ms", "s") and head else f"{name}_{which}"


def _names(rows: Sequence[Row]) -> list[str]:
    return list(dict.fromkeys(name for row in rows for name in row))


def _grid(rows: Sequence[Row]) -> Grid:
    """The columns other than bounds, each value with its interval."""
    names = _names(rows)
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
