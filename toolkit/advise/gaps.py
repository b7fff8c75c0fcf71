"""Hours without records next to a trouble: it may have begun before, or gone on."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from iosq.toolkit.advise.finding import Finding
from iosq.toolkit.advise.places import Places
from iosq.toolkit.advise.window import spoken
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import listed
from iosq.toolkit.sql.questions import ask, load

if TYPE_CHECKING:
    from iosq.toolkit.sql.engine import Connection

# intervals of devices and of boxes begin some seconds apart
TOUCHES = dt.timedelta(minutes=1)
QUESTION = load(__package__, "gaps.sql")


def named(con: Connection, found: Sequence[Finding], places: Places) -> list[Finding]:
    """The findings; those next to hours without records, or in hours in which others have none, say so."""
    rows = ask(con, QUESTION).to_pylist() if any(f.when for f in found) else []
    own = ([r for r in rows if r["system"] in (f.subject.systems or (r["system"],))] for f in found)
    return [_unseen(_named(f, gaps), rows, places) for f, gaps in zip(found, own, strict=True)]


def _unseen(f: Finding, rows: Sequence[Row], places: Places) -> Finding:
    """What other systems with the same volumes did in its worst run is unknown where they have no records then."""
    lacking = [
        r for r in rows if f.when and r["gap_start"] <= f.when.start + TOUCHES and r["gap_end"] >= f.when.end - TOUCHES
    ]
    if not f.subject.systems or not lacking:
        return f
    others = {system for system, _ in places.of(s.on_all_systems() for s in f.places)} - {*f.subject.systems}
    for sentence in _sentences([r for r in lacking if r["system"] in others], "have a part in it"):
        f = f.also(sentence)
    return f


def _named(f: Finding, gaps: Sequence[Row]) -> Finding:
    if not f.when:
        return f
    before = [g for g in gaps if abs(f.when.start - g["gap_end"]) <= TOUCHES]
    after = [g for g in gaps if abs(f.when.end - g["gap_start"]) <= TOUCHES]
    for sentence in (*_sentences(before, "have begun earlier"), *_sentences(after, "have lasted longer")):
        f = f.also(sentence)
    return f


def _sentences(gaps: Iterable[Row], what: str) -> Iterator[str]:
    """One for systems that lack the same time."""
    systems: dict[str, list[str]] = {}
    for gap in gaps:
        systems.setdefault(spoken(gap["gap_start"], gap["gap_end"]), []).append(gap["system"])
    for time, names in systems.items():
        yield f"No records of {listed(names)} are there for {time}: it may {what}"
