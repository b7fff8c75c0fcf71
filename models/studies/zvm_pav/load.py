"""Converts the study's conditions to loads on a box, and its measurements to points."""

import numpy as np

from iosq.models.arrays import Floats
from iosq.models.fit.points import Points, points
from iosq.models.fit.prior import Prior, weak_prior
from iosq.models.pav.box import BoxLoad
from iosq.models.pav.volume import uses_aliases, waits_in_host
from iosq.models.studies.zvm_pav import Cells, Conditions, Configuration


def box_load(conditions: Conditions, volumes: int) -> BoxLoad:
    """The total load of all volumes, which are equal."""
    in_use = conditions.exposures
    queued = waits_in_host(conditions.population, conditions.aliases + 1)
    return BoxLoad.of(volumes * in_use, conditions.read_ratio, conditions.footprint_gb, uses_aliases(in_use), queued)


def points_of(cells: Cells, configuration: Configuration) -> Points:
    """Convert cells of one box to measured points."""
    load = box_load(cells.conditions, configuration.volumes)
    return points(load, cells.rate * configuration.volumes)


def turnaround(cells: Cells, wanted: Conditions) -> Floats:
    """Requests per volume that are neither waiting nor in service, for each of the `wanted` conditions.

    This is the median deficit of Little's law, separately for cells with and without a host queue.
    """
    short = cells.conditions.population - cells.rate * cells.response_ms / 1e3
    queued, wanted_queued = (waits_in_host(c.population, c.aliases + 1) >= 0.5 for c in (cells.conditions, wanted))
    waiting, direct = (np.median(short[kind]) if kind.any() else np.median(short) for kind in (queued, ~queued))
    return np.where(wanted_queued, waiting, direct)


def usable_cache(configuration: Configuration, largest_footprint_gb: float) -> float | None:
    """Cache usable by the volumes in GB if their footprint exceeds it (reads miss); else None."""
    outgrown = largest_footprint_gb > configuration.usable_cache_gb
    return configuration.usable_cache_gb if outgrown else None


def weak_prior_for(configuration: Configuration, largest_footprint_gb: float) -> Prior:
    """The family defaults, with misses only if the footprint exceeds the usable cache."""
    return weak_prior(cache_gb=usable_cache(configuration, largest_footprint_gb))
