"""Replace predictions by measurements where the lake has the same work with another number of aliases."""

import datetime as dt
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from iosq.models.arrays import Floats
from iosq.models.pav.answers import Interval, Prediction, WhatIf, concluded
from iosq.models.pav.bounds import held
from iosq.toolkit.predict import closed_load
from iosq.toolkit.predict.closed_load import Crowd
from iosq.toolkit.predict.given import CLOSED, Given
from iosq.toolkit.predict.scatter import CLOSED as BY_RATE
from iosq.toolkit.predict.scatter import of_measured_means, scatter_of
from iosq.toolkit.predict.work import Work
from iosq.toolkit.rows import grouped
from iosq.toolkit.show.numbers import listed, plural

LEAST_S = 300.0  # minimum total time measured with a count, s: less is not representative
REPEATED = 0.02  # relative difference of a rate or a time between repeats of the same work, our choice
COMPARABLE = CLOSED["same_load"]  # of outstanding I/Os if the workload is closed, else of the rate
SAME_MIX = 0.1  # difference of read ratios
SAME_PACE = 0.1  # with the same aliases: of the rate if the workload is closed, else of the service time
DAY_S = 86_400.0
DAY_APART_S = 1_800.0  # a day apart counts as this long apart, because batch recurs at the same time of day


def closed(crowd: Crowd, counts: Sequence[int], given: Given) -> tuple[WhatIf, str]:
    """Result for each count, measured if possible, else predicted, and a sentence about the measurements.

    If the curve or machine contradicts the measured counts, the other counts get bounds only. Errors as of
    `closed_load.solved`.
    """
    found, note = _closed(crowd, counts, given)
    return of_measured_means(found, crowd.aliases, scatter_of(crowd.closed), BY_RATE), note


def _closed(crowd: Crowd, counts: Sequence[int], given: Given) -> tuple[WhatIf, str]:
    what_if = closed_load.solved(crowd, counts, given)
    found, note = with_measured(what_if, crowd.trials, crowd.work, closed=True)
    if not note or _agrees(what_if, found):
        return found, note
    bounds = closed_load.solved(replace(crowd, is_known=False), counts, replace(given, machine=None))
    found, note = with_measured(bounds, crowd.trials, crowd.work, closed=True)
    return found, f"{note}. The prediction differs, so other counts have bounds only"


def _agrees(what_if: WhatIf, found: WhatIf) -> bool:
    pairs = zip(what_if.predictions, found.predictions, strict=True)
    return all(
        p.rate.low / (1 + SAME_PACE) <= m.rate.value <= (1 + SAME_PACE) * p.rate.high
        for p, m in pairs
        if m.is_measured and p.identifiable
    )


def with_measured(what_if: WhatIf, intervals: Sequence[Work], peak: Work, *, closed: bool) -> tuple[WhatIf, str]:
    """The answer with measurements in place of predictions, and a sentence about them (empty without any).

    `peak`: the requested interval; the result for its own count is already a measurement.
    """
    known = _by_count(intervals, peak, closed)
    rate = None if closed else peak.rate
    replaced = [_measured(known[p.aliases], p.aliases, rate) if p.aliases in known else p for p in what_if.predictions]
    used = [p.aliases for p in what_if.predictions if p.aliases in known]
    if not used:
        return what_if, ""
    replaced = held(replaced) if closed else _carried(replaced)
    # counts with bounds only can't be the best
    goal = [_goal(p, closed) if p.identifiable else 0.0 for p in replaced]
    settle = "" if all(p.identifiable for p in replaced) else what_if.settle
    basis = closed_load.BETWEEN if what_if.calibrated_on == closed_load.UNKNOWN else what_if.calibrated_on
    answer = concluded(replaced, goal, what_if.limit, basis, settle)
    minutes = {count: round(sum(w.seconds for w in known[count]) / 60) for count in used}
    return answer, f"measured, not predicted: {_durations(minutes)} of the same work"


def enough(intervals: Sequence[Work], peak: Work) -> int | None:
    """Fewest aliases above the peak's with which the same rate was measured without a wait; None: not measured."""
    known = _by_count(intervals, peak, closed=False)
    free = [count for count, seen in known.items() if all(w.is_clear for w in seen)]
    return min((count for count in free if count > peak.aliases), default=None)


def seen_with(aliases: int, intervals: Sequence[Work], peak: Work, *, closed: bool) -> Prediction | None:
    """Measured result of such work with a number of aliases; None if it was not measured for long enough."""
    known = _by_count(intervals, peak, closed)
    return _measured(known[aliases], aliases, None if closed else peak.rate) if aliases in known else None


def tried(intervals: Sequence[Work], peak: Work, least: float) -> tuple[int, float] | None:
    """Another count with which the same closed work ran, and the ratio of rates, larger count / smaller count.

    `least`: minimum ratio of the counts; of several counts the nearest is taken.
    """
    found: dict[int, float] = {}
    for count, seen in _by_count(intervals, peak, closed=True).items():
        gain = sum(w.rate for w in seen) / len(seen) / peak.rate
        if max(count, peak.aliases) >= least * min(count, peak.aliases) > 0:
            found[count] = gain if count > peak.aliases else 1 / gain
    return min(found.items(), key=lambda item: abs(math.log(item[0] / peak.aliases)), default=None)


def _carried(predictions: Sequence[Prediction]) -> list[Prediction]:
    """The predictions, with a count measured to carry the arrivals used for larger counts too."""
    predictions = _not_refused(predictions)
    enough = next((p for p in predictions if p.is_measured and p.is_clear("high")), None)
    if enough is None:
        return list(predictions)
    more = replace(enough, is_measured=False)
    return [
        replace(more, aliases=p.aliases) if p.aliases > enough.aliases and not p.is_measured else p for p in predictions
    ]


def _not_refused(predictions: Sequence[Prediction]) -> list[Prediction]:
    """The predictions, with unstable counts above a measured count replaced by the measured result."""
    found: list[Prediction] = []
    last: Prediction | None = None
    for p in predictions:
        last = p if p.is_measured else last
        found.append(p if p.stable or last is None else replace(last, aliases=p.aliases, is_measured=False))
    return found


def _goal(p: Prediction, closed: bool) -> float:
    return p.rate.value if closed else 1 / max(p.response_ms.value, 1e-9)


def _by_count(intervals: Sequence[Work], peak: Work, closed: bool) -> dict[int, list[Work]]:
    """The same work with other counts, by count; only counts measured for long enough."""
    same = [work for work in intervals if _is_same_work(work, peak, closed)]
    usual = [peak, *(work for work in same if work.aliases == peak.aliases)]
    others = (w for w in same if w.aliases != peak.aliases and _has_same_pace(_nearest(usual, w), peak, closed))
    by_aliases = grouped(others, lambda work: work.aliases)
    return {count: seen for count, seen in by_aliases.items() if sum(w.seconds for w in seen) >= LEAST_S}


def _is_same_work(work: Work, peak: Work, closed: bool) -> bool:
    own, reference = (w.outstanding if closed else w.rate for w in (work, peak))
    same_mix = work.read_ratio is None or peak.read_ratio is None or abs(work.read_ratio - peak.read_ratio) <= SAME_MIX
    return work.is_steady and same_mix and _has_load(work, own / reference, closed) and _other_work_matches(work, peak)


def _has_load(work: Work, share: float, closed: bool) -> bool:
    """True if the load is comparable; with open arrivals, also if a higher load does not wait."""
    return abs(share - 1) <= COMPARABLE or (not closed and share > 1 and work.is_clear)


def _other_work_matches(work: Work, peak: Work) -> bool:
    if work.others is None or peak.others is None:
        return True
    return abs(work.others - peak.others) <= COMPARABLE * (peak.outstanding + max(peak.others, 0.0))


def _nearest(usual: Sequence[Work], work: Work) -> Work:
    """The interval nearest to `work` among those with the peak's aliases, to check that it is the same work.

    Other work may have the same number of outstanding I/Os, but then its pace differs with the same aliases too.
    """
    return min(usual, key=lambda u: _apart_s(u.at, work.at))


def _has_same_pace(work: Work, peak: Work, closed: bool) -> bool:
    own, reference = (w.rate if closed else w.service_ms for w in (work, peak))
    return abs(own / reference - 1) <= SAME_PACE


def _apart_s(one: dt.datetime, other: dt.datetime) -> float:
    """Distance of two times mainly by time of day, because work recurs daily; each day apart adds `DAY_APART_S`."""
    past_s = abs((one - other).total_seconds())
    days, rest_s = divmod(past_s + DAY_S / 2, DAY_S)
    return abs(rest_s - DAY_S / 2) + days * DAY_APART_S


def _measured(seen: Sequence[Work], count: int, arriving: float | None) -> Prediction:
    rate = np.array([r.rate for r in seen])
    wait, service = (np.array([getattr(r, name) for r in seen]) for name in ("wait_ms", "service_ms"))
    means = [float((rate * ms).sum() / rate.sum()) for ms in (wait, service, wait + service)]
    waits, services, responses = (
        _around(mean, ms) for mean, ms in zip(means, (wait, service, wait + service), strict=True)
    )
    rates = _around(float(rate.mean()), rate) if arriving is None else Interval(*[arriving] * 3)
    return Prediction(count, rates, waits, services, responses, is_measured=True)


def _around(mean: float, seen: Floats) -> Interval:
    """The mean with its range over intervals, at least as wide as the scatter of repeated work."""
    found = Interval.around(mean, seen)
    return Interval(mean, min(found.low, mean * (1 - REPEATED)), max(found.high, mean * (1 + REPEATED)))


def _durations(minutes: Mapping[int, int]) -> str:
    """The number of minutes that each count was measured, in words."""
    return "; ".join(
        f"{listed(map(str, of))} {'alias' if of == [1] else 'aliases'} for {plural(seen, 'minute')}"
        f"{' each' * (len(of) > 1)}"
        for seen, of in grouped(minutes, lambda count: minutes[count]).items()
    )
