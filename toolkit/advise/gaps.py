"""Hours without records next to a trouble: it may have begun before, or gone on."""

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence

from iosq.toolkit.advise.finding import Finding
from iosq.toolkit.advise.places import Places
from iosq.toolkit.advise.window import spoken
from iosq.toolkit.rows import Row, grouped
from iosq.toolkit.show.numbers import listed
from iosq.toolkit.sql.engine import Connection
from iosq.toolkit.sql.questions import ask, load

# intervals of devices and of boxes begin some seconds apart
TOUCHES = dt.timedelta(minutes=1)
QUESTION = load(__package__, "gaps.sql")


def named(con: Connection, found: Sequence[Finding], places: Places) -> list[Finding]:
    """The findings; those next to hours without records, or in hours in which others have none, say so."""
    rows = ask(con, QUESTION).to_pylist() if any(f.when for f in found) else []
    return [_named(f, rows, places) for f in found]


def _named(f: Finding, rows: Sequence[Row], places: Places) -> Finding:
    if not f.when:
        return f
    mine = [g for g in rows if g["system"] in (f.subject.systems or (g["system"],))]
    before = [g for g in mine if abs(f.when.start - g["gap_end"]) <= TOUCHES]
    after = [g for g in mine if abs(f.when.end - g["gap_start"]) <= TOUCHES]
    then = [g for g in rows if g["gap_start"] - TOUCHES <= f.when.start and f.when.end <= g["gap_end"] + TOUCHES]
    seen = {system for system, _ in places.of(s.on_all_systems() for s in f.places)} if then else set()
    theirs = [g for g in then if g not in mine and g["system"] in seen]
    parts = (before, "have begun earlier"), (after, "have lasted longer"), (theirs, "have a part in it")
    for sentence in (sentence for gaps, what in parts for sentence in _sentences(gaps, what)):
        f = f.also(sentence)
    return f


def _sentences(gaps: Iterable[Row], what: str) -> Iterator[str]:
    """One for systems that lack the same time."""
    for time, same in grouped(gaps, lambda gap: spoken(gap["gap_start"], gap["gap_end"])).items():
        yield f"No records of {listed(gap['system'] for gap in same)} are there for {time}: it may {what}"
