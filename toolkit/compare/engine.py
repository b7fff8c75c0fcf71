"""Compare two spans: pair intervals, test every subject and measure, and limit false discoveries."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import duckdb
import numpy as np

from iosq.toolkit.compare.paired import Floats, Sides, Tested, blocks, memory, pair, sides, tested, weekdays_match
from iosq.toolkit.compare.series import IOS, MEASURES, PER_IO, Calendar, Kind, Series, Span, Subject, narrowed, series
from iosq.toolkit.compare.steps import Stepped, stepped
from iosq.toolkit.errors import RequestError
from iosq.toolkit.show import stages
from iosq.toolkit.show.numbers import listed, plural
from iosq.toolkit.show.records import ZVM
from iosq.toolkit.show.terms import titled
from iosq.toolkit.significance import LEAST_CHANGE, false_discovery
from iosq.toolkit.sql.filter import Filter
from iosq.toolkit.sql.guard import query

Grid = tuple[tuple[Calendar, Calendar], list[Subject]]  # calendars before and after

PLATFORMS = "SELECT DISTINCT platform FROM volume_interval"
RATE = 0.05  # false discovery rate: share of the reported changes that may be chance
RELEVANT = 0.05  # a change below this share of the larger of before and after does not matter (our choice)
STEPPED = (
    "the intervals of the two spans differ in length or begin at other minutes: they are put together to steps of "
    "{minutes}, so a peak shorter than that is not compared"
)
Verdict = Literal["changed", "changed too little to matter", "no change can be shown", "too little data"]


@dataclass(frozen=True, slots=True)
class Change:
    """One measure of one subject, before and after.

    `difference` is after minus before with its 95 % interval, over the blocks of `part` (`all`, or the `busiest`
    quarter); `mean_before` and `mean_after` are over all blocks. `false_discovery_rate` is the smallest rate at
    which this row would still be reported as a change.
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
        """Difference / before; None if before is 0 or unknown."""
        return self.difference / self.before if self.before and self.difference is not None else None


@dataclass(frozen=True, slots=True)
class Comparison:
    """All changes, significant ones first, remarks about the data, the spans, and whether only z/VM was measured."""

    changes: tuple[Change, ...]
    only_before: tuple[Subject, ...]
    only_after: tuple[Subject, ...]
    notes: tuple[str, ...]
    spans: tuple[Span | None, Span | None] = (None, None)
    only_zvm: bool = False

    @property
    def shown(self) -> tuple[Change, ...]:
        """The changes that are significant and large enough to matter."""
        return tuple(c for c in self.changes if c.verdict == "changed")

    @property
    def one_sided(self) -> list[str]:
        """The subjects on one side only, a line per side."""
        sides = (("before", self.only_before), ("after", self.only_after))
        systems = {c.system for c in self.changes}
        return [f"only {name}: {listed(titled(s.kind, s.name, systems) for s in side)}" for name, side in sides if side]

    def lines(self) -> list[str]:
        """Text for people: means per box and system, a sentence per change, and the number of rows without one."""
        from iosq.toolkit.compare.words import lines

        return lines(self)


def compare(
    before: duckdb.DuckDBPyConnection, after: duckdb.DuckDBPyConnection, where: Filter | None = None
) -> Comparison:
    """Changes between two connections, each to a lake or a span of one; errors as of `iosq.compare`.

    `where`: the filter of the connections, and volumes: only these are tested, but the autocorrelation is estimated
    from all. Kinds of subjects that it can't narrow are left out.
    """
    where = where or Filter()
    kinds, missed = narrowed(replace(where, volumes=()))
    steps = [(side, kind) for kind in kinds for side in (before, after)]
    read = [series(side, kind) for side, kind in stages.each("intervals", steps)]
    stages.progress("changes")
    pairs = [stepped(*both) for both in zip(read[::2], read[1::2], strict=True)]
    notes = (*_notes(pairs[-1]), *_left_out({} if where.volumes else missed))
    results = [tested for both in pairs for tested in _kind(both.before, both.after) if _wanted(tested[0], where)]
    # rows without a difference can't be discoveries, so they don't count as tests (Tarone 1990)
    rates = iter(false_discovery([t.p_value for _, _, t in results if t and t.testable]))
    changes = [_change(s, m, t, next(rates) if t and t.testable else 1.0) for s, m, t in results]
    order = {kind: i for i, kind in enumerate(get_args(Kind))}
    changes.sort(key=lambda c: (c.verdict != "changed", order[c.kind], -_weight(c), c.system, c.subject))
    old, new = (
        {s for one in sides for s in one.subjects if _wanted(s, where)}
        for sides in ([p.before for p in pairs], [p.after for p in pairs])
    )
    spans = pairs[-1].before.span, pairs[-1].after.span
    platforms = {row["platform"] for side in (before, after) for row in query(side, PLATFORMS).to_pylist()}
    return Comparison(
        tuple(changes), tuple(sorted(old - new)), tuple(sorted(new - old)), notes, spans, platforms == {ZVM}
    )


def _wanted(subject: Subject, where: Filter) -> bool:
    return not where.volumes or (subject.kind == "volume" and subject.name in where.volumes)


def _left_out(missed: Mapping[Kind, Sequence[str]]) -> list[str]:
    plural = {"box": "boxes"}
    return [f"{plural.get(k, f'{k}s')} are left out: {', '.join(o)} can't narrow them" for k, o in missed.items()]


def _weight(change: Change) -> float:
    """Relative size of a change."""
    if change.difference is None or change.before is None or change.after is None:
        return 0.0
    return abs(change.difference) / (max(abs(change.before), abs(change.after)) or 1.0)


def _notes(volumes: Stepped) -> tuple[str, ...]:
    for side, name in ((volumes.before, "first"), (volumes.after, "second")):
        if not side.subjects:
            raise RequestError(f"the {name} span has no measurements", remedy="lake_files lists the inputs")
    if not len(np.intersect1d(volumes.before.slot, volumes.after.slot)):
        raise RequestError("the two spans have no time of day in common", remedy="compare the same hours")
    old, new = volumes.before.usual, volumes.after.usual
    common = set(old.slots) & set(new.slots)
    days = f"{plural(len(old.days), 'day')} and {plural(len(new.days), 'day')}"
    notes = [
        f"{days}, {plural(len(common), 'interval')} of the same local time of day; times per I/O are weighted by I/Os, "
        f"as in the report; changes of less than {100 * RELEVANT:.0f} %, 0.01 ms or 0.01 queued I/Os are counted, not "
        "listed"
    ]
    notes += [STEPPED.format(minutes=plural(volumes.minutes, "minute"))] if volumes.minutes else []
    left = max(len(old.slots), len(new.slots)) - len(common)
    if left:
        stand = "stands" if left == 1 else "stand"
        notes.append(
            f"{plural(left, 'time')} of day {stand} in one span only and {'is' if left == 1 else 'are'} left out"
        )
    if len(old.days) != len(new.days):
        notes.append("the spans have different numbers of days: a mean day of each is compared")
    elif not weekdays_match(np.array(old.days), np.array(new.days)):
        notes.append("the spans hold different weekdays: a difference may be that between weekdays")
    if min(len(old.days), len(new.days)) == 1:
        notes.append("one span is a single day: variation between hours is known, variation between days is not")
    return tuple(notes)


def _kind(old: Series, new: Series) -> list[tuple[Subject, str, Tested | None]]:
    grids = _grids(old, new)
    subjects = sorted(s for _, own in grids for s in own)
    results = []
    for measure in MEASURES:
        block_means = dict(_measured(old, new, measure, grids))
        results += [(subject, measure, block_means[subject]) for subject in subjects]
    return results


def _grids(old: Series, new: Series) -> list[Grid]:
    """Subjects of both spans grouped by the calendars for their comparison, groups with most values first.

    A calendar has only the times of day that the subject has in both spans, so that subjects don't affect each other.
    """
    before, after = old.calendar_of(), new.calendar_of()
    calendars: dict[tuple[Calendar, Calendar], list[Subject]] = {}
    for subject in sorted(before.keys() & after.keys()):
        sides = before[subject], after[subject]
        slots = tuple(sorted(set(sides[0].slots) & set(sides[1].slots)))
        calendars.setdefault((Calendar(sides[0].days, slots), Calendar(sides[1].days, slots)), []).append(subject)
    return sorted(calendars.items(), key=lambda grid: (-_size(*grid), grid[0]))


def _size(grid: tuple[Calendar, Calendar], subjects: list[Subject]) -> int:
    return len(subjects) * len(grid[0].slots) * (len(grid[0].days) + len(grid[1].days))


def _measured(old: Series, new: Series, measure: str, grids: list[Grid]) -> Iterator[tuple[Subject, Tested | None]]:
    """Every subject's test; the autocorrelation is estimated from the first grid, which has most values."""
    block_memory = None
    for calendars, subjects in grids:
        if not calendars[0].slots:
            yield from ((subject, None) for subject in subjects)
            continue
        rows = _paired(old, new, measure, calendars, subjects)
        block_memory = block_memory or memory(rows, len(calendars[0].slots))
        block_means = blocks(rows, block_memory)
        yield from ((subject, tested(block_means, row)) for row, subject in enumerate(subjects))


def _paired(
    old: Series, new: Series, measure: str, calendars: tuple[Calendar, Calendar], subjects: list[Subject]
) -> Sides:
    before, after = (_totals(s, measure, subjects, c) for s, c in zip((old, new), calendars, strict=True))
    days = np.array(calendars[0].days), np.array(calendars[1].days)
    weights = pair(before[1], after[1], days)
    first, second = (t / w for t, w in zip(pair(before[0], after[0], days), weights, strict=True))
    return sides(first, second, weights)


def _totals(side: Series, measure: str, subjects: list[Subject], calendar: Calendar) -> tuple[Floats, Floats]:
    """A measure times the weight of each interval, and the weights; NaN where the measure is missing."""
    values = side.grid(measure, subjects, calendar)
    weights = side.grid(IOS, subjects, calendar) if measure in PER_IO else np.ones_like(values)
    counts = np.where(np.isnan(values) | ~(weights > 0), np.nan, weights)
    return values * counts, counts


def _change(subject: Subject, measure: str, tested: Tested | None, rate: float) -> Change:
    if tested is None:
        return Change(*subject, measure, "too little data")
    change = Change(
        *subject, measure, "too little data", tested.before, tested.after, blocks=tested.blocks,
        mean_before=tested.mean_before, mean_after=tested.mean_after,
    )  # fmt: skip
    if not tested.enough:
        return change
    return replace(
        change, verdict=_verdict(tested, measure, rate), difference=tested.after - tested.before, low=tested.low,
        high=tested.high, part=tested.part, false_discovery_rate=rate,
    )  # fmt: skip


def _verdict(tested: Tested, measure: str, rate: float) -> Verdict:
    if rate > RATE:
        return "no change can be shown"
    least = max(RELEVANT * max(abs(tested.before), abs(tested.after)), LEAST_CHANGE.get(measure, 0.0))
    return "changed" if abs(tested.after - tested.before) >= least else "changed too little to matter"
