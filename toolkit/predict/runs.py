"""Read measured runs from CSV files: the input of `simulate fit`, and the output of `simulate plan`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import compress
from pathlib import Path

import numpy as np

from iosq.models.fit.plan import Runs
from iosq.models.fit.points import Points, contradiction, points
from iosq.models.pav.open_load import MOST_ALIASES
from iosq.models.queueing.checks import not_negative, positive, ratio
from iosq.toolkit.errors import InputError
from iosq.toolkit.predict import table
from iosq.toolkit.predict.given import MOST_VOLUMES
from iosq.toolkit.predict.table import Line
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
        lines, others = table.read(path, COLUMNS, "io_rate")
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
