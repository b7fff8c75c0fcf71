"""How many aliases, and what they would do, as a finding says it: the answers of `iosq.toolkit.predict.open_load`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from iosq.models.pav.answers import Interval, Prediction, WhatIf
from iosq.toolkit.advise.finding import Curve, Effect, Known, Span, Step
from iosq.toolkit.predict import open_load
from iosq.toolkit.predict.measured import Work, with_measured
from iosq.toolkit.predict.open_load import BoxState, Load
from iosq.toolkit.show.numbers import aliases
from iosq.toolkit.units import human_number


@dataclass(frozen=True)
class Need:
    """Fewest aliases that clear the wait: at best, likely, at worst (None: no count tried does); and their effect.

    is_measured: the last of these was measured to carry what arrives.
    """

    fewest: int | None
    likely: int | None
    most: int | None
    effect: Effect
    curve: Curve
    is_measured: bool = False


def volume_need(load: Load, box: BoxState, known: Known, tried: Sequence[Work] = (), peak: Work | None = None) -> Need:
    """Aliases of its own for one volume in its worst interval.

    Args:
        load: the volume then.
        box: the box then.
        known: what the user knows.
        tried: what the volume did in other intervals.
        peak: the volume then, as those are told.
    """
    now = open_load.aliases_now(load)
    found, told = open_load.volume(load, box, known, open_load.alias_counts(now)[now:]), ""
    if peak is not None:
        found, told = with_measured(found, tried, peak, closed=False)
    return _need(found, now, "aliases", told)


def pool_need(
    loads: Sequence[Load],
    aliases: int,
    box: BoxState,
    known: Known,
    tried: Sequence[Work] = (),
    peak: Work | None = None,
) -> Need:
    """Aliases of a pool for the volumes that draw on it in its worst interval; the rest as in `volume_need`.

    Raises:
        UnexplainedWaitError: the model has no wait for so many aliases.
    """
    sizes = {work.aliases for work in tried if work.aliases > aliases}
    counts = sorted(sizes.union(open_load.pool_counts(aliases)[aliases:]))
    found, told = open_load.pool(loads, aliases, box, known, counts), ""
    if peak is not None:
        found, told = with_measured(found, tried, peak, closed=False)
    return _need(found, aliases, "aliases in the pool", told)


def _need(found: WhatIf, now: int, counted: str, told: str = "") -> Need:
    last = found.predictions[-1].aliases
    chosen = next(c for c in (found.most, found.clears_wait, found.fewest, last) if c is not None)
    today, then = found.of(now).response_ms.value, found.of(chosen).response_ms
    measured = found.of(chosen).is_measured
    source, known = told if measured else found.calibrated_on, measured or found.identifiable
    what = f"response at the peak with {aliases(chosen)}"
    each = _each(found, now, chosen) if known and not measured else ""
    effect = Effect(what, "ms", today, then.value, then.low, then.high, f"{each}{source}", known)
    curve = Curve(counted, now, steps(found.predictions), source, known)
    return Need(found.fewest, found.clears_wait, found.most, effect, curve, measured)


def _each(found: WhatIf, now: int, chosen: int) -> str:
    """The response with the smallest and the likely count, and with one more if that brings most of the gain."""
    counts = {count for count in (found.fewest, found.clears_wait) if count is not None and now < count < chosen}
    one = now + 1 if now + 1 in {p.aliases for p in found.predictions} else chosen
    today, first, most = (found.of(count).response_ms.value for count in (now, one, chosen))
    if one < chosen and 2 * (today - first) >= today - most > 0:
        counts.add(one)
    return "".join(f"{human_number(found.of(n).response_ms.value)} ms with {n}; " for n in sorted(counts))


def more(fewest: int | None, likely: int | None, most: int | None, now: int) -> str:
    """`5 more aliases`, `2 to 3 more aliases`, `at least 5 more aliases, 28 likely`; empty where none is of use."""
    low, middle, high = (None if count is None else count - now for count in (fewest, likely, most))
    counts = [count for count in (low, high) if count is not None and count > 0]
    if not counts:
        return ""
    least = "at least " if high is None else ""
    several = f"{min(counts)} to {max(counts)}" if min(counts) < max(counts) else f"{max(counts)}"
    told = f", {middle} likely" if high is None and middle is not None and middle > max(counts) else ""
    return f"{least}{several} more {'alias' if max(counts) == 1 else 'aliases'}{told}"


def steps(predictions: Sequence[Prediction]) -> tuple[Step, ...]:
    """What each count would do."""
    return tuple(Step(p.aliases, span(p.wait_ms), span(p.response_ms), span(p.rate)) for p in predictions)


def span(interval: Interval) -> Span:
    """A predicted value as a finding has it."""
    return Span(interval.value, interval.low, interval.high)
