"""Adjusts a known box to one measured rate: every plausible parameter set changes as little as possible.

Ensemble smoothing in a few steps, which needs only evaluations of the sets: A. A. Emerick, A. C. Reynolds, *Computers
& Geosciences* 55 (2013).
"""

from dataclasses import replace

import numpy as np

from iosq.models.arrays import Floats
from iosq.models.fit.calibrate import SCALE
from iosq.models.pav.box import Box, BoxLoad, parameter_table, throughput

STEPS = 4
SETS = 600  # minimum: with fewer, random draws decide between nearly equal counts
DESIGN = "unity"  # kind of the effects of the first alias and of the first waiting I/O: the same in boxes of one type
FARTHEST = 3.0  # standard deviations of the prior parameter sets


def moved(known: Box, load: BoxLoad, rate: float, least: float, rng: np.random.Generator) -> Box:
    """Adjust a box to one measured state; the data it was fitted to remains valid.

    Residuals at single states are dropped: they are errors of 1 to 2 % of the old box, and would decide between nearly
    equal counts of aliases.

    Args:
        load: the state, one element.
        rate: I/Os per second measured there.
        least: difference between two boxes of one type, as standard deviation of a parameter's logarithm. The effect
            of the first alias does not differ: a box measured faster without aliases is no slower with them.
    """
    rows = _possible(known, least, rng)
    error = STEPS * (SCALE**2 + known.misfit**2)
    target = _limited(np.log(_rates(known, rows, load)), float(np.log(rate)), error / STEPS)
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


def _limited(seen: Floats, measured: float, error: float) -> float:
    """The measured rate (logarithm), limited to the range possible for a box of this type."""
    farthest = FARTHEST * float(np.sqrt(np.var(seen[1:]) + error))
    return float(np.clip(measured, seen[0] - farthest, seen[0] + farthest))


def _possible(known: Box, least: float, rng: np.random.Generator) -> Floats:
    """Logarithms of the file's values, followed by those of at least `SETS` parameter sets: the file's, repeated and
    randomly varied, or if it has none, sets drawn with its spreads."""
    own = np.log(np.array(list(known.values.values())))
    usual = parameter_table()
    variation = np.array([0.0 if usual[name].kind == DESIGN else least for name in known.values])
    if known.draws:
        sets = np.log(np.stack([known.draws[name] for name in known.values], axis=1))
        sets = np.tile(sets, (-(-SETS // len(sets)), 1))
        sets = sets + variation * rng.standard_normal(sets.shape)
    else:
        given = np.array([known.spreads.get(name) or np.inf for name in known.values])
        widest = np.array([usual[name].spread for name in known.values])
        spread = np.minimum(np.maximum(given, variation), widest)
        sets = own + spread * rng.standard_normal((SETS, len(own)))
    return np.vstack([own, sets])


def _rates(known: Box, rows: Floats, load: BoxLoad) -> Floats:
    values = {name: np.exp(column)[:, None] for name, column in zip(known.values, rows.T, strict=True)}
    return np.asarray(throughput(values, load)[:, 0])
