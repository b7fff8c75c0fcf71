"""The box behind the volumes: from a machine file, refitted with what was measured, or from one measured point."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from iosq.models.fit.calibrate import Calibration, calibrate
from iosq.models.fit.moved import moved
from iosq.models.fit.points import points
from iosq.models.fit.prior import weak_prior
from iosq.models.machine import load
from iosq.models.pav.box import Box, BoxLoad
from iosq.models.pav.machine import box_from_machine

ANOTHER = 0.05  # two boxes of one type differ at least so much (standard deviation of a parameter's logarithm); ours


def named(machine: str) -> Box:
    """The box of a machine file; RequestError for an unknown name or another kind of machine."""
    return box_from_machine(load(machine))


def refitted(machine: str, load_now: BoxLoad, rate: float, rng: np.random.Generator) -> Box:
    """A machine file's box moved as little as one measured rate asks for; its spread and what it has seen stay."""
    known = named(machine)
    box = moved(known, load_now, rate, ANOTHER, rng)
    return replace(box, calibrated_on=f"{known.calibrated_on}, refitted with the measured rate")


def single_point(load_now: BoxLoad, rate: float, rng: np.random.Generator) -> Calibration:
    """No machine: one measured point and what boxes have in common."""
    return calibrate("the box", points(load_now, rate), weak_prior(), rng)
