"""A machine file fitted to measured points: a table of planned runs, or a lake whose intervals differ in load."""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from iosq.models.fit.calibrate import Calibration, calibrate
from iosq.models.fit.points import Points, points, points_from_intervals
from iosq.models.fit.prior import weak_prior
from iosq.models.pav.box import NORMAL_90, BoxLoad, parameter_table
from iosq.models.pav.volume import uses_aliases, waits_in_host
from iosq.models.queueing.checks import not_negative, positive, ratio
from iosq.toolkit.errors import InputError, RequestError
from iosq.toolkit.predict import lake
from iosq.toolkit.predict.answer import Answer
from iosq.toolkit.predict.lake import Reading

if TYPE_CHECKING:
    import duckdb

COLUMNS = ("volumes", "requesters", "aliases", "read_ratio", "footprint_gb", "io_rate")
FEWEST = 8  # with fewer runs than that, published boxes were predicted no better than by doing nothing
WEAK = 0.8  # a spread this near the prior's says that the points determine nothing
USUAL_ERROR = 0.08  # 90 % of rates where fifteen runs predict the rest of a published box, the worst of three
VARIED = 2.0  # below this spread of the numbers in the box, intervals say nothing about other numbers
SEED = 1


def points_answer(name: str, path: Path, cache_gb: float | None) -> tuple[Answer, str]:
    """Machine file from a CSV of planned runs.

    Args:
        name: of the machine.
        path: columns `COLUMNS`: equal volumes, requesters and aliases of each, read share, data all volumes touch,
            I/Os per second of all volumes.
        cache_gb: cache the volumes can use, where their data outgrows it.

    Raises:
        InputError: the file can't be read or a line is wrong.
        RequestError: too few points.
    """
    runs = _runs(path)
    if len(runs) < FEWEST:
        raise RequestError(f"{len(runs)} points, at least {FEWEST} are needed", place=str(path))
    columns = {column: np.array([run[column] for run in runs]) for column in COLUMNS}
    exposures = columns["aliases"] + 1
    in_use = np.minimum(columns["requesters"], exposures)
    load = BoxLoad.of(
        columns["volumes"] * in_use,
        columns["read_ratio"],
        columns["footprint_gb"],
        uses_aliases(in_use),
        waits_in_host(columns["requesters"], exposures),
    )
    return _fitted(name, points(load, columns["io_rate"]), cache_gb, f"{len(runs)} planned runs in {path.name}")


def lake_answer(
    name: str,
    con: duckdb.DuckDBPyConnection,
    lcus: Collection[str],
    footprint_gb: float,
    read_ratio: float | None,
    cache_gb: float | None,
) -> tuple[Answer, str]:
    """Machine file from the intervals of one box of a lake.

    Raises:
        RequestError: several boxes and no LCU (or LCUs of several) named, or intervals that hardly differ in load.
    """
    found = lake.readings(con, lake.platform_of(con))
    boxes = sorted({r.box for r in found if not lcus or r.lcu in lcus})
    if len(boxes) != 1:
        known = ", ".join(boxes) or "none"
        raise RequestError(f"the lake has these boxes: {known}", place="--lcu", remedy="name an LCU of the one to fit")
    intervals = lake.by_interval(r for r in found if r.box == boxes[0])
    given = _points(list(intervals.values()), footprint_gb, read_ratio)
    if len(given) < FEWEST or given.in_box_range < VARIED:
        raise RequestError(
            f"not identifiable from {len(given)} intervals with {given.in_box_span}",
            place=boxes[0],
            remedy=f"ingest at least {FEWEST}, the busiest with twice the I/Os in progress of the quietest",
        )
    return _fitted(name, given, cache_gb, f"{len(given)} intervals of {boxes[0]}")


def _points(groups: Sequence[Sequence[Reading]], footprint_gb: float, read_ratio: float | None) -> Points:
    """One point per interval of a box; `footprint_gb` of each volume."""
    rates = [sum(r.rate for r in group) for group in groups]
    reads = [
        sum(r.rate * share for r, share in zip(group, lake.read_ratios(group, read_ratio), strict=True)) / rate
        for group, rate in zip(groups, rates, strict=True)
    ]
    inside, queue = ([sum(getattr(r, part) for r in group) for group in groups] for part in ("in_service", "queue"))
    volumes = max(len(group) for group in groups)
    return points_from_intervals(rates, inside, reads, volumes * footprint_gb, volumes=volumes, queue=queue)


def _runs(path: Path) -> list[dict[str, float]]:
    try:
        lines = list(csv.DictReader(path.read_text("utf-8").splitlines()))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError("can't read the points", place=str(path), remedy="give a CSV file in UTF-8") from error
    missing = [column for column in COLUMNS if not lines or column not in lines[0]]
    if missing:
        raise InputError(f"no column {', '.join(missing)}", place=str(path), remedy=f"expected {','.join(COLUMNS)}")
    return [_run(line, f"{path}, line {number}") for number, line in enumerate(lines, 2)]


def _run(line: dict[str, Any], place: str) -> dict[str, float]:
    try:
        run = {column: float(line[column]) for column in COLUMNS}
    except (TypeError, ValueError) as error:
        raise InputError("not all columns are numbers", place=place) from error
    named = {column: f"{place}, {column}" for column in COLUMNS}
    rest = ("volumes", "requesters", "footprint_gb", "io_rate")
    positive(**{named[column]: run[column] for column in rest})
    not_negative(**{named["aliases"]: run["aliases"]})
    ratio(**{named["read_ratio"]: run["read_ratio"]})
    return run


def _fitted(name: str, given: Points, cache_gb: float | None, source: str) -> tuple[Answer, str]:
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]*", name):
        raise RequestError(f"{name!r} is no name for a machine", place="NAME", remedy="use letters, digits and dashes")
    done = calibrate(name, given, weak_prior(cache_gb=cache_gb), np.random.default_rng(SEED))
    predicted = done.box.rate(given.load)
    rows = tuple(
        {
            "in_box": float(inside),
            "read_ratio": float(reads),
            "footprint_gb": float(data),
            "io_rate": float(rate),
            "fitted_rate": float(fit),
            "error_percent": 100 * (float(fit / rate) - 1),
        }
        for inside, reads, data, rate, fit in zip(
            given.load.in_box, given.load.read_ratio, given.load.footprint_gb, given.rate, predicted, strict=True
        )
    )
    open_ones = [key for key, how in _how(done).items() if how == "assumed"]
    texts = (
        f"{name} fitted to {source}, {given.in_box_span}; points scatter by {100 * done.scatter:.1f} %",
        f"the points say nothing of {', '.join(open_ones)}" if open_ones else "the points determine every parameter",
    )
    return Answer(rows, texts, {"machine": name}), _toml(name, done, source)


def _how(done: Calibration) -> dict[str, str]:
    """Parameters the points determine are fitted, the rest stay what boxes have in common: assumed."""
    priors = dict(zip(done.prior.names, done.prior.spread, strict=True))
    return {n: "assumed" if s > WEAK * priors[n] else "fitted" for n, s in done.box.spreads.items()}


def _toml(name: str, done: Calibration, source: str) -> str:
    units = {row.name: row.unit for row in parameter_table()}
    how, box = _how(done), done.box
    quoted = source.replace("\\", "/").replace('"', "'")
    origin = {"fitted": f"iosq simulate fit, {quoted}", "assumed": "family default, the points hardly say more"}
    error = max(USUAL_ERROR, NORMAL_90 * done.scatter)
    parts = [f'title = "{name}, fitted to {quoted}"\nkind = "box"']
    parts.append(
        _entry("rate_error_ratio", error, "ratio", "as published boxes were predicted, or the scatter", "assumed")
    )
    parts += [_entry(n, v, units[n], origin[how[n]], how[n], box.spreads[n]) for n, v in box.values.items()]
    return "\n\n".join(parts) + "\n"


def _entry(name: str, value: float, unit: str, source: str, how: str, spread: float | None = None) -> str:
    lines: Sequence[str] = (
        f"[parameter.{name}]",
        f"value = {value:.4g}",
        f'unit = "{unit}"',
        f'source = "{source}"',
        f'how = "{how}"',
        *(() if spread is None else (f"spread = {spread:.2g}",)),
    )
    return "\n".join(lines)
