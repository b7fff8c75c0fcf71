"""A machine file fitted to measured points: a table of planned runs, or a lake whose intervals differ in load."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from iosq.models.fit.calibrate import Calibration, calibrate
from iosq.models.fit.machine_file import error_fact, machine_toml, undetermined
from iosq.models.fit.plan import measured, planned, possible_runs
from iosq.models.fit.points import Points, points_from_intervals
from iosq.models.fit.prior import weak_prior
from iosq.toolkit.errors import RequestError
from iosq.toolkit.predict import lake, runs
from iosq.toolkit.predict.answer import Answer
from iosq.toolkit.predict.lake import Reading
from iosq.toolkit.rows import NewRow
from iosq.toolkit.show import stages
from iosq.toolkit.show.numbers import aliases, plural

if TYPE_CHECKING:
    from iosq.toolkit.sql.engine import Connection

FEWEST = 8  # intervals of a lake: they scatter more than planned runs do
USUAL_ERROR = 0.08  # 90 % of rates where fifteen runs predict the rest of a published box, the worst of three
VARIED = 2.0  # below this spread of the numbers in the box, intervals say nothing about other numbers
SEED = 1
MOST_ALIASES, GB_PER_REQUESTER = 4, 0.06  # of the run that is proposed next: as in the published study


def points_answer(name: str, paths: Sequence[Path], cache_gb: float | None) -> tuple[Answer, str]:
    """Machine file from CSV files of planned runs, from one upwards; what few runs leave open its intervals show.

    Args:
        name: of the machine.
        paths: columns `runs.COLUMNS`: equal volumes, requesters and aliases of each, read share, data all volumes
            touch, I/Os per second of all volumes; all but the last may be missing.
        cache_gb: cache the volumes can use, where their data outgrows it.

    Raises:
        InputError: a file can't be read or a line is wrong.
    """
    given = runs.read(paths)
    source = f"{plural(len(given.points), 'planned run')} in {', '.join(path.name for path in paths)}"
    notes = [f"not in the file and assumed: {_assumed(given)}"] if given.assumed else []
    return _fitted(name, given.points, cache_gb, source, given.doubt, [*notes, *_narrow(given.points)])


def _assumed(given: runs.Measured) -> str:
    values = {name: "aliases + 1" if name == "requesters" else f"{runs.ASSUMED[name][0]:g}" for name in given.assumed}
    return ", ".join(f"{name} {value}" for name, value in values.items())


def _narrow(given: Points) -> list[str]:
    """What is said where the number in the box never varied: the file then answers for that number only."""
    if given.in_box_range >= VARIED:
        return []
    return [f"only {given.in_box_span}: with more in the box, nothing can be told from these runs"]


def lake_answer(
    name: str,
    con: Connection,
    lcus: Collection[str],
    footprint_gb: float,
    read_ratio: float | None,
    cache_gb: float | None,
) -> tuple[Answer, str]:
    """Machine file from the intervals of one box of a lake.

    Raises:
        RequestError: several boxes and no LCU (or LCUs of several) named, or intervals that hardly differ in load.
    """
    stages.tell("intervals")
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
    return _fitted(name, given, cache_gb, f"{len(given)} intervals of {boxes[0]}", 0.0)


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


def _fitted(
    name: str, given: Points, cache_gb: float | None, source: str, doubt: float, notes: Collection[str] = ()
) -> tuple[Answer, str]:
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]*", name):
        raise RequestError(f"{name!r} is no name for a machine", place="NAME", remedy="use letters, digits and dashes")
    stages.tell("machine")
    prior = weak_prior(cache_gb=cache_gb)
    prior = replace(prior, misfit=replace(prior.misfit, scale=float(np.hypot(prior.misfit.scale, doubt))))
    done = calibrate(name, given, prior, np.random.default_rng(SEED))
    open_ones = undetermined(done)
    texts = (
        f"{name} fitted to {source}, {given.in_box_span}; points scatter by {100 * done.scatter:.1f} %",
        *notes,
        f"the points say nothing of {', '.join(open_ones)}" if open_ones else "the points determine every parameter",
        _next(done),
    )
    quoted = source.replace("\\", "/").replace('"', "'")
    facts = [error_fact(done, USUAL_ERROR)]
    toml = machine_toml(f"{name}, fitted to {quoted}", done, f"iosq simulate fit, {quoted}", facts)
    return Answer(_rows(done), texts, {"machine": name}), toml


def _rows(done: Calibration) -> tuple[NewRow, ...]:
    given, predicted = done.points, done.box.rate(done.points.load)
    columns = (given.load.in_box, given.load.read_ratio, given.load.footprint_gb, given.rate, predicted)
    return tuple(
        {
            "in_box": float(inside),
            "read_ratio": float(reads),
            "footprint_gb": float(data),
            "io_rate": float(rate),
            "fitted_rate": float(fit),
            "error_percent": 100 * (float(fit / rate) - 1),
        }
        for inside, reads, data, rate, fit in zip(*columns, strict=True)
    )


def _next(done: Calibration) -> str:
    """The run that would tell most about all others, on as many volumes as share the box at its lightest."""
    load = done.points.load
    bare = load.aliased < 0.5
    volumes = max(round(float(load.in_box[bare].min())), 1) if bare.any() else 1
    possible = possible_runs(volumes, GB_PER_REQUESTER, MOST_ALIASES)
    plan = planned(done.known.draws, possible, 1, measured(possible, load))
    at, before, after = plan.chosen[0], *plan.open_ratio
    return (
        f"measure next: {100 * possible.read_ratio[at]:.0f} % reads, {possible.requesters[at]:.0f} requesters on each "
        f"of {plural(volumes, 'volume')} with {aliases(round(possible.aliases[at]))}, "
        f"{possible.footprint_gb[at]:.3g} GB in all; "
        f"what is open about all runs falls from {100 * before:.0f} to {100 * after:.0f} %"
    )
