"""What the lake holds of the same work with other numbers of aliases: measured, not predicted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from iosq.models.pav.answers import Interval, Prediction, WhatIf, concluded
from iosq.toolkit.predict.lake import Reading
from iosq.toolkit.show.numbers import aliases, plural

FEWEST = 3  # intervals: fewer say how they went, not how it goes
ALIKE = 0.15  # of the I/Os outstanding where the workload is closed, of the rate where arrivals are given
SAME_MIX = 0.1  # read share
WHOLE = 0.05  # a mean number of exposures farther from a whole one changed within the interval


def with_measured(what_if: WhatIf, everything: Sequence[Reading], peak: Reading, *, closed: bool) -> tuple[WhatIf, str]:
    """The answer with what was measured in place of what was predicted, and a sentence about it (empty: nothing was).

    Args:
        what_if: predictions for one volume.
        everything: readings of the lake.
        peak: the one the question is about; its own count is the measurement already.
        closed: whether the workload is closed.
    """
    known = {count: seen for count, seen in _by_count(everything, peak, closed).items() if len(seen) >= FEWEST}
    replaced = [_measured(known[p.aliases], p.aliases) if p.aliases in known else p for p in what_if.predictions]
    used = [p.aliases for p in what_if.predictions if p.aliases in known]
    if not used:
        return what_if, ""
    goal = [p.rate.value if closed else 1 / max(p.response_ms.value, 1e-9) for p in replaced]
    settle = "" if all(p.identifiable for p in replaced) else what_if.settle
    again = concluded(replaced, goal, what_if.limit, what_if.calibrated_on, settle)
    return again, f"measured, not predicted: {'; '.join(_said(count, known[count]) for count in used)}"


def _by_count(everything: Sequence[Reading], peak: Reading, closed: bool) -> dict[int, list[Reading]]:
    by_aliases: dict[int, list[Reading]] = {}
    for r in everything:
        if (r.system, r.volume) == (peak.system, peak.volume) and _same_work(r, peak, closed):
            by_aliases.setdefault(r.exposures - 1, []).append(r)
    by_aliases.pop(peak.exposures - 1, None)
    return by_aliases


def _same_work(r: Reading, peak: Reading, closed: bool) -> bool:
    mine, its = (x.queue + x.in_service if closed else x.rate for x in (r, peak))
    mixed = r.read_ratio is None or peak.read_ratio is None or abs(r.read_ratio - peak.read_ratio) <= SAME_MIX
    steady = abs(r.measured_exposures - r.exposures) <= WHOLE
    return steady and mixed and abs(mine / its - 1) <= ALIKE


def _measured(seen: Sequence[Reading], count: int) -> Prediction:
    rate = np.array([r.rate for r in seen])
    wait, service = (np.array([getattr(r, name) for r in seen]) for name in ("wait_ms", "service_ms"))
    means = [float((rate * ms).sum() / rate.sum()) for ms in (wait, service, wait + service)]
    waits, services, responses = (
        Interval.around(mean, ms) for mean, ms in zip(means, (wait, service, wait + service), strict=True)
    )
    return Prediction(count, Interval.around(float(rate.mean()), rate), waits, services, responses)


def _said(count: int, seen: Sequence[Reading]) -> str:
    return f"{aliases(count)} in {plural(len(seen), 'interval')} of the same work"
