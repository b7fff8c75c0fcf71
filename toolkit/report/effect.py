"""What more aliases would do, from the curve of a finding: which counts matter, the finding in words, rows to draw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from iosq.models.pav.answers import CLEARED_MS
from iosq.toolkit.advise import Finding
from iosq.toolkit.advise.finding import Curve, Span, Step
from iosq.toolkit.units import human_number

WAIT, RESPONSE = "wait (IOSQ)", "response"
COLUMNS = ("count", "line", "ms", "low", "high", "rate", "mark", "side")
MARKS = ("now", "clear at best", "advised: clear")
# two counts more show that nothing is left to gain; fewer than four points make no curve
BEYOND, FEWEST = 2, 4
# where no count clears the wait, the rest of the curve is flat once this share of the gain is reached: our choice
_FLAT = 0.95
# a rate that changes less says nothing: the load is the same
_SAME_RATE = 0.01


@dataclass(frozen=True, slots=True)
class Cleared:
    """The counts that clear the wait: the first that may (`possible`), the first that is sure to; None if none does."""

    possible: Step | None
    sure: Step | None

    @property
    def chosen(self) -> Step | None:
        """The count to advise: the sure one, else the possible one."""
        return self.sure or self.possible


def cleared(curve: Curve) -> Cleared:
    """Where the wait falls below a tenth of a millisecond, among the counts there are now and more."""
    steps = [s for s in curve.steps if s.count >= curve.now]
    return Cleared(
        next((s for s in steps if s.wait_ms.low < CLEARED_MS), None),
        next((s for s in steps if s.wait_ms.high < CLEARED_MS), None),
    )


def shown(curve: Curve) -> tuple[Step, ...]:
    """The steps worth drawing: up to a couple beyond the count that clears the wait, or beyond the end of the gain."""
    chosen = cleared(curve).chosen or _flat(curve)
    last = max(curve.steps.index(chosen) + BEYOND + 1, _place_of_now(curve) + FEWEST)
    return curve.steps[:last]


def _flat(curve: Curve) -> Step:
    """The first step that has nearly all of what the last one gains."""
    first, last = now(curve).response_ms.value, curve.steps[-1].response_ms.value
    return next(s for s in curve.steps if first - s.response_ms.value >= _FLAT * (first - last))


def now(curve: Curve) -> Step:
    """The step of the count there is, or the first."""
    return curve.steps[_place_of_now(curve)]


def _place_of_now(curve: Curve) -> int:
    return next((place for place, s in enumerate(curve.steps) if s.count == curve.now), 0)


def in_words(curve: Curve) -> str:
    """The finding of the picture: what the advised count does to the response, or that only bounds are known."""
    at, clear = now(curve), cleared(curve)
    if clear.sure and clear.sure.count == at.count:
        return f"Nothing to gain: {at.count} {_counted(at.count, curve)} leave no wait at the peak"
    target = clear.chosen or shown(curve)[-1]
    does = "take" if target.count - at.count > 1 else "takes"
    if target is clear.possible and target is not clear.sure:
        does = "may clear the wait and take"
    lead = "" if curve.identifiable else "Not identifiable, only bounds: "
    if clear.chosen is None:
        lead += "No number of aliases clears the wait: "
    more = f"{target.count - at.count} more {_counted(target.count - at.count, curve)}"
    change = f"from {human_number(at.response_ms.value)} to {_span(target.response_ms, curve)}"
    return f"{lead}{more} {does} the response at the peak {change}{_rate(at, target)}"


def _counted(count: int, curve: Curve) -> str:
    return curve.counted.replace("aliases", "alias", 1) if count == 1 else curve.counted


def _span(span: Span, curve: Curve) -> str:
    if not curve.identifiable:
        return f"between {human_number(span.low)} and {human_number(span.high)} ms"
    return f"{human_number(span.value)} ms ({human_number(span.low)} to {human_number(span.high)})"


def _rate(at: Step, target: Step) -> str:
    before, after = at.io_rate.value, target.io_rate.value
    if abs(after - before) <= _SAME_RATE * before:
        return ""
    return f", and the rate from {human_number(before)} to {human_number(after)} I/Os per s"


def points(curve: Curve) -> list[list[Any]]:
    """The rows of the picture, one per count and line, in order of `COLUMNS`."""
    marks, steps = _marks(curve), shown(curve)
    # the name of a mark stands on the side where there is room
    middle = (steps[0].count + steps[-1].count) / 2
    found: list[list[Any]] = []
    for s in steps:
        named = [marks[s.count], "left" if s.count <= middle else "right"] if s.count in marks else [None, None]
        for name, span, mark in ((RESPONSE, s.response_ms, [None, None]), (WAIT, s.wait_ms, named)):
            found.append([s.count, name, span.value, span.low, span.high, s.io_rate.value, *mark])
    return found


def _marks(curve: Curve) -> dict[int, str]:
    """What stands at which count; one that clears the wait at best and at worst is marked once."""
    clear = cleared(curve)
    found = {clear.possible.count: MARKS[1]} if clear.possible else {}
    if clear.sure:
        found[clear.sure.count] = MARKS[2]
    return found | {curve.now: MARKS[0]}


def with_curve(found: Sequence[Finding]) -> list[tuple[Finding, Curve]]:
    """The findings that carry a curve to draw, with it."""
    return [(f, f.curve) for f in found if f.curve and f.curve.steps]
