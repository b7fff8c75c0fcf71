"""Every protocol of the z/VM PAV study, model and baselines side by side."""

import csv
from collections import defaultdict
from functools import cache
from importlib.resources import files

import numpy as np

from iosq.models.pav.box import Box
from iosq.models.studies.zvm_pav import cells, configurations
from iosq.models.validate import protocols, recommender, write_ceiling
from iosq.models.validate.harness import STUDY, Run, concatenated, run, scored
from iosq.models.validate.predictors import (
    Predictor,
    fitted_box,
    no_change,
    perfect_scaling,
    structural,
    structural_with,
)
from iosq.models.validate.score import Limit, Score

NAME = STUDY
MODEL = "box model"
WIDER = 3.0
FOOTPRINTS = ((3, 20), (5, 20))  # worker levels whose write ceilings are given
BASELINES: tuple[tuple[str, Predictor], ...] = (("no change", no_change), ("naive M/M/c", perfect_scaling))
PROFILES: tuple[tuple[str, protocols.Protocol], ...] = (
    ("D15", protocols.planned_runs),
    ("D15 across", protocols.planned_runs_across),
)


def scores() -> list[Score]:
    """The whole table, well under a minute on one core."""
    with_row = run("CR", MODEL, protocols.row_and_other_mixes(), structural)
    table = _answers(with_row) + _around("CR", protocols.row_and_other_mixes)
    table += _answers(run("B'", MODEL, protocols.first_alias(), structural)) + _around("B'", protocols.first_alias)
    for name, protocol in PROFILES:
        table += _answers(run(name, MODEL, protocol(), structural)) + _widened(name, protocol)
    table += _unseen_mixes(run("E", MODEL, protocols.other_mixes(), structural))
    table += _answers(bare_rows()) + _baselines("A", protocols.bare_row) + advice_scores(with_row)
    return table + [write_ceiling.score(known, _limits(_ceiling(known))) for known in FOOTPRINTS]


def _around(name: str, protocol: protocols.Protocol) -> list[Score]:
    return _baselines(name, protocol) + _widened(name, protocol)


def _widened(name: str, protocol: protocols.Protocol) -> list[Score]:
    """The same with far weaker priors: how much of the accuracy comes from the points and how much from the priors."""
    done = run(name, f"priors {WIDER:g} times wider", protocol(), structural_with((), WIDER))
    return [scored(done, "rate", "all", done.sound)]


def profile_run() -> Run:
    """D15 by the box model: fifteen planned runs calibrate a box, every other cell is asked for."""
    return run("D15", MODEL, protocols.planned_runs(), structural)


def bare_rows() -> Run:
    """A: priors from the other two boxes, each fitted to all of its own cells, never to the box that is asked about."""
    boxes = {name: _box_of(name) for name in configurations()}
    parts = []
    for split in protocols.bare_row():
        others = [box for name, box in boxes.items() if name != split.controller]
        parts.append(run("A", MODEL, [split], structural_with(others)))
    return concatenated(parts)


def advice_scores(with_row: Run) -> list[Score]:
    """The recommender on the predictions of CR, and the rule it replaces, on 84 groups."""
    limits = {name: _limits((name, "right answers", recommender.GROUPS)) for name in ("helps", "best count")}
    rule = recommender.scores("add until no wait", recommender.until_no_wait(), {})
    return recommender.scores(MODEL, recommender.advice(recommender.modelled(with_row)), limits) + rule


def _box_of(controller: str) -> Box:
    own = (cells().conditions.controller == controller) & ~cells().defective
    return fitted_box(cells().pick(own), configurations()[controller]).box


def _answers(done: Run) -> list[Score]:
    """Rate and response on all sound targets, the truly extrapolated ones, and the defective ones apart."""
    sound = done.sound
    table = [
        scored(done, quantity, "all", sound, _limits((done.protocol, quantity, "all")))
        for quantity in ("rate", "response")
    ]
    if (sound & done.beyond).any():
        table.append(scored(done, "rate", "extrapolated", sound & done.beyond))
    if not sound.all():
        table.append(scored(done, "rate", "defective", ~sound))
    return table


def _baselines(name: str, protocol: protocols.Protocol) -> list[Score]:
    table = []
    for model, predictor in BASELINES:
        done = run(name, model, protocol(), predictor)
        known = done.sound & np.isfinite(done.predicted.rate)
        table += [scored(done, "rate", "all", known), scored(done, "rate", "extrapolated", known & done.beyond)]
    return table


def _unseen_mixes(done: Run) -> list[Score]:
    writes = cells().conditions.read_ratio[done.at] < 1
    return [
        scored(done, "rate", "with writes", done.sound & writes, _limits(("E", "rate", "with writes"))),
        scored(
            done, "rate", "pure reads", done.sound & ~writes, note="front-end limit hidden behind the write ceiling"
        ),
    ]


def _ceiling(known: tuple[int, int]) -> tuple[str, str, str]:
    return f"write ceiling {known[0]}+{known[1]}", "write ceiling", "3 workers or more"


def _limits(key: tuple[str, str, str]) -> tuple[Limit, ...]:
    return tuple(_bars().get(key, ()))


@cache
def _bars() -> dict[tuple[str, str, str], list[Limit]]:
    text = files("iosq.models.validate").joinpath("bars.csv").read_text(encoding="utf-8")
    bars = defaultdict(list)
    for row in csv.DictReader(text.splitlines()):
        limit = Limit(row["statistic"], float(row["bar"]), float(row["stretch"]), row["direction"] == "at least")
        bars[row["protocol"], row["quantity"], row["subset"]].append(limit)
    return dict(bars)
