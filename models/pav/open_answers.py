"""Answers for open loads: dedicated aliases, a HyperPAV pool, SuperPAV pools that lend."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from iosq.models.pav.answers import CLEARED_MS, Interval, Prediction, RateSource, WhatIf, concluded, fullest_station
from iosq.models.pav.closed import MOST_ALIASES, checked_counts
from iosq.models.pav.open_load import (
    EVERYONE,
    OpenVolumes,
    box_stretch,
    sweep,
    unknown_stretch,
    volumes_load,
)
from iosq.models.pav.pools import pool_readings, refuse_unexplained
from iosq.models.pav.station import Served, Stretch
from iosq.toolkit.errors import RequestError

Floats = NDArray[np.float64]
UNKNOWN = "no box: bounds from a box that serves any number as fast as now to one that serves hardly more than now"
_POOL_HEADROOM = 1.05  # a box that is all in one chain has no steady state at its very ceiling; it was measured in one
SETTLE = "not identifiable: name a machine file, or fit one to intervals with different numbers in the box"


def what_if_open(
    source: RateSource | None,
    volumes: OpenVolumes,
    aliases: Sequence[int],
    rng: np.random.Generator,
    *,
    subject: int | None = None,
) -> WhatIf:
    """Wait, service and response for each alias count at today's arrival rate.

    Args:
        source: the box; None where nobody knows it: the answer is then not identifiable and has bounds only.
        volumes: all volumes that share the box, as measured.
        aliases: alias counts to predict, rising.
        rng: draws the intervals.
        subject: position of the volume whose count changes; None changes all and answers for their rate-weighted mean.

    Raises:
        RequestError: no or negative counts, no such volume, more arrives at the box than it can complete.
    """
    counts = checked_counts(aliases)
    if subject is not None and not 0 <= subject < len(volumes.rate):
        raise RequestError(f"there is no volume {subject} among {len(volumes.rate)}", place="subject")
    chosen = EVERYONE if subject is None else slice(subject, subject + 1)
    asked = volumes.pick(chosen)
    readings = _readings(source, volumes, counts, chosen)
    weight = asked.rate / asked.rate.sum()
    waits, services = (
        np.array([(getattr(reading, name) * weight).sum(axis=1) for reading in readings])
        for name in ("wait_ms", "service_ms")
    )
    return _answer(source, volumes, counts, float(asked.rate.sum()), waits, services, rng)


def clearing_aliases(
    source: RateSource | None, volumes: OpenVolumes, most: int = 15
) -> tuple[NDArray[np.int_], NDArray[np.int_]]:
    """For every volume the fewest aliases that clear its wait, all else as it is: (at best, at worst), -1 for none.

    The two ends are those of the readings of burstiness, and of what an unknown box may do.

    Args:
        most: largest number of aliases tried.

    Raises:
        RequestError: a negative `most`, more arrives at the box than it can complete.
    """
    counts = checked_counts(range(most + 1))
    waits = np.array([reading.wait_ms for reading in _readings(source, volumes, counts, EVERYONE)])
    found = []
    for wait in (waits.min(axis=0), waits.max(axis=0)):
        cleared = wait < CLEARED_MS
        found.append(np.where(cleared.any(axis=0), cleared.argmax(axis=0), -1))
    return found[0], found[1]


def what_if_pool(
    source: RateSource | None,
    volumes: OpenVolumes,
    pools: Sequence[int],
    rng: np.random.Generator,
    *,
    current: int,
) -> WhatIf:
    """HyperPAV: every volume has its base, all of them share a pool of aliases.

    For SuperPAV pass the volumes of all LCUs that lend to each other, and the sums of their pools.

    Args:
        pools: numbers of aliases to predict, rising.
        current: aliases in the pool when the volumes were measured.

    Raises:
        RequestError: as `what_if_open`; the measured wait has another cause than a pool of `current` aliases.
    """
    counts = checked_counts(pools)
    checked_counts([current], "current")
    if len(volumes.rate) > MOST_ALIASES:
        raise RequestError(f"a pool serves at most {MOST_ALIASES}, not {len(volumes.rate)}", place="volumes")
    refuse_unexplained(volumes, current)
    stretches = _stretches(source, volumes, _POOL_HEADROOM)
    readings = [reading for stretch in stretches for reading in pool_readings(volumes, counts, current, stretch)]
    waits, services = (np.array([getattr(r, name) for r in readings]) for name in ("wait_ms", "service_ms"))
    return _answer(source, volumes, counts, float(volumes.rate.sum()), waits, services, rng)


def _readings(source: RateSource | None, volumes: OpenVolumes, counts: NDArray[np.int_], chosen: slice) -> list[Served]:
    exposures = np.broadcast_to(counts[:, None] + 1.0, (len(counts), len(volumes.rate[chosen])))
    stretches = _stretches(source, volumes)
    return [reading for stretch in stretches for reading in sweep(volumes, exposures, stretch, chosen)]


def _stretches(source: RateSource | None, volumes: OpenVolumes, most_ratio: float = 1.0) -> tuple[Stretch, ...]:
    if source is None:
        return unknown_stretch(volumes, most_ratio)
    return (box_stretch(source, volumes, float(len(volumes.rate) + MOST_ALIASES)),)


def _answer(
    source: RateSource | None,
    volumes: OpenVolumes,
    counts: NDArray[np.int_],
    rate: float,
    waits: Floats,
    services: Floats,
    rng: np.random.Generator,
) -> WhatIf:
    """Predictions from the readings, shape (readings, counts): their middle, and an interval that holds them all."""
    load = volumes_load(volumes, np.array([volumes.in_service.sum()]))
    scatter = np.ones(1) if source is None else source.rates(load, rng)[:, 0] / source.rate(load)[0]
    slack = (float(np.quantile(scatter, 0.05)), float(np.quantile(scatter, 0.95)))
    predictions = [
        _prediction(int(count), rate, waits[:, at], services[:, at], slack, source is not None)
        for at, count in enumerate(counts)
    ]
    goal = [1 / max(p.response_ms.value, 1e-9) for p in predictions]
    if source is None:
        return concluded(predictions, goal, "unknown box", UNKNOWN, SETTLE)
    return concluded(predictions, goal, fullest_station(source, load), source.calibrated_on, "")


def _prediction(
    aliases: int, rate: float, waits: Floats, services: Floats, slack: tuple[float, float], known: bool
) -> Prediction:
    stable = bool(np.isfinite(waits).all())
    wait = Interval(float(waits.mean()), float(waits.min()), float(waits.max()))
    service = Interval(float(services.mean()), float(services.min() / slack[1]), float(services.max() / slack[0]))
    response = Interval(wait.value + service.value, wait.low + service.low, wait.high + service.high)
    return Prediction(aliases, Interval(rate, rate, rate), wait, service, response, known, stable)
