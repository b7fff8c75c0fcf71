"""Compares two spans: pairs, tests every subject and measure, and keeps false discoveries rare."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from iosq.toolkit.compare.paired import Tested, blocks, pair, tested, weekdays_match
from iosq.toolkit.compare.series import IOS, MEASURES, PER_IO, Kind, Series, Span, Subject, narrowed, series
from iosq.toolkit.errors import RequestError
from iosq.toolkit.show import stages
from iosq.toolkit.show.numbers import plural
from iosq.toolkit.significance import false_discovery
from iosq.toolkit.sql.filter import Filter

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import duckdb
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Slots = NDArray[np.int64]

RATE = 0.05  # of the changes reported, this share may be chance
RELEVANT = 0.05  # of the larger of before and after: a smaller change matters to nobody (our choice)
Verdict = Literal["changed", "changed too little to matter", "no change can be shown", "too little data"]


@dataclass(frozen=True, slots=True)
class Change:
    """One measure of one subject, before and after.

    `difference` is after minus before with its 95 % interval, over the blocks of `part` (`all`, or the `busiest`
    quarter); `mean_before` and `mean_after` are over all of them. `false_discovery_rate` is the smallest rate at
    which this row would still be called a change.
    """

    kind: Kind
    system: str
    subject: str
    measure: str
    verdict: Verdict
    before: float | None = None
    after: float | None = None
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    part: str = ""
    blocks: int = 0
    false_discovery_rate: float | None = None
    mean_before: float | None = None
    mean_after: float | None = None

    @property
    def change_ratio(self) -> float | None:
        """Difference over before; None where there was nothing before."""
        return self.difference / self.before if self.before and self.difference is not None else None


@dataclass(frozen=True, slots=True)
class Comparison:
    """All changes, those shown first, what the reader must know about the data, and when they were measured."""

    changes: tuple[Change, ...]
    only_before: tuple[Subject, ...]
    only_after: tuple[Subject, ...]
    notes: tuple[str, ...]
    spans: tuple[Span | None, Span | None] = (None, None)

    @property
    def shown(self) -> tuple[Change, ...]:
        """The changes that chance does not explain and that are large enough to matter."""
        return tuple(c for c in self.changes if c.verdict == "changed")


def compare(
    before: duckdb.DuckDBPyConnection, after: duckdb.DuckDBPyConnection, where: Filter | None = None
) -> Comparison:
    """What changed between two connections, each to a lake or a span of one (see `iosq.toolkit.sql.filter`).

    Args:
        where: what the connections are restricted to, and volumes: only these are tested, but how long chance
            remembers is still learnt from all. Kinds of subjects it can't narrow are left out.

    Raises:
        RequestError: a span is empty, or the two have no time of day in common.
    """
    where = where or Filter()
    kinds, missed = narrowed(replace(where, volumes=()))
    pairs = [(series(before, kind), series(after, kind)) for kind in stages.each("intervals", kinds)]
    notes = (*_notes(pairs[-1]), *_left_out({} if where.volumes else missed))
    results = [found for both in pairs for found in _kind(*both) if _wanted(found[0], where)]
    # where nothing differs nothing can be found: such rows don't make the others' finds less sure (Tarone 1990)
    rates = iter(false_discovery([t.p_value for _, _, t in results if t and t.testable]))
    changes = [_change(s, m, t, next(rates) if t and t.testable else 1.0) for s, m, t in results]
    order = {kind: i for i, kind in enumerate(get_args(Kind))}
    changes.sort(key=lambda c: (c.verdict != "changed", order[c.kind], -_weight(c), c.system, c.subject))
    old, new = ({s for both in pairs for s in both[side].subjects if _wanted(s, where)} for side in (0, 1))
    spans = pairs[-1][0].span, pairs[-1][1].span
    return Comparison(tuple(changes), tuple(sorted(old - new)), tuple(sorted(new - old)), notes, spans)


def _wanted(subject: Subject, where: Filter) -> bool:
    return not where.volumes or (subject.kind == "volume" and subject.name in where.volumes)


def _left_out(missed: Mapping[Kind, Sequence[str]]) -> list[str]:
    plural = {"box": "boxes"}
    return [f"{plural.get(k, f'{k}s')} are left out: {', '.join(o)} can't narrow them" for k, o in missed.items()]


def _weight(change: Change) -> float:
    """How large a change is, in its own terms."""
    if change.difference is None or change.before is None or change.after is None:
        return 0.0
    return abs(change.difference) / (max(abs(change.before), abs(change.after)) or 1.0)


def _notes(volumes: tuple[Series, Series]) -> tuple[str, ...]:
    old, new = volumes
    for side, name in ((old, "first"), (new, "second")):
        if not side.subjects:
            raise RequestError(f"the {name} span holds no measurements", remedy="look at lake_files for what is there")
    common = np.intersect1d(old.slots, new.slots)
    if not len(common):
        raise RequestError("the two spans have no time of day in common", remedy="compare the same hours")
    days = f"{plural(len(old.days), 'day')} and {plural(len(new.days), 'day')}"
    notes = [
        f"{days}, {plural(len(common), 'interval')} of the same local time of day; times per I/O are weighted by I/Os, "
        f"as in the report; changes of less than {100 * RELEVANT:.0f} % are counted, not listed"
    ]
    left = max(len(old.slots), len(new.slots)) - len(common)
    if left:
        stand = "stands" if left == 1 else "stand"
        notes.append(
            f"{plural(left, 'time')} of day {stand} in one span only and {'is' if left == 1 else 'are'} left out"
        )
    if len(old.days) != len(new.days):
        notes.append("the spans have different numbers of days: a mean day of each is compared")
    elif not weekdays_match(old.days, new.days):
        notes.append("the spans hold different weekdays: a difference may be that between weekdays")
    if min(len(old.days), len(new.days)) == 1:
        notes.append("one day on a side: how much days differ by themselves can't be told, only how much hours do")
    return tuple(notes)


def _kind(old: Series, new: Series) -> list[tuple[Subject, str, Tested | None]]:
    subjects = sorted(set(old.subjects) & set(new.subjects))
    slots = np.intersect1d(old.slots, new.slots)
    if not subjects or not len(slots):
        return []
    found = []
    for measure in MEASURES:
        before, after = (_totals(side, measure, subjects, slots) for side in (old, new))
        days = old.days, new.days
        weights = pair(before[1], after[1], days)
        first, second = (t / w for t, w in zip(pair(before[0], after[0], days), weights, strict=True))
        made = blocks(first, second, len(slots), weights)
        found += [(subject, measure, tested(made, row)) for row, subject in enumerate(subjects)]
    return found


def _totals(side: Series, measure: str, subjects: list[Subject], slots: Slots) -> tuple[Floats, Floats]:
    """A measure times what each interval counts, and that; NaN where nothing was measured or counts."""
    values = side.grid(measure, subjects, slots)
    weights = side.grid(IOS, subjects, slots) if measure in PER_IO else np.ones_like(values)
    counts = np.where(np.isnan(values) | ~(weights > 0), np.nan, weights)
    return values * counts, counts


def _change(subject: Subject, measure: str, found: Tested | None, rate: float) -> Change:
    if found is None:
        return Change(*subject, measure, "too little data")
    if not found.enough:
        return Change(
            *subject, measure, "too little data", found.before, found.after, blocks=found.blocks,
            mean_before=found.mean_before, mean_after=found.mean_after,
        )  # fmt: skip
    return Change(
        *subject, measure, _verdict(found, rate), found.before, found.after, found.after - found.before, found.low,
        found.high, found.part, found.blocks, rate, found.mean_before, found.mean_after,
    )  # fmt: skip


def _verdict(found: Tested, rate: float) -> Verdict:
    if rate > RATE:
        return "no change can be shown"
    larger = max(abs(found.before), abs(found.after))
    return "changed" if abs(found.after - found.before) >= RELEVANT * larger else "changed too little to matter"
