"""The box behind the volumes: from a machine file, refitted with what was measured, or fitted to a lake's intervals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from iosq.models.fit.calibrate import Calibration, calibrate
from iosq.models.fit.points import Points, points, points_from_intervals
from iosq.models.fit.prior import prior_around, weak_prior
from iosq.models.machine import load
from iosq.models.pav.box import REACH, Box, BoxLoad
from iosq.models.pav.machine import box_from_machine
from iosq.toolkit.predict.lake import Reading, read_ratios

VARIED = 2.0  # below this spread of the numbers in the box, intervals say nothing about other numbers
ANOTHER = 0.05  # two boxes of one type differ at least so much (standard deviation of a parameter's logarithm); ours


def named(machine: str) -> Box:
    """The box of a machine file; RequestError for an unknown name or another kind of machine."""
    return box_from_machine(load(machine))


def refitted(machine: str, load_now: BoxLoad, rate: float, rng: np.random.Generator) -> Box:
    """A machine file's box moved as little as one measured rate asks for; its validated error stays."""
    known = named(machine)
    fitted = calibrate(known.name, points(load_now, rate), prior_around(known, ANOTHER), rng).box
    return replace(
        fitted, error_ratio=known.error_ratio, calibrated_on=f"{known.calibrated_on}, refitted with the measured rate"
    )


def single_point(load_now: BoxLoad, rate: float, rng: np.random.Generator) -> Calibration:
    """No machine: one measured point and what boxes have in common."""
    return calibrate("the box", points(load_now, rate), weak_prior(), rng)


def from_intervals(intervals: Iterable[Sequence[Reading]], footprint_gb: float, read_ratio: float | None) -> Points:
    """One point per interval of a box's readings; `footprint_gb` of all volumes together."""
    groups = [list(group) for group in intervals if group]
    rates = [sum(r.rate for r in group) for group in groups]
    reads = [
        sum(r.rate * share for r, share in zip(group, read_ratios(group, read_ratio), strict=True)) / rate
        for group, rate in zip(groups, rates, strict=True)
    ]
    inside = [sum(r.in_service for r in group) for group in groups]
    queue = [sum(r.queue for r in group) for group in groups]
    volumes = max(len(group) for group in groups)
    return points_from_intervals(rates, inside, reads, footprint_gb, volumes=volumes, queue=queue)


def fitted_to(name: str, given: Points, rng: np.random.Generator) -> Calibration:
    """A box fitted to a lake's intervals."""
    return calibrate(name, given, weak_prior(), rng)


def varied(given: Points) -> bool:
    """Whether points differ enough in load to say anything about other loads."""
    return given.in_box_range >= VARIED


def reaches(given: Points, in_box: float) -> bool:
    """Whether the box has held about so many I/Os."""
    return in_box <= REACH * float(given.load.in_box.max())
