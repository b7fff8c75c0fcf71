"""Read a user's CSV file as spreadsheets write it; unclear input is an error with its line."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from iosq.toolkit.errors import InputError

SLIP = 0.8  # similarity above which a name is a misspelt column instead of one of the user's own


@dataclass(frozen=True)
class Line:
    """The non-empty cells of a line by column, and its place: file and line."""

    cells: Mapping[str, str]
    place: str


def read(path: Path, columns: Sequence[str], needed: str) -> tuple[list[Line], list[str]]:
    """The lines of a CSV file in UTF-8 with some of these columns, in any order and case, and its unused columns.

    InputError if it can't be read, a column appears twice or looks misspelt, or a line has other cells than the header.
    """
    header, *rows = [*_rows(path)] or [(1, [])]
    names = _columns(header[1], f"{path}, line {header[0]}", columns, needed)
    lines = [Line(_cells(names, row, f"{path}, line {at}"), f"{path}, line {at}") for at, row in rows]
    return lines, [name for name in names if name and name not in columns]


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Number and cells of each line that is not empty."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError("can't be read", place=str(path), remedy="give a CSV file in UTF-8") from error
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                yield reader.line_num, [cell.strip() for cell in row]
    except csv.Error as error:
        place = f"{path}, line {reader.line_num}"
        raise InputError(f"no line of a CSV file: {error}", place=place, remedy="check its quotes") from error


def _columns(header: Sequence[str], place: str, columns: Sequence[str], needed: str) -> list[str]:
    names = [name.casefold() for name in header]
    while names and not names[-1]:
        names.pop()
    twice = next((name for name in names if name and names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"the column {twice} is there twice", place=place, remedy="leave one of them out")
    for name in names:
        meant = [] if name in columns else get_close_matches(name, [c for c in columns if c not in names], 1, SLIP)
        if meant:
            raise InputError(f"the column {name} is not known", place=place, remedy=f"is it {meant[0]}?")
    if needed not in names:
        remedy = f"expected {','.join(columns)}, or some of them, with commas between"
        raise InputError(f"no column {needed}", place=place, remedy=remedy)
    return names


def _cells(names: Sequence[str], row: Sequence[str], place: str) -> dict[str, str]:
    """The cells of a line; empty cells at its end are dropped."""
    if len(row) < len(names) or any(row[len(names) :]):
        raise InputError(
            f"{len(row)} cells, and {len(names)} in the header",
            place=place,
            remedy="write numbers with a point and without commas, and leave cells empty rather than out",
        )
    return {name: cell for name, cell in zip(names, row, strict=False) if cell}
