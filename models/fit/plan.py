"""Selects runs to measure: those that leave the least uncertainty about all other runs.

Each parameter set that agrees with the data gives a rate for every possible run. The worth of a run is the variance it
removes from the logarithms of all rates, under a normal distribution with their covariance. Runs are selected one after
another, each given the previous ones. A. Krause, A. Singh, C. Guestrin, *Journal of Machine Learning Research* 9
(2008).
"""

from dataclasses import dataclass, replace

import numpy as np

from iosq.models.arrays import Floats, Mask
from iosq.models.fit.calibrate import SCALE
from iosq.models.fit.prior import Prior
from iosq.models.pav.box import REACH, BoxLoad, Values, throughput
from iosq.models.pav.residual import SAME, Kernel, covariance
from iosq.models.pav.volume import uses_aliases, waits_in_host

REQUESTERS, ALIASES = (1, 2, 3, 4, 5, 10, 20), (0, 1, 2, 4)
MIXES = (0.0, 0.33, 0.66, 1.0)
SETS = 400
AS_GOOD = 0.99  # share of the best run's worth: of equally useful runs the first, with the fewest requesters, is chosen
HALF = 0.5  # correlation below which states are different


@dataclass(frozen=True)
class Runs:
    """Possible runs of equal volumes: arrays of equal length; footprint_gb of all volumes together."""

    volumes: int | Floats
    requesters: Floats
    aliases: Floats
    read_ratio: Floats
    footprint_gb: Floats

    @property
    def load(self) -> BoxLoad:
        exposures = self.aliases + 1
        in_use = np.minimum(self.requesters, exposures)
        waits = waits_in_host(self.requesters, exposures)
        return BoxLoad.of(self.volumes * in_use, self.read_ratio, self.footprint_gb, uses_aliases(in_use), waits)


@dataclass(frozen=True)
class Plan:
    """Positions of the chosen runs by worth, and the uncertainty of the rates of all runs after each.

    open_ratio: root mean square of the remaining relative error, before any run and after each; one more than `chosen`.
    """

    chosen: tuple[int, ...]
    open_ratio: tuple[float, ...]


def possible_runs(volumes: int, gb_per_requester: float, most_aliases: int) -> Runs:
    """Every useful combination; further aliases without requesters for them have no effect and are left out."""
    counts = sorted({min(count, most_aliases) for count in ALIASES})
    rows = [(q, a, r) for r in MIXES for q in REQUESTERS for a in counts if a < q]
    requesters, aliases, reads = (np.array(column, float) for column in zip(*rows, strict=True))
    return Runs(volumes, requesters, aliases, reads, volumes * gb_per_requester * requesters)


def believed(prior: Prior, rng: np.random.Generator) -> Values:
    """Parameter sets drawn from a prior, before any measurement."""
    root = np.linalg.cholesky(prior.covariance)
    rows = prior.centre + rng.standard_normal((SETS, len(prior.centre))) @ root.T
    return dict(zip(prior.names, np.exp(rows).T, strict=True))


def measured(runs: Runs, load: BoxLoad) -> Mask:
    """Mask of runs already measured in nearly the same state, with nearly the same amount of data."""
    planned, seen = (replace(part, footprint_gb=np.ones_like(part.footprint_gb)) for part in (runs.load, load))
    same = covariance(planned, seen, Kernel(1.0, SAME)) > HALF
    data = np.abs(np.log(runs.load.footprint_gb[:, None] / load.footprint_gb.ravel()))
    return np.asarray((same & (data < np.log(REACH))).any(axis=1))


def planned(sets: Values, runs: Runs, count: int, done: Mask | None = None) -> Plan:
    """The most informative runs, given parameter sets that agree with the data; runs in `done` are excluded."""
    columns = {name: values[:, None] for name, values in sets.items()}
    logs = np.log(throughput(columns, runs.load))
    spread = np.cov(logs, rowvar=False)
    excluded = np.zeros(len(runs.requesters), bool) if done is None else done.copy()
    chosen: list[int] = []
    left = [_open(spread)]
    for _ in range(min(count, int((~excluded).sum()))):
        worth = np.where(excluded, -1.0, (spread**2).sum(axis=0) / (np.diag(spread) + SCALE**2))
        best = int(np.argmax(worth >= AS_GOOD * worth.max()))
        spread = spread - np.outer(spread[:, best], spread[best]) / (spread[best, best] + SCALE**2)
        chosen.append(best)
        excluded[best] = True
        left.append(_open(spread))
    return Plan(tuple(chosen), tuple(left))


def _open(spread: Floats) -> float:
    return float(np.sqrt(np.mean(np.maximum(np.diag(spread), 0.0))))
