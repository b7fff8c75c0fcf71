"""How many aliases, and what they would do: the PAV models on the numbers of a peak interval."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from iosq.models.pav.answers import CLEARED_MS
from iosq.models.pav.box import Box
from iosq.models.pav.open_load import OpenVolumes, box_stretch, sweep
from iosq.models.pav.pools import pool_readings
from iosq.models.pav.station import Stretch
from iosq.toolkit.advise.finding import Curve, Effect, Known, Span, Step
from iosq.toolkit.errors import RequestError
from iosq.toolkit.predict import sources

Floats = NDArray[np.float64]
MOST = 24
UNKNOWN = (0.0, 1.0)
MEASURED = "service times against I/Os in the box, as measured in its busier intervals"
SETTLE = "bounds only: the number of I/Os in the box did not vary enough to tell how it serves more of them"
_NEGLIGIBLE = 1e-3


@dataclass(frozen=True)
class Need:
    """Fewest aliases that clear the wait, at best and at worst (None: no count tried does), and what they would do."""

    fewest: int | None
    most: int | None
    effect: Effect
    curve: Curve


@dataclass(frozen=True)
class Peak:
    """One volume, or one LCU with a pool, in its worst interval; `in_box` counts all I/Os in the box then."""

    rate: float
    wait_ms: float
    service_ms: float
    exposures: float
    in_box: float

    @property
    def whole_exposures(self) -> int:
        """Exposures as a whole number above what was in service."""
        return max(round(self.exposures), math.floor(self.rate * self.service_ms / 1e3) + 1)


def volume_need(peak: Peak, elasticity: tuple[float, float] | None) -> Need:
    """Aliases of its own for one volume; what the box does with more inside comes from its measured elasticity."""
    volumes = _with_the_rest(peak, 0.5, 1.0)
    stretches = _stretches(float(volumes.in_service.sum()), elasticity)
    basis = SETTLE if elasticity is None else MEASURED
    return _volume_need(peak, volumes, stretches, basis, elasticity is not None)


def volume_need_on(
    peak: Peak, known: Known, volumes_count: int, read_ratio: float | None, elasticity: tuple[float, float] | None
) -> Need:
    """The same on a machine the user names: of it only the growth of service time with load is taken, not its level.

    Where the machine could not carry what was measured it is another one: then the lake's own curve counts, and the
    basis says so.

    Raises:
        RequestError: no such machine, or the read share is not known.
    """
    source = _machine(known)
    # two stand for all of them
    volumes = _with_the_rest(peak, _reads(known, read_ratio), known.footprint_gb * volumes_count / 2)
    try:
        stretch = box_stretch(source, volumes, float(volumes_count + MOST))
    except RequestError as error:
        return _left_out(volume_need(peak, elasticity), error)
    return _volume_need(peak, volumes, [stretch], source.calibrated_on, known=True)


def _machine(known: Known) -> Box:
    assert known.machine is not None
    return sources.named(known.machine)


def _reads(known: Known, read_ratio: float | None) -> float:
    reads = known.read_ratio if read_ratio is None else min(read_ratio, 1.0)
    if reads is None:
        raise RequestError(
            "the lake has no cache records: the read share is unknown", place="--machine", remedy="give --read-ratio"
        )
    return reads


def _left_out(need: Need, error: RequestError) -> Need:
    """The lake's own answer, and why the machine named has no part in it."""
    basis = f"{need.effect.basis}; left out {error.place}: {error.what}"
    return replace(need, effect=replace(need.effect, basis=basis), curve=replace(need.curve, basis=basis))


def _with_the_rest(peak: Peak, read_ratio: float, footprint_gb: float) -> OpenVolumes:
    """The volume, and all others of the box as one that never waits."""
    others = max(peak.in_box - peak.rate * peak.service_ms / 1e3, _NEGLIGIBLE)
    return OpenVolumes.of(
        [peak.rate, others * 1e3 / peak.service_ms],
        [peak.wait_ms, 0.0],
        peak.service_ms,
        [peak.whole_exposures, math.ceil(others) + 1],
        read_ratio,
        footprint_gb,
    )


def _volume_need(peak: Peak, volumes: OpenVolumes, stretches: Sequence[Stretch], basis: str, known: bool) -> Need:
    now = peak.whole_exposures - 1
    counts = np.arange(now, now + MOST + 1)
    readings = [
        (served.wait_ms[:, 0], served.service_ms[:, 0])
        for stretch in stretches
        for served in sweep(volumes, (counts + 1.0)[:, None], stretch, slice(0, 1))
    ]
    return _need(peak, counts, readings, Told("aliases", basis, known))


def pool_need(volumes: OpenVolumes, aliases: int, elasticity: tuple[float, float] | None, others: float = 0.0) -> Need:
    """Aliases of a pool for the volumes that draw on it in its worst interval.

    Args:
        others: I/Os in the box that are none of theirs.
    """
    in_box = float(volumes.in_service.sum()) + others
    stretches = [_beside(stretch, others) for stretch in _stretches(in_box, elasticity)]
    return _pool_need(volumes, aliases, stretches, SETTLE if elasticity is None else MEASURED, elasticity is not None)


def pool_need_on(
    volumes: OpenVolumes,
    aliases: int,
    known: Known,
    volumes_count: int,
    read_ratio: float | None,
    elasticity: tuple[float, float] | None,
    others: float = 0.0,
) -> Need:
    """The same on a machine the user names, as in `volume_need_on`.

    Args:
        volumes_count: volumes of the whole box.

    Raises:
        RequestError: no such machine, or the read share is not known.
    """
    source, most = _machine(known), float(_pool_counts(aliases)[-1])
    whole = _pool_with_the_rest(volumes, _reads(known, read_ratio), known.footprint_gb, volumes_count, others)
    try:
        stretch = box_stretch(source, whole, volumes_count + most)
    except RequestError as error:
        return _left_out(pool_need(volumes, aliases, elasticity, others), error)
    return _pool_need(volumes, aliases, [_beside(stretch, others)], source.calibrated_on, known=True)


def _pool_with_the_rest(
    volumes: OpenVolumes, read_ratio: float, footprint_gb: float, volumes_count: int, others: float
) -> OpenVolumes:
    """The volumes of a pool, and all others of the box as one that never waits."""
    beyond = max(others, _NEGLIGIBLE)
    service_ms = float(volumes.in_service.sum() / volumes.rate.sum() * 1e3)
    rest_gb = footprint_gb * max(volumes_count - len(volumes.rate), 1)
    return OpenVolumes.of(
        np.append(volumes.rate, beyond * 1e3 / service_ms),
        np.append(volumes.wait_ms, 0.0),
        np.append(volumes.service_ms, service_ms),
        np.append(volumes.exposures, math.ceil(beyond) + 1),
        read_ratio,
        np.append(np.full(len(volumes.rate), footprint_gb), rest_gb),
    )


def _pool_counts(aliases: int) -> NDArray[np.int_]:
    step = max(1, aliases // 16)
    return np.arange(aliases, aliases + step * (MOST + 1), step)


def _pool_need(volumes: OpenVolumes, aliases: int, stretches: Sequence[Stretch], basis: str, known: bool) -> Need:
    counts, rate = _pool_counts(aliases), float(volumes.rate.sum())
    wait_ms, service_ms = (float((part * volumes.rate).sum() / rate) for part in (volumes.wait_ms, volumes.service_ms))
    peak = Peak(rate, wait_ms, service_ms, aliases, float(volumes.in_service.sum()))
    readings = [
        (served.wait_ms, served.service_ms)
        for stretch in stretches
        for served in pool_readings(volumes, counts, aliases, stretch)
    ]
    return _need(peak, counts, readings, Told("aliases in the pool", basis, known))


def _beside(stretch: Stretch, others: float) -> Stretch:
    """Of the I/Os of a pool, while others are in the box too."""
    return lambda inside: stretch(inside + others)


def _stretches(in_box: float, elasticity: tuple[float, float] | None) -> list[Stretch]:
    """Service time over today's when more are inside: the time per I/O grows with what the rate does not."""
    return [_stretch(in_box, 1.0 - e) for e in elasticity or UNKNOWN]


def _stretch(in_box: float, power: float) -> Stretch:
    return lambda inside: np.maximum(inside / in_box, 1.0) ** power


@dataclass(frozen=True)
class Told:
    """What the counts are of, what they rest on, and whether the box is known."""

    counted: str
    basis: str
    known: bool


def _need(peak: Peak, counts: NDArray[np.int_], readings: list[tuple[Floats, Floats]], told: Told) -> Need:
    waits = np.array([wait for wait, _ in readings])
    responses = np.array([wait + service for wait, service in readings])
    fewest, most = (_cleared(counts, bound) for bound in (waits.min(axis=0), waits.max(axis=0)))
    chosen = int(np.flatnonzero(counts == (most or fewest or int(counts[-1])))[0])
    after = responses[:, chosen]
    now = peak.wait_ms + peak.service_ms
    effect = Effect(
        "response at the peak", "ms", now, float(after.mean()), float(after.min()), float(after.max()), told.basis,
        told.known,
    )  # fmt: skip
    steps = tuple(_step(int(n), peak.rate, waits[:, at], responses[:, at]) for at, n in enumerate(counts))
    return Need(fewest, most, effect, Curve(told.counted, int(counts[0]), steps, told.basis, told.known))


def _step(count: int, rate: float, waits: Floats, responses: Floats) -> Step:
    return Step(count, _span(waits), _span(responses), Span(rate, rate, rate))


def _span(values: Floats) -> Span:
    return Span(float(values.mean()), float(values.min()), float(values.max()))


def _cleared(counts: NDArray[np.int_], waits: Floats) -> int | None:
    cleared = np.flatnonzero(waits < CLEARED_MS)
    return int(counts[cleared[0]]) if len(cleared) else None
