"""Effect of more aliases, from the curve of a finding: the marked counts, a sentence, rows to draw."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from iosq.models.pav.answers import Interval, is_clear
from iosq.toolkit.advise import Finding
from iosq.toolkit.advise.finding import Curve, Step
from iosq.toolkit.advise.grouped import apart
from iosq.toolkit.rows import NewRow
from iosq.toolkit.show.numbers import BEYOND as NO_LIMIT
from iosq.toolkit.show.numbers import NO_HELP, interval, small_gain
from iosq.toolkit.units import human_number

WAIT, RESPONSE = "wait (IOSQ)", "response"
COLUMNS = ("count", "line", "ms", "low", "high", "limit", "rate", "mark", "side")
MARKS = ("now", "clear at best", "advised: clear", "advised", "clear", "if it has none")
# counts drawn after the last that matters, to show that nothing is left to gain, and the minimum number of points
BEYOND, FEWEST = 2, 4
# if no count clears the wait, the curve counts as flat from this share of the total gain on: our choice
_FLAT = 0.95
# a band without limit is drawn this factor above the highest known end
ABOVE = 1.5
# a smaller relative change of the rate is not mentioned
_SAME_RATE = 0.01


@dataclass(frozen=True, slots=True)
class Stated:
    """A finding's measured response, ms, and the advised count.

    `advises` is false if more aliases do not help, `fits` if the LCU has no address for them.
    """

    today: float | None = None
    advised: int | None = None
    advises: bool = True
    fits: bool = True


NOTHING = Stated()


def stated(finding: Finding) -> Stated:
    """The measured response of a finding and its advised count: the likely one, or with mere bounds the certain one."""
    effect, aliases = finding.effect, finding.aliases
    starts = effect.now if effect and effect.unit == "ms" and effect.what.startswith("response") else None
    if aliases and aliases.verdict == "no_address":
        return Stated(starts, fits=False)
    if aliases and aliases.verdict != "add":
        return Stated(starts, advises=False)
    if not aliases:
        return Stated(starts)
    likely = aliases.likely if effect and effect.identifiable else None
    return Stated(starts, likely or aliases.most or aliases.likely or aliases.fewest)


@dataclass(frozen=True, slots=True)
class Cleared:
    """The first counts that may clear the wait (`possible`) and that are certain to (`sure`); None if none does."""

    possible: Step | None
    sure: Step | None

    @property
    def chosen(self) -> Step | None:
        """The step to advise: the certain one, or the possible one if none is certain."""
        return self.sure or self.possible


def cleared(curve: Curve) -> Cleared:
    """The smallest counts, from today's up, that clear the wait."""
    steps = [s for s in curve.steps if s.count >= curve.now]
    return Cleared(
        next((s for s in steps if _is_clear(s, s.wait_ms.low)), None),
        next((s for s in steps if _is_clear(s, s.wait_ms.high)), None),
    )


def _is_clear(step: Step, wait_ms: float) -> bool:
    return is_clear(wait_ms, step.response_ms.value - step.wait_ms.value, step.io_rate.value)


def shown(curve: Curve, advised: int | None = None) -> tuple[Step, ...]:
    """The steps to draw: up to BEYOND past the advised count, the count that clears the wait, or the end of gains."""
    named = [s for s in (_advised(curve, advised), cleared(curve).chosen) if s] or [_flat(curve)]
    last = max(max(curve.steps.index(s) for s in named) + BEYOND + 1, _place_of_now(curve) + FEWEST)
    return curve.steps[:last]


def _advised(curve: Curve, count: int | None) -> Step | None:
    """The step of the advised count, if it is above today's."""
    return next((s for s in curve.steps if s.count == count and s.count > curve.now), None)


def _flat(curve: Curve) -> Step:
    """The first step with nearly the full gain of the last one."""
    first, last = now(curve).response_ms.value, curve.steps[-1].response_ms.value
    return next(s for s in curve.steps if first - s.response_ms.value >= _FLAT * (first - last))


def now(curve: Curve) -> Step:
    """The step of today's count, or the first."""
    return curve.steps[_place_of_now(curve)]


def _place_of_now(curve: Curve) -> int:
    return next((place for place, s in enumerate(curve.steps) if s.count == curve.now), 0)


def in_words(curve: Curve, given: Stated = NOTHING) -> str:
    """The sentence above the picture: the effect of the advised count, or that only bounds are known."""
    at, clear = now(curve), cleared(curve)
    if clear.sure and clear.sure.count == at.count:
        return f"Nothing to gain: with {at.count} {_counted(at.count, curve)} hardly anything waits at the peak"
    advised = _advised(curve, given.advised)
    target = _target(curve, given)
    if target.count == at.count:
        return (
            f"Only bounds are known: {at.count} {_counted(at.count, curve)} may be enough to clear the wait at the "
            f"peak, or far too few; the response is {_span(at.response_ms, curve)}"
        )
    more = f"{target.count - at.count} more {_counted(target.count - at.count, curve)}"
    flat = curve.identifiable and _is_flat(at, curve)
    if flat and given.advises and advised:
        return _little_gain(at, target, clear, more, curve)
    if flat or (curve.identifiable and not given.advises):
        return f"Aliases will not help: with {more} {_change(at, target, curve)}, the wait only moves into the box"
    change = f"from {_ms(at.response_ms.value, given)} to {_span(target.response_ms, curve)}"
    verb = "take" if target.count - at.count > 1 else "takes"
    does = "may clear the wait and take" if target is clear.possible and target is not clear.sure else verb
    lead = "" if advised and curve.identifiable else _lead(clear, curve)
    if not curve.is_now_known:
        more = f"{more} than none"
    does = does if given.fits else "would take"
    lead = lead if given.fits else "No address is left: "
    return f"{lead}{more} {does} the response at the peak {change}{_rate(at, target, curve)}"


def _target(curve: Curve, given: Stated) -> Step:
    """The step to describe: the advised count, else the count that clears the wait, else the last one drawn."""
    return _advised(curve, given.advised) or cleared(curve).chosen or shown(curve, given.advised)[-1]


def chosen(curve: Curve, given: Stated) -> dict[str, float]:
    """Start position and ends of the slider over the picture."""
    counts = [s.count for s in shown(curve, given.advised)]
    first, last = counts[0], counts[-1]
    return {"first": first, "last": last, "middle": (first + last) / 2, "chosen": _target(curve, given).count}


def _little_gain(at: Step, target: Step, clear: Cleared, more: str, curve: Curve) -> str:
    """The reason for a small gain: the wait is short, or the service time in the box rises."""
    gain = small_gain(at.response_ms.value, target.response_ms.value)
    sure, one = target is clear.sure, target.count - at.count == 1
    does = "may clear" if target is clear.possible and not sure else "clears" if one else "clear"
    clears = f"{more} {does} the wait" if target in (clear.possible, clear.sure) else f"With {more} some wait is left"
    return f"{clears}; {gain}: {_change(at, target, curve)}"


def _change(at: Step, target: Step, curve: Curve) -> str:
    before, after = f"{human_number(at.response_ms.value)} ms", _span(target.response_ms, curve)
    return f"the response at the peak {f'stays {after}' if before == after else f'goes from {before} to {after}'}"


def _is_flat(at: Step, curve: Curve) -> bool:
    """True if no count improves response or rate by more than the no-help limit."""
    least = min(s.response_ms.value for s in curve.steps)
    most = max(s.io_rate.value for s in curve.steps)
    return least > at.response_ms.value / NO_HELP and most < NO_HELP * at.io_rate.value


def _lead(clear: Cleared, curve: Curve) -> str:
    if not curve.identifiable:
        lack = "" if clear.possible else ", and no count is sure to clear the wait"
        return f"Only bounds are known{lack}: "
    return "" if clear.chosen else "No number of aliases clears the wait: "


def _counted(count: int, curve: Curve) -> str:
    return curve.counted.replace("aliases", "alias", 1) if count == 1 else curve.counted


def _ms(value: float, given: Stated) -> str:
    known = value if isfinite(value) else given.today
    return "today's" if known is None else f"{human_number(known)} ms"


def _span(span: Interval, curve: Curve) -> str:
    if not isfinite(span.high):
        return f"not less than {human_number(span.low)} ms, with no limit above"
    if not curve.identifiable:
        return f"between {human_number(span.low)} and {human_number(span.high)} ms"
    return interval(span.value, span.low, span.high, "ms")


def _rate(at: Step, target: Step, curve: Curve) -> str:
    before, after = at.io_rate.value, target.io_rate
    low, high = human_number(after.low), human_number(after.high)
    if abs((after.value if curve.identifiable else after.high) - before) <= _SAME_RATE * before:
        return ""
    to = human_number(after.value) if curve.identifiable else f"between {low} and {high}"
    return f", and the rate from {human_number(before)} to {to} I/Os per s"


def points(curve: Curve, given: Stated = NOTHING) -> list[list[Any]]:
    """The rows of the picture, one per count and line, in order of `COLUMNS`.

    Mere bounds have no likely value, so the line is left out, except at today's count.
    """
    marks, steps = _marks(curve, given), shown(curve, given.advised)
    # the label of a mark is on the side with more room
    middle = (steps[0].count + steps[-1].count) / 2
    top = _top(steps)
    rows: list[list[Any]] = []
    for s in steps:
        named = [marks[s.count], "left" if s.count <= middle else "right"] if s.count in marks else [None, None]
        known = curve.identifiable or s.count == curve.now
        measured = given.today if s.count == curve.now else None
        for name, span, own, mark in (
            (RESPONSE, s.response_ms, measured, [None, None]), (WAIT, s.wait_ms, None, named)
        ):  # fmt: skip
            value = span.value if known and isfinite(span.value) else own
            limit = None if isfinite(span.high) else NO_LIMIT
            rows.append([s.count, name, value, span.low, min(span.high, top), limit, s.io_rate.value, *mark])
    return rows


COUNTED = {
    "count": ("Aliases", 0),
    "response": ("Response ms", None),
    "wait": ("IOSQ ms", None),
    "rate": ("I/Os per s", 0),
    "mark": ("", None),
}


def counts(curve: Curve, given: Stated = NOTHING) -> list[NewRow]:
    """The picture as a table: one row per count."""
    marks = _marks(curve, given)
    return [
        {"count": s.count, "response": _span(s.response_ms, curve).removesuffix(" ms"),
         "wait": _span(s.wait_ms, curve).removesuffix(" ms"), "rate": s.io_rate.value, "mark": marks.get(s.count, "")}
        for s in shown(curve, given.advised)
    ]  # fmt: skip


def _top(steps: Sequence[Step]) -> float:
    """The upper end of an unbounded band: above all known values."""
    ends = [end for s in steps for end in (s.response_ms.low, s.response_ms.high) if isfinite(end)]
    return ABOVE * max(ends, default=1.0)


def _marks(curve: Curve, given: Stated) -> dict[int, str]:
    """The label of each marked count; if two apply, the more specific one."""
    at_present, at_best, both, only_advised, only_clear, if_none = MARKS
    clear, step = cleared(curve), _advised(curve, given.advised)
    apart = not given.advises or (step is not None and step is not clear.sure)
    marks = {clear.possible.count: at_best} if clear.possible else {}
    if clear.sure:
        marks[clear.sure.count] = only_clear if apart else both
    if step and step is not clear.sure and step is not clear.possible:
        marks[step.count] = only_advised
    return marks | {curve.now: at_present if curve.is_now_known else if_none}


def with_curve(findings: Sequence[Finding]) -> list[tuple[Finding, Curve]]:
    """The findings, or parts of findings, that have a curve to draw, each with the curve."""
    return [(f, f.curve) for f in apart(findings) if f.curve and f.curve.steps]
