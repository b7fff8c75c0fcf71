"""PAV what-if for open loads: dedicated aliases, a HyperPAV pool, SuperPAV pools that lend aliases."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from iosq.models.arrays import Floats, Ints, Mask
from iosq.models.pav.answers import Interval, Measured, Prediction, RateSource, WhatIf, concluded, fullest_station
from iosq.models.pav.box import BoxLoad
from iosq.models.pav.closed import checked_counts
from iosq.models.pav.crowd import blocks, chain
from iosq.models.pav.everyone import as_measured, everyone
from iosq.models.pav.open_load import (
    EVERYONE,
    MOST_ALIASES,
    OpenVolumes,
    box_curve,
    box_stretch,
    is_full,
    stretched,
    sweep,
    unknown_box,
    volumes_load,
)
from iosq.models.pav.pools import pool_readings, refuse_unexplained
from iosq.models.pav.power_curve import PowerCurve
from iosq.models.pav.station import Stretch
from iosq.models.queueing.stations import mmc_wait_ms
from iosq.toolkit.errors import RequestError

_Times = tuple[Floats, Floats]
_Solve = Callable[[Stretch, bool], Sequence[_Times]]
"""Maps a stretch of service times, and whether it is from a machine file, to pairs of waits and services with one
element per count: a pair for each model of burstiness."""
_LEAST = 1e-6  # smallest share of the service time, against rounding to 0
FULL = (
    "not identifiable: by its file this machine does no more with more in it than with today's I/Os ({}), so more at "
    "once may gain nothing; measure an interval with other aliases, or check --machine and --footprint-gb"
)


def what_if_open(
    source: RateSource | None,
    volumes: OpenVolumes,
    aliases: Sequence[int],
    rng: np.random.Generator,
    *,
    subject: int | None = None,
) -> WhatIf:
    """Predict wait, service and response for each alias count at today's arrival rate.

    Args:
        source: the box; if None, it is unknown, and the result is not identifiable and has only bounds.
        aliases: alias counts to predict, ascending.
        subject: position of the volume that gets another count; None changes all and returns their rate-weighted mean.

    RequestError for no or negative counts, no such volume, or arrivals beyond the capacity of the box.
    """
    counts = checked_counts(aliases)
    if subject is not None and not 0 <= subject < len(volumes.rate):
        raise RequestError(f"there is no volume {subject} among {len(volumes.rate)}", place="subject")
    chosen = EVERYONE if subject is None else slice(subject, subject + 1)
    asked = volumes.pick(chosen)
    box = unknown_box(volumes) if source is None else source
    exposures = np.broadcast_to(counts[:, None] + 1.0, (len(counts), len(asked.rate)))
    weight = asked.rate / asked.rate.sum()

    def solve(stretch: Stretch, known: bool) -> list[_Times]:
        readings = sweep(volumes, exposures, stretch, chosen)
        alone = [((r.wait_ms * weight).sum(axis=1), (r.service_ms * weight).sum(axis=1)) for r in readings]
        if subject is not None or len(asked.rate) == 1:
            return alone
        # the longer wait: of each volume alone, or of all volumes loading the box together
        both = zip(alone, everyone(asked, exposures, as_measured(asked, stretch) if known else stretch), strict=True)
        return [(np.maximum(wait, r.wait_ms), r.service_ms) for (wait, _), r in both]

    now = asked.exposures[0] if (asked.exposures == asked.exposures[0]).all() else None
    current = None if now is None else int(now) - 1
    return _answer(box, volumes, asked, counts, current, solve, rng)


def what_if_pool(
    source: RateSource | None,
    volumes: OpenVolumes,
    pools: Sequence[int],
    rng: np.random.Generator,
    *,
    current: int,
    rest: OpenVolumes | None = None,
) -> WhatIf:
    """Predict HyperPAV: every volume has its base, and all share a pool of aliases.

    For SuperPAV pass the volumes of all LCUs that lend to each other, and the sum of their pools.

    Args:
        pools: numbers of aliases to predict, ascending.
        current: aliases in the pool when the volumes were measured.
        rest: volumes of the box that don't use the pool.

    RequestError as of `what_if_open`, or if the measured wait has another cause than a pool of `current` aliases.
    """
    counts = checked_counts(pools)
    checked_counts([current], "current")
    if len(volumes.rate) > MOST_ALIASES:
        raise RequestError(f"a pool serves at most {MOST_ALIASES}, not {len(volumes.rate)}", place="volumes")
    refuse_unexplained(volumes, current)
    whole = volumes if rest is None else volumes.joined(rest)
    box = unknown_box(whole) if source is None else source
    others = 0.0 if rest is None else float(rest.in_service.sum())

    def solve(stretch: Stretch, _: bool) -> list[_Times]:
        readings = pool_readings(volumes, counts, current, lambda inside: stretch(inside + others))
        return [(r.wait_ms, r.service_ms) for r in readings]

    return _answer(box, whole, volumes, counts, current, solve, rng)


def _answer(
    source: RateSource,
    volumes: OpenVolumes,
    asked: OpenVolumes,
    counts: Ints,
    current: int | None,
    solve: _Solve,
    rng: np.random.Generator,
) -> WhatIf:
    """Predictions from all burstiness models: their mean, and an interval that includes all of them.

    current: today's count; None if it differs between volumes.
    """
    now = Measured(float(asked.rate.sum()), asked.mean(asked.wait_ms), asked.mean(asked.service_ms))
    waits, services, reached, settle = _read(source, volumes, asked, solve)
    load = volumes_load(volumes, np.array([volumes.in_service.sum()]))
    slack = (1.0, 1.0) if isinstance(source, PowerCurve) else _slack(source, load, rng)
    waits, services = _lawful(counts, current, now, waits, services)
    predictions = [
        now.prediction(int(count), bool(reached[at]))
        if count == current
        else _prediction(int(count), now, waits[:, at], services[:, at], slack, bool(reached[at]))
        for at, count in enumerate(counts)
    ]
    if current is not None:
        predictions = _falling([_held(p, now, p.aliases - current) for p in predictions])
    goal = [1 / max(p.response_ms.value, 1e-9) for p in predictions]
    return concluded(
        predictions, goal, fullest_station(source, load, float(volumes.rate.sum())), source.calibrated_on, settle
    )


def _read(
    source: RateSource, volumes: OpenVolumes, asked: OpenVolumes, solve: _Solve
) -> tuple[Floats, Floats, Mask, str]:
    """Waits and services, shape (models, counts), a mask of counts with a known box, and what to measure otherwise.

    At states the box was not fitted to, the two bounds of an unknown box apply. So they do if the box is full by its
    curve: then the curve can't explain why the measured wait is not longer.
    """
    waits, services = _solved(source, volumes, solve)
    if isinstance(source, PowerCurve):
        known = source.in_box_max > 0
        return waits, services, np.full(waits.shape[1], known), "" if known else f"not identifiable: {source.settle()}"
    rest = float(volumes.in_service.sum() - asked.in_service.sum())
    inside = rest + asked.rate.sum() * services.max(axis=0) / 1e3
    load = volumes_load(volumes, np.maximum(inside, volumes.in_service.sum()))
    reached = source.reaches(load)
    settle = "" if reached.all() else f"not identifiable: {source.unseen(load.pick(~reached))}"
    if reached.all() and is_full(source, volumes):
        reached, settle = (
            np.zeros(reached.shape, bool),
            FULL.format(fullest_station(source, load.pick([0]), float(volumes.rate.sum()))),
        )
    if reached.all():
        return waits, services, reached, ""
    ends = _solved(unknown_box(volumes), volumes, solve)
    twice = len(ends[0]) // len(waits)
    # no narrower than the interval by the curve alone
    waits, services = (
        np.concatenate([seen, np.where(reached, np.repeat(seen, twice, axis=0), unknown)])
        for seen, unknown in zip((waits, services), ends, strict=True)
    )
    return waits, services, reached, settle


def _solved(source: RateSource, volumes: OpenVolumes, solve: _Solve) -> tuple[Floats, Floats]:
    known = not isinstance(source, PowerCurve)
    readings = [times for stretch in stretches(source, volumes) for times in solve(stretch, known)]
    return np.array([wait for wait, _ in readings]), np.array([service for _, service in readings])


def _slack(source: RateSource, load: BoxLoad, rng: np.random.Generator) -> tuple[float, float]:
    scatter = source.rates(load, rng)[:, 0] / source.rate(load)[0]
    return float(np.quantile(scatter, 0.05)), float(np.quantile(scatter, 0.95))


def _lawful(counts: Ints, current: int | None, now: Measured, waits: Floats, services: Floats) -> tuple[Floats, Floats]:
    """Apply the rule that more aliases never lengthen wait or response of an open load, as I/Os are admitted earlier.

    The models obey this except for approximation errors, which are corrected.
    """
    responses = waits + services
    if current is not None:
        more = counts >= current
        waits, responses = (
            np.where(more, np.minimum(times, measured), np.maximum(times, measured))
            for times, measured in ((waits, now.wait_ms), (responses, now.response_ms))
        )
    waits, responses = (np.minimum.accumulate(times, axis=1) for times in (waits, responses))
    finite = np.isfinite(waits)
    left = np.where(finite, responses, 0.0) - np.where(finite, waits, 0.0)
    return waits, np.where(finite, np.maximum(left, _LEAST * now.service_ms), services)


def _held(p: Prediction, now: Measured, more: int) -> Prediction:
    """Limit the ends of the interval by the same rules as its value, relative to the measurement.

    Earlier admission never delays service, and other I/Os in the box never make an I/O faster. So without a wait there
    is no uncertainty.
    """
    if more == 0 or not p.stable:
        return p
    wait, service, response = p.wait_ms, p.service_ms, p.response_ms
    if more < 0:
        response = _within(response, now.response_ms, wait.high + now.service_ms)
        return replace(p, response_ms=response, service_ms=_within(service, 0.0, now.service_ms))
    service = _within(service, now.service_ms, now.response_ms - wait.low)
    return replace(p, service_ms=service, response_ms=_within(response, now.service_ms, now.response_ms))


def _falling(predictions: Sequence[Prediction]) -> list[Prediction]:
    """Limit the upper end of each response to that with fewer aliases, which the errors of a machine don't observe."""
    longest = np.minimum.accumulate([p.response_ms.high for p in predictions])
    return [
        replace(p, response_ms=_within(p.response_ms, 0.0, float(high)))
        for p, high in zip(predictions, longest, strict=True)
    ]


def _within(interval: Interval, least: float, most: float) -> Interval:
    """The interval clipped to these ends; it always includes its value."""
    value = interval.value
    return Interval(value, max(interval.low, min(least, value)), min(interval.high, max(most, value)))


def _prediction(
    aliases: int, now: Measured, waits: Floats, services: Floats, slack: tuple[float, float], known: bool
) -> Prediction:
    stable = bool(np.isfinite(waits).all())
    responses = waits + services
    wait = Interval(float(waits.mean()), float(waits.min()), float(waits.max()))
    service = Interval(float(services.mean()), float(services.min() / slack[1]), float(services.max() / slack[0]))
    shorter, longer = service.value * (1 - 1 / slack[1]), service.value * (1 / slack[0] - 1)
    response = Interval(wait.value + service.value, float(responses.min()) - shorter, float(responses.max()) + longer)
    rate = Interval(now.rate, now.rate, now.rate)
    return Prediction(aliases, rate, wait, service, response, known, stable)


def stretches(source: RateSource, volumes: OpenVolumes) -> tuple[Stretch, ...]:
    """Possible growth of service times with the load: by the curve, or by both ends of the elasticity.

    If measured service times are longer than by the file, there are two explanations: the whole box is slower,
    including its ceilings, or the I/Os have additional latency.
    """
    if isinstance(source, PowerCurve):
        inside = float(volumes.in_service.sum())
        return tuple(_power_stretch(inside, 1 - elasticity) for elasticity in source.elasticity)
    extra = float(len(volumes.rate) + MOST_ALIASES)
    latent = latent_stretch(source, volumes, extra)
    return (box_stretch(source, volumes, extra), *([latent] if latent else []))


def latent_stretch(source: RateSource, volumes: OpenVolumes, extra: float) -> Stretch | None:
    """As `box_stretch`, but service time beyond the file's is latency that occupies no station.

    Ceilings are then the file's, and more I/Os than by the file are in the box at any rate. None if service is no
    longer than that of such arrivals in the file's box.
    """
    grid, rate = box_curve(source, volumes, extra)
    arrivals, now, time = float(volumes.rate.sum()) / 1e3, float(volumes.in_service.sum()), grid / rate * 1e3
    steady = float(np.interp(arrivals, np.maximum.accumulate(rate / 1e3), time))
    latent = now / arrivals - steady - _randomness(volumes) * (_random_ms(volumes, grid, time) - steady)
    return stretched(grid + grid / time * latent, time + latent, now) if latent > 0 else None


def _random_ms(volumes: OpenVolumes, inside: Floats, time: Floats) -> float:
    """Mean time of Poisson arrivals in a box with these service times, without waits for exposures."""
    start, _ = blocks()
    measured = float(volumes.in_service.sum() / volumes.rate.sum() * 1e3)
    return float(chain(volumes, start[None], lambda n: np.interp(n, inside, time / measured), 1.0, 0.0).service_ms[0])


def _randomness(volumes: OpenVolumes) -> float:
    """Measured wait over that of Poisson arrivals, at most 1: 0 for even arrivals, 1 for Poisson and bursty ones."""
    steady = volumes.steady
    random_ms = mmc_wait_ms(steady.rate, steady.service_ms, steady.exposures)
    random, measured = (float((ms * volumes.rate).sum()) for ms in (random_ms, volumes.wait_ms))
    return min(measured / random, 1.0) if random > 0 else 1.0


def _power_stretch(now: float, power: float) -> Stretch:
    return lambda inside: np.maximum(inside / now, 1.0) ** power
