"""A known box adjusted to one measured rate: every plausible parameter set changes as little as possible.

Ensemble smoothing in a few steps, for which the sets must only be evaluated: A. A. Emerick, A. C. Reynolds, *Computers
& Geosciences* 55 (2013).
"""

from dataclasses import replace

import numpy as np

from iosq.models.fit.calibrate import SCALE
from iosq.models.pav.box import Box, BoxLoad, Floats, parameter_table, throughput

STEPS = 4
SETS = 600  # minimum: with fewer, the draw decides between counts that are nearly equal
DESIGN = (
    "unity"  # the kind of what changes with the first alias or the first I/O that waits: the same in boxes of one type
)
FARTHEST = 3.0  # standard deviations of the prior parameter sets


def moved(known: Box, load: BoxLoad, rate: float, least: float, rng: np.random.Generator) -> Box:
    """The box adjusted to one measured state; earlier fitted data stays valid.

    Residuals at single states are dropped: they belong to the old box, by a percent or two, and would decide between
    nearly equal counts of aliases.

    Args:
        load: the state, one element.
        rate: I/Os per second measured there.
        least: how much two boxes of one type differ, standard deviation of a parameter's logarithm. They do
            not in what the first alias changes: a box measured faster without aliases is no slower with them.
    """
    rows = _possible(known, least, rng)
    error = STEPS * (SCALE**2 + known.misfit**2)
    target = _believable(np.log(_rates(known, rows, load)), float(np.log(rate)), error / STEPS)
    for _ in range(STEPS):
        seen = np.log(_rates(known, rows, load))
        sets, gaps = rows[1:] - rows[1:].mean(axis=0), seen[1:] - seen[1:].mean()
        gain = sets.T @ gaps / (gaps @ gaps + len(gaps) * error)
        noise = np.append(0.0, np.sqrt(error) * rng.standard_normal(len(gaps)))
        rows = rows + np.outer(target + noise - seen, gain)
    columns = dict(zip(known.values, np.exp(rows).T, strict=True))
    values = {name: float(column[0]) for name, column in columns.items()}
    draws = {name: column[1:] for name, column in columns.items()}
    return replace(known, values=values, draws=draws, seen=known.seen and known.seen.joined(load), left=None)


def _believable(seen: Floats, measured: float, error: float) -> float:
    """The measured rate (logarithms), or as far towards it as a box of this type can be; beyond, it is another one."""
    farthest = FARTHEST * float(np.sqrt(np.var(seen[1:]) + error))
    return float(np.clip(measured, seen[0] - farthest, seen[0] + farthest))


def _possible(known: Box, least: float, rng: np.random.Generator) -> Floats:
    """Logarithms of the file's values, and below them of its parameter sets, as often as it takes, each time straying
    otherwise; of sets as wide as its spreads if it has none."""
    own = np.log(np.array(list(known.values.values())))
    usual = {row.name: row for row in parameter_table()}
    straying = np.array([0.0 if usual[name].kind == DESIGN else least for name in known.values])
    if known.draws:
        sets = np.log(np.stack([known.draws[name] for name in known.values], axis=1))
        sets = np.tile(sets, (-(-SETS // len(sets)), 1))
        sets = sets + straying * rng.standard_normal(sets.shape)
    else:
        given = np.array([known.spreads.get(name) or np.inf for name in known.values])
        widest = np.array([usual[name].spread for name in known.values])
        spread = np.minimum(np.maximum(given, straying), widest)
        sets = own + spread * rng.standard_normal((SETS, len(own)))
    return np.vstack([own, sets])


def _rates(known: Box, rows: Floats, load: BoxLoad) -> Floats:
    values = {name: np.exp(column)[:, None] for name, column in zip(known.values, rows.T, strict=True)}
    return np.asarray(throughput(values, load)[:, 0])
