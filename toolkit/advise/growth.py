"""What changes from day to day at the hours of a finding: load, misses and channel use grow, or response steps."""

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from itertools import combinations, product

from iosq.toolkit.advise.finding import Finding
from iosq.toolkit.advise.places import A_DAY, Places
from iosq.toolkit.advise.window import Episode
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import share
from iosq.toolkit.sql.engine import Connection
from iosq.toolkit.sql.questions import ask, load
from iosq.toolkit.units import human_number

QUESTION = load(__package__, "growth.sql")
# findings whose loads are read: the most urgent ones, since each query scans all intervals
MOST = 16
SATURDAY = 5
BEGAN = "It began at "


def named(
    con: Connection,
    found: Sequence[Finding],
    work: Mapping[str, str],
    places: Places,
    limits: Mapping[str, float],
    days: int,
) -> list[Finding]:
    """The findings; of the most urgent ones of rules in `work`, those that grew or changed say from what.

    Args:
        con: a lake.
        found: most urgent first.
        work: what the I/Os do that count, by rule about load.
        places: where volumes are.
        limits: those of `causes.toml`.
        days: measured; of few, only what is there on several of them can have changed.
    """
    least = 1 if days >= limits["grown_days"] else 2
    asked = [f for f in found if f.code in work and f.severity != "note" and f.when and f.when.days >= least][:MOST]
    return [_named(con, f, work[f.code], places, limits) if any(f is one for one in asked) else f for f in found]


def _named(con: Connection, f: Finding, work: str, places: Places, limits: Mapping[str, float]) -> Finding:
    when = f.when
    if when is None:
        return f
    if when.end - when.start >= A_DAY:  # all hours: days from midnight
        when = replace(when, start=dt.datetime.combine(when.start, dt.time()))
    seen = places.of(f.places)
    channels = set(product(f.subject.systems, f.subject.names)) if f.subject.kind == "channel" else set()
    names = {"volumes": _listed({name for _, name in seen}), "channels": _listed({name for _, name in channels})}
    rows = ask(con, QUESTION, **when.in_us, **names).to_pylist()
    levels = _by_day(r for r in rows if (r["system"], r["name"]) in (channels if r["kind"] == "use" else seen))
    use = {day: level / len(channels) for day, level in levels["use"].items()}
    missed = {day: level / levels["reads"][day] for day, level in levels["misses"].items() if level}
    ios = levels["ios"]
    f = _stepped(f, when, {day: time / ios[day] for day, time in levels["time"].items() if ios.get(day)}, ios, limits)
    f = _grown(f, when, ios, limits, "The load grows: {} I/Os per s at these hours on {}, {} on {}", human_number)
    # of the volumes that miss: a subsystem is looked up as its box
    if work == "disconnect" and (f.about or f.subject.kind != "subsystem"):
        f = _grown(f, when, missed, limits, "Read hits fall: {} at these hours on {}, {} on {}", lambda m: share(1 - m))
    return _grown(f, when, use, limits, "Channel use grows: {} at these hours on {}, {} on {}", share)


def _stepped(
    f: Finding, when: Episode, response: Mapping[int, float], ios: Mapping[int, float], limits: Mapping[str, float]
) -> Finding:
    """The finding about what was there before and since a day on which its response changed."""
    dates = {day: (when.start + dt.timedelta(days=day)).date() for day in sorted(response)}
    worked = [day for day, date in dates.items() if date.weekday() < SATURDAY]
    days = worked if len(worked) >= limits["few_days"] else [*dates]
    until, since = _step([response[day] for day in days], limits["changed"]) or (0, 0)
    if (
        not until
        or not when.first_seen.date() < dates[days[since]] <= when.last_seen.date()
        or BEGAN in f"{f.advice} {f.details}"
    ):
        return f
    parts = days[since:], days[:until]
    now, was = (_mean(response, part) for part in parts)
    last, first = dates[days[until - 1]], dates[days[since]]
    took = f"an I/O took {human_number(was)} ms until {last}, and {human_number(now)} ms since {first}"
    rate, usual = (_mean(ios, part) for part in parts)
    if max(rate, usual) >= limits["changed"] * min(rate, usual):
        took += f", at {human_number(usual)} I/Os per s before and {human_number(rate)} since"
    return f.also(f"At these hours {took}")


def _mean(levels: Mapping[int, float], days: Sequence[int]) -> float:
    return sum(levels[day] for day in days) / len(days)


def _step(levels: Sequence[float], times: float) -> tuple[int, int] | None:
    """Where a level ends, and one begins that is `times` higher, or lower, on all days; a day between may have both."""
    for since, gap in product(range(1, len(levels)), (0, 1)):
        before, after = levels[: since - gap], levels[since:]
        if before and (min(after) >= times * max(before) or times * max(after) <= min(before)):
            return since - gap, since
    return None


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


def _listed(names: Set[str]) -> str:
    return "".join(f"|{name}|" for name in sorted(names))


def _by_day(rows: Iterable[Row]) -> Mapping[str, dict[int, float]]:
    """Sums of all names, by kind."""
    levels: dict[str, dict[int, float]] = defaultdict(lambda: defaultdict(float))
    for r in rows:
        levels[r["kind"]][r["day"]] += r["level"]
    return levels


def _grows(rates: Sequence[float], limits: Mapping[str, float]) -> bool:
    """True if nearly any day has more than any before it, and the last much more than the first."""
    if len(rates) < limits["grown_days"] or rates[-1] < limits["grown"] * rates[0]:
        return False
    pairs = [later > earlier for earlier, later in combinations(rates, 2)]
    return sum(pairs) >= limits["grown_pairs"] * len(pairs)
