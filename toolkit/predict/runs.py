"""Measured runs in a CSV file: what `simulate fit` is fitted to and `simulate plan` asks for."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from iosq.models.fit.plan import Runs
from iosq.models.fit.points import Points, points
from iosq.models.pav.open_load import DOUBT
from iosq.models.queueing.checks import not_negative, positive, ratio
from iosq.toolkit.errors import InputError

COLUMNS = ("volumes", "requesters", "aliases", "read_ratio", "footprint_gb", "io_rate")
# what is assumed where a column is missing or empty, and how far off a rate may then be (relative, standard deviation)
ASSUMED: Mapping[str, tuple[float, float]] = {
    "volumes": (1.0, 0.0),
    "requesters": (1.0, 0.1),
    "aliases": (0.0, 0.0),
    "read_ratio": (0.7, 0.1),
    "footprint_gb": (1.0, 0.1),
}


@dataclass(frozen=True)
class Measured:
    """Runs and the rate of each; `assumed` names the columns that were missing or had gaps, `places` file and line."""

    runs: Runs
    points: Points
    assumed: tuple[str, ...]
    places: tuple[str, ...]

    @property
    def doubt(self) -> float:
        """How far off rates may be for what was assumed, relative."""
        return float(np.sqrt(sum(ASSUMED[name][1] ** 2 for name in self.assumed)))


def read(paths: Sequence[Path]) -> Measured:
    """The runs of these files, checked.

    Raises:
        InputError: a file can't be read, a line is wrong, or two lines are the same run with the same rate or with
            rates that no box has at once.
    """
    given = [(line, f"{path}, line {number}") for path in paths for number, line in enumerate(_lines(path), 2)]
    rows = [_row(line, place) for line, place in given]
    places = tuple(place for _, place in given)
    _refuse_copies(rows, places)
    told = [all(line.get(name) for name, (_, doubt) in ASSUMED.items() if doubt) for line, _ in given]
    _refuse_contradictions([(row, place) for row, place, whole in zip(rows, places, told, strict=True) if whole])
    assumed = tuple(name for name in ASSUMED if any(not line.get(name) for line, _ in given))
    columns = {name: np.array([row[name] for row in rows]) for name in COLUMNS}
    runs = Runs(
        columns["volumes"], columns["requesters"], columns["aliases"], columns["read_ratio"], columns["footprint_gb"]
    )
    return Measured(runs, points(runs.load, columns["io_rate"]), assumed, places)


def _lines(path: Path) -> list[dict[str, str | None]]:
    try:
        lines = list(csv.DictReader(path.read_text("utf-8").splitlines()))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError("can't read the points", place=str(path), remedy="give a CSV file in UTF-8") from error
    if not lines or "io_rate" not in lines[0]:
        raise InputError("no column io_rate", place=str(path), remedy=f"expected {','.join(COLUMNS)}, or some of them")
    return lines


def _row(line: Mapping[str, str | None], place: str) -> dict[str, float]:
    if not line["io_rate"]:
        raise InputError("no io_rate", place=place, remedy="fill in what was measured, or leave the line out")
    try:
        given = {name: float(line[name] or "") for name in COLUMNS if line.get(name)}
        row = {name: given.get(name, ASSUMED[name][0]) for name in ASSUMED} | {"io_rate": float(line["io_rate"] or "")}
    except (TypeError, ValueError) as error:
        raise InputError("not all columns are numbers", place=place) from error
    if "requesters" not in given:
        row["requesters"] = row["aliases"] + 1
    named = {name: f"{place}, {name}" for name in COLUMNS}
    positive(**{named[name]: row[name] for name in ("volumes", "requesters", "footprint_gb", "io_rate")})
    not_negative(**{named["aliases"]: row["aliases"]})
    ratio(**{named["read_ratio"]: row["read_ratio"]})
    return row


def _refuse_copies(rows: Sequence[Mapping[str, float]], places: Sequence[str]) -> None:
    first: dict[tuple[float, ...], str] = {}
    for place, row in zip(places, rows, strict=True):
        if tuple(row.values()) in first:
            raise InputError(
                f"the same run with the same rate as {first[tuple(row.values())]}",
                place=place,
                remedy="leave copies out: they tell nothing new, and would count twice",
            )
        first[tuple(row.values())] = place


def _refuse_contradictions(rows: Sequence[tuple[Mapping[str, float], str]]) -> None:
    """The same run measured again may differ, but not as far as one box differs from another."""
    first: dict[tuple[float, ...], tuple[float, str]] = {}
    for row, place in rows:
        rate, where = first.setdefault(tuple(row[name] for name in ASSUMED), (row["io_rate"], place))
        if not 1 / DOUBT < row["io_rate"] / rate < DOUBT:
            raise InputError(
                f"the same run as {where} with another rate: {row['io_rate']:g} and {rate:g} per s",
                place=place,
                remedy="leave out the wrong one, or fit the two boxes apart",
            )
