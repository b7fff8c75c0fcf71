"""What the lake holds of the same work with other numbers of aliases: measured, not predicted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from iosq.models.pav.answers import Interval, Prediction, WhatIf, concluded
from iosq.toolkit.predict.lake import Reading
from iosq.toolkit.show.numbers import aliases, plural

FEWEST = 3  # intervals: fewer say how they went, not how it goes
ALIKE = 0.15  # of the I/Os outstanding where the workload is closed, of the rate where arrivals are given
SAME_MIX = 0.1  # read share
SEEN = 0.9  # of a rate, or of the I/Os outstanding: as much work came with other aliases
WHOLE = 0.05  # a mean number of exposures farther from a whole one changed within the interval


@dataclass(frozen=True)
class Work:
    """What ran in one interval with so many aliases, of a volume or of all that share a pool: rates per s, ms per I/O.

    read_ratio: None where no record tells it; is_steady: the number of aliases stayed.
    """

    aliases: int
    rate: float
    wait_ms: float
    service_ms: float
    read_ratio: float | None
    is_steady: bool = True

    @property
    def outstanding(self) -> float:
        """I/Os in the host and in the box."""
        return self.rate * (self.wait_ms + self.service_ms) / 1e3


def of_volume(r: Reading) -> Work:
    """A volume with aliases of its own."""
    is_steady = abs(r.measured_exposures - r.exposures) <= WHOLE
    return Work(r.exposures - 1, r.rate, r.wait_ms, r.service_ms, r.read_ratio, is_steady)


def of_pool(size: int, group: Sequence[Reading]) -> Work:
    """Volumes that share a pool of this size, together."""
    rate = sum(r.rate for r in group)
    wait, service = (sum(r.rate * getattr(r, name) for r in group) / rate for name in ("wait_ms", "service_ms"))
    told = [(r.rate, r.read_ratio) for r in group if r.read_ratio is not None]
    reads = sum(io * share for io, share in told) / sum(io for io, _ in told) if told else None
    return Work(size, rate, wait, service, reads)


def with_measured(what_if: WhatIf, everything: Sequence[Work], peak: Work, *, closed: bool) -> tuple[WhatIf, str]:
    """The answer with what was measured in place of what was predicted, and a sentence about it (empty: nothing was).

    Args:
        what_if: predictions for a volume or a pool.
        everything: what it did in the lake's intervals.
        peak: the interval the question is about; its own count is the measurement already.
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


def _by_count(everything: Sequence[Work], peak: Work, closed: bool) -> dict[int, list[Work]]:
    by_aliases: dict[int, list[Work]] = {}
    for work in everything:
        if work.aliases != peak.aliases and _same(work, peak, closed):
            by_aliases.setdefault(work.aliases, []).append(work)
    return by_aliases


def _same(work: Work, peak: Work, closed: bool) -> bool:
    mine, its = (w.outstanding if closed else w.rate for w in (work, peak))
    mixed = work.read_ratio is None or peak.read_ratio is None or abs(work.read_ratio - peak.read_ratio) <= SAME_MIX
    return work.is_steady and mixed and abs(mine / its - 1) <= ALIKE


def _measured(seen: Sequence[Work], count: int) -> Prediction:
    rate = np.array([r.rate for r in seen])
    wait, service = (np.array([getattr(r, name) for r in seen]) for name in ("wait_ms", "service_ms"))
    means = [float((rate * ms).sum() / rate.sum()) for ms in (wait, service, wait + service)]
    waits, services, responses = (
        Interval.around(mean, ms) for mean, ms in zip(means, (wait, service, wait + service), strict=True)
    )
    return Prediction(count, Interval.around(float(rate.mean()), rate), waits, services, responses)


def _said(count: int, seen: Sequence[Work]) -> str:
    return f"{aliases(count)} in {plural(len(seen), 'interval')} of the same work"
