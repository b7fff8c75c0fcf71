"""PAV what-if for closed loads: a fixed number of requesters per volume, as in a benchmark or a batch window."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from iosq.models.pav.answers import Interval, Measured, Prediction, RateSource, WhatIf, concluded, fullest_station
from iosq.models.pav.bounds import held
from iosq.models.pav.box import BoxLoad
from iosq.models.pav.open_load import MOST_ALIASES
from iosq.models.pav.residual import SAME, Kernel, covariance
from iosq.models.pav.volume import ClosedVolumes, pooled_load
from iosq.models.queueing.checks import not_negative
from iosq.toolkit.errors import RequestError

MOST_CASES = 1 << 24  # values of each volume at each count: 128 MB per stored number
SAME_STATE = Kernel(1.0, SAME)
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class _Settings:
    """One element per count asked for: the box state, and of it what belongs to the volumes asked about.

    in_use: their exposures in use; outside: their requesters without those in turnaround.
    """

    counts: NDArray[np.int_]
    load: BoxLoad
    in_use: Floats
    outside: float


def what_if_closed(
    source: RateSource,
    volumes: ClosedVolumes,
    aliases: Sequence[int],
    rng: np.random.Generator,
    *,
    current: ArrayLike = 0,
    subject: int | Mask | None = None,
    measured: Measured | None = None,
) -> WhatIf:
    """Rate, wait, service and response for each alias count; all volumes of the box are solved together.

    Args:
        source: the box.
        volumes: all volumes that share it.
        aliases: alias counts to predict, rising.
        rng: draws the intervals.
        current: aliases per volume now.
        subject: position of the volume whose count changes, or a mask of volumes that change together; None: all.
            The answer is for these volumes together.
        measured: what they get now. Of the box then only the change is taken: their I/Os may take longer or shorter
            than others in it.

    Raises:
        RequestError: no or negative counts, a subject that is not there.
    """
    now = np.broadcast_to(np.asarray(current, float), volumes.population.shape)
    chosen = _chosen(volumes, subject)
    counts = _few_enough(checked_counts(aliases), volumes)
    exposures = np.where(chosen, counts[:, None], now) + 1
    settings = _settings(counts, volumes, volumes.in_use(exposures - 1), exposures, chosen)
    today = np.array([_common_count(now[chosen])])
    there = _settings(today, volumes, volumes.in_use(now)[None], now[None] + 1, chosen)
    return _answer(source, settings, there, measured, rng)


def what_if_closed_pool(
    source: RateSource,
    volumes: ClosedVolumes,
    pools: Sequence[int],
    rng: np.random.Generator,
    *,
    current: int = 0,
    subject: Mask | None = None,
    measured: Measured | None = None,
) -> WhatIf:
    """HyperPAV under a closed load: every volume has its base, all of them share the aliases of the LCU.

    Args:
        pools: numbers of aliases in the pool to predict, rising.
        current: aliases in the pool now.
        subject: the volumes that draw on the pool; None: all. What the others have outstanding is in the box. The
            answer is for the subject together.
        measured: as in `what_if_closed`.

    Raises:
        RequestError: no or negative pool sizes.
    """
    counts, chosen = _few_enough(checked_counts(pools), volumes), _chosen(volumes, subject)
    in_use = pool_in_use(volumes, np.append(counts, current), chosen)
    together = _settings(counts, volumes, in_use[:-1], in_use[:-1], chosen)
    there = _settings(np.array([current]), volumes, in_use[-1:], in_use[-1:], chosen)
    return _answer(source, together, there, measured, rng)


def checked_counts(counts: Sequence[int], name: str = "aliases") -> NDArray[np.int_]:
    """Alias counts as an array; RequestError if there are none, one is negative, or above the limit of LCU groups."""
    if not 0 < len(counts) <= MOST_ALIASES + 1:
        raise RequestError(
            f"name at least one alias count and at most {MOST_ALIASES + 1}, not {len(counts)}", place=name
        )
    array = np.asarray(counts, int)
    not_negative(**{name: array})
    if array.max() > MOST_ALIASES:
        raise RequestError(f"must be at most {MOST_ALIASES}, not {array.max()}", place=name)
    return array


def _few_enough(counts: NDArray[np.int_], volumes: ClosedVolumes) -> NDArray[np.int_]:
    """The counts, if the values of every volume at each of them fit in memory."""
    many = len(volumes.population)
    if len(counts) * many > MOST_CASES:
        what = f"{len(counts):,} alias counts of {many:,} volumes are more than {MOST_CASES:,} cases"
        raise RequestError(what, place="aliases", remedy="name fewer counts or volumes")
    return counts


def pool_in_use(volumes: ClosedVolumes, sizes: NDArray[np.int_], chosen: Mask) -> Floats:
    """Exposures in use, shape (sizes, volumes): those who need more than their base share the pool equally.

    Args:
        sizes: aliases in the pool.
        chosen: the volumes that draw on it; others have all they need.
    """
    base = np.where(chosen, np.minimum(volumes.population, 1), volumes.population)
    beyond = volumes.population - base
    share = np.minimum(1, sizes / max(float(beyond.sum()), 1e-9))
    return np.asarray(base + share[:, None] * beyond)


def _chosen(volumes: ClosedVolumes, subject: int | Mask | None) -> Mask:
    count = len(volumes.population)
    if subject is None:
        return np.ones(count, bool)
    if not isinstance(subject, int):
        return subject
    if not 0 <= subject < count:
        raise RequestError(f"there is no volume {subject} among {count}", place="subject")
    return np.asarray(np.arange(count) == subject)


def _settings(
    counts: NDArray[np.int_], volumes: ClosedVolumes, in_use: Floats, exposures: Floats, chosen: NDArray[np.bool_]
) -> _Settings:
    outside = np.maximum(volumes.population - volumes.turnaround, 0)[chosen].sum()
    return _Settings(counts, pooled_load(volumes, in_use, exposures), in_use[:, chosen].sum(axis=1), float(outside))


def _common_count(aliases: Floats) -> int:
    """The common count of all volumes now; -1, which is not a valid count, if they differ."""
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
            predictions.append(_prediction(int(count), interval, inside, asked.outside, known))
    best = asked.load.pick([int(np.argmax([rate.value for rate in rates]))])
    predictions = held(predictions)
    goal = [prediction.rate.value for prediction in predictions]
    settle = "" if reached.all() else f"not identifiable: {source.unseen(asked.load.pick(~reached))}"
    return concluded(predictions, goal, fullest_station(source, best), source.calibrated_on, settle)


def _rates(
    source: RateSource, asked: _Settings, now: _Settings, measured: Measured | None, rng: np.random.Generator
) -> tuple[list[Interval], Interval]:
    """The source's rate for each setting; today's as measured, if known.

    The source is assumed to have the same error everywhere: only its relative change is used.
    """
    is_seen = measured is not None or bool(source.reaches(now.load)[0])
    there = now.load if is_seen else source.nearest(now.load)
    load, in_use = asked.load.joined(there), np.append(asked.in_use, now.in_use)
    rate, draws = (rates * in_use / load.in_box for rates in (source.rate(load), source.rates(load, rng)))
    if measured is not None:
        level = measured.rate / rate[-1]
        # states that are today's are as measured, near ones nearly so
        apart = 1 - _likeness(load, in_use)
        rate, draws = level * rate, level * rate * (draws / rate) ** apart
        today = Interval(*[measured.rate] * 3)
    elif is_seen:
        today = Interval.around(float(rate[-1]), draws[:, -1])
    else:
        # at its closest, with the same share for these volumes as today: from perfect scaling to no change
        today = Interval.beyond(float(rate[-1]), draws[:, -1], float(source.away(there)[0]))
        today = today.grown(float(there.in_box[0] / now.load.in_box[0]))
    return [Interval.around(float(rate[at]), draws[:, at]) for at in range(len(rate) - 1)], today


def _likeness(load: BoxLoad, in_use: Floats) -> Floats:
    """Similarity of each setting to today's, the last: for the box and for the volumes in the request, from 0 to 1."""
    box = covariance(load, load.pick([-1]), SAME_STATE)[:, 0]
    asked = replace(load, in_box=in_use)
    return np.asarray(box * covariance(asked, asked.pick([-1]), SAME_STATE)[:, 0])


def _prediction(aliases: int, rate: Interval, in_use: float, outside: float, known: bool) -> Prediction:
    """Little's law three times; the largest rate gives the shortest times."""
    inside = min(in_use, outside)
    response, service, wait = (_times(part, rate) for part in (outside, inside, outside - inside))
    return Prediction(aliases, rate, wait, service, response, known)


def _times(requests: float, rate: Interval) -> Interval:
    return Interval(requests / rate.value * 1e3, requests / rate.high * 1e3, requests / rate.low * 1e3)
