"""Load that grows from day to day at the hours of a finding: what it makes scarce gets scarcer."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import combinations
from typing import TYPE_CHECKING

from iosq.toolkit.advise.finding import Finding
from iosq.toolkit.advise.places import Places
from iosq.toolkit.rows import Row
from iosq.toolkit.sql.questions import ask, load
from iosq.toolkit.units import human_number

if TYPE_CHECKING:
    from iosq.toolkit.sql.engine import Connection

QUESTION = load(__package__, "growth.sql")
# findings whose loads are read: the most urgent ones, since each query scans all intervals
MOST = 16


def named(
    con: Connection, found: Sequence[Finding], about: Set[str], places: Places, limits: Mapping[str, float]
) -> list[Finding]:
    """The findings; of the most urgent ones of rules in `about`, those whose load grew say from what.

    Args:
        con: a lake.
        found: most urgent first.
        about: rules about load.
        places: where volumes are.
        limits: those of `causes.toml`.
    """
    asked = [f for f in found if f.code in about and f.severity != "note" and f.when][:MOST]
    return [_named(con, f, places, limits) if any(f is one for one in asked) else f for f in found]


def _named(con: Connection, f: Finding, places: Places, limits: Mapping[str, float]) -> Finding:
    seen = places.of(f.places)
    volumes = "".join(f"|{name}|" for name in sorted({name for _, name in seen}))
    rows = ask(con, QUESTION, **f.when.in_us, is_daily=True, volumes=volumes).to_pylist() if f.when else []
    rates = _by_day(r for r in rows if (r["system"], r["volume"]) in seen)
    if f.when is None or not _grows(list(rates.values()), limits):
        return f
    (first, was), *_, (last, now) = rates.items()
    days = [f"{f.when.start + dt.timedelta(days=n):%Y-%m-%d}" for n in (first, last)]
    return f.also(
        f"The load grows: {human_number(was)} I/Os per s at these hours on {days[0]}, {human_number(now)} on {days[1]}"
    )


def _by_day(rows: Iterable[Row]) -> dict[int, float]:
    rates: dict[int, float] = defaultdict(float)
    for r in rows:
        rates[r["day"]] += r["io_rate"]
    return rates


def _grows(rates: Sequence[float], limits: Mapping[str, float]) -> bool:
    """True if nearly any day has more than any before it, and the last much more than the first."""
    if len(rates) < limits["grown_days"] or rates[-1] < limits["grown"] * rates[0]:
        return False
    pairs = [later > earlier for earlier, later in combinations(rates, 2)]
    return sum(pairs) >= limits["grown_pairs"] * len(pairs)
