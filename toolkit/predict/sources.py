"""Box models: from a machine file, refitted to measurements, or from one measured point."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from iosq.models.arrays import Floats
from iosq.models.fit.moved import moved
from iosq.models.machine import load
from iosq.models.pav.answers import RateSource, WhatIf
from iosq.models.pav.box import Box, BoxLoad
from iosq.models.pav.machine import box_from_machine
from iosq.models.pav.open_load import AnotherBoxError
from iosq.models.pav.power_curve import PowerCurve
from iosq.models.pav.residual import DOUBT

ANOTHER = 0.05  # least difference of two boxes of one type (standard deviation of a parameter's log); our choice
SEED = 1
MIDDLE_90 = (0.05, 0.95)
ANOTHER_BOX = "the machine named delivers another rate than was measured, it seems to be another one"
CHECK = f"{ANOTHER_BOX}: check --machine, --read-ratio and --footprint-gb"
ONE_RATE = "one measured rate: bounds that hold of any box, no I/O gets faster by what else is in it"


def named(machine: str) -> Box:
    """The box of a machine file; RequestError for an unknown name or another kind of machine."""
    return box_from_machine(load(machine))


def refitted(machine: str, load_now: BoxLoad, rate: float, rng: np.random.Generator) -> RateSource:
    """A machine file's box, adjusted to one measured rate by the least change; spread and measured range stay.

    A box that could not deliver this rate is not adjusted, because the result would describe no real box.
    """
    known = named(machine)
    box = moved(known, load_now, rate, ANOTHER, rng)
    if _contradicts(known, load_now, rate) or not _is_within(rate, box.rate(load_now)):
        return contradicted(known, rate, float(load_now.in_box.ravel()[0]))
    return replace(box, calibrated_on=f"{known.calibrated_on}, refitted with the measured rate")


def contradicted(known: Box, rate: float, inside: float) -> PowerCurve:
    """A box that differs from its machine file: only the measurement and general laws apply."""
    return PowerCurve(known.name, rate, inside, (0.0, 1.0), 0.0, f"{ANOTHER_BOX}: {known.calibrated_on}", CHECK)


def unless_contradicted(machine: str, rate: float, inside: float, solve: Callable[[RateSource], WhatIf]) -> WhatIf:
    """The answer for an open load on a machine; bounds without its file if that contradicts the measurement."""
    known = named(machine)
    try:
        return solve(known)
    except AnotherBoxError:
        return solve(contradicted(known, rate, inside))


def _contradicts(known: Box, load_now: BoxLoad, rate: float) -> bool:
    """True if the state is within the file's measured range, and the measured rate differs from the file's."""
    may_be = known.rates(load_now.flat(), np.random.default_rng(SEED))
    return bool(known.reaches(load_now).all()) and not _is_within(rate, np.quantile(may_be, MIDDLE_90))


def _is_within(rate: float, ends: Floats) -> bool:
    """True if a rate is between `ends`, with the tolerance DOUBT."""
    return bool(ends.min() / DOUBT < rate < DOUBT * ends.max())
