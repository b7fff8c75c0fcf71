"""Intervals cut by the ends of a requested time: a filter keeps those that start within it, and no others."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from iosq.toolkit.show.numbers import listed
from iosq.toolkit.sql.filter import Filter, Instant
from iosq.toolkit.sql.raw import literal

READS = "measured_interval"
# of its length: clocks and gatherers are seconds off
CUT = 0.05
_REACH = timedelta(days=2)  # a local time is less than a day from UTC, and an interval mostly shorter than a day


def asked(at: Instant, systems: Sequence[str]) -> str:
    """The question about what may lie across one end of a time."""
    names = f" AND system IN ({', '.join(map(literal, systems))})" if systems else ""
    return (
        f"SELECT system, interval_start, interval_s, utc_offset_s FROM {READS} "
        f"WHERE interval_start >= {_stamp(at.at - _REACH)} AND interval_start <= {_stamp(at.at + _REACH)}{names} "
        "ORDER BY interval_start, system"
    )


def in_words(where: Filter, rows: Callable[[str], Iterable[Mapping[str, Any]]]) -> str:
    """Intervals across the ends of a time, in words; empty if there are none.

    `where`: the time, and the systems to examine. `rows`: runs a query on all of the lake.
    """

    texts, known = [], set[tuple[str, datetime]]()
    for at, is_end in ((where.since, False), (where.until, True)):
        found = [r for r in rows(asked(at, where.systems)) if _lies_across(r, at)] if at else []
        cut = [r for r in found if (r["system"], r["interval_start"]) not in known]
        known |= {(r["system"], r["interval_start"]) for r in cut}
        for text in _spans(cut, at) if at else ():
            texts.append(f"{text} goes on after that" if is_end else f"not {text}, which began before")
    return "; ".join(texts)


def _lies_across(r: Mapping[str, Any], at: Instant) -> bool:
    start, end = _times(r, at)
    least = CUT * (end - start)
    return start < at.at - least and at.at + least < end


def _spans(rows: Iterable[Mapping[str, Any]], at: Instant) -> Iterator[str]:
    """Intervals of equal times together."""
    systems: dict[tuple[datetime, datetime], set[str]] = {}
    for r in rows:
        systems.setdefault(_times(r, at), set()).add(r["system"])
    for (start, end), names in systems.items():
        yield f"the interval of {listed(sorted(names))} from {_clock(start)} to {_clock(end)}"


def _times(r: Mapping[str, Any], at: Instant) -> tuple[datetime, datetime]:
    """Start and end on the clock of the request."""
    start = r["interval_start"] + timedelta(seconds=0 if at.is_utc else r["utc_offset_s"] or 0)
    return start, start + timedelta(seconds=r["interval_s"] or 0)


def _clock(at: datetime) -> str:
    return at.isoformat(" ", "minutes")


def _stamp(at: datetime) -> str:
    return f"TIMESTAMP {literal(at.isoformat(sep=' '))}"
