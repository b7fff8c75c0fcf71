"""Hours without records next to a trouble: it may have begun before, or gone on."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from iosq.toolkit.advise.finding import Finding
from iosq.toolkit.advise.window import spoken
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import listed
from iosq.toolkit.sql.questions import ask, load

if TYPE_CHECKING:
    from iosq.toolkit.sql.engine import Connection

# intervals of devices and of boxes begin some seconds apart
TOUCHES = dt.timedelta(minutes=1)
QUESTION = load(__package__, "gaps.sql")


def named(con: Connection, found: Sequence[Finding]) -> list[Finding]:
    """The findings; those whose worst run begins or ends where records do say so."""
    rows = ask(con, QUESTION).to_pylist() if any(f.when for f in found) else []
    return [_named(f, [r for r in rows if r["system"] in (f.subject.systems or (r["system"],))]) for f in found]


def _named(f: Finding, gaps: Sequence[Row]) -> Finding:
    if not f.when:
        return f
    before = [g for g in gaps if abs(f.when.start - g["gap_end"]) <= TOUCHES]
    after = [g for g in gaps if abs(f.when.end - g["gap_start"]) <= TOUCHES]
    for sentence in (*_sentences(before, "begun earlier"), *_sentences(after, "lasted longer")):
        f = f.also(sentence)
    return f


def _sentences(gaps: Iterable[Row], what: str) -> Iterator[str]:
    """One for systems that lack the same time."""
    systems: dict[str, list[str]] = {}
    for gap in gaps:
        systems.setdefault(spoken(gap["gap_start"], gap["gap_end"]), []).append(gap["system"])
    for time, names in systems.items():
        yield f"No records of {listed(names)} are there for {time}: it may have {what}"
