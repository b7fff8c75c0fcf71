"""Volumes with closed loads that share a box: their requests in the box, and the load on it.

At most min(population, aliases + 1) requests of a volume are in the box; the others wait in the host.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from iosq.models.arrays import Floats
from iosq.models.pav.box import BoxLoad
from iosq.models.queueing.checks import not_negative, positive, ratio

SLACK = 0.25  # uncertainty of Little's law, in requests, for a volume with just enough exposures


@dataclass(frozen=True)
class ClosedVolumes:
    """Volumes of one box with a fixed population each; arrays of equal length, one element per volume.

    population: mean requests outstanding (rate times response); read_ratio; footprint_gb: data accessed on each volume.
    """

    population: Floats
    read_ratio: Floats
    footprint_gb: Floats

    @staticmethod
    def of(population: ArrayLike, read_ratio: ArrayLike, footprint_gb: ArrayLike) -> "ClosedVolumes":
        """Check and broadcast; RequestError names impossible values."""
        positive(population=population, footprint_gb=footprint_gb)
        ratio(read_ratio=read_ratio)
        given = (np.atleast_1d(np.asarray(v, float)) for v in (population, read_ratio, footprint_gb))
        return ClosedVolumes(*np.broadcast_arrays(*given))

    def in_use(self, aliases: ArrayLike) -> Floats:
        """Exposures in use, for `aliases` of shape (..., volumes)."""
        not_negative(aliases=aliases)
        return np.asarray(np.minimum(self.population, np.asarray(aliases, float) + 1))


def whole_exposures(exposures: float, in_service: float) -> int:
    """Exposures as a whole number: the measured one, or more if I/Os in service exceed it."""
    return max(round(exposures), math.ceil(in_service - SLACK), 1)


def waits_in_host(population: ArrayLike, exposures: ArrayLike) -> Floats:
    """Requests beyond the exposures, limited to 0..1."""
    return np.asarray(np.clip(np.asarray(population, float) - np.asarray(exposures, float), 0.0, 1.0))


def uses_aliases(in_use: ArrayLike) -> Floats:
    """Requests in the box beyond the base, limited to 0..1."""
    return np.asarray(np.clip(np.asarray(in_use, float) - 1, 0.0, 1.0))


def pooled_load(volumes: ClosedVolumes, in_use: Floats, exposures: Floats) -> BoxLoad:
    """State of the box from the exposures in use by all its volumes (last axis); ratios are weighted by them."""
    inside = in_use.sum(axis=-1)
    reads = (in_use * volumes.read_ratio).sum(axis=-1) / inside
    footprint = np.broadcast_to(volumes.footprint_gb.sum(), inside.shape)
    queued = (in_use * waits_in_host(volumes.population, exposures)).sum(axis=-1) / inside
    aliased = (in_use * uses_aliases(in_use)).sum(axis=-1) / inside
    return BoxLoad.of(inside, np.clip(reads, 0, 1), footprint, np.clip(aliased, 0, 1), np.clip(queued, 0, 1))
