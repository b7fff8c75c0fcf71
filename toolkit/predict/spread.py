"""Intervals of answers from machine files, by repeating the computation for machines drawn from the spread."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from iosq.models.coverage import LEVEL
from iosq.models.machine import Machine
from iosq.toolkit.errors import RequestError
from iosq.toolkit.predict.answer import sibling
from iosq.toolkit.rows import NewRow

Numbers = Mapping[str, float]
SEED = 1
DRAWS = 60
MISFIT = "rate_misfit_ratio"
# misfit of files that state none: over all studies, nine in ten published numbers not used in a fit are missed by
# less than 1.645 times this (docs/explanation/models/published.md)
POOLED = 0.053


def ends(
    machine: Machine, ask: Callable[..., Numbers], found: Numbers, others: Sequence[Machine] = ()
) -> dict[str, tuple[float, float]]:
    """The 90 % interval of every number that `ask` returns; it always includes the number itself.

    It covers the spread of the file's numbers, and its misfit: the model's error at measurements that the fit left
    out, or the error of all models if the file states none.

    A drawn machine that can't answer, because its stations saturate, counts as infinite.

    Args:
        ask: computes the numbers from a machine, followed by `others`.
        others: other machines that the numbers depend on, each drawn independently.
    """
    rng = np.random.default_rng(SEED)
    every = zip(*(one.drawn(DRAWS, rng) for one in (machine, *others)), strict=True)
    answers = [_answered(ask, drawn, found) for drawn in every]
    off = np.exp(machine.value(MISFIT, POOLED) * rng.standard_normal(DRAWS))
    return {
        name: _around(found[name], [answer[name] * o for answer, o in zip(answers, off, strict=True)]) for name in found
    }


def basis(machine: Machine) -> str:
    """What the intervals of answers from this file cover, in words."""
    missed = f"the spread of the file's numbers, and {100 * machine.value(MISFIT, POOLED):.1f} % that"
    if MISFIT in machine.parameters:
        return f"intervals hold {missed} the model missed at measurements not fitted"
    return (
        f"intervals hold {missed} models of other machines missed at published numbers not fitted: too few were "
        "published of this one"
    )


def bounded(row: NewRow, intervals: Mapping[str, tuple[float, float]]) -> NewRow:
    """The row with the low and high end after each number that has an interval."""
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
    """The interval by nearest ranks, because numbers may be infinite and can't be interpolated."""
    low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], method="nearest")
    return min(value, float(low)), max(value, float(high))
