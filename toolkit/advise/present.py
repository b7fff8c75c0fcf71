"""Findings about past conditions: notes, with what has changed since."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from iosq.toolkit.advise.finding import Aliases, Finding
from iosq.toolkit.advise.places import Place, Places
from iosq.toolkit.show.numbers import listed, plural

# if this share of a finding's volumes has left, it is about the past
MOST = 0.9


def present(found: Iterable[Finding], places: Places) -> Iterator[Finding]:
    """The findings; one about a subject that no longer exists is at most a note."""
    for f in found:
        left = _left(f, places) if f.severity != "note" else []
        yield _note(f, left) if left else f


def _left(f: Finding, places: Places) -> Sequence[tuple[Place, Place]]:
    """The volumes of a finding with their place in its time and since, if nearly all of them left it."""
    if f.when is None or f.subject.kind in ("all", "channel", "link", "machine"):
        return []
    when = f.when
    then = [(seen, place) for seen in sorted(places.of([f.subject])) if (place := places.at(seen, when))]
    there = [(seen, place) for seen, place in then if _is_of(f, place)]
    left = [(place, places.since(seen, place)) for seen, place in there if _has_left(f, place, places.now(seen))]
    return left if there and len(left) >= MOST * len(there) else []


def _is_of(f: Finding, place: Place) -> bool:
    """True if a volume belonged to the subject when it was there."""
    names = f.subject.names
    return {"lcu": place.lcu in names, "box": place.box in names or place.lcu in names}.get(f.subject.kind, True)


def _has_left(f: Finding, then: Place, now: Place) -> bool:
    """True if it is elsewhere since; a pool that is in another box is judged by its own rules."""
    if not now.differs(then) or now.start < then.end:
        return False
    return f.subject.kind != "lcu" or (now.lcu != then.lcu and now.lcu not in f.subject.names)


def _note(f: Finding, left: Sequence[tuple[Place, Place]]) -> Finding:
    then, since = left[0]
    moved = f"{plural(len({p.volume for p, _ in left}), 'volume')} moved {then.difference(since)}"
    where = listed(sorted({f"LCU {p.lcu}" for _, p in left if p.lcu}))
    return replace(
        f,
        severity="note",
        advice=f"Do nothing about this place. Read the findings about {where or 'where they are'}, if any",
        effect=None,
        curve=None,
        hours=(),
        aliases=Aliases("enough") if f.aliases else None,
    ).also(f"At {since.since} {moved}")
