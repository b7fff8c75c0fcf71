"""Learns a prior from other measured boxes: their means, with the spread between boxes.

Empirical Bayes over few boxes. Two or three boxes don't determine how much boxes differ, so parameters of one kind
(`parameters.csv`) are pooled, and a usual difference has the weight of two boxes. Times and rates differ by the
box's speed, which they have in common, and individually. A. Gelman and others, *Bayesian Data Analysis*, 3rd edition,
2013, chapter 5.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from types import MappingProxyType

import numpy as np

from iosq.models.arrays import Floats
from iosq.models.fit.misfit import Misfit
from iosq.models.fit.prior import SPEED, USUAL_SPEED, Prior, speed_signs
from iosq.models.pav.box import Box, parameter_table
from iosq.models.pav.residual import Kernel

# usual difference between boxes by kind of parameter; an effect that one box shows may be absent in the next
USUAL: Mapping[str, float] = MappingProxyType({
    "time": 0.5, "rate": 0.5, "effect": 1.5, "unity": 0.1, "share": 0.4, "corner": 0.5, "size": 1.0, "exponent": 0.3,
    "count": 0.7, "arm": 0.3,
})  # fmt: skip
WORTH = 2.0  # weight of the usual difference, in boxes


@dataclass(frozen=True)
class Known:
    """A previously fitted box, with the number of channels of its front end."""

    box: Box
    channels: float


@dataclass(frozen=True)
class _Seen:
    """Values of one parameter over the known boxes: logarithms and variances; `box` is the index of each box."""

    value: Floats
    variance: Floats
    box: tuple[int, ...]


def learned_prior(
    known: Sequence[Known], like: Prior, channels: float, misfit: Misfit, error: Misfit, kernel: Kernel
) -> Prior:
    """Learn the prior shared by boxes of this kind.

    Args:
        like: prior of the new box without other boxes.
        channels: number of channels of the new box.
    """
    seen = [_seen(known, name) for name in like.names]
    kinds = [parameter_table()[name].kind for name in like.names]
    speed2, own2 = _speed(seen, like)
    spread2 = {kind: own2 if kind in SPEED else _between(seen, kinds, kind) for kind in set(kinds)}
    scaled = np.array([np.log(channels) if name == "front_end_rate" else 0.0 for name in like.names])
    centre, spread = like.centre.copy(), like.spread.copy()
    for at, (kind, here) in enumerate(zip(kinds, seen, strict=True)):
        if len(here.value):
            between = spread2[kind] + (speed2 if kind in SPEED else 0.0)
            middle, doubt = _mean(here, like.centre[at] - scaled[at], like.spread[at], between)
            centre[at], spread[at] = middle + scaled[at], np.sqrt(doubt + spread2[kind])
    source = ", ".join(box.box.name for box in known)
    speed = float(np.sqrt(speed2))
    believed = replace(like, centre=centre, spread=spread, source=source, speed=speed)
    return replace(believed, misfit=misfit, error=error, kernel=kernel)


def _seen(known: Sequence[Known], name: str) -> _Seen:
    have = [at for at, one in enumerate(known) if name in one.box.values]
    share = [known[at].channels if name == "front_end_rate" else 1.0 for at in have]
    values = [np.log(known[at].box.values[name] / part) for at, part in zip(have, share, strict=True)]
    return _Seen(np.array(values), np.array([known[at].box.spreads[name] ** 2 for at in have]), tuple(have))


def _mean(seen: _Seen, centre: float, spread: float, between: float) -> tuple[float, float]:
    """Mean over boxes of one parameter, and its variance; `centre` and `spread` count as one more box."""
    weights = np.append(1 / (between + seen.variance), spread**-2)
    return float(weights @ np.append(seen.value, centre) / weights.sum()), float(1 / weights.sum())


def _between(seen: Sequence[_Seen], kinds: Sequence[str], kind: str) -> float:
    """Variance of one kind of parameter between boxes, beyond the uncertainty of each box."""
    usual = USUAL[kind] ** 2
    excess, weight = [], []
    for here, its in zip(seen, kinds, strict=True):
        for one, other in combinations(range(len(here.value)), 2) if its == kind else ():
            noise = here.variance[one] + here.variance[other]
            excess.append(max((here.value[one] - here.value[other]) ** 2 - noise, 0.0) / 2)
            weight.append(1 / (1 + noise / (2 * usual)))
    return _pooled(usual, excess, weight)


def _speed(seen: Sequence[_Seen], like: Prior) -> tuple[float, float]:
    """Variances of the speed common to times and rates, and of individual parameters."""
    signs, usual = speed_signs(like.names), USUAL["time"] ** 2
    timed = [(sign, here) for sign, here in zip(signs, seen, strict=True) if sign]
    shared, excess, weight = [], [], []
    for one, other in combinations(sorted({box for _, here in timed for box in here.box}), 2):
        gaps, noise = _gaps(timed, one, other)
        trust = 1 / (2 * usual + noise)
        gap = float(trust @ gaps / trust.sum())
        shared.append(max(gap**2 - 1 / trust.sum(), 0.0) / 2)
        excess += list(np.maximum((gaps - gap) ** 2 - noise, 0.0) / 2)
        weight += list(1 / (1 + noise / (2 * usual)))
    return _pooled(USUAL_SPEED**2, shared, [1.0] * len(shared)), _pooled(usual, excess, weight)


def _gaps(timed: Sequence[tuple[float, _Seen]], one: int, other: int) -> tuple[Floats, Floats]:
    """How much slower one box is than another in each common time and rate (logarithms), and the variances."""
    both = [(sign, here, here.box.index(one), here.box.index(other)) for sign, here in timed
            if one in here.box and other in here.box]  # fmt: skip
    gaps = np.array([sign * (here.value[i] - here.value[j]) for sign, here, i, j in both])
    return gaps, np.array([here.variance[i] + here.variance[j] for _, here, i, j in both])


def _pooled(usual: float, excess: Sequence[float], weight: Sequence[float]) -> float:
    total = WORTH * usual + float(np.dot(excess, weight))
    return total / (WORTH + float(np.sum(weight)))
