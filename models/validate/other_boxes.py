"""What is known of other boxes when a box nobody has seen is asked about: priors learnt without a cell of its own."""

from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from iosq.models.fit.calibrate import Calibration, calibrate
from iosq.models.fit.learned import Known, learned_prior
from iosq.models.fit.misfit import REACHES, USUAL, Misfit, carried, learned_error, learned_misfit
from iosq.models.fit.points import Points
from iosq.models.fit.prior import Prior, neutral_prior
from iosq.models.studies.zvm_pav import Configuration, cells, configurations
from iosq.models.studies.zvm_pav.load import points_of, usable_cache

Floats = NDArray[np.float64]
SEED = 20071


def prior_of_others(configuration: Configuration, largest_footprint_gb: float) -> Prior:
    """The prior for a box, learnt from all cells of the study's other boxes; its own cells are never looked at."""
    others = [other for name, other in configurations().items() if name != configuration.controller]
    fits = [_fitted(other.controller, _sound(other.controller)) for other in others]
    known = [Known(fit.box, other.channels) for fit, other in zip(fits, others, strict=True)]
    error = learned_error([fit.residual for fit in fits])
    misfit = _misfit(tuple(other.controller for other in others), error)
    like = _neutral(configuration, largest_footprint_gb)
    return learned_prior(known, like, configuration.channels, misfit, error)


def _misfit(controllers: tuple[str, ...], error: Misfit) -> Misfit:
    """What the form of the curve leaves out of these boxes, and how far a residual best reaches in them."""
    first = learned_misfit([part for name in controllers for part in _left_out(name, error, replace(USUAL, reach=0.0))])
    tried = {
        reach: [part for name in controllers for part in _left_out(name, error, replace(first, reach=reach))]
        for reach in REACHES
    }
    best = min(tried, key=lambda reach: float(np.mean(np.abs(np.concatenate(tried[reach])))))
    return learned_misfit(tried[best], best)


def _sound(controller: str) -> tuple[int, ...]:
    own = (cells().conditions.controller == controller) & ~cells().defective
    return tuple(np.flatnonzero(own).tolist())


@cache
def _fitted(controller: str, at: tuple[int, ...]) -> Calibration:
    """A box fitted to cells with no box in view."""
    configuration, own = configurations()[controller], cells().pick(np.array(at))
    prior = _neutral(configuration, float(own.conditions.footprint_gb.max()))
    return calibrate(controller, points_of(own, configuration), prior, np.random.default_rng(SEED))


def _left_out(controller: str, error: Misfit, misfit: Misfit) -> list[Floats]:
    """Residuals of each mix between two others, predicted from those others: what the form of the curve leaves out."""
    parts = []
    for fit, asked in _without_a_mix(controller):
        shares = carried(fit.points.load, asked.load, fit.residual, error, misfit)
        expected = np.log(fit.box.rate(asked.load)) + shares @ fit.residual
        parts.append(np.asarray(np.log(asked.rate) - expected))
    return parts


@cache
def _without_a_mix(controller: str) -> list[tuple[Calibration, Points]]:
    """The box fitted to all mixes but one that lies between two others, and the points of that one, for each."""
    configuration, sound = configurations()[controller], np.array(_sound(controller))
    mixes, parts = cells().conditions.read_ratio[sound], []
    for mix in sorted(set(mixes.tolist()))[1:-1]:
        fit = _fitted(controller, tuple(sound[mixes != mix].tolist()))
        parts.append((fit, points_of(cells().pick(sound[mixes == mix]), configuration)))
    return parts


def _neutral(configuration: Configuration, largest_footprint_gb: float) -> Prior:
    cache_gb = usable_cache(configuration, largest_footprint_gb)
    return neutral_prior(configuration.channels, cache_gb=cache_gb)
