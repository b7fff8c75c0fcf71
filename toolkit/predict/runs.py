"""Read measured runs from CSV files: the input of `simulate fit`, and the output of `simulate plan`.

Files are read as spreadsheets write them; unclear input is an error with its line.
"""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from itertools import compress
from pathlib import Path

import numpy as np

from iosq.models.fit.plan import Runs
from iosq.models.fit.points import Points, contradiction, points
from iosq.models.pav.open_load import MOST_ALIASES
from iosq.models.queueing.checks import not_negative, positive, ratio
from iosq.toolkit.errors import InputError
from iosq.toolkit.predict.given import MOST_VOLUMES
from iosq.toolkit.sql.possible import ranges

COLUMNS = ("volumes", "requesters", "aliases", "read_ratio", "footprint_gb", "io_rate")
# default of a missing or empty column, and the resulting error of a rate (relative, standard deviation)
ASSUMED: Mapping[str, tuple[float, float]] = {
    "volumes": (1.0, 0.0),
    "requesters": (1.0, 0.1),
    "aliases": (0.0, 0.0),
    "read_ratio": (0.7, 0.1),
    "footprint_gb": (1.0, 0.1),
}
GB = 1e9
Files = str | Path | Sequence[str | Path]
SLIP = 0.8  # similarity above which a name is a misspelt column instead of one of the user's own


@dataclass(frozen=True)
class Line:
    """The non-empty cells of a line by column, and its place: file and line."""

    cells: Mapping[str, str]
    place: str


@dataclass(frozen=True)
class Measured:
    """Runs and their rates, with file and line of each in `places`.

    assumed: columns that were missing or had gaps; unread: other columns of the files, which were ignored.
    """

    runs: Runs
    points: Points
    assumed: tuple[str, ...]
    places: tuple[str, ...]
    unread: tuple[str, ...] = ()

    @property
    def doubt(self) -> float:
        """Relative error of the rates due to defaults."""
        return float(np.sqrt(sum(ASSUMED[name][1] ** 2 for name in self.assumed)))


def paths_of(files: Files) -> list[Path]:
    """One file or several, as paths."""
    return [Path(files)] if isinstance(files, str | Path) else [Path(one) for one in files]


def read(files: Files) -> Measured:
    """Read and check the runs of these files.

    InputError if a file or line can't be read, or two lines have the same run with the same rate, or with rates that
    no single box has.
    """
    given: list[Line] = []
    unread: list[str] = []
    for path in paths_of(files):
        lines, others = _table(path, COLUMNS, "io_rate")
        if not lines:
            raise InputError("no runs below the header", place=str(path), remedy="give a line for each")
        given += lines
        unread += others
    rows = [_row(line) for line in given]
    places = tuple(line.place for line in given)
    _refuse_copies(rows, places)
    assumed = tuple(name for name in ASSUMED if any(name not in line.cells for line in given))
    runs = Runs(**{name: np.array([row[name] for row in rows]) for name in ASSUMED})
    measured = points(runs.load, [row["io_rate"] for row in rows])
    complete = [all(name in line.cells for name, (_, doubt) in ASSUMED.items() if doubt) for line in given]
    _refuse_contradictions(measured.pick(complete), list(compress(places, complete)))
    return Measured(runs, measured, assumed, places, tuple(dict.fromkeys(unread)))


def _row(line: Line) -> dict[str, float]:
    if "io_rate" not in line.cells:
        raise InputError("no io_rate", place=line.place, remedy="fill in what was measured, or leave the line out")
    given = {name: _number(line, name) for name in COLUMNS if name in line.cells}
    row = {name: given.get(name, ASSUMED[name][0]) for name in ASSUMED} | {"io_rate": given["io_rate"]}
    if "requesters" not in given:
        row["requesters"] = row["aliases"] + 1
    named = {name: f"{line.place}, {name}" for name in COLUMNS}
    positive(**{named[name]: row[name] for name in ("volumes", "requesters", "footprint_gb", "io_rate")})
    not_negative(**{named["aliases"]: row["aliases"]})
    ratio(**{named["read_ratio"]: row["read_ratio"]})
    for name, (most, why) in _limits().items():
        if row[name] > most:
            raise InputError(f"must be at most {most:,.0f}, not {row[name]:,g}", place=named[name], remedy=why)
    return row


@cache
def _limits() -> Mapping[str, tuple[float, str]]:
    """Maximum value per column with the reason; for rates and data the same as in views."""
    rate, data, number = (ranges()[unit] for unit in ("per second", "bytes", ""))
    return {
        "volumes": (MOST_VOLUMES, "device numbers have four hexadecimal digits"),
        "requesters": (float(number.most), number.reason),
        "aliases": (MOST_ALIASES, "16 LCUs have no more addresses"),
        "footprint_gb": (float(data.most) / GB, f"more than {data.reason}"),
        "io_rate": (float(rate.most), f"more than {rate.reason}"),
    }


def _number(line: Line, name: str) -> float:
    try:
        return float(line.cells[name])
    except ValueError as error:
        what = f"{line.cells[name]!r} is no number"
        raise InputError(what, place=f"{line.place}, {name}", remedy="write it with digits and a point") from error


def _refuse_copies(rows: Sequence[Mapping[str, float]], places: Sequence[str]) -> None:
    first: dict[tuple[float, ...], str] = {}
    for place, row in zip(places, rows, strict=True):
        if tuple(row.values()) in first:
            raise InputError(
                f"the same run with the same rate as {first[tuple(row.values())]}",
                place=place,
                remedy="leave copies out: they add no information, and would count twice",
            )
        first[tuple(row.values())] = place


def _refuse_contradictions(given: Points, places: Sequence[str]) -> None:
    """Raise InputError if repeats of a run differ as much as different boxes do."""
    pair = contradiction(given)
    if pair is None:
        return
    (first, where), (second, place) = (
        (f"{given.rate[at]:,g} per s with {given.load.in_box[at]:.3g} in the box", places[at]) for at in pair
    )
    raise InputError(
        f"{second}, but {first} in {where}: no box does both",
        place=place,
        remedy="leave out the wrong one, or fit the two boxes apart",
    )


def _table(path: Path, columns: Sequence[str], needed: str) -> tuple[list[Line], list[str]]:
    """The lines of a CSV file in UTF-8 with some of these columns, in any order and case, and its unused columns.

    InputError if it can't be read, a column appears twice or looks misspelt, or a line has other cells than the header.
    """
    header, *rows = [*_lines(path)] or [(1, [])]
    names = _columns(header[1], f"{path}, line {header[0]}", columns, needed)
    lines = [Line(_cells(names, row, f"{path}, line {at}"), f"{path}, line {at}") for at, row in rows]
    return lines, [name for name in names if name and name not in columns]


def _lines(path: Path) -> Iterator[tuple[int, list[str]]]:
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
