"""Writes a fitted box as a machine file: values with spreads, parameter sets that agree, and the fitted loads."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from iosq.models.coverage import NORMAL_90
from iosq.models.fit.calibrate import Calibration
from iosq.models.pav.box import Seen, parameter_table
from iosq.models.pav.machine import ERROR, KERNEL, KIND, MISFIT, RATIO, REACH, STATE, TAIL_COUNT
from iosq.models.pav.residual import Left
from iosq.toolkit.errors import printable

NEIGHBOURS = "residual that neighbouring states share, as in published boxes"
WEAK = 0.8  # above this share of the prior's spread the points don't determine a parameter


def undetermined(done: Calibration) -> list[str]:
    """Parameters not determined by the points: they keep the prior of all boxes."""
    believed = dict(zip(done.prior.names, done.prior.total_spread, strict=True))
    return [name for name, spread in done.box.spreads.items() if spread > WEAK * believed[name]]


@dataclass(frozen=True)
class Fact:
    """A number in the file that was not fitted."""

    name: str
    value: float
    unit: str
    source: str
    how: str


def error_fact(done: Calibration, least: float) -> Fact:
    """Half-width of the 90 % interval of the box's rates: that of the scatter, at least `least`."""
    error = max(least, NORMAL_90 * done.scatter)
    return Fact(ERROR, error, "ratio", "as published boxes were predicted, or the scatter", "assumed")


def machine_toml(title: str, done: Calibration, source: str, facts: Sequence[Fact], *, pointwise: bool = True) -> str:
    """Text of the machine file.

    Args:
        source: data used for the fit, stated as the source of every fitted number.
        facts: further entries of the file, such as the error of its rates (`error_fact`).
        pointwise: include the points with their residuals, which improves nearby states.
    """
    box, assumed = done.known, undetermined(done)
    parts = [f'title = {_text(title)}\nkind = "{KIND}"', *(_entry(*vars(fact).values()) for fact in facts)]
    parts += [_entry(MISFIT, box.misfit, "ratio", "as published boxes stray from the form of the curve", "assumed")]
    parts += [_entry(TAIL_COUNT, box.tails, "count", "degrees of freedom of that error", "assumed")]
    for name, value in box.values.items():
        origin = "family default, the points hardly say more" if name in assumed else source
        how = "assumed" if name in assumed else "fitted"
        parts.append(_entry(name, value, parameter_table()[name].unit, origin, how, box.spreads[name]))
    if pointwise and box.left is not None:
        parts += [_entry(KERNEL, box.left.kernel.scale, "ratio", NEIGHBOURS, "assumed")]
        parts += [_entry(REACH, box.left.kernel.reach, "count", "how far that reaches, in round distances", "assumed")]
    tables = [_seen(Seen.of(done.points.load)), _draws(done)]
    return "\n\n".join([*parts, *tables, *([_points(box.left)] if pointwise and box.left is not None else ())]) + "\n"


def _points(left: Left) -> str:
    columns = {name: getattr(left.load, name) for name in STATE} | {RATIO: np.exp(left.log_ratio)}
    return "\n".join(["[points]", *(_list(name, values) for name, values in columns.items())])


def _seen(seen: Seen) -> str:
    aliased = [float(a) for a in seen.aliased]
    rows = (("in_box", seen.in_box), ("read_ratio", seen.read_ratio), ("footprint_gb", seen.footprint_gb))
    return "\n".join(["[seen]", *(_list(name, ends) for name, ends in (*rows, ("aliased", aliased)))])


def _draws(done: Calibration) -> str:
    return "\n".join(["[draws]", *(_list(name, values.tolist()) for name, values in done.known.draws.items())])


def _text(text: str) -> str:
    """A text as a TOML string: TOML accepts JSON escapes."""
    return json.dumps(printable(text), ensure_ascii=False)


def _list(name: str, values: Sequence[float]) -> str:
    return f"{name} = [{', '.join(f'{value:.4g}' for value in np.asarray(values, float))}]"


def _entry(name: str, value: float, unit: str, source: str, how: str, spread: float | None = None) -> str:
    lines = (
        f"[parameter.{name}]",
        f"value = {value:.4g}",
        f'unit = "{unit}"',
        f"source = {_text(source)}",
        f'how = "{how}"',
        *(() if spread is None else (f"spread = {spread:.2g}",)),
    )
    return "\n".join(lines)
