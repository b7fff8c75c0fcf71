"""Input checks common to all stations; errors name the argument. None counts as not given."""

from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any

import numpy as np

from iosq.toolkit.errors import RequestError


def positive(**named: object) -> None:
    """Raise `RequestError` for the first number, or array with one, that is not finite and above zero."""
    _refuse(named, "must be above zero", lambda value: value > 0)


def not_negative(**named: object) -> None:
    """Raise `RequestError` for the first value that is not finite or is below zero."""
    _refuse(named, "must not be negative", lambda value: value >= 0)


def ratio(**named: object) -> None:
    """Raise `RequestError` for the first value outside 0..1."""
    _refuse(named, "must lie between 0 and 1", lambda value: (value >= 0) & (value <= 1))


def count(least: int = 1, most: int | None = None, /, **named: int | None) -> None:
    """Raise `RequestError` for the first value below `least` or above `most`."""
    rule = f"must be at least {least}" + ("" if most is None else f" and at most {most}")
    for name, value in named.items():
        if value is not None and not least <= value <= (value if most is None else most):
            raise RequestError(f"{rule}, not {value}", place=name)


def insist(on: object, names: str, holds: Callable[[Any], bool], rule: str, place: str = "") -> None:
    """Raise `RequestError` for the first of these attributes of an object that does not hold to a rule."""
    for name in names.split():
        value = getattr(on, name)
        if not holds(value):
            raise RequestError(f"{name} = {value} must {rule}", place=place)


def stable(station: str, load: object, servers: object) -> None:
    """Raise `RequestError` with station and utilization if the utilization is 1 or more.

    Args:
        load: offered load in erlangs (arrival rate times service time), number or array.
    """
    utilization = np.max(np.asarray(load, float) / np.asarray(servers, float))
    if utilization >= 1:
        raise RequestError(
            overload(float(utilization)),
            place=station,
            remedy="lower the arrival rate or add servers",
        )


def overload(utilization: float) -> str:
    """Text about a demand on a station that exceeds its capacity."""
    times = f"{utilization:.3g}"
    return "its demand equals its capacity" if times == "1" else f"its demand is {times} times its capacity"


def _refuse(named: Mapping[str, object], rule: str, holds: Callable[[Any], Any]) -> None:
    for name, value in named.items():
        if value is None or (type(value) is float and isfinite(value) and holds(value)):
            continue  # scalars first, as arrays take ten times as long
        array = np.asarray(value, float)
        fine = np.isfinite(array) & holds(array)
        if not np.all(fine):
            bad = np.atleast_1d(array)[~np.atleast_1d(fine)][0]
            raise RequestError(f"{rule}, not {bad:g}", place=name)
