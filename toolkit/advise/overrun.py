"""Work that grows from night to night until it runs into the hours of a finding: a backup that meets the morning."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from iosq.toolkit.advise.finding import Finding
from iosq.toolkit.advise.places import Places, Seen
from iosq.toolkit.advise.window import EPOCH
from iosq.toolkit.show.numbers import plural
from iosq.toolkit.sql.questions import ask, load

if TYPE_CHECKING:
    from iosq.toolkit.sql.engine import Connection

QUESTION = load(__package__, "overrun.sql")
NOON = dt.timedelta(hours=12)
# end of the work by night, in hours after noon
Ends = Mapping[int, float]


def named(con: Connection, found: Sequence[Finding], places: Places, limits: Mapping[str, float]) -> list[Finding]:
    """The findings; those in whose hours such work of the same box arrived say whose, and since when."""
    names = QUESTION.asked_with
    rows = ask(con, QUESTION, **{n: limits[n] for n in names}).to_pylist() if any(f.when for f in found) else []
    ends: dict[Seen, dict[int, float]] = defaultdict(dict)
    for r in rows:
        ends[r["system"], r["volume"]][r["night"]] = r["end_h"]
    later = {seen: of for seen, of in ends.items() if _later(of, limits)}
    return [_named(f, later, places) for f in found] if later else list(found)


def _later(ends: Ends, limits: Mapping[str, float]) -> bool:
    """True if the work ends later, by an hour at least, on nearly any night than on any before."""
    hours = [*ends.values()]
    pairs = [later >= earlier for earlier, later in combinations(hours, 2)]
    return hours[-1] >= hours[0] + 1 and sum(pairs) >= limits["grown_pairs"] * len(pairs)


def _named(f: Finding, later: Mapping[Seen, Ends], places: Places) -> Finding:
    if f.when is None or f.severity == "note":
        return f
    night, rest = divmod(f.when.start - EPOCH - NOON, dt.timedelta(days=1))
    start = rest / dt.timedelta(hours=1)
    boxes = {_box(seen, places) for seen in places.of(f.places)}
    here = {seen: ends for seen, ends in later.items() if _box(seen, places) in boxes}
    met = {seen: ends for seen, ends in here.items() if min(ends.values()) <= start < ends.get(night, 0.0)}
    if not met:
        return f
    ends, (first, *others) = met[min(met)], sorted({name for _, name in met})
    since = next(n for n, end in ends.items() if end > start)
    who = f"{first} and {plural(len(others), 'more volume', 'more volumes')}" if others else first
    times = [f"{EPOCH + NOON + dt.timedelta(days=n, hours=ends[n]):%H:%M on %Y-%m-%d}" for n in (min(ends), max(ends))]
    what = f"The work on {who} grows: it ended at {times[0]}, at {times[1]}"
    day = EPOCH + NOON + dt.timedelta(days=since, hours=start)
    f = f.after(f"Shorten or move the work that runs into these hours: that on {who}", "If that does not help")
    return f.also(what).also(f"It has run into these hours since {day:%Y-%m-%d}")


def _box(seen: Seen, places: Places) -> str:
    """Its box, or its system where no record names one."""
    return places.now(seen).box or seen[0]
