"""PAV what-if for closed loads: a fixed population per volume, as in a benchmark or a batch window."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from iosq.models.arrays import Floats, Ints, Mask
from iosq.models.pav.answers import Interval, Measured, Prediction, RateSource, WhatIf, concluded, fullest_station
from iosq.models.pav.bounds import held
from iosq.models.pav.box import BoxLoad
from iosq.models.pav.open_load import MOST_ALIASES
from iosq.models.pav.residual import SAME, Kernel, covariance
from iosq.models.pav.volume import ClosedVolumes, pooled_load
from iosq.models.queueing.checks import not_negative
from iosq.toolkit.errors import RequestError

MOST_CASES = 1 << 24  # volumes times counts: 128 MB per array
SAME_STATE = Kernel(1.0, SAME)


@dataclass(frozen=True)
class _Settings:
    """One element per requested count: the state of the box, and the part of the requested volumes.

    in_use: their exposures in use; population: their requests.
    """

    counts: Ints
    load: BoxLoad
    in_use: Floats
    population: float


def what_if_closed(
    source: RateSource,
    volumes: ClosedVolumes,
    aliases: Sequence[int],
    rng: np.random.Generator,
    *,
    current: ArrayLike = 0,
    pooled: bool = False,
    subject: Mask | None = None,
    measured: Measured | None = None,
) -> WhatIf:
    """Predict rate, wait, service and response for each alias count; all volumes of the box are solved together.

    Args:
        aliases: counts to predict, ascending: of each volume, or `pooled`: of the LCU (HyperPAV).
        current: the present count.
        subject: the volumes that get another count; None for all. Results are totals of these volumes. All requests of
            volumes without access to a pool are in the box.
        measured: their measured values. If given, only the relative change of the box's rate is used, as their I/Os may
            take longer or shorter than others.

    RequestError for no or negative counts.
    """
    chosen = _chosen(volumes, subject)
    counts = _few_enough(checked_counts(aliases), volumes)
    now = _present(volumes, current, pooled)
    asked = counts if pooled else np.where(chosen, counts[:, None], now)
    today = np.array([int(now[0]) if pooled else _common_count(now[0, chosen])])
    settings, present = (
        _settings(number, volumes, *_in_use(volumes, given, chosen, pooled), chosen)
        for number, given in ((counts, asked), (today, now))
    )
    return _answer(source, settings, present, measured, rng)


def load_now(volumes: ClosedVolumes, current: ArrayLike, pooled: bool, subject: Mask | None = None) -> BoxLoad:
    """The load of the box today; arguments as of `what_if_closed`."""
    in_use = _in_use(volumes, _present(volumes, current, pooled), _chosen(volumes, subject), pooled)
    return pooled_load(volumes, *in_use)


def _chosen(volumes: ClosedVolumes, subject: Mask | None) -> Mask:
    return np.ones(len(volumes.population), bool) if subject is None else subject


def _present(volumes: ClosedVolumes, current: ArrayLike, pooled: bool) -> Floats:
    """The present count as one setting: of the pool, or of each volume."""
    now = np.asarray(current, float)
    return now[None] if pooled else np.broadcast_to(now, volumes.population.shape)[None]


def _in_use(volumes: ClosedVolumes, aliases: ArrayLike, chosen: Mask, pooled: bool) -> tuple[Floats, Floats]:
    """Exposures in use and exposures, shape (settings, volumes).

    The `chosen` volumes that need more than their base share a pool equally; others have all exposures they need.
    """
    counts = np.asarray(aliases, float)
    if not pooled:
        return volumes.in_use(counts), counts + 1
    base = np.where(chosen, np.minimum(volumes.population, 1), volumes.population)
    beyond = volumes.population - base
    share = np.minimum(1, counts / max(float(beyond.sum()), 1e-9))
    in_use = base + share[:, None] * beyond
    return in_use, in_use


def checked_counts(counts: Sequence[int], name: str = "aliases") -> Ints:
    """Alias counts as an array; RequestError if there are none or too many, or one is negative or above the limit."""
    if not 0 < len(counts) <= MOST_ALIASES + 1:
        raise RequestError(
            f"name at least one alias count and at most {MOST_ALIASES + 1}, not {len(counts)}", place=name
        )
    array = np.asarray(counts, int)
    not_negative(**{name: array})
    if array.max() > MOST_ALIASES:
        raise RequestError(f"must be at most {MOST_ALIASES}, not {array.max()}", place=name)
    return array


def _few_enough(counts: Ints, volumes: ClosedVolumes) -> Ints:
    """The counts; RequestError if the values of all volumes and counts do not fit in memory."""
    many = len(volumes.population)
    if len(counts) * many > MOST_CASES:
        what = f"{len(counts):,} alias counts of {many:,} volumes are more than {MOST_CASES:,} cases"
        raise RequestError(what, place="aliases", remedy="name fewer counts or volumes")
    return counts


def _settings(counts: Ints, volumes: ClosedVolumes, in_use: Floats, exposures: Floats, chosen: Mask) -> _Settings:
    population = float(volumes.population[chosen].sum())
    return _Settings(counts, pooled_load(volumes, in_use, exposures), in_use[:, chosen].sum(axis=1), population)


def _common_count(aliases: Floats) -> int:
    """The present count common to all volumes; -1, which is not a valid count, if they differ."""
    return int(aliases[0]) if (aliases == aliases[0]).all() else -1


def _answer(
    source: RateSource, asked: _Settings, now: _Settings, measured: Measured | None, rng: np.random.Generator
) -> WhatIf:
    rates, today = _rates(source, asked, now, measured, rng)
    reached = source.reaches(asked.load)
    predictions = []
    for at, count in enumerate(asked.counts):
        interval = rates[at] if reached[at] else today.grown(float(asked.in_use[at] / now.in_use[0]))
        inside, known = float(asked.in_use[at]), bool(reached[at])
        if measured is not None and count == now.counts[0]:
            predictions.append(measured.prediction(int(count), known=True))
        else:
            predictions.append(_prediction(int(count), interval, inside, asked.population, known))
    best = asked.load.pick([int(np.argmax([rate.value for rate in rates]))])
    predictions = held(predictions)
    goal = [prediction.rate.value for prediction in predictions]
    settle = "" if reached.all() else f"not identifiable: {source.unseen(asked.load.pick(~reached))}"
    return concluded(predictions, goal, fullest_station(source, best), source.calibrated_on, settle)


def _rates(
    source: RateSource, asked: _Settings, now: _Settings, measured: Measured | None, rng: np.random.Generator
) -> tuple[list[Interval], Interval]:
    """The source's rate for each setting, and today's rate, as measured if known.

    The source is assumed to have the same relative error everywhere: only its relative change is used.
    """
    is_seen = measured is not None or bool(source.reaches(now.load)[0])
    reference = now.load if is_seen else source.nearest(now.load)
    load, in_use = asked.load.joined(reference), np.append(asked.in_use, now.in_use)
    rate, draws = (rates * in_use / load.in_box for rates in (source.rate(load), source.rates(load, rng)))
    if measured is not None:
        level = measured.rate / rate[-1]
        # today's state is as measured, so its uncertainty is 0, and small for similar states
        difference = 1 - _similarity(load, in_use)
        rate, draws = level * rate, level * rate * (draws / rate) ** difference
        today = Interval(*[measured.rate] * 3)
    elif is_seen:
        today = Interval.around(float(rate[-1]), draws[:, -1])
    else:
        # from the nearest known state, with today's share of these volumes, and bounds for the change to today's state
        today = Interval.beyond(float(rate[-1]), draws[:, -1], float(source.away(reference)[0]))
        today = today.grown(float(reference.in_box[0] / now.load.in_box[0]))
    return [Interval.around(float(rate[at]), draws[:, at]) for at in range(len(rate) - 1)], today


def _similarity(load: BoxLoad, in_use: Floats) -> Floats:
    """Similarity of each setting to today's, the last one, for the box and the requested volumes, from 0 to 1."""
    box = covariance(load, load.pick([-1]), SAME_STATE)[:, 0]
    asked = replace(load, in_box=in_use)
    return np.asarray(box * covariance(asked, asked.pick([-1]), SAME_STATE)[:, 0])


def _prediction(aliases: int, rate: Interval, in_use: float, population: float, known: bool) -> Prediction:
    """Apply Little's law to response, service and wait; the largest rate gives the shortest times."""
    inside = min(in_use, population)
    response, service, wait = (_times(part, rate) for part in (population, inside, population - inside))
    return Prediction(aliases, rate, wait, service, response, known)


def _times(requests: float, rate: Interval) -> Interval:
    return Interval(requests / rate.value * 1e3, requests / rate.high * 1e3, requests / rate.low * 1e3)
