"""Scores the NVS law with tracks as units: write ceilings at two footprints predict those at all others."""

import numpy as np

from iosq.models.arrays import Floats
from iosq.models.pav.ceiling import law_from_two
from iosq.models.studies.zvm_pav import cells, configurations
from iosq.models.validate.harness import STUDY
from iosq.models.validate.score import Score, error_statistics

LEVELS = (3, 4, 5, 10, 20)
SATURATING_ALIASES = 2


def write_ceilings(controller: str) -> tuple[Floats, Floats]:
    """(footprints in GB, writes per second of the box) for saturating writes: pure writes, two aliases or more."""
    have = cells().conditions
    selected = (have.controller == controller) & (have.read_ratio == 0) & (have.aliases >= SATURATING_ALIASES)
    selected &= ~cells().defective
    at = [selected & (have.workers == level) for level in LEVELS]
    volumes = configurations()[controller].volumes
    footprints = np.array([have.footprint_gb[chosen].mean() for chosen in at])
    return footprints, np.array([volumes * cells().rate[chosen].mean() for chosen in at])


def score(known: tuple[int, int]) -> Score:
    """Errors at levels other than the `known` ones, for all boxes; `by_machine` has the worst error of each."""
    given = [LEVELS.index(level) for level in known]
    asked = [at for at in range(len(LEVELS)) if at not in given]
    errors = {name: _errors(name, given, asked) for name in configurations()}
    all_errors = np.concatenate(list(errors.values()))
    worst = {name: float(error.max()) for name, error in errors.items()}
    protocol = f"write ceiling {known[0]}+{known[1]}"
    statistics, subset = error_statistics(all_errors), "3 workers or more"
    return Score(STUDY, protocol, "NVS law", "write ceiling", subset, len(all_errors), statistics, worst)


def _errors(controller: str, given: list[int], asked: list[int]) -> Floats:
    footprints, ceilings = write_ceilings(controller)
    law = law_from_two(footprints[given], ceilings[given])
    return np.asarray(100 * np.abs(law.ceiling(footprints[asked]) / ceilings[asked] - 1))
