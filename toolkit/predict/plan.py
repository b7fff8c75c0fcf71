"""Plan the next runs to measure on a box, unknown or with some known runs."""

from pathlib import Path

import numpy as np

from iosq.models.arrays import Mask
from iosq.models.fit.calibrate import calibrate
from iosq.models.fit.plan import Runs, believed, measured, planned, possible_runs
from iosq.models.fit.prior import unseen_prior
from iosq.models.pav.box import Box, Values
from iosq.models.pav.machine import KIND, box_from_machine
from iosq.models.queueing.checks import count, positive
from iosq.toolkit.errors import RequestError
from iosq.toolkit.predict.answer import Answer
from iosq.toolkit.predict.given import MOST_VOLUMES
from iosq.toolkit.predict.machines import of_kind
from iosq.toolkit.predict.runs import Files, read
from iosq.toolkit.show.numbers import human_number

SEED = 1
MOST_RUNS, MOST_ALIASES = 60, 255
STAGE = 5  # runs after which to plan anew: 15 in 3 stages leave a seventh less error than at once (validation, D15)
STAGES = f"better: measure the first {STAGE}, and plan the others given those (iosq simulate plan --points)"
UNKNOWN_RUNS = "keeps no single runs that it was fitted to: one of them may be named again"


def answer(
    runs: int = 15,
    *,
    volumes: int = 8,
    aliases: int = 4,
    gb_per_requester: float = 0.06,
    cache_gb: float | None = None,
    points: Files | None = None,
    machine: str | Path | None = None,
) -> Answer:
    """The runs to measure on a box before a fit: those that leave the least uncertainty about all other runs.

    Args:
        runs: number of runs.
        volumes: number of equal volumes to run them on.
        aliases: maximum number per volume.
        gb_per_requester: data each requester touches, GB.
        cache_gb: cache available to the volumes, GB, if their data outgrows it.
        points: runs measured already, in one or several CSV files as `fit` reads them; they are not proposed again.
        machine: a machine file that `fit` made from such runs, in place of `points`.
    """
    positive(**{"--gb-per-requester": gb_per_requester})
    count(1, MOST_RUNS, **{"--runs": runs})
    count(1, MOST_VOLUMES, **{"--volumes": volumes})
    count(0, MOST_ALIASES, **{"--aliases": aliases})
    possible = possible_runs(volumes, gb_per_requester, aliases)
    box = _fitted(cache_gb, points or (), machine)
    draws, done = _candidates(box, cache_gb, possible)
    plan = planned(draws, possible, runs, done)
    rows = tuple(
        {
            "volumes": volumes,
            "requesters": int(possible.requesters[at]),
            "aliases": int(possible.aliases[at]),
            "read_ratio": float(possible.read_ratio[at]),
            "footprint_gb": float(possible.footprint_gb[at]),
            "io_rate": None,
            "open_percent": 100 * open_share,
        }
        for at, open_share in zip(plan.chosen, plan.open_ratio[1:], strict=True)
    )
    before, after = (human_number(100 * open_share, 2) for open_share in (plan.open_ratio[0], plan.open_ratio[-1]))
    texts = (
        f"the uncertainty of the rates of all {len(possible.requesters)} runs falls from {before} to {after} % "
        "(root mean square); open_percent is what remains after each run",
        "fill in io_rate, I/Os per second of all volumes, and give the file to iosq simulate fit --points",
        *([STAGES] if runs > STAGE else []),
        *([f"{box.name} {UNKNOWN_RUNS}"] if box and box.left is None else []),
    )
    return Answer(rows, texts)


def _fitted(cache_gb: float | None, known: Files, machine: str | Path | None) -> Box | None:
    """The box fitted to the known runs, or read from its machine file; None if nothing was measured."""
    if machine is None:
        prior = unseen_prior(cache_gb=cache_gb)
        return calibrate("box", read(known).points, prior, np.random.default_rng(SEED)).known if known else None
    for name, given in (("--points", bool(known)), ("--cache-gb", cache_gb is not None)):
        if given:
            raise RequestError("the machine file holds what it was fitted to", place=name, remedy="leave it out")
    box = box_from_machine(of_kind(str(machine), KIND))
    if not box.draws:
        raise RequestError(
            f"machine {box.name} does not say what is open about it",
            place="--machine",
            remedy="name a file that iosq simulate fit wrote, or leave it out",
        )
    return box


def _candidates(box: Box | None, cache_gb: float | None, possible: Runs) -> tuple[Values, Mask]:
    """Parameter sets that agree with the measurements, or the prior sets, and which possible runs were measured."""
    draws = believed(unseen_prior(cache_gb=cache_gb), np.random.default_rng(SEED)) if box is None else box.draws
    if box is None or box.left is None:
        return draws, np.zeros(len(possible.requesters), bool)
    return draws, measured(possible, box.left.load)
