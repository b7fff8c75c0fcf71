"""The most informative runs: they leave less open, and they are better than as many at random."""

import numpy as np
import pytest

from iosq.models.fit.plan import believed, planned, possible_runs
from iosq.models.fit.prior import weak_prior

RUNS = possible_runs(8, 0.06, 4)
SETS = believed(weak_prior(), np.random.default_rng(0))


def test_unused_aliases_are_no_run():
    assert (RUNS.aliases < RUNS.requesters).all()
    assert RUNS.footprint_gb == pytest.approx(8 * 0.06 * RUNS.requesters)
    assert len(set(zip(RUNS.requesters, RUNS.aliases, RUNS.read_ratio, strict=True))) == len(RUNS.requesters)


def test_each_run_leaves_less_open_and_none_is_named_twice():
    plan = planned(SETS, RUNS, 15)
    assert len(plan.chosen) == len(set(plan.chosen)) == 15
    assert list(plan.open_ratio) == sorted(plan.open_ratio, reverse=True)
    assert plan.open_ratio[15] < 0.1 * plan.open_ratio[0]


def test_the_first_runs_of_a_plan_are_the_shorter_plan():
    assert planned(SETS, RUNS, 8).chosen[:3] == planned(SETS, RUNS, 3).chosen


def test_planned_runs_leave_less_open_than_others():
    worth = planned(SETS, RUNS, 8).open_ratio[-1]
    rng = np.random.default_rng(1)
    for _ in range(5):
        some = np.sort(rng.choice(len(RUNS.requesters), 8, replace=False))
        logs = np.log(np.stack([_rates(at) for at in some]))
        assert worth < _left_open(logs)


def _rates(at):
    from iosq.models.pav.box import throughput

    return throughput({name: values[:, None] for name, values in SETS.items()}, RUNS.load.pick([at]))[:, 0]


def _left_open(logs):
    every = np.log(np.stack([_rates(at) for at in range(len(RUNS.requesters))]))
    spread = np.cov(np.vstack([logs, every]))
    k = len(logs)
    known = np.linalg.inv(spread[:k, :k] + 0.02**2 * np.eye(k))
    rest = spread[k:, k:] - spread[k:, :k] @ known @ spread[:k, k:]
    return np.sqrt(np.diag(rest).mean())


def test_pure_reads_and_writes_are_both_asked_for():
    reads = RUNS.read_ratio[list(planned(SETS, RUNS, 8).chosen)]
    assert reads.max() == 1 and reads.min() < 0.5


def test_the_first_of_equally_informative_runs_is_named():
    """Pure reads that all hit know no footprint: three requesters with two aliases show what twenty show."""
    for order in (1, -1):
        noise = {name: values * (1 + order * 1e-4 * np.sin(np.arange(len(values)))) for name, values in SETS.items()}
        reads = [at for at in planned(noise, RUNS, 15).chosen if RUNS.read_ratio[at] == 1]
        for at in reads:
            same = RUNS.load.in_box == RUNS.load.in_box[at]
            same &= (RUNS.read_ratio == 1) & (RUNS.load.queued == RUNS.load.queued[at])
            same &= RUNS.load.aliased == RUNS.load.aliased[at]
            assert at == np.flatnonzero(same)[0]
