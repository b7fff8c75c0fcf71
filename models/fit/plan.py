"""Selection of runs to measure: those that leave the least uncertainty about all others.

Each parameter set that agrees with the evidence gives a rate for every possible run. The value of a run is the variance
it removes from the logarithms of all rates, under a normal distribution with their covariance. Runs are chosen one
after another, each given those before. A. Krause, A. Singh, C. Guestrin, *Journal of Machine Learning Research* 9
(2008).
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from iosq.models.fit.calibrate import SCALE
from iosq.models.fit.prior import Prior
from iosq.models.pav.box import REACH, BoxLoad, Values, throughput
from iosq.models.pav.residual import SAME, Kernel, covariance
from iosq.models.pav.volume import uses_aliases, waits_in_host

Floats = NDArray[np.float64]
REQUESTERS, ALIASES = (1, 2, 3, 4, 5, 10, 20), (0, 1, 2, 4)
MIXES = (0.0, 0.33, 0.66, 1.0)
SETS = 400
AS_GOOD = 0.99  # of the worth of the best run: among equally useful runs the first is named, with the fewest requesters
HALF = 0.5  # states with a lower correlation count as different


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
        """The load of each run on the box."""
        exposures = self.aliases + 1
        in_use = np.minimum(self.requesters, exposures)
        waits = waits_in_host(self.requesters, exposures)
        return BoxLoad.of(self.volumes * in_use, self.read_ratio, self.footprint_gb, uses_aliases(in_use), waits)


@dataclass(frozen=True)
class Plan:
    """Positions of the chosen runs in the order of their worth, and how far off the rates of all runs are after each.

    open_ratio: root mean square of the relative error left, before any run and after each, one more than `chosen`.
    """

    chosen: tuple[int, ...]
    open_ratio: tuple[float, ...]


def possible_runs(volumes: int, gb_per_requester: float, most_aliases: int) -> Runs:
    """Every sensible combination; more aliases than requesters change nothing and are left out."""
    counts = sorted({min(count, most_aliases) for count in ALIASES})
    rows = [(q, a, r) for r in MIXES for q in REQUESTERS for a in counts if a < q]
    requesters, aliases, reads = (np.array(column, float) for column in zip(*rows, strict=True))
    return Runs(volumes, requesters, aliases, reads, volumes * gb_per_requester * requesters)


def believed(prior: Prior, rng: np.random.Generator) -> Values:
    """Parameter sets drawn from a prior: the belief before any measurement."""
    root = np.linalg.cholesky(prior.covariance)
    rows = prior.centre + rng.standard_normal((SETS, len(prior.centre))) @ root.T
    return dict(zip(prior.names, np.exp(rows).T, strict=True))


def measured(runs: Runs, load: BoxLoad) -> NDArray[np.bool_]:
    """Runs already measured: the box saw that state, with nearly the same amount of data."""
    planned, seen = (replace(part, footprint_gb=np.ones_like(part.footprint_gb)) for part in (runs.load, load))
    same = covariance(planned, seen, Kernel(1.0, SAME)) > HALF
    data = np.abs(np.log(runs.load.footprint_gb[:, None] / load.footprint_gb.ravel()))
    return np.asarray((same & (data < np.log(REACH))).any(axis=1))


def planned(sets: Values, runs: Runs, count: int, done: NDArray[np.bool_] | None = None) -> Plan:
    """The most informative runs, given parameter sets that agree with the evidence; runs in `done` are excluded."""
    columns = {name: values[:, None] for name, values in sets.items()}
    logs = np.log(throughput(columns, runs.load))
    spread = np.cov(logs, rowvar=False)
    over = np.zeros(len(runs.requesters), bool) if done is None else done.copy()
    chosen: list[int] = []
    left = [_open(spread)]
    for _ in range(min(count, int((~over).sum()))):
        worth = np.where(over, -1.0, (spread**2).sum(axis=0) / (np.diag(spread) + SCALE**2))
        best = int(np.argmax(worth >= AS_GOOD * worth.max()))
        spread = spread - np.outer(spread[:, best], spread[best]) / (spread[best, best] + SCALE**2)
        chosen.append(best)
        over[best] = True
        left.append(_open(spread))
    return Plan(tuple(chosen), tuple(left))


def _open(spread: Floats) -> float:
    return float(np.sqrt(np.mean(np.maximum(np.diag(spread), 0.0))))
