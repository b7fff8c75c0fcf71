"""Learns the prior of a box from other boxes, without using its own cells."""

from functools import cache

import numpy as np

from iosq.models.arrays import Floats
from iosq.models.fit.calibrate import Calibration, calibrate
from iosq.models.fit.learned import Known, learned_prior
from iosq.models.fit.misfit import Misfit, learned_error, learned_kernel, learned_misfit
from iosq.models.fit.prior import Prior, neutral_prior
from iosq.models.pav.box import BoxLoad
from iosq.models.pav.residual import Kernel, Left
from iosq.models.studies.zvm_pav import Configuration, cells, configurations
from iosq.models.studies.zvm_pav.load import points_of, usable_cache

SEED = 20071


def prior_of_others(configuration: Configuration, largest_footprint_gb: float) -> Prior:
    """The prior for a box, learnt from all cells of the study's other boxes; its own cells are not used."""
    others = tuple(name for name in configurations() if name != configuration.controller)
    known, misfit, error, kernel = _learned(others)
    like = _neutral(configuration, largest_footprint_gb)
    return learned_prior(known, like, configuration.channels, misfit, error, kernel)


@cache
def _learned(controllers: tuple[str, ...]) -> tuple[list[Known], Misfit, Misfit, Kernel]:
    """What all sound cells of these boxes teach about another box: fitted boxes, misfit, error and kernel."""
    fits = [_fitted(name, _sound(name)) for name in controllers]
    known = [Known(fit.box, configurations()[name].channels) for fit, name in zip(fits, controllers, strict=True)]
    error = learned_error([fit.residual for fit in fits])
    left_out = [part for name in controllers for part in _left_out(name)]
    kernel = learned_kernel([(load, left) for _, load, left in left_out])
    # what residuals of other mixes do not explain are errors of the curve's form
    carried = (np.log(Left(fit.points.load, fit.residual, kernel).factor(load)) for fit, load, _ in left_out)
    misfit = learned_misfit([left - part for (*_, left), part in zip(left_out, carried, strict=True)])
    return known, misfit, error, kernel


def _sound(controller: str) -> tuple[int, ...]:
    own = (cells().conditions.controller == controller) & ~cells().defective
    return tuple(np.flatnonzero(own).tolist())


@cache
def _fitted(controller: str, at: tuple[int, ...]) -> Calibration:
    """A box fitted to cells with the neutral prior."""
    configuration, own = configurations()[controller], cells().pick(np.array(at))
    prior = _neutral(configuration, float(own.conditions.footprint_gb.max()))
    return calibrate(controller, points_of(own, configuration), prior, np.random.default_rng(SEED))


@cache
def _left_out(controller: str) -> list[tuple[Calibration, BoxLoad, Floats]]:
    """For each mix between two others: the box fitted without it, its states, and their residuals from that curve."""
    configuration, sound = configurations()[controller], np.array(_sound(controller))
    mixes, parts = cells().conditions.read_ratio[sound], []
    for mix in sorted(set(mixes.tolist()))[1:-1]:
        fit = _fitted(controller, tuple(sound[mixes != mix].tolist()))
        asked = points_of(cells().pick(sound[mixes == mix]), configuration)
        parts.append((fit, asked.load, np.asarray(np.log(asked.rate / fit.box.rate(asked.load)))))
    return parts


def _neutral(configuration: Configuration, largest_footprint_gb: float) -> Prior:
    cache_gb = usable_cache(configuration, largest_footprint_gb)
    return neutral_prior(configuration.channels, cache_gb=cache_gb)
