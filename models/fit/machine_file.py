"""Writes a fitted box as a machine file: values with spreads, parameter sets that agree, and the fitted loads."""

import json
from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from iosq.models.coverage import NORMAL_90
from iosq.models.fit.calibrate import Calibration
from iosq.models.machine import Parameter
from iosq.models.pav.box import Seen, parameter_table
from iosq.models.pav.machine import ERROR, KERNEL, KIND, MISFIT, RATIO, REACH, STATE, TAIL_COUNT
from iosq.toolkit.errors import printable

NEIGHBOURS = "residual that neighbouring states share, as in published boxes"
WEAK = 0.8  # above this share of the prior's spread the points don't determine a parameter


def undetermined(done: Calibration) -> list[str]:
    """Parameters not determined by the points: they keep the prior of all boxes."""
    believed = dict(zip(done.prior.names, done.prior.total_spread, strict=True))
    return [name for name, spread in done.box.spreads.items() if spread > WEAK * believed[name]]


def error_fact(done: Calibration, least: float) -> dict[str, Parameter]:
    """Half-width of the 90 % interval of the box's rates: that of the scatter, at least `least`."""
    error = max(least, NORMAL_90 * done.scatter)
    return {ERROR: Parameter(error, "ratio", "as published boxes were predicted, or the scatter", "assumed")}


def machine_toml(
    title: str, done: Calibration, source: str, facts: Mapping[str, Parameter], *, pointwise: bool = True
) -> str:
    """Text of the machine file.

    Args:
        source: data used for the fit, stated as the source of every fitted number.
        facts: further entries of the file, such as the error of its rates (`error_fact`).
        pointwise: include the points with their residuals, which improves nearby states.
    """
    box, assumed, left = done.known, undetermined(done), done.known.left if pointwise else None
    numbers = {
        **facts,
        MISFIT: Parameter(box.misfit, "ratio", "as published boxes stray from the form of the curve", "assumed"),
        TAIL_COUNT: Parameter(box.tails, "count", "degrees of freedom of that error", "assumed"),
    }
    for name, value in box.values.items():
        origin = "family default, the points hardly say more" if name in assumed else source
        how = "assumed" if name in assumed else "fitted"
        numbers[name] = Parameter(value, parameter_table()[name].unit, origin, how, box.spreads[name])
    tables = [_table("seen", vars(Seen.of(done.points.load))), _table("draws", box.draws)]
    if left is not None:
        numbers[KERNEL] = Parameter(left.kernel.scale, "ratio", NEIGHBOURS, "assumed")
        numbers[REACH] = Parameter(left.kernel.reach, "count", "how far that reaches, in round distances", "assumed")
        states = {name: getattr(left.load, name) for name in STATE}
        tables.append(_table("points", states | {RATIO: np.exp(left.log_ratio)}))
    head = f'title = {_text(title)}\nkind = "{KIND}"'
    return "\n\n".join([head, *(_entry(name, p) for name, p in numbers.items()), *tables]) + "\n"


def _table(name: str, columns: Mapping[str, ArrayLike]) -> str:
    rows = ((key, np.asarray(values, float)) for key, values in columns.items())
    return "\n".join([f"[{name}]", *(f"{key} = [{', '.join(f'{v:.4g}' for v in values)}]" for key, values in rows)])


def _text(text: str) -> str:
    """A text as a TOML string: TOML accepts JSON escapes."""
    return json.dumps(printable(text), ensure_ascii=False)


def _entry(name: str, number: Parameter) -> str:
    lines = (
        f"[parameter.{name}]",
        f"value = {number.value:.4g}",
        f'unit = "{number.unit}"',
        f"source = {_text(number.source)}",
        f'how = "{number.how}"',
        *(() if number.spread is None else (f"spread = {number.spread:.2g}",)),
    )
    return "\n".join(lines)
