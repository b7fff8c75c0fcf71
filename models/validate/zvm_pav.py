"""Scores all protocols of the z/VM PAV study: box not in the prior, all boxes in the prior, and baselines."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial

import numpy as np

from iosq.models.arrays import Floats
from iosq.models.pav.ceiling import law_from_two
from iosq.models.studies.zvm_pav import cells, configurations
from iosq.models.studies.zvm_pav.load import weak_prior_for
from iosq.models.validate import planning, protocols, recommender
from iosq.models.validate.baselines import BASELINES
from iosq.models.validate.harness import STUDY, Run, run, scored
from iosq.models.validate.other_boxes import prior_of_others
from iosq.models.validate.predictors import Predictor, box_model
from iosq.models.validate.score import Limit, Score, error_statistics
from iosq.toolkit.rows import csv_rows

NAME = STUDY
UNSEEN, IN_VIEW = "box never seen", "all boxes in view"
FOOTPRINTS = ((3, 20), (5, 20))  # worker levels with given write ceilings
PROTOCOLS: dict[str, protocols.Protocol] = {
    "CR": protocols.row_and_other_mixes,
    "B'": protocols.first_alias,
    "D15": protocols.all_plans,
    "D15 across": protocols.all_plans_across,
    **{name: partial(planning.plans, stages) for name, stages in planning.STAGES.items()},
    "E": protocols.other_mixes,
    "A": protocols.bare_row,
}
HIDDEN = "front-end limit hidden behind the write ceiling"
LEVELS = (3, 4, 5, 10, 20)
SATURATING_ALIASES = 2


def scores() -> list[Score]:
    """The whole table; bars apply to a box not in the prior."""
    models = (UNSEEN, box_model(prior_of_others)), (IN_VIEW, box_model(weak_prior_for)), *BASELINES
    table = [score for name, predictor in models for score in scores_of(name, predictor)]
    return table + scores_without_a_box()


def scores_without_a_box() -> list[Score]:
    """Scores of the rule "add until no wait", and of the write-ceiling law."""
    table = recommender.scores("add until no wait", recommender.until_no_wait())
    return table + [_limited(_write_ceiling(known)) for known in FOOTPRINTS]


def scores_of(model: str, predictor: Predictor, names: Sequence[str] = tuple(PROTOCOLS)) -> list[Score]:
    """Scores of one model under these protocols, and of its alias recommendations (CR)."""
    table = []
    for name in names:
        done = run(name, model, PROTOCOLS[name](), predictor)
        table += _unseen_mixes(done) if name == "E" else _answers(done)
        if name == "CR":
            table += recommender.scores(model, recommender.modelled(done))
    return [_limited(score) for score in table] if model == UNSEEN else table


def profile_run() -> Run:
    """The first plan of D15 with the box model for a box not in the prior: fifteen runs for calibration."""
    return run("D15", UNSEEN, protocols.planned_runs(), box_model(prior_of_others))


def _answers(done: Run) -> list[Score]:
    """Scores of rate and response for all sound targets, and of rate for extrapolated and for defective ones."""
    sound = done.sound
    table = [scored(done, quantity, "all", sound) for quantity in ("rate", "response")]
    if (sound & done.beyond).any():
        table.append(scored(done, "rate", "extrapolated", sound & done.beyond))
    if done.model == UNSEEN and not sound.all():
        table.append(scored(done, "rate", "defective", ~sound))
    return table


def _unseen_mixes(done: Run) -> list[Score]:
    writes = cells().conditions.read_ratio[done.at] < 1
    return [
        scored(done, "rate", "with writes", done.sound & writes),
        scored(done, "rate", "pure reads", done.sound & ~writes, note=HIDDEN),
    ]


def _limited(score: Score) -> Score:
    return replace(score, limits=tuple(_bars().get((score.protocol, score.quantity, score.subset), ())))


@cache
def _bars() -> dict[tuple[str, str, str], list[Limit]]:
    bars = defaultdict(list)
    for row in csv_rows("iosq.models.validate", "bars.csv"):
        limit = Limit(row["statistic"], float(row["bar"]), float(row["stretch"]), row["direction"] == "at least")
        bars[row["protocol"], row["quantity"], row["subset"]].append(limit)
    return dict(bars)


def _write_ceilings(controller: str) -> tuple[Floats, Floats]:
    """(footprints in GB, writes per second of the box) for saturating writes: pure writes, two aliases or more."""
    have = cells().conditions
    selected = (have.controller == controller) & (have.read_ratio == 0) & (have.aliases >= SATURATING_ALIASES)
    selected &= ~cells().defective
    at = [selected & (have.workers == level) for level in LEVELS]
    volumes = configurations()[controller].volumes
    footprints = np.array([have.footprint_gb[chosen].mean() for chosen in at])
    return footprints, np.array([volumes * cells().rate[chosen].mean() for chosen in at])


def _write_ceiling(known: tuple[int, int]) -> Score:
    """Errors at levels other than the `known` ones, for all boxes; `by_machine` has the worst error of each."""
    given = [LEVELS.index(level) for level in known]
    asked = [at for at in range(len(LEVELS)) if at not in given]
    errors = {name: _ceiling_errors(name, given, asked) for name in configurations()}
    all_errors = np.concatenate(list(errors.values()))
    worst = {name: float(error.max()) for name, error in errors.items()}
    protocol = f"write ceiling {known[0]}+{known[1]}"
    statistics, subset = error_statistics(all_errors), "3 workers or more"
    return Score(STUDY, protocol, "NVS law", "write ceiling", subset, len(all_errors), statistics, worst)


def _ceiling_errors(controller: str, given: list[int], asked: list[int]) -> Floats:
    footprints, ceilings = _write_ceilings(controller)
    law = law_from_two(footprints[given], ceilings[given])
    return np.asarray(100 * np.abs(law.ceiling(footprints[asked]) / ceilings[asked] - 1))
