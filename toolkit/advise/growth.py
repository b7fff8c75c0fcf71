"""What changes at the hours of a finding: load, misses and channel use grow from day to day, or response steps."""

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from operator import itemgetter

from iosq.toolkit.advise.finding import Finding
from iosq.toolkit.advise.places import A_DAY, Places
from iosq.toolkit.advise.steps import Levels, mean, stepped
from iosq.toolkit.advise.window import Episode
from iosq.toolkit.rows import grouped
from iosq.toolkit.show.numbers import share
from iosq.toolkit.sql.engine import Connection
from iosq.toolkit.sql.questions import ask, load
from iosq.toolkit.units import human_number

QUESTION = load(__package__, "growth.sql")
# findings whose loads are read: the most urgent ones, since each query scans all intervals
MOST = 16


def named(
    con: Connection,
    found: Sequence[Finding],
    work: Mapping[str, str],
    places: Places,
    limits: Mapping[str, float],
    days: int,
) -> list[Finding]:
    """The findings; the most urgent ones say what changed in their time, those of rules in `work` what grew, too.

    Args:
        con: a lake.
        found: most urgent first.
        work: what the I/Os do that count, by rule about load.
        places: where volumes are.
        limits: those of `causes.toml`.
        days: measured; of few, only what is there on several of them can have changed.
    """
    least = 1 if days >= limits["grown_days"] else 2
    asked = [f for f in found if f.severity != "note" and f.when and f.when.days >= least][:MOST]
    return [_named(con, f, work.get(f.code), places, limits) if any(f is one for one in asked) else f for f in found]


def _named(con: Connection, f: Finding, work: str | None, places: Places, limits: Mapping[str, float]) -> Finding:
    when = f.when
    if when is None:
        return f
    if when.end - when.start >= A_DAY:  # all hours: days from midnight
        when = replace(when, start=dt.datetime.combine(when.start, dt.time()))
    hours = _hours(con, f, when, places)
    f = stepped(f, when, hours, limits)
    if work is None:
        return f
    ios, use = mean(hours, "ios"), mean(hours, "busy")
    f = _grown(f, when, ios, limits, "The load grows: {} I/Os per s at these hours on {}, {} on {}", human_number)
    # of the volumes that miss: a subsystem is looked up as its box
    if work == "disconnect" and (f.about or f.subject.kind != "subsystem"):
        missed = {day: level for day, level in mean(hours, "misses", "reads").items() if level}
        f = _grown(f, when, missed, limits, "Read hits fall: {} at these hours on {}, {} on {}", lambda m: share(1 - m))
    return _grown(f, when, use, limits, "Channel use grows: {} at these hours on {}, {} on {}", share)


def _hours(con: Connection, f: Finding, when: Episode, places: Places) -> Levels:
    """Levels by name and hour, of its volumes and channels; the volumes of systems that see the same ones at once."""
    seen = {system: frozenset(v for _, v in of) for system, of in grouped(places.of(f.places), itemgetter(0)).items()}
    asked: list[tuple[Iterable[str], ...]] = [
        (systems, volumes, ()) for volumes, systems in grouped(seen, lambda system: seen[system]).items()
    ]
    if f.subject.kind == "channel":
        asked.append((f.subject.systems, (), f.subject.names))
    levels: dict[str, dict[int, float]] = {c.name: defaultdict(float) for c in QUESTION.columns}
    for names in asked:
        given = dict(zip(("systems", "volumes", "channels"), map(_listed, names), strict=True))
        for r in ask(con, QUESTION, **when.in_us, **given).to_pylist():
            for name in r.keys() - {"hour"}:
                if r[name] is not None:
                    levels[name][r["hour"]] += r[name]
    return levels


def _grown(
    f: Finding,
    when: Episode,
    levels: Mapping[int, float],
    limits: Mapping[str, float],
    words: str,
    shown: Callable[[float], str],
) -> Finding:
    if not _grows(list(levels.values()), limits):
        return f
    (first, was), *_, (last, now) = levels.items()
    # a step in the middle of a day is two of them
    rates = list(levels.values())
    if max(b - a for a, b in zip(rates, rates[2:], strict=False)) >= limits["step"] * (now - was):
        return f
    days = [f"{when.start + dt.timedelta(days=n):%Y-%m-%d}" for n in (first, last)]
    return f.also(words.format(shown(was), days[0], shown(now), days[1]))


def _listed(names: Iterable[str]) -> str:
    return "".join(f"|{name}|" for name in sorted(names))


def _grows(rates: Sequence[float], limits: Mapping[str, float]) -> bool:
    """True if nearly any day has more than any before it, and the last much more than the first."""
    if len(rates) < limits["grown_days"] or rates[-1] < limits["grown"] * rates[0]:
        return False
    pairs = [later > earlier for earlier, later in combinations(rates, 2)]
    return sum(pairs) >= limits["grown_pairs"] * len(pairs)
