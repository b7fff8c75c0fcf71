"""Scores all protocols of the z/VM PAV study: box not in the prior, all boxes in the prior, and baselines."""

from collections import defaultdict
from collections.abc import Sequence
from functools import cache, partial

from iosq.models.studies.zvm_pav import cells
from iosq.models.studies.zvm_pav.load import weak_prior_for
from iosq.models.validate import planning, protocols, recommender, write_ceiling
from iosq.models.validate.baselines import BASELINES
from iosq.models.validate.harness import STUDY, Run, run, scored
from iosq.models.validate.other_boxes import prior_of_others
from iosq.models.validate.predictors import Predictor, box_model
from iosq.models.validate.score import Limit, Score
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


def scores() -> list[Score]:
    """The whole table; bars apply to a box not in the prior."""
    table = scores_of(UNSEEN, box_model(prior_of_others), limited=True) + scores_of(IN_VIEW, box_model(weak_prior_for))
    for name, predictor in BASELINES:
        table += scores_of(name, predictor)
    return table + scores_without_a_box()


def scores_without_a_box() -> list[Score]:
    """Scores of the rule "add until no wait", and of the write-ceiling law."""
    table = recommender.scores("add until no wait", recommender.until_no_wait(), {})
    for known in FOOTPRINTS:
        key = f"write ceiling {known[0]}+{known[1]}", "write ceiling", "3 workers or more"
        table.append(write_ceiling.score(known, _limits(key)))
    return table


def scores_of(
    model: str, predictor: Predictor, names: Sequence[str] = tuple(PROTOCOLS), *, limited: bool = False
) -> list[Score]:
    """Scores of one model under these protocols, and of its alias recommendations (CR); `limited`: the bars apply."""
    table = []
    for name in names:
        done = run(name, model, PROTOCOLS[name](), predictor)
        table += _answers(done, limited)
        if name == "CR":
            table += _advised(done, limited)
    return table


def profile_run() -> Run:
    """The first plan of D15 with the box model for a box not in the prior: fifteen runs for calibration."""
    return run("D15", UNSEEN, protocols.planned_runs(), box_model(prior_of_others))


def _answers(done: Run, limited: bool) -> list[Score]:
    """Scores of rate and response for all sound targets, and of rate for extrapolated and for defective ones."""
    if done.protocol == "E":
        return _unseen_mixes(done, limited)
    sound = done.sound
    table = []
    for quantity in ("rate", "response"):
        table.append(scored(done, quantity, "all", sound, _limits((done.protocol, quantity, "all"), limited)))
    if (sound & done.beyond).any():
        table.append(scored(done, "rate", "extrapolated", sound & done.beyond))
    if limited and not sound.all():
        table.append(scored(done, "rate", "defective", ~sound))
    return table


def _unseen_mixes(done: Run, limited: bool) -> list[Score]:
    writes = cells().conditions.read_ratio[done.at] < 1
    limits = _limits(("E", "rate", "with writes"), limited)
    return [
        scored(done, "rate", "with writes", done.sound & writes, limits),
        scored(done, "rate", "pure reads", done.sound & ~writes, note=HIDDEN),
    ]


def _advised(with_row: Run, limited: bool) -> list[Score]:
    """Scores of alias recommendations from the predictions of CR, 84 groups."""
    questions = ("helps", "best count")
    limits = {name: _limits((name, "right answers", recommender.GROUPS), limited) for name in questions}
    return recommender.scores(with_row.model, recommender.modelled(with_row), limits)


def _limits(key: tuple[str, str, str], limited: bool = True) -> tuple[Limit, ...]:
    return tuple(_bars().get(key, ())) if limited else ()


@cache
def _bars() -> dict[tuple[str, str, str], list[Limit]]:
    bars = defaultdict(list)
    for row in csv_rows("iosq.models.validate", "bars.csv"):
        limit = Limit(row["statistic"], float(row["bar"]), float(row["stretch"]), row["direction"] == "at least")
        bars[row["protocol"], row["quantity"], row["subset"]].append(limit)
    return dict(bars)
