"""Predicted effects of aliases next to the accuracy that such predictions had on this site."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from iosq.models.pav.answers import Interval
from iosq.toolkit.advise.aliases import sentences
from iosq.toolkit.advise.finding import Curve, Effect, Finding, Step
from iosq.toolkit.advise.grouped import apart, as_one
from iosq.toolkit.predict.site import Accuracy

MEASURED = "measured, not predicted"


def on_this_site(found: Iterable[Finding], accuracy: Callable[[], Accuracy | None]) -> list[Finding]:
    """The findings, the intervals of their alias predictions as wide as this site needs them.

    `accuracy` of this site is computed only if a finding has such a prediction.
    """
    found = list(found)
    known = accuracy() if any(map(_is_predicted, apart(found))) else None
    return found if known is None else [_widened(f, known) for f in found]


def _widened(f: Finding, known: Accuracy) -> Finding:
    """A finding or its parts, as far as they have such a prediction."""
    if f.parts:
        parts = [_widened(part, known) for part in f.parts]
        return replace(f, effect=as_one(parts).effect, parts=tuple(parts))
    return _judged(f, known) if _is_predicted(f) else f


def _is_predicted(f: Finding) -> bool:
    return bool(f.curve and f.curve.steps and f.effect and f.effect.identifiable and MEASURED not in f.effect.basis)


def _judged(finding: Finding, known: Accuracy) -> Finding:
    assert finding.effect is not None and finding.curve is not None
    return replace(finding, effect=_effect(finding.effect, known), curve=_curve(finding.curve, known))


def _effect(effect: Effect, known: Accuracy) -> Effect:
    low, high = (effect.low, effect.high) if effect.is_as_now else known.widened(effect.low, effect.high)
    return replace(effect, low=low, high=high, basis=sentences(effect.basis, known.text))


def _curve(curve: Curve, known: Accuracy) -> Curve:
    steps = tuple(s if s.count == curve.now else _step(s, known) for s in curve.steps)
    return replace(curve, steps=steps, basis=sentences(curve.basis, known.text))


def _step(step: Step, known: Accuracy) -> Step:
    response = step.response_ms
    return replace(step, response_ms=Interval(response.value, *known.widened(response.low, response.high)))
