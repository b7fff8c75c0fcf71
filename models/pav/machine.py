"""Builds a box from its machine file."""

from collections.abc import Sequence
from types import MappingProxyType

import numpy as np

from iosq.models.arrays import Floats
from iosq.models.machine import Machine
from iosq.models.pav.box import TAILS, Box, BoxLoad, Seen, parameter_names
from iosq.models.pav.residual import Kernel, Left
from iosq.toolkit.errors import RequestError

KIND = "box"
ERROR, MISFIT = "rate_error_ratio", "rate_misfit_ratio"
TAIL_COUNT = "rate_misfit_tails"
KERNEL, REACH = "rate_alike_ratio", "rate_alike_reach"
STATE, RATIO = ("in_box", "read_ratio", "footprint_gb", "aliased", "queued"), "measured_ratio"
SEEN = ("in_box", "read_ratio", "footprint_gb", "aliased")


def box_from_machine(machine: Machine) -> Box:
    """The box of a machine file; with arms among its parameters, reads can miss.

    RequestError if the file describes something else or lacks a parameter.
    """
    if machine.kind != KIND:
        raise RequestError(
            f"machine {machine.name} is a {machine.kind}, not a {KIND}", remedy="choose a box with PAV volumes"
        )
    names = parameter_names(misses="arms_count" in machine.parameters)
    values = {name: machine.value(name) for name in names}
    spreads = {name: machine.parameters[name].spread or 0.0 for name in names}
    draws = _draws(machine, names)
    return Box(
        machine.name,
        MappingProxyType(values),
        f"machine file {machine.title}",
        MappingProxyType(spreads),
        machine.value(ERROR, 0.1),
        MappingProxyType(draws),
        machine.not_negative(MISFIT, 0.0),
        machine.positive(TAIL_COUNT, TAILS),
        _seen(machine),
        _left(machine),
    )


def _left(machine: Machine) -> Left | None:
    """Residuals of the curve at the fitted states, if the file has them."""
    if not machine.points:
        return None
    missing = [name for name in (*STATE, RATIO) if name not in machine.points]
    if missing:
        raise RequestError(f"key points.{missing[0]}: missing", place=f"machine {machine.name}")
    ratio = np.array(machine.points[RATIO])
    if not (ratio > 0).all():
        raise RequestError(f"key points.{RATIO}: expected numbers above 0", place=f"machine {machine.name}")
    load = BoxLoad.of(*(machine.points[name] for name in STATE))
    return Left(load, np.log(ratio), Kernel(machine.positive(KERNEL), machine.positive(REACH)))


def _seen(machine: Machine) -> Seen | None:
    """The ranges of the fitted loads, if the file has them."""
    if not machine.seen:
        return None
    inside, reads, footprint, aliased = (_range(machine, name) for name in SEEN)
    return Seen(inside, reads, footprint, (bool(aliased[0]), bool(aliased[1])))


def _range(machine: Machine, name: str) -> tuple[float, float]:
    ends = machine.seen.get(name, ())
    if len(ends) != 2 or ends[0] > ends[1]:
        raise RequestError(f"key seen.{name}: expected smallest and largest", place=f"machine {machine.name}")
    return ends[0], ends[1]


def _draws(machine: Machine, names: Sequence[str]) -> dict[str, Floats]:
    """The parameter sets of the file, if it has any; RequestError if one is missing or not positive."""
    if not machine.draws:
        return {}
    for name in names:
        if min(machine.draws.get(name, (0.0,))) <= 0:
            raise RequestError(f"key draws.{name}: expected numbers above 0", place=f"machine {machine.name}")
    return {name: np.array(machine.draws[name]) for name in names}
