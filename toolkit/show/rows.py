"""Write rows as a table for people, CSV, JSON or a worksheet."""

import csv
import io
import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any, BinaryIO

from iosq.toolkit.show import table, terminal
from iosq.toolkit.show.book import Book
from iosq.toolkit.show.values import dumps, plain

# spreadsheets interpret text that starts with these as a formula
_RUNS = ("=", "+", "-", "@", "\t", "\r")
_DIGITS = 4
# spreadsheets accept either as the end of a row
_BOTH = "\r\n"
Rows = Iterable[Sequence[Any]]
Held = Sequence[Sequence[Any]]
Read = Callable[[Sequence[str], Held], tuple[Sequence[str], Held]]


def write_csv(names: Sequence[str], rows: Rows, target: BinaryIO) -> None:
    """Write CSV: None is empty, nested values are JSON, and no text is run as a formula by a spreadsheet."""
    text = _text(target)
    writer = csv.writer(_Lines(text), lineterminator=_BOTH)
    writer.writerow([harmless(name) for name in names])
    writer.writerows([_field(v) for v in row] for row in rows)
    text.detach()


def as_csv(names: Sequence[str], rows: Rows) -> str:
    """Headings and rows as CSV text."""
    made = io.BytesIO()
    write_csv(names, rows, made)
    return made.getvalue().decode().rstrip("\n")


class _Lines:
    """Ends lines with LF; csv.writer itself uses CR LF, so that it quotes every text with either character."""

    def __init__(self, target: io.TextIOBase) -> None:
        self._target = target

    def write(self, line: str) -> int:
        return self._target.write(f"{line.removesuffix(_BOTH)}\n")


def _field(value: Any) -> Any:
    if isinstance(value, str):
        return harmless(value)
    value = plain(value)
    if value is None:
        return ""
    return dumps(value) if isinstance(value, bool | dict | list) else value


def harmless(text: str) -> str:
    """The text, with an apostrophe in front if a spreadsheet would run it as a formula."""
    return f"'{text}" if text.startswith(_RUNS) else text


def write_json(names: Sequence[str], rows: Rows, target: BinaryIO) -> None:
    """Write a JSON array of objects, one per line."""
    text = _text(target)
    before = "[\n"
    for row in rows:
        text.write(before + dumps(dict(zip(names, row, strict=True))))
        before = ",\n"
    text.write("[]\n" if before == "[\n" else "\n]\n")
    text.detach()


def write_table(names: Sequence[str], rows: Rows, target: BinaryIO, read: Read = lambda *table: table) -> None:
    """Write a text table; on a terminal only the rows and columns that fit, with the number of others.

    `read`: converts headings and rows for readers, such as `Clock.read`.
    """
    wide = terminal.width(target)
    taken = iter(rows)
    first = list(itertools.islice(taken, None if wide is None else table.ROWS))
    made = table.grid(*read(names, first), _DIGITS)
    total = len(first) + sum(1 for _ in taken)
    # cells are already escaped, and bold headings need escape codes
    text = io.TextIOWrapper(target, encoding="utf-8", newline="", write_through=True)
    shown = table.Grid(made.names, made.rows, made.right, total)
    text.write(table.text(shown, wide, bold=terminal.bold(target)) + "\n")
    text.detach()


def write_sheet(names: Sequence[str], rows: Rows, target: BinaryIO) -> None:
    """Write a workbook of one sheet."""
    with Book(target) as book:
        book.sheet("iosq", names, rows)


class _Safe(io.TextIOWrapper):
    """A text stream that escapes control characters for a terminal."""

    def write(self, text: str, /) -> int:
        return super().write(terminal.safe(text))


def _text(target: BinaryIO) -> io.TextIOWrapper:
    kind = _Safe if target.isatty() else io.TextIOWrapper
    return kind(target, encoding="utf-8", newline="", write_through=True)


WRITERS: dict[str, Callable[[Sequence[str], Rows, BinaryIO], None]] = {
    "table": write_table,
    "csv": write_csv,
    "json": write_json,
    "xlsx": write_sheet,
}
