"""D15 with planned runs, as in `iosq simulate plan`: all at once, or in stages with fits in between.

The plan is part of the protocol, so every model predicts the same cells. It uses other boxes and the rates of runs
planned so far, and no other cell of the box. Each of ten plans starts with different draws.
"""

from collections.abc import Iterator
from functools import cache

import numpy as np

from iosq.models.arrays import Floats, Ints
from iosq.models.fit.plan import believed, planned, possible_runs
from iosq.models.studies.zvm_pav import cells, configurations
from iosq.models.validate.other_boxes import prior_of_others
from iosq.models.validate.predictors import fitted
from iosq.models.validate.protocols import Split, of_controller, split_of

STARTS, MOST_ALIASES = 10, 4
AT_ONCE, IN_STAGES = (15,), (5, 5, 5)
STAGES = {"D15 planned": AT_ONCE, "D15 in stages": IN_STAGES}  # runs


def plans(stages: tuple[int, ...]) -> Iterator[Split]:
    """Fifteen runs, selected before any measurement, or in stages by the results of earlier ones."""
    for start in range(STARTS):
        for controller in configurations():
            chosen = np.zeros(len(cells()), bool)
            chosen[list(planned_cells(controller, stages, start))] = True
            yield split_of(controller, chosen, ~chosen)


@cache
def planned_cells(controller: str, stages: tuple[int, ...], start: int) -> tuple[int, ...]:
    """Positions of the planned cells."""
    configuration = configurations()[controller]
    prior = prior_of_others(configuration, float(cells().conditions.footprint_gb.max()))
    each_gb = configuration.footprint_gb_per_worker / configuration.volumes
    runs = possible_runs(configuration.volumes, each_gb, MOST_ALIASES)
    where = _cells_of(controller, runs.requesters, runs.aliases, runs.read_ratio)
    sets, done = believed(prior, np.random.default_rng(start)), np.zeros(len(where), bool)
    for at, count in enumerate(stages):
        if at:
            sound = where[done & ~cells().defective[where]]
            sets = fitted(cells().pick(sound), configuration, prior).known.draws
        done[list(planned(sets, runs, count, done).chosen)] = True
    return tuple(where[done].tolist())


def _cells_of(controller: str, *run: Floats) -> Ints:
    have, own = cells().conditions, np.flatnonzero(of_controller(controller))
    names = zip(have.workers[own], have.aliases[own], have.read_ratio[own], strict=True)
    at = {name: int(cell) for name, cell in zip(names, own, strict=True)}
    return np.array([at[name] for name in zip(*run, strict=True)])
