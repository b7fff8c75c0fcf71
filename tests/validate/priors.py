"""Priors of the validation: with no box in view, and others to see how much hangs on them."""

from dataclasses import replace

import numpy as np

from iosq.models.fit.prior import Prior, caches, logs
from iosq.models.pav.box import parameter_names, parameter_table
from iosq.models.queueing.checks import positive


def neutral_prior(channels: float, law: str = "power", cache_gb: float | None = None) -> Prior:
    """With no box in view: round numbers, so wide that any box of the last decades lies within.

    Args:
        channels: paths from the hosts; the front end grows with them.
        law, cache_gb: as for `weak_prior`.
    """
    positive(channels=channels)
    names = parameter_names(law, misses=cache_gb is not None)
    rows = {row.name: row for row in parameter_table()}
    medians = {name: rows[name].neutral for name in names} | caches(cache_gb)
    medians["front_end_rate"] *= channels
    spread = np.array([rows[name].neutral_spread for name in names])
    return Prior(names, logs(names, medians), spread, law, "no box in view")


def widened(prior: Prior, factor: float) -> Prior:
    """The same, knowing less."""
    return replace(prior, spread=factor * prior.spread, speed=factor * prior.speed)


def shifted(prior: Prior, rng: np.random.Generator) -> Prior:
    """The same, each median moved by one standard deviation up or down."""
    return replace(prior, centre=prior.centre + prior.total_spread * rng.choice([-1.0, 1.0], len(prior.centre)))
