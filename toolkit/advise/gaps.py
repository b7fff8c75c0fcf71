"""Hours without records next to a trouble: it may have begun before, or gone on."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from iosq.toolkit.advise.finding import Finding
from iosq.toolkit.advise.window import spoken
from iosq.toolkit.rows import Row
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


def _named(f: Finding, gaps: Iterable[Row]) -> Finding:
    for gap in gaps:
        where = f"No records of {gap['system']} are there for {spoken(gap['gap_start'], gap['gap_end'])}"
        if f.when and abs(f.when.start - gap["gap_end"]) <= TOUCHES:
            f = f.also(f"{where}: it may have begun earlier")
        if f.when and abs(f.when.end - gap["gap_start"]) <= TOUCHES:
            f = f.also(f"{where}: it may have lasted longer")
    return f
