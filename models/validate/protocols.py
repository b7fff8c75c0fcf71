"""Calibration cells and target cells for every protocol of the z/VM PAV study."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from iosq.models.arrays import Ints, Mask
from iosq.models.studies.zvm_pav import Cells, Conditions, cells, configurations

MIXES = (0.0, 0.33, 0.66, 1.0)
Plan = tuple[tuple[float, ...], tuple[tuple[int, int], ...]]
"""Read shares, and (workers, aliases) of the runs at each of them."""
_RUNS = (
    ((1, 0), (2, 1), (4, 0), (5, 4), (20, 4)),
    ((1, 0), (3, 1), (5, 0), (5, 4), (20, 4)),
    ((1, 0), (2, 1), (3, 0), (4, 3), (20, 4)),
    ((1, 0), (3, 1), (4, 0), (5, 3), (10, 4)),
    ((1, 0), (2, 1), (5, 0), (4, 3), (10, 4)),
)
PLANS: tuple[Plan, ...] = tuple((mixes, runs) for mixes in ((0.0, 0.66, 1.0), (0.0, 0.33, 1.0)) for runs in _RUNS)


@dataclass(frozen=True)
class Split:
    """One calibration and its targets: `calibration` and `targets` are positions in the 420 cells, `asked` the targets'
    conditions."""

    controller: str
    calibration: Ints
    targets: Ints
    asked: Conditions


def row_and_other_mixes() -> Iterator[Split]:
    """CR: all cells of other mixes and the aliases=0 row of this mix; targets are aliases 1 to 4."""
    for controller, mix in _suites():
        own = of_controller(controller)
        row = _mix(mix) & _aliases(0)
        yield split_of(controller, own & (~_mix(mix) | row), own & _mix(mix) & ~_aliases(0))


def first_alias() -> Iterator[Split]:
    """B': aliases 0 and 1 of all four mixes; targets are aliases 2 to 4."""
    few = cells().conditions.aliases <= 1
    for controller in configurations():
        yield split_of(controller, of_controller(controller) & few, of_controller(controller) & ~few)


def planned_runs(plan: Plan = PLANS[0]) -> Iterator[Split]:
    """D15: fifteen planned runs; targets are all other cells."""
    for controller in configurations():
        own = of_controller(controller)
        yield split_of(controller, own & _planned(plan), own & ~_planned(plan))


def all_plans() -> Iterator[Split]:
    """D15 under ten plans: light, two in flight, no aliases, full box, large footprint, each at three mixes."""
    for plan in PLANS:
        yield from planned_runs(plan)


def all_plans_across() -> Iterator[Split]:
    """D15 as a migration: the population is by Little's law from another box's row without aliases."""
    for split in all_plans():
        for other in configurations():
            if other != split.controller:
                population = np.array([_population_on(other, split.asked, at) for at in range(len(split.asked))])
                inferred = np.ones(len(population), bool)
                yield replace(split, asked=replace(split.asked, population=population, inferred=inferred))


def other_mixes() -> Iterator[Split]:
    """E: all cells of other mixes; targets are the cells of the unused mix."""
    for controller, mix in _suites():
        yield split_of(controller, of_controller(controller) & ~_mix(mix), of_controller(controller) & _mix(mix))


def bare_row() -> Iterator[Split]:
    """A: the aliases=0 row of one mix; targets are aliases 1 to 4."""
    for controller, mix in _suites():
        suite = of_controller(controller) & _mix(mix)
        yield split_of(controller, suite & _aliases(0), suite & ~_aliases(0))


Protocol = Callable[[], Iterator[Split]]


def extrapolated(split: Split, seen: Cells) -> Mask:
    """Mask of targets with more exposures in use than any calibration cell of their mix, each state counted once."""
    known = seen.conditions
    most = np.array([_most_exposures(known, mix) for mix in split.asked.read_ratio])
    used = split.asked.exposures
    return (used > most) & (split.asked.aliases + 1 <= split.asked.workers)


def _most_exposures(known: Conditions, mix: float) -> float:
    same = known.read_ratio == mix
    return float(known.exposures[same].max()) if same.any() else 0.0


def split_of(controller: str, calibration: Mask, targets: Mask) -> Split:
    """A split with the sound cells of `calibration`, and all cells of `targets`."""
    at = np.flatnonzero(targets)
    sound = calibration & ~cells().defective
    return Split(controller, np.flatnonzero(sound), at, cells().conditions.pick(at))


def _suites() -> Iterator[tuple[str, float]]:
    for controller in configurations():
        for mix in MIXES:
            yield controller, mix


def of_controller(controller: str) -> Mask:
    """Mask of the cells of one box."""
    return np.asarray(cells().conditions.controller == controller)


def _mix(mix: float) -> Mask:
    return np.asarray(cells().conditions.read_ratio == mix)


def _aliases(count: int) -> Mask:
    return np.asarray(cells().conditions.aliases == count)


def _planned(plan: Plan) -> Mask:
    have = cells().conditions
    runs = [(have.workers == workers) & (have.aliases == aliases) for workers, aliases in plan[1]]
    return np.asarray(np.any(runs, axis=0) & np.isin(have.read_ratio, plan[0]))


def _population_on(other: str, asked: Conditions, at: int) -> float:
    """Rate times response on the other box, without aliases or, if that cell is defective, with the fewest."""
    have = cells()
    same = (have.conditions.controller == other) & (have.conditions.read_ratio == asked.read_ratio[at])
    same &= (have.conditions.workers == asked.workers[at]) & ~have.defective
    first = np.flatnonzero(same)[0]
    return float(have.rate[first] * have.response_ms[first] / 1e3)
