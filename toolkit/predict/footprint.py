"""Footprint, the data each volume touches: given, or tried at several sizes if a machine file needs it."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from iosq.models.pav.answers import BEST, Interval, Prediction, WhatIf, concluded
from iosq.toolkit.predict.given import Given
from iosq.toolkit.predict.sources import ANOTHER_BOX, CHECK
from iosq.toolkit.rows import NewRow

TRIED_GB = (0.1, 0.3, 1.0, 3.0, 10.0)  # our choice: from a busy minidisk to a whole 3390-9
ASKED = "not identifiable: the data each volume touches is unknown and decides the answer: give --footprint-gb"
Tried = tuple[float, WhatIf]


def swept(given: Given, solve: Callable[[Given], WhatIf]) -> WhatIf:
    """The answer for the given footprint; without one, an answer with intervals over all footprints that fit.

    A footprint fits if the machine file gives the measured rate.
    """
    if given.machine is None or given.footprint_gb is not None:
        return solve(given)
    tried = [(gb, solve(replace(given, footprint_gb=gb))) for gb in TRIED_GB]
    fit = [(gb, found) for gb, found in tried if not found.calibrated_on.startswith(ANOTHER_BOX)]
    known = [(gb, found) for gb, found in fit if found.identifiable]
    return _together(known or fit) if fit else _refused(tried[0][1])


def _refused(found: WhatIf) -> WhatIf:
    sizes = f"{TRIED_GB[0]:g} to {TRIED_GB[-1]:g} GB of data for each volume were assumed"
    return replace(found, settle=f"not identifiable: {CHECK} ({sizes}, as none was given)")


def _together(tried: Sequence[Tried]) -> WhatIf:
    """One answer that covers the answers for all footprints; it has a likely value only where they agree."""
    sizes, found = [gb for gb, _ in tried], [f for _, f in tried]
    if all(f.predictions == found[0].predictions for f in found):
        return found[0]
    span = f"{sizes[0]:g}" if len(sizes) == 1 else f"{sizes[0]:g} to {sizes[-1]:g}"
    predictions = [_hull(each) for each in zip(*(f.predictions for f in found), strict=True)]
    basis = f"{found[0].calibrated_on}; {span} GB of data for each volume assumed, which fits the measured rate"
    agree = all(p.identifiable for p in predictions) or not all(f.identifiable for f in found)
    settle = next((f.settle for f in found if f.settle), "" if agree else ASKED)
    goal = [p.rate.value / max(p.response_ms.value, 1e-9) for p in predictions]
    return concluded(predictions, goal, found[0].limit, basis, settle)


def _hull(each: Sequence[Prediction]) -> Prediction:
    parts: NewRow = {
        part: _around([getattr(p, part) for p in each]) for part in ("rate", "wait_ms", "service_ms", "response_ms")
    }
    is_identifiable = all(p.identifiable for p in each) and all(
        min(values) >= BEST * max(values)
        for values in ([p.rate.value for p in each], [p.response_ms.value for p in each])
    )
    return replace(each[0], **parts, identifiable=is_identifiable, stable=all(p.stable for p in each))


def _around(each: Sequence[Interval]) -> Interval:
    values = [i.value for i in each]
    middle = (min(values) + max(values)) / 2
    return Interval(middle, min(i.low for i in each), max(i.high for i in each))
