"""Intervals of answers from machine files: the answer again for machines as they may be."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from iosq.models.machine import Machine
from iosq.toolkit.errors import RequestError
from iosq.toolkit.rows import NewRow

Numbers = Mapping[str, float]
SEED = 1
DRAWS = 60
LEVEL = 0.90
MISFIT = "rate_misfit_ratio"


def ends(
    machine: Machine, ask: Callable[..., Numbers], found: Numbers, others: Sequence[Machine] = ()
) -> dict[str, tuple[float, float]]:
    """The 90 % interval of every number that `ask` answers, the number itself always inside.

    It holds the spread of the file's numbers, and its misfit where the file states one: what the model missed at
    measurements that the fit left out.

    A machine that can't answer for once (its stations saturate) counts as one that answers at the far end: infinite.

    Args:
        machine: the file, every number with its spread.
        ask: what a machine answers, followed by those of `others`.
        found: what this machine answers.
        others: other machines that the answer hangs on, each moved by itself.
    """
    rng = np.random.default_rng(SEED)
    every = zip(*(one.drawn(DRAWS, rng) for one in (machine, *others)), strict=True)
    answers = [_answered(ask, drawn, found) for drawn in every]
    misfit = machine.value(MISFIT) if MISFIT in machine.parameters else 0.0
    off = np.exp(misfit * rng.standard_normal(DRAWS))
    return {
        name: _around(found[name], [answer[name] * o for answer, o in zip(answers, off, strict=True)]) for name in found
    }


def basis(machine: Machine) -> str:
    """What the intervals of answers from this file hold, in words."""
    if MISFIT not in machine.parameters:
        return (
            "intervals hold the spread of the file's numbers alone: too few measurements were published that the fit "
            "left out, so what the model misses is unknown"
        )
    missed = f"{100 * machine.value(MISFIT):.1f} % that the model missed at measurements not fitted"
    return f"intervals hold the spread of the file's numbers, and {missed}"


def bounded(row: NewRow, intervals: Mapping[str, tuple[float, float]]) -> NewRow:
    """The row with two columns behind each number that has an interval: its ends."""
    from iosq.toolkit.predict.output import sibling

    wide: NewRow = {}
    for name, value in row.items():
        wide[name] = value
        if name in intervals:
            wide[sibling(name, "low")], wide[sibling(name, "high")] = intervals[name]
    return wide


def _answered(ask: Callable[..., Numbers], machines: Sequence[Machine], found: Numbers) -> Numbers:
    try:
        return ask(*machines)
    except RequestError:
        return dict.fromkeys(found, np.inf)


def _around(value: float, drawn: list[float]) -> tuple[float, float]:
    """Nearest ranks: a number may be infinite, and what lies between two of them may not be."""
    low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], method="nearest")
    return min(value, float(low)), max(value, float(high))
