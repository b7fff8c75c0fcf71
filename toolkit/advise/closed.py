"""Effect of aliases on volumes with a closed workload: all volumes of the box are solved together."""

from collections.abc import Sequence
from dataclasses import dataclass

from iosq.models.pav.answers import NO_STATIONS, Interval, Prediction, WhatIf, concluded_best
from iosq.models.pav.open_load import MOST_ALIASES
from iosq.toolkit.advise.aliases import beyond, each, sentences, steps
from iosq.toolkit.advise.finding import Curve, Effect, Known, Step
from iosq.toolkit.predict import closed_load, headroom, measured
from iosq.toolkit.predict.closed_load import Crowd
from iosq.toolkit.predict.sources import ANOTHER_BOX
from iosq.toolkit.rows import NewRow
from iosq.toolkit.show.numbers import aliases, listed

STEPS = 24
UNSEEN = "were not measured"


@dataclass(frozen=True)
class Outlook:
    """Effect of more aliases on volumes with closed work.

    best: smallest count within 2 % of the best rate up to `most` aliases; gain: best rate with more aliases over
    today's; limit: the fullest station at that count, in words; given: values from the user; counts_measured: counts
    with which such work was measured; settle: what a machine file has not seen, and what to do; cap: limit by the
    addresses, None where unknown.
    """

    crowd: Crowd
    curve: Curve
    best: int
    gain: Interval
    limit: str
    given: Known
    counts_measured: frozenset[int] = frozenset()
    settle: str = ""
    cap: int | None = None

    @property
    def is_measured(self) -> bool:
        """True if such work ran with the best count; if today's is the best, with any other count."""
        return self.best in self.counts_measured or (self.best == self.crowd.aliases and bool(self.counts_measured))

    @property
    def known(self) -> bool:
        """True if the box is known well enough."""
        return self.curve.identifiable

    @property
    def channel_used(self) -> float:
        """Use of the fullest channel to disks, 0..1; 0 where no record has it."""
        return headroom.channel_used(self.crowd.longest(self.given))

    @property
    def is_channel_full(self) -> bool:
        """True if more I/Os at once would queue for a channel."""
        return self.channel_used >= self.given.headroom["channel_full"]

    @property
    def effect(self) -> Effect:
        """The response with the best count, or with the most where today's is best."""
        count = self.curve.steps[-1].count if self.best == self.crowd.aliases else self.best
        then, now = (self._step(n).response_ms for n in (count, self.crowd.aliases))
        response_ms = {s.count: s.response_ms.value for s in self.curve.steps}
        first = each(response_ms, (), self.crowd.aliases, count) if self.known and count == self.best else ""
        shared = "" if self.crowd.size else " each"
        lack = beyond(count, self.cap) if count == self.best else ""
        what = f"response at the peak with {aliases(count)}{shared}{lack}"
        basis = sentences(first, self.curve.basis)
        return Effect(what, "ms", now.value, then.value, then.low, then.high, basis, self.curve.identifiable)

    def columns(self) -> NewRow:
        """Columns for decision tables."""
        crowd, known, gain = self.crowd, self.known, self.gain
        rows = crowd.longest(self.given)
        best = self._step(self.best)
        return {
            "requesters": crowd.requesters,
            "queued": crowd.queue,
            "iosq_ms": 1e3 * crowd.queue / crowd.rate,
            "rate": crowd.rate,
            "volumes": len(crowd.closed),
            "crowd_aliases": crowd.aliases,
            "is_known": known,
            "is_measured": self.is_measured,
            "best": self.best if known else None,
            "gain_ratio": gain.value if known else None,
            "gain_low_ratio": gain.low,
            "gain_high_ratio": gain.high,
            "more_aliases": self.best - crowd.aliases,
            "has_room": self.cap is None or self.best <= self.cap,
            "is_cut": self.cap is not None and self.best == self.cap,
            "is_last": self.best == self.curve.steps[-1].count and self.curve.basis.endswith(UNSEEN),
            "is_each_served": best.wait_ms.value * best.io_rate.value / 1e3 < 0.5,
            "limit": "" if self.limit == NO_STATIONS or self.is_measured else self.limit,
            "settle": self.settle[:1].upper() + self.settle[1:],
            "missing_types": listed(headroom.missing_records(rows)),
            "channel_used": self.channel_used,
            "is_channel_full": self.is_channel_full,
            "effect": self.effect,
            "curve": self.curve,
        }

    def _step(self, count: int) -> Step:
        return next(s for s in self.curve.steps if s.count == count)


def _counts(crowd: Crowd, most: int) -> Sequence[int]:
    """Counts to try, from today's to `most`; about two dozen sizes of a pool, and those that were measured."""
    now, last = crowd.aliases, max(most, crowd.aliases + 1)
    if crowd.size is None:
        return range(now, last + 1)
    step = max(1, (most - now) // STEPS)
    tried = {work.aliases for work in crowd.trials if work.aliases > now}
    return sorted(n for n in tried.union(range(now, last + step, step)) if n <= MOST_ALIASES)


def outlook(crowd: Crowd, most: int, known: Known, cap: int | None = None) -> Outlook:
    """Counts from today's to `most`, today's as measured.

    Args:
        cap: as many as the addresses allow; None where that is unknown.

    Raises:
        RequestError: a machine is named and the read share is not known.
    """
    counts = _counts(crowd, most)
    # without any address left, the answer is what aliases would give
    if cap is not None and cap > crowd.aliases:
        counts = sorted({n for n in (*counts, cap) if n <= cap})
    what_if, note = measured.closed(crowd, counts, known)
    predicted, basis = _reached(what_if, note)
    best = concluded_best([p.rate.value for p in predicted])
    known_enough = all(p.identifiable for p in predicted)
    rate = max(predicted[1:], key=lambda p: p.rate.value).rate
    gain = Interval(*(getattr(rate, end) / crowd.rate for end in ("value", "low", "high")))
    counted = "aliases" if crowd.size is None else "aliases in the pool"
    curve = Curve(counted, crowd.aliases, steps(predicted), basis, known_enough)
    seen = frozenset(p.aliases for p in predicted if p.is_measured)
    is_of_machine = what_if.limit != NO_STATIONS or what_if.calibrated_on.startswith(ANOTHER_BOX)
    settle = what_if.settle.partition(": ")[2] if known.machine and is_of_machine else ""
    return Outlook(crowd, curve, predicted[best].aliases, gain, what_if.limit, known, seen, settle, cap)


def _reached(what_if: WhatIf, note: str) -> tuple[Sequence[Prediction], str]:
    """The measured counts (`note`), if any is above today's; otherwise all counts, as bounds."""
    found = closed_load.informative(what_if)
    if len(found) == len(what_if.predictions):
        return found, sentences(note, what_if.calibrated_on)
    rests_on = note if all(p.is_measured for p in found[1:]) else sentences(note, what_if.calibrated_on)
    return found, sentences(rests_on, f"counts above {aliases(found[-1].aliases)} {UNSEEN}")
