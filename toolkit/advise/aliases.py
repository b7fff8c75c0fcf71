"""Required aliases and their effect, from the answers of `iosq.toolkit.predict.open_load`."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf

from iosq.models.pav.answers import Prediction, WhatIf
from iosq.models.pav.pools import UnexplainedWaitError
from iosq.toolkit.advise.finding import Curve, Effect, Hour, Known, Step
from iosq.toolkit.predict import open_load
from iosq.toolkit.predict.measured import with_measured
from iosq.toolkit.predict.open_load import BoxState, Load
from iosq.toolkit.predict.work import Work
from iosq.toolkit.rows import NewRow, Row
from iosq.toolkit.show.numbers import aliases, small_gain
from iosq.toolkit.units import human_number

# upper over lower bound from which on the lower count is tried before the upper one
WIDE = 4


@dataclass(frozen=True)
class Need:
    """Fewest aliases that clear the wait: at best, likely, at worst (None: no count tried does); and their effect.

    likely: None between bounds, too.
    cap: as many as the addresses of the LCU allow, None where that is unknown; is_measured: the
    last count was measured to carry what arrives.
    """

    fewest: int | None
    likely: int | None
    most: int | None
    effect: Effect
    curve: Curve
    cap: int | None = None
    is_measured: bool = False

    @property
    def has_room(self) -> bool:
        """True if the smallest count fits."""
        return self.cap is None or (self.fewest or 0) <= self.cap

    def hour(self, r: Row) -> Hour:
        """The aliases needed in an interval, the worst of its hour of the day."""
        window = r["local_start"], r["local_end"]
        return Hour(*window, r["queue_length"], r["wait_ms"] or 0.0, self.fewest, self.most, self.likely)

    def columns(self, now: int) -> NewRow:
        """Columns for decision tables: counts of the model (`need_*`), and limited to `cap`; `now`: today's."""
        cap = inf if self.cap is None else self.cap
        low, high = (None if n is None else int(min(n, cap)) for n in (self.fewest, self.most))
        # a count that does not fit is not likely to clear the wait
        middle = None if self.likely is None or (high is None and self.likely > cap) else int(min(self.likely, cap))
        if self.is_measured:
            middle = high
        return {
            "need_fewest": self.fewest,
            "need_likely": self.likely,
            "need_most": self.most,
            "fewest": low,
            "likely": middle,
            "most": high,
            "count": more(low, middle, high, now),
            "has_room": self.has_room,
            "room": None if self.cap is None else self.cap - now,
            "is_cut": self.cap is not None and (self.most is None or self.most > self.cap),
            "is_measured": self.is_measured,
            "is_identifiable": self.effect.identifiable,
            "gains": not (self.effect.identifiable and small_gain(self.effect.now, self.effect.value) == "no gain"),
            "effect": self.effect,
            "curve": self.curve,
        }


# known values if the model has no answer
NO_NEED: Row = {
    **dict.fromkeys(("need_fewest", "need_likely", "need_most", "fewest", "likely", "most", "room", "effect", "curve")),
    **dict.fromkeys(("has_room", "gains"), True),
    **dict.fromkeys(("is_cut", "is_measured", "is_identifiable"), False),
    "count": "",
}


def volume_need(
    load: Load, box: BoxState, known: Known, tried: Sequence[Work] = (), peak: Work | None = None,
    cap: int | None = None,
) -> Need:  # fmt: skip
    """Aliases of its own for one volume in its worst interval.

    `tried`: its load in other intervals; `peak`: that of the worst one in the same form; `cap`: as many as the
    addresses of the LCU allow, None where that is unknown.
    """
    now = open_load.aliases_now(load)
    found, reported = open_load.volume(load, box, known, open_load.alias_counts(now)[now:]), ""
    if peak is not None:
        found, reported = with_measured(found, tried, peak, closed=False)
    return _need(found, now, "aliases", reported, cap)


def pool_need(
    loads: Sequence[Load],
    aliases: int,
    box: BoxState,
    known: Known,
    tried: Sequence[Work] = (),
    peak: Work | None = None,
    cap: int | None = None,
    room: int | None = None,
) -> Need | None:
    """Aliases of a pool for the volumes that draw on it in its worst interval; the rest as in `volume_need`.

    room: as many as make room for all I/Os that ever queued, None where that is unknown.

    None if the model has no wait for that many aliases, as of a pool that was exhausted only in bursts.
    """
    sizes = {work.aliases for work in tried if work.aliases > aliases}
    counts = sorted(sizes.union(open_load.pool_counts(aliases)[aliases:]))
    try:
        found, reported = open_load.with_room(open_load.pool(loads, aliases, box, known, counts), room), ""
    except UnexplainedWaitError:
        return None
    if peak is not None:
        found, reported = with_measured(found, tried, peak, closed=False)
    return _need(found, aliases, "aliases in the pool", reported, cap)


def _need(found: WhatIf, now: int, counted: str, reported: str, cap: int | None) -> Need:
    last = found.predictions[-1].aliases
    most_measured = found.most is not None and found.of(found.most).is_measured
    # between bounds no count is likelier than another
    likely = found.clears_wait if found.identifiable else None
    chosen = next(
        c
        for c in (None if most_measured else likely, found.most, found.clears_wait, found.fewest, last)
        if c is not None
    )
    # if even the smallest count does not fit, the shortage is shown
    if cap is not None and (found.fewest or 0) <= cap:
        chosen = max(min(chosen, cap), now)
    measured, today = found.of(chosen).is_measured, found.of(now).response_ms.value
    source, known = reported if measured else found.calibrated_on, measured or found.identifiable
    then = found.of(chosen).response_ms
    response_ms = {p.aliases: p.response_ms.value for p in found.predictions}
    others = each(response_ms, (found.fewest, found.most), now, chosen) if known and not measured else ""
    what = f"response at the peak with {aliases(chosen)}{beyond(chosen, cap)}"
    basis = sentences(others, source)
    effect = Effect(what, "ms", today, then.value, then.low, then.high, basis, known)
    curve = Curve(counted, now, steps(found.predictions), source, known)
    return Need(found.fewest, likely, found.most, effect, curve, cap, measured)


def beyond(count: int, cap: int | None) -> str:
    """A remark on a count that does not fit into the addresses of the LCU."""
    return "" if cap is None or count <= cap else ", if its LCU had addresses for them"


def each(response_ms: Mapping[int, float], counts: Iterable[int | None], now: int, chosen: int) -> str:
    """The response with each of some counts, and with one more alias if that brings most of the gain.

    Of `counts` those above today's are named, but the chosen one, whose response is known to the reader.
    """
    one = now + 1 if now + 1 in response_ms else chosen
    today, first, last = (response_ms[count] for count in (now, one, chosen))
    is_most = one < chosen and 2 * (today - first) >= today - last > 0
    note = {one: " (the first alias brings most of the gain)"} if is_most else {}
    named = {count for count in counts if count is not None and count > now and count != chosen} | note.keys()
    return ", ".join(f"{human_number(response_ms[n])} ms with {n}{note.get(n, '')}" for n in sorted(named))


def sentences(*parts: str) -> str:
    """Parts that are known as sentences."""
    first, *rest = filter(None, parts)
    return ". ".join([first, *(part[:1].upper() + part[1:] for part in rest)])


def more(fewest: int | None, likely: int | None, most: int | None, now: int) -> str:
    """`2 to 3 more aliases`, `1 more alias first, then up to 14 in all while it waits`, `9 (3 to 31) more aliases`.

    Without an upper end: `at least 5 more aliases, 28 likely`.
    """
    low, middle, high = (None if count is None else count - now for count in (fewest, likely, most))
    counts = [count for count in (low, high) if count is not None and count > 0]
    if not counts:
        return ""
    if middle is not None and high is not None and min(counts) < middle < max(counts):
        return f"{middle} ({min(counts)} to {max(counts)}) more aliases"
    if middle is None and low is not None and high is not None and 0 < WIDE * low <= high:
        return f"{low} more {'alias' if low == 1 else 'aliases'} first, then up to {high} in all while it waits"
    least = "at least " if high is None else ""
    several = f"{min(counts)} to {max(counts)}" if min(counts) < max(counts) else f"{max(counts)}"
    likely_too = f", {middle} likely" if middle is not None and high is None and middle >= min(counts) else ""
    return f"{least}{several} more {'alias' if max(counts) == 1 else 'aliases'}{likely_too}"


def steps(predictions: Sequence[Prediction]) -> tuple[Step, ...]:
    """The effect of each count."""
    return tuple(Step(p.aliases, p.wait_ms, p.response_ms, p.rate) for p in predictions)
