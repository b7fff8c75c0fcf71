"""Scores recommendations of aliases in 84 groups (one box, mix and worker level) by the published rates.

Aliases help if the best rate is more than 5 % above the rate without aliases; the best count is the smallest within 2 %
of the best rate. Defective cells are ignored.
"""

import numpy as np

from iosq.models.arrays import Floats, Ints, Mask
from iosq.models.studies.zvm_pav import cells, configurations
from iosq.models.validate.harness import STUDY, Run
from iosq.models.validate.score import Score

HELP, BEST = 1.05, 0.98
COUNTS = 5
REPEATS, SEED = 0.007, 1  # relative standard deviation between two measurements of the same state
GROUPS = "84 groups"
Advice = tuple[Mask, Ints]


def modelled(done: Run) -> Advice:
    """Advice from rates: measured without aliases, predicted with them.

    If the model has draws, each one votes, with measurement errors added: the majority decides if aliases help, and the
    most frequent best count wins.

    Args:
        done: run of protocol CR, which predicts aliases 1 to 4 of every group from the row without aliases.
    """
    if done.predicted.draws is None:
        return advice(published(done.at, done.predicted.rate))
    rng = np.random.default_rng(SEED)
    noise = np.exp(REPEATS * rng.standard_normal((len(done.predicted.draws), len(cells()))))
    drawn = zip(done.predicted.draws, noise, strict=True)
    votes = [advice(published(done.at, rates) * again[_groups()]) for rates, again in drawn]
    helps, counts = np.array([vote[0] for vote in votes]), np.array([vote[1] for vote in votes])
    named = np.array([(counts == count).sum(axis=0) for count in range(COUNTS)])
    return helps.mean(axis=0) > 0.5, named.argmax(axis=0)


def advice(rates: Floats) -> Advice:
    """(helps, best count) for each group, from rates of shape (groups, counts); NaN for unknown rates."""
    best = np.nanmax(rates, axis=1, keepdims=True)
    bare = np.where(np.isnan(rates[:, 0]), rates[:, 1], rates[:, 0])
    with np.errstate(invalid="ignore"):
        return best[:, 0] > HELP * bare, np.argmax(rates >= BEST * best, axis=1)


def until_no_wait() -> Advice:
    """Baseline: aliases help if there is a wait; add aliases until there is none, up to the study's maximum."""
    workers = cells().conditions.workers[_groups()[:, 0]]
    return workers > 1, np.minimum(workers - 1, COUNTS - 1).astype(int)


def published(at: Ints | None = None, predicted: Floats | None = None) -> Floats:
    """Rates for 0 to 4 aliases, shape (84, 5): predicted `at` these cells, else published; defective cells NaN."""
    rates = np.where(cells().defective, np.nan, cells().rate)
    if at is not None:
        rates[at] = predicted
    return np.asarray(rates[_groups()])


def scores(model: str, given: Advice) -> list[Score]:
    """Share of correct advice, and how often the rate with the advised count is within 5 % of the best rate."""
    rates = published()
    helps, best = advice(rates)
    chosen = np.take_along_axis(rates, given[1][:, None], axis=1)[:, 0]
    close = ~(chosen < 0.95 * np.nanmax(rates, axis=1))
    questions = (("helps", given[0] == helps), ("best count", given[1] == best), ("rate within 5 % of best", close))
    return [_score(name, model, right) for name, right in questions]


def _score(protocol: str, model: str, right: Mask) -> Score:
    owner = cells().conditions.controller[_groups()[:, 0]]
    by_machine = {name: float(100 * right[owner == name].mean()) for name in configurations()}
    statistics = {"right": float(100 * right.mean())}
    return Score(STUDY, protocol, model, "right answers", GROUPS, len(right), statistics, by_machine)


def _groups() -> Ints:
    """Positions of each group's cells by alias count, shape (84, 5): in the source they are consecutive."""
    return np.arange(len(cells())).reshape(-1, COUNTS)
