"""Causes before symptoms: a finding that a rule `explains` (header or outcome) becomes part of its finding.

I/Os in progress are rate times service time (Little's law). If the service time rose at a comparable rate, a queue in
the host or a fuller box is its consequence. What is full is the consequence of a loss if it had room enough before.
"""

import datetime as dt
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cached_property

from iosq.toolkit.advise.finding import Finding, Number
from iosq.toolkit.advise.places import A_DAY, Places, Seen
from iosq.toolkit.advise.window import Episode, spoken
from iosq.toolkit.predict.measured import COMPARABLE
from iosq.toolkit.predict.thresholds import shared
from iosq.toolkit.rows import Row, grouped
from iosq.toolkit.show.numbers import listed, plural
from iosq.toolkit.sql.engine import Connection
from iosq.toolkit.sql.questions import ask, load
from iosq.toolkit.units import human_number

QUESTION, LIMITS = load(__package__, "load_change.sql"), shared(__package__, "causes.toml")
SEVERITIES = ("note", "watch", "act")
NAMED = 6
# of a service time: as long, within what the times of one workload scatter by
SAME = 0.9
# ends of two findings about one event: rules about hits compare whole hours
AT_ONCE = dt.timedelta(hours=1)
# findings whose loads are read: those that lose most
MOST = 64


class Loads:
    """Load of volumes during a finding and at other times."""

    def __init__(self, con: Connection) -> None:
        """Volumes of a lake."""
        self._con = con
        self._known: dict[tuple[Episode, frozenset[Seen]], Load] = {}

    def during(self, when: Episode, seen: AbstractSet[Seen]) -> "Load":
        """Loads of some volumes; empty after the maximum number of queries, since each one scans all intervals."""
        key = when, frozenset(seen)
        if key not in self._known:
            self._known[key] = Load(self._rows(when, seen) if len(self._known) < MOST else [])
        return self._known[key]

    def _rows(self, when: Episode, seen: AbstractSet[Seen]) -> list[Row]:
        volumes = "".join(f"|{name}|" for name in sorted({name for _, name in seen}))
        given = {**when.in_us, "volumes": volumes, "comparable": 1 - COMPARABLE}
        rows = ask(self._con, QUESTION, **given).to_pylist()
        return [r for r in rows if (r["system"], r["volume"]) in seen]


@dataclass(frozen=True)
class Load:
    """Volumes in a time, and at other times."""

    rows: Sequence[Row]

    @cached_property
    def comparable(self) -> Sequence[Row]:
        """The volumes with a comparable rate at other times, without the same trouble, if they do most of the I/Os."""
        rows = [r for r in self.rows if r["comparable_ms"] and not _recurs(r)]
        return rows if 2 * _sum(rows, "io_rate") >= _sum(self.rows, "io_rate") else []

    @cached_property
    def service_ms(self) -> float:
        """Service time in that time, of those that are compared."""
        return _mean(self.comparable or self._usual, "service_ms")

    @cached_property
    def median_ms(self) -> float:
        """Median service time in that time, of all."""
        return _mean(self.rows, "median_service_ms")

    @cached_property
    def wait_ms(self) -> float:
        """Wait in the host in that time, of those that are compared."""
        return _mean(self.comparable or self._usual, "wait_ms")

    @cached_property
    def usual_ms(self) -> float:
        """Service time at comparable rates, otherwise in all other intervals; 0 if there are none."""
        return _mean(self.comparable, "comparable_ms") if self.comparable else _mean(self._usual, "usual_service_ms")

    @cached_property
    def _usual(self) -> Sequence[Row]:
        return [r for r in self.rows if r["usual_service_ms"]]

    def is_longer_service(self, limits: Mapping[str, float], *, closed: bool) -> bool:
        """True if more I/Os are in progress because each takes longer.

        `closed`: requesters wait for each answer: the rate falls by itself, so all that is outstanding counts.
        """
        if not self.usual_ms or self.service_ms < limits["service_rise"] * self.usual_ms:
            return False
        if self.comparable and not closed:
            return 2 * _mean(self.comparable, "comparable_wait_ms") <= _mean(self.comparable, "wait_ms")
        service = math.log(self.service_ms / self.usual_ms)
        return service >= limits["service_share"] * self._growth(closed)

    def without(self, limits: Mapping[str, float]) -> float | None:
        """Response of the same load without the trouble, the queue that it makes included; None where none is seen."""
        if not self.comparable or not self.is_longer_service(limits, closed=False):
            return None
        return _mean(self.comparable, "comparable_ms") + _mean(self.comparable, "comparable_wait_ms")

    def _growth(self, closed: bool) -> float:
        """Growth of the I/Os in progress (closed: outstanding), as a logarithm."""
        rows = self._usual
        now = sum(r["io_rate"] * (r["service_ms"] + closed * r["wait_ms"]) for r in rows)
        usual = sum(r["usual_rate"] * r["usual_service_ms"] for r in rows)
        return math.log(now / usual)

    def has_ended(self, when: Episode, limits: Mapping[str, float], *, once: bool, busy: bool) -> bool:
        """True if most of the load came back for as long without it, from the first bad interval to the last one.

        `once`: it does not come and go; else it was bad from the beginning as well. `busy`: a lack of exposures or
        aliases: the same load keeps them busy for as long.
        """
        least = (when.end - when.start).total_seconds()
        before = math.inf if once else limits["ended_before"] * least
        same = [r for r in self.rows if not busy or SAME * r["service_ms"] <= (r["comparable_ms"] or 0)]
        back = [r for r in same if (r["comparable_after_s"] or 0) >= min(least, r["comparable_then_s"])]
        rows = [r for r in back if r["comparable_before_s"] <= before]
        return 2 * _io_time(rows) > _io_time(self.rows)

    def has_begun(self, when: Episode, seen_end: dt.datetime, limits: Mapping[str, float]) -> bool:
        """True if most I/Os take longer since some time, at rates at which most of the load was well before.

        It goes on if the bad intervals reach into the last day before `seen_end`, and the load was not well since.
        """
        least, rise = 3600 * limits["begun_after"], limits["service_rise"]
        if when.intervals == 1 or (when.last_seen - when.first_seen).total_seconds() < least or self.culprit(limits):
            return False
        # medians: what comes and goes did not begin
        longer = [r for r in self.comparable if r["median_service_ms"] >= rise * r["comparable_ms"]]
        rows = [r for r in longer if r["comparable_before_s"] >= least and not r["comparable_after_s"]]
        return seen_end - when.last_seen <= A_DAY and 2 * _io_time(rows) > _io_time(self.rows)

    @cached_property
    def has_come_back(self) -> bool:
        """True if most of the load was there again after that time."""
        return 2 * _io_time(r for r in self.rows if r["comparable_after_s"]) > _io_time(self.rows)

    @cached_property
    def was_there(self) -> bool:
        """True if most of the load was there before that time."""
        return 2 * _io_time(r for r in self.rows if r["comparable_before_s"]) > _io_time(self.rows)

    def wait_of(self, seen: AbstractSet[Seen]) -> float:
        """I/Os that some of the volumes have in the queue, times 1000."""
        return float(sum(r["io_rate"] * r["wait_ms"] for r in self.rows if (r["system"], r["volume"]) in seen))

    def culprit(self, limits: Mapping[str, float]) -> Row | None:
        """The volume whose rate grew by more than all others together, and by several times; None: there is none."""
        grown = {id(r): max(r["io_rate"] - (r["usual_rate"] or 0.0), 0.0) for r in self.rows}
        most = max(self.rows, key=lambda r: grown[id(r)], default=None)
        if most is None or len(self.rows) < 2 or 2 * grown[id(most)] <= sum(grown.values()):
            return None
        return most if most["io_rate"] >= limits["culprit_times"] * (most["usual_rate"] or 0.0) > 0 else None


def _recurs(r: Row) -> bool:
    """True if a volume waits as long, and its I/Os take as long, at comparable rates."""
    return bool(2 * r["comparable_wait_ms"] >= r["wait_ms"] and SAME * r["service_ms"] <= r["comparable_ms"])


def _sum(rows: Iterable[Row], name: str) -> float:
    return float(sum(r[name] for r in rows))


def _io_time(rows: Iterable[Row]) -> float:
    """Time of all I/Os: volumes whose I/Os are quick show little of a trouble, however many these are."""
    return float(sum(r["io_rate"] * (r["service_ms"] + r["wait_ms"]) for r in rows))


def _mean(rows: Sequence[Row], name: str) -> float:
    """Weighted by rate."""
    whole = _sum(rows, "io_rate")
    return sum(r["io_rate"] * r[name] for r in rows) / whole if whole else 0.0


@dataclass(frozen=True)
class _Symptom:
    finding: Finding
    load: Load


def explained(
    found: Sequence[Finding],
    explains: Mapping[str, AbstractSet[str]],
    places: Places,
    loads: Loads,
    limits: Mapping[str, float],
) -> list[Finding]:
    """The findings without symptoms of another finding, which names them; `explains`: their rules, by its rule."""
    volumes = {id(f): places.of(f.places) for f in found}
    by_cause: dict[int, Finding] = {}
    shown: list[_Symptom] = []
    for f in sorted(found, key=lambda f: -f.lost_s):
        able = [c for c in found if f.code in explains.get(c.code, c.explains) | c.explains or _is_one_event(c, f)]
        causes = [c for c in able if _covers(c, f, volumes, limits["overlap"])]
        if not causes or f.when is None:
            continue
        load = loads.during(f.when, volumes[id(f)])
        able = [c for c in causes if not (c.capacity and f.capacity) or c.capacity > f.capacity]
        able = [c for c in able if _first(c, by_cause) is not f]  # none explains its own cause
        # what explains queues is itself a longer service, whatever the rate
        if able and (explains.get(f.code) or load.is_longer_service(limits, closed="closed" in f.code)):
            by_cause[id(f)] = max(able, key=lambda c: (_is_seen_by(c, f), c.severity == "act", c.lost_s))
            shown.append(_Symptom(f, load))
    symptoms = grouped(shown, lambda s: id(_first(s.finding, by_cause)))
    gone = set(by_cause)
    # a symptom without a time, such as missing alias addresses, belongs to the queue of the same volumes
    explained_volumes = {seen for f in found if id(f) in gone for seen in volumes[id(f)]}
    codes = frozenset().union(*(explains.get(f.code, ()) for f in found if id(f) in symptoms))
    gone |= {
        id(f)
        for f in found
        if f.when is None and f.code in codes
        and len(volumes[id(f)] & explained_volumes) >= limits["overlap"] * max(len(volumes[id(f)]), 1)
    }  # fmt: skip
    return [_with(f, symptoms.get(id(f), [])) for f in found if id(f) not in gone]


def _lost(s: _Symptom) -> float:
    return s.finding.lost_s


def _first(f: Finding, by_cause: Mapping[int, Finding]) -> Finding:
    """The cause of a finding that has none itself: a symptom may have symptoms."""
    while id(f) in by_cause:
        f = by_cause[id(f)]
    return f


def _covers(cause: Finding, f: Finding, volumes: Mapping[int, AbstractSet[Seen]], least: float) -> bool:
    """True if the cause is at work at most of the symptom's volumes and of its time."""
    if "note" in (cause.severity, f.severity) or cause.when is None or f.when is None:
        return False
    mine, theirs = volumes[id(f)], {name for _, name in volumes[id(cause)]}
    both = sum(name in theirs for _, name in mine)
    return bool(mine) and both >= least * len(mine) and overlap(cause.when, f.when) >= least


def _is_seen_by(cause: Finding, f: Finding) -> bool:
    """True if a system of the symptom has the cause itself, or the cause names none."""
    return not cause.subject.systems or not set(cause.subject.systems).isdisjoint(f.subject.systems)


def _is_one_event(cause: Finding, f: Finding) -> bool:
    """True if a finding may be a part of the other one, begins and ends with it, and loses no more."""
    if cause.code not in f.part_of or cause.when is None or f.when is None or f.lost_s > cause.lost_s:
        return False
    return f.when.differs_by(cause.when) <= AT_ONCE


def overlap(cause: Episode, f: Episode) -> float:
    """Share of the symptom's worst run within the cause's; runs that recur daily are compared by hour too."""
    recurs = min(cause.days, f.days) > 1 and max(cause.end - cause.start, f.end - f.start) <= A_DAY
    shifts = {dt.timedelta(), dt.timedelta(days=(f.start.date() - cause.start.date()).days * recurs)}
    both = max(min(cause.end + shift, f.end) - max(cause.start + shift, f.start) for shift in shifts)
    return both / (f.end - f.start)


def _with(cause: Finding, symptoms: Sequence[_Symptom]) -> Finding:
    """A cause and what follows from it, as serious as the worst of these."""
    if not symptoms:
        return cause
    found = [s.finding for s in symptoms]
    worst = max(symptoms, key=_lost)
    load = Load([*{(r["system"], r["volume"]): r for s in sorted(symptoms, key=_lost) for r in s.load.rows}.values()])
    advice = "" if "alias" in cause.advice.lower() else ". Aliases will not help: their I/Os would wait as well"
    return replace(
        cause,
        severity=max(cause.severity, *(f.severity for f in found), key=SEVERITIES.index),
        advice=f"{cause.advice}{advice}",
        form=f"{cause.form}{advice}",
        numbers=(*cause.numbers, *(_numbers(load) if load.usual_ms else ())),
        lost_s=cause.lost_s + sum(f.lost_s for f in found if f.adds_time),
        covers=cause.covers.union(*(f.stands_for | f.covers for f in found)),
    ).also(f"{_consequence(found)}{_shown(cause, worst.finding, load)}{_beyond(cause, found)}")


def with_parts(cause: Finding, found: Sequence[Finding]) -> Finding:
    """A cause and findings that follow from it, whose load does not show it."""
    return _with(cause, [_Symptom(f, Load([])) for f in found])


def _shown(cause: Finding, symptom: Finding, load: Load) -> str:
    """What shows that it is a consequence."""
    if cause.capacity and symptom.capacity:
        before, enough = human_number(cause.capacity), human_number(symptom.capacity)
        return f": before there were {before} times as many paths, and {enough} times as many would do"
    if not load.usual_ms:
        return f" ({spoken(symptom.when.start, symptom.when.end)})" if symptom.when else ""
    rate = "a comparable rate" if load.comparable else "other times"
    return f": the service time is {human_number(load.service_ms)} ms, {human_number(load.usual_ms)} ms at {rate}"


def _beyond(cause: Finding, found: Sequence[Finding]) -> str:
    """Symptoms that have bad intervals without the cause as well: what these need is another question."""
    names = sorted({str(f.subject) for f in found if _is_longer(f.when, cause.when)})
    return f". {_who(names)} did so at other times too: ask about these alone (--since, --until)" if names else ""


def _who(names: Sequence[str]) -> str:
    if len(names) > NAMED:
        return f"{plural(len(names), 'place')} ({names[0]} first)"
    if len({name.partition(" on ")[2] for name in names}) == 1:  # one system is named once, at the end
        names = [*(name.partition(" on ")[0] for name in names[:-1]), names[-1]]
    return listed(names)


def _is_longer(f: Episode | None, cause: Episode | None) -> bool:
    """True if a symptom has more bad intervals than its cause, before or after all of that one's."""
    if f is None or cause is None or f.intervals <= cause.intervals:
        return False
    return f.first_seen < cause.first_seen or f.last_seen > cause.last_seen


def _numbers(load: Load) -> tuple[Number, ...]:
    rate = _sum(load.comparable or load.rows, "io_rate")
    return (
        Number("service time of the volumes it slows", load.service_ms, "ms"),
        Number("the same at other times", load.usual_ms, "ms"),
        Number("their I/O rate", rate, "per s"),
    )


def _consequence(found: Sequence[Finding]) -> str:
    """`That is why LCU 0010 on PRD1 queues in the host`."""
    names = sorted({str(s) for f in found for s in (f.subject.each if f.subject.kind == "volumes" else (f.subject,))})
    is_one = len(names) == 1 and len(found[0].subject.names) < 2
    does = dict.fromkeys(f.does for f in sorted(found, key=lambda f: f.code))
    spoken = [re.sub(r"^\w+", r"\g<0>s", words) for words in does] if is_one else [*does]
    return f"That is why {_who(names)} {listed(spoken)}"
