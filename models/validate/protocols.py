"""Calibration cells and target cells for every protocol of the z/VM PAV study."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from iosq.models.arrays import Ints, Mask
from iosq.models.studies.zvm_pav import Conditions, cells, configurations

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
    bare = cells().conditions.aliases == 0
    return _by_mix(lambda mix: ~mix | bare, lambda mix: mix & ~bare)


def first_alias() -> Iterator[Split]:
    """B': aliases 0 and 1 of all four mixes; targets are aliases 2 to 4."""
    few = cells().conditions.aliases <= 1
    for controller in configurations():
        yield split_of(controller, few, ~few)


def planned_runs(plan: Plan = PLANS[0]) -> Iterator[Split]:
    """D15: fifteen planned runs; targets are all other cells."""
    for controller in configurations():
        yield split_of(controller, _planned(plan), ~_planned(plan))


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
    return _by_mix(lambda mix: ~mix, lambda mix: mix)


def bare_row() -> Iterator[Split]:
    """A: the aliases=0 row of one mix; targets are aliases 1 to 4."""
    bare = cells().conditions.aliases == 0
    return _by_mix(lambda mix: mix & bare, lambda mix: mix & ~bare)


Protocol = Callable[[], Iterator[Split]]


def extrapolated(split: Split) -> Mask:
    """Mask of targets with more exposures in use than any calibration cell of their mix, each state counted once."""
    known = cells().conditions.pick(split.calibration)
    most = np.array([known.exposures[known.read_ratio == mix].max(initial=0.0) for mix in split.asked.read_ratio])
    return np.asarray((split.asked.exposures > most) & (split.asked.aliases + 1 <= split.asked.workers))


def split_of(controller: str, calibration: Mask, targets: Mask) -> Split:
    """A split of one box with the sound cells of `calibration`, and all cells of `targets`."""
    own = of_controller(controller)
    at = np.flatnonzero(own & targets)
    sound = own & calibration & ~cells().defective
    return Split(controller, np.flatnonzero(sound), at, cells().conditions.pick(at))


def _by_mix(calibration: Callable[[Mask], Mask], targets: Callable[[Mask], Mask]) -> Iterator[Split]:
    """A split for each box and mix: cells chosen by the mask of the mix."""
    for controller in configurations():
        for ratio in MIXES:
            mix = np.asarray(cells().conditions.read_ratio == ratio)
            yield split_of(controller, calibration(mix), targets(mix))


def of_controller(controller: str) -> Mask:
    """Mask of the cells of one box."""
    return np.asarray(cells().conditions.controller == controller)


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
