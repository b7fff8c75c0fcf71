"""Findings of systems whose records name no box, which begin and end with another system's: they may have its cause."""

import datetime as dt
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from iosq.toolkit.advise.finding import Finding
from iosq.toolkit.advise.places import Places, Seen

# the systems' intervals begin at other minutes
NEAR = dt.timedelta(minutes=15)


def linked(found: Sequence[Finding], explains: Mapping[str, AbstractSet[str]], places: Places) -> list[Finding]:
    """The findings, most urgent first; one whose volumes may be in the box of a more urgent one asks for that first."""
    slow = [n for n, f in enumerate(found) if f.severity != "note" and f.when and explains.get(f.code)]
    seen = {n: places.of(found[n].places) for n in slow}
    each = list(found)
    for n in (n for n in slow if _is_unplaced(seen[n], places) and not _is_always(found[n], seen[n], places)):
        first = next((m for m in slow if m < n and not _meet(seen[m], seen[n]) and _are_one(found[m], found[n])), None)
        if first is not None:
            words = f"See first what is found about {found[first].subject}, which begins and ends at the same time"
            each[n] = found[n].after(words, "If these volumes are in another box")
    return each


def _meet(one: AbstractSet[Seen], other: AbstractSet[Seen]) -> bool:
    """True if they are about one system, or several systems see their volumes."""
    return any({r[n] for r in one} & {r[n] for r in other} for n in (0, 1))


def _is_unplaced(seen: AbstractSet[Seen], places: Places) -> bool:
    return bool(seen) and not any(places.now(one).box for one in seen)


def _is_always(f: Finding, seen: AbstractSet[Seen], places: Places) -> bool:
    """True if it lasts as long as its records."""
    spans = [places.now(one) for one in seen]
    whole = f.when.whole if f.when else None
    return whole is None or (whole.start <= min(p.start for p in spans) and whole.end >= max(p.end for p in spans))


def _are_one(one: Finding, other: Finding) -> bool:
    """True if they begin and end together."""
    return bool(one.when and other.when and one.when.differs_by(other.when) < NEAR)
