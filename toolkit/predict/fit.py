"""A machine file fitted to measured points: a table of planned runs, or a lake whose intervals differ in load."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from iosq.models.arrays import Mask
from iosq.models.fit.calibrate import Calibration, calibrate
from iosq.models.fit.machine_file import error_fact, machine_toml, undetermined
from iosq.models.fit.misfit import covering
from iosq.models.fit.plan import measured, planned, possible_runs
from iosq.models.fit.points import Points, points_from_intervals
from iosq.models.fit.prior import unseen_prior
from iosq.models.pav.box import VARIED
from iosq.models.pav.residual import DOUBT
from iosq.toolkit.errors import RequestError
from iosq.toolkit.predict import lake, runs
from iosq.toolkit.predict.answer import Answer
from iosq.toolkit.predict.lake import Reading
from iosq.toolkit.rows import NewRow
from iosq.toolkit.show import stages
from iosq.toolkit.show.numbers import aliases, human_number, plural
from iosq.toolkit.sql.engine import Connection

FEWEST = 8  # minimum number of intervals of a lake; they scatter more than planned runs
USUAL_ERROR = 0.08  # 90th percentile of rate errors if 15 runs predict the rest of a published box; worst of 3
SEED = 1
MOST_ALIASES, GB_PER_REQUESTER = 4, 0.06  # for the run that is proposed next: as in the published study


@dataclass(frozen=True)
class Source:
    """Measured points, the number of volumes they cover, their origin in words, and remarks about them.

    doubt: relative error of rates due to assumptions; assumed: the assumptions in words; places: file and line.
    """

    points: Points
    volumes: int
    name: str
    doubt: float = 0.0
    assumed: str = ""
    notes: Sequence[str] = ()
    places: Sequence[str] = ()


def points_answer(name: str, points: runs.Files, *, cache_gb: float | None = None) -> tuple[Answer, str]:
    """Fit a machine to measured points in CSV files; returns the fit and the text of the machine's file.

    Args:
        name: name of the new machine.
        points: a file or several; columns volumes, requesters, aliases (per volume), read_ratio, footprint_gb,
            io_rate (total); all but io_rate may be missing.
        cache_gb: cache available to the volumes, GB, if their data outgrows it.
    """
    given, paths = runs.read(points), runs.paths_of(points)
    source = f"{plural(len(given.points), 'planned run')} in {', '.join(path.name for path in paths)}"
    assumed = _assumed(given)
    notes = [f"not in the file and assumed: {assumed}"] if assumed else []
    notes += [f"not read: the columns {', '.join(given.unread)}"] if given.unread else []
    if given.points.in_box_range < VARIED:  # the file is valid for that number of I/Os only
        notes += [f"only {given.points.in_box_span}: with more or fewer in the box, these runs leave bounds only"]
    volumes = round(float(np.median(given.runs.volumes)))
    found = Source(given.points, volumes, source, given.doubt, assumed, notes, given.places)
    return _fitted(name, found, cache_gb)


def _assumed(given: runs.Measured) -> str:
    values = {name: "aliases + 1" if name == "requesters" else f"{runs.ASSUMED[name][0]:g}" for name in given.assumed}
    return ", ".join(f"{name} {value}" for name, value in values.items())


def lake_answer(
    name: str,
    con: Connection,
    lcus: Collection[str],
    footprint_gb: float,
    read_ratio: float | None,
    cache_gb: float | None,
) -> tuple[Answer, str]:
    """Machine file from the intervals of one box of a lake; RequestError for several boxes or a constant load."""
    stages.progress("intervals")
    found = lake.readings(con, lake.platforms(con)[0])
    boxes = sorted({r.box for r in found if not lcus or r.lcu in lcus})
    if len(boxes) != 1:
        known = ", ".join(boxes) or "none"
        raise RequestError(f"the lake has these boxes: {known}", place="--lcu", remedy="name an LCU of the one to fit")
    groups, box = list(lake.by_interval(r for r in found if r.box == boxes[0]).values()), boxes[0]
    volumes = max(len(group) for group in groups)
    given = _points(groups, volumes, footprint_gb, read_ratio)
    if len(given) < FEWEST or given.in_box_range < VARIED:
        raise RequestError(
            f"not identifiable from {len(given)} intervals with {given.in_box_span}",
            place=box,
            remedy=f"ingest at least {FEWEST}, the busiest with twice the I/Os in progress of the quietest",
        )
    return _fitted(name, Source(given, volumes, f"{len(given)} intervals of {box}"), cache_gb)


def _points(groups: Sequence[Sequence[Reading]], volumes: int, footprint_gb: float, read_ratio: float | None) -> Points:
    """One point per interval of a box; `footprint_gb` is per volume."""
    rates = [sum(r.rate for r in group) for group in groups]
    reads = [
        sum(r.rate * share for r, share in zip(group, lake.read_ratios(group, read_ratio), strict=True)) / rate
        for group, rate in zip(groups, rates, strict=True)
    ]
    inside, queue = ([sum(getattr(r, part) for r in group) for group in groups] for part in ("in_service", "queue"))
    return points_from_intervals(rates, inside, reads, volumes * footprint_gb, volumes=volumes, queue=queue)


def _fitted(name: str, given: Source, cache_gb: float | None) -> tuple[Answer, str]:
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]*", name):
        raise RequestError(f"{name!r} is no name for a machine", place="NAME", remedy="use letters, digits and dashes")
    stages.progress("machine")
    prior = unseen_prior(cache_gb=cache_gb)
    prior = replace(prior, misfit=replace(prior.misfit, scale=float(np.hypot(prior.misfit.scale, given.doubt))))
    done = calibrate(name, given.points, prior, np.random.default_rng(SEED))
    done = replace(done, prior=replace(prior, misfit=covering(prior.misfit, done.residual)))
    off = np.abs(done.residual) > np.log(DOUBT)
    open_ones = undetermined(done)
    texts = (
        f"{name} fitted to {given.name}, {given.points.in_box_span}; points scatter by {_scatter(done.scatter)}",
        *given.notes,
        *_contradictions(done, off, given),
        f"the points say nothing of {', '.join(open_ones)}" if open_ones else "the points determine every parameter",
        _next(done, given.volumes),
    )
    aside = f" ({off.sum()} of them more than a quarter off its curve)" if off.any() else ""
    facts = error_fact(done, USUAL_ERROR)
    toml = machine_toml(f"{name}, fitted to {given.name}{aside}", done, f"iosq simulate fit, {given.name}", facts)
    return Answer(_rows(done), texts, {"machine": name}), toml


def _scatter(apart: float) -> str:
    """A standard deviation of logarithms, in words."""
    return f"{100 * apart:.1f} %" if apart < np.log(2) else f"a factor of {human_number(float(np.exp(apart)))}"


def _contradictions(done: Calibration, off: Mask, given: Source) -> list[str]:
    """A conclusion about points that the fitted curve can't explain along with the others; empty if there are none."""
    if not off.any():
        return []
    worst = int(np.argmax(np.abs(done.residual)))
    rate, by_curve = float(done.points.rate[worst]), float(np.exp(-done.residual[worst]))
    where = f" ({given.places[worst]})" if given.places else ""
    many = f"{off.sum()} of {plural(len(off), 'point')} {'is' if off.sum() == 1 else 'are'}"
    rates = f"{human_number(rate)} per s measured, {human_number(rate * by_curve)} by the curve"
    return [
        f"{many} more than a quarter off the curve{', the worst' if off.sum() > 1 else ''}{where}: {rates}. "
        f"{_likely_cause(off, given.assumed)}; till then answers have intervals wide enough for both"
    ]


def _likely_cause(off: Mask, assumed: str) -> str:
    """The most likely cause of points far off the curve: missing columns, an unusual box, or two boxes."""
    if assumed:
        return f"Give the columns that were assumed ({assumed}), or leave out slips"
    if off.all():
        return "It is unlike the boxes this program knows, or a slip: measure more"
    return "They are of another box or of other data, or slips: leave them out, or fit them apart"


def _rows(done: Calibration) -> tuple[NewRow, ...]:
    given, predicted = done.points, done.box.rate(done.points.load)
    columns = {name: getattr(given.load, name) for name in ("in_box", "read_ratio", "footprint_gb")}
    columns |= {"io_rate": given.rate, "fitted_rate": predicted, "error_percent": 100 * (predicted / given.rate - 1)}
    return tuple(dict(zip(columns, map(float, row), strict=True)) for row in zip(*columns.values(), strict=True))


def _next(done: Calibration, volumes: int) -> str:
    """The run on the same number of volumes that would most reduce the uncertainty of all other runs."""
    load = done.points.load
    possible = possible_runs(volumes, GB_PER_REQUESTER, MOST_ALIASES)
    plan = planned(done.known.draws, possible, 1, measured(possible, load))
    if not plan.chosen:
        return "every run of the kind that is usually measured is there"
    at, before, after = plan.chosen[0], *plan.open_ratio
    each = f"each of {volumes} volumes" if volumes > 1 else "the volume"
    return (
        f"measure next: {100 * possible.read_ratio[at]:.0f} % reads, {possible.requesters[at]:.0f} requesters on "
        f"{each} with {aliases(round(possible.aliases[at]))}, {possible.footprint_gb[at]:.3g} GB in all; "
        f"the uncertainty of all runs falls from {human_number(100 * before, 2)} to {human_number(100 * after, 2)} %"
    )
