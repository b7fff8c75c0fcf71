"""How many aliases, and what they would do, as a finding says it: the answers of `iosq.toolkit.predict.open_load`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from iosq.models.pav.answers import Interval, Prediction, WhatIf
from iosq.toolkit.advise.finding import Curve, Effect, Known, Span, Step
from iosq.toolkit.predict import open_load
from iosq.toolkit.predict.open_load import BoxState, Load

MOST = 24


@dataclass(frozen=True)
class Need:
    """Fewest aliases that clear the wait, at best and at worst (None: no count tried does), and what they would do."""

    fewest: int | None
    most: int | None
    effect: Effect
    curve: Curve


def volume_need(load: Load, box: BoxState, known: Known) -> Need:
    """Aliases of its own for one volume in its worst interval."""
    now = open_load.aliases_now(load)
    return _need(open_load.volume(load, box, known, range(now, now + MOST + 1)), now, "aliases")


def pool_need(loads: Sequence[Load], aliases: int, box: BoxState, known: Known) -> Need:
    """Aliases of a pool for the volumes that draw on it in its worst interval."""
    step = max(1, aliases // 16)
    counts = range(aliases, aliases + step * (MOST + 1), step)
    return _need(open_load.pool(loads, aliases, box, known, counts), aliases, "aliases in the pool")


def _need(found: WhatIf, now: int, counted: str) -> Need:
    last = found.predictions[-1].aliases
    chosen = next(count for count in (found.most, found.fewest, last) if count is not None)
    today, then = found.of(now).response_ms.value, found.of(chosen).response_ms
    basis = found.calibrated_on, found.identifiable
    effect = Effect("response at the peak", "ms", today, then.value, then.low, then.high, *basis)
    return Need(found.fewest, found.most, effect, Curve(counted, now, steps(found.predictions), *basis))


def steps(predictions: Sequence[Prediction]) -> tuple[Step, ...]:
    """What each count would do."""
    return tuple(Step(p.aliases, span(p.wait_ms), span(p.response_ms), span(p.rate)) for p in predictions)


def span(interval: Interval) -> Span:
    """A predicted value as a finding has it."""
    return Span(interval.value, interval.low, interval.high)
