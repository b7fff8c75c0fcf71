"""Severity from recurrence: what happened once, or has ended, is nothing to act on, but to be watched."""

import datetime as dt
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from iosq.toolkit.advise.causes import Load, Loads
from iosq.toolkit.advise.finding import Aliases, Effect, Finding
from iosq.toolkit.advise.places import Places, Seen, moved
from iosq.toolkit.advise.steps import BEGAN, ENDED
from iosq.toolkit.advise.text import COMES_BACK
from iosq.toolkit.advise.window import Episode
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import duration
from iosq.toolkit.units import human_number

MEASURED = "measured at a comparable rate without it, the wait in the host included"


@dataclass(frozen=True, slots=True)
class Recurrence:
    """Data that show whether a condition comes back, or began and goes on.

    `days` measured: 0 where there is one interval only, which shows nothing about others. `ends` names the rules about
    faults, which end when they are repaired. `limits` are those of `causes.toml`. `costs`: what all
    findings of a rule lose a day.
    """

    days: int
    places: Places
    loads: Loads
    ends: Set[str]
    limits: Mapping[str, float]
    costs: Mapping[str, float] = field(default_factory=dict)

    def weighed(self, f: Finding) -> Finding:
        """The finding; one to act on that did not come back, or has ended, is one to watch.

        So is one that comes back on few days and costs little. A costly fault that began, and goes on, is one to act
        on. What shortens no I/O noticeably, or costs next to nothing on a day that has it, is a note.
        """
        found = self._surged(self._recurring(self._measured(f)))
        # where nothing changes at all, the finding is about something else than time
        is_small = found.effect is not None and 0 < found.effect.most_ms < self.limits["least_gain"]
        is_cheap = f.severity == "watch" and f.when is not None and self._is_cheap(f.lost_s, f.when)
        return replace(found, severity="note") if found.severity == "watch" and (is_small or is_cheap) else found

    def _surged(self, f: Finding) -> Finding:
        """The finding; of a queue that its volumes, or one of several, had at several times their usual rate."""
        asks = f.aliases and f.aliases.verdict == "add"
        if not (asks and f.when) or f.severity != "act":
            return f
        load, times = self._load(f, f.when), self.limits["culprit_times"]
        culprit = load.culprit(self.limits)
        if culprit and not _surge([r for r in load.rows if r is not culprit], times):
            first = f"Find out what runs on {culprit['volume']} then: limit or move it"
            return f.after(first, "If it has to run then").also(_grew(culprit))
        surge = _surge(load.rows, times)
        if surge is None:
            return f
        rate, usual = surge
        return f.also(f"The I/O rate is {human_number(rate)} per s then, {human_number(usual)} per s at other times")

    def _is_little(self, f: Finding) -> bool:
        """True if all findings of its rule cost little a day: several may become one."""
        return 0 < self.costs.get(f.code, f.lost_s) < 3600 * self.limits["act_cost"]

    def _is_cheap(self, lost_s: float, when: Episode) -> bool:
        """True if next to nothing is lost, on a day that has it or in its time (of several runs, all in one)."""
        lost = lost_s * max(self.days, 1)
        length = (when.end - when.start).total_seconds()
        return 0 < lost < max(3600 * self.limits["least_cost"] * when.days, self.limits["least_busy"] * length)

    def _measured(self, f: Finding) -> Finding:
        """The finding; of a fault that slows I/Os itself, with the response of the same load without it."""
        e = f.effect
        if f.severity == "note" or not (e and f.when and not f.curve and "response" in e.what and f.code in self.ends):
            return f
        load = self._load(f, f.when)
        then = load.without(self.limits)
        # far below what it leaves of the service time, these were other I/Os
        left = e.low if e.low <= load.wait_ms else e.low - load.wait_ms
        if then is None or not left / 2 <= then < e.now:
            return f
        return replace(f, effect=Effect(e.what, e.unit, e.now, then, then, then, MEASURED))

    def _recurring(self, f: Finding) -> Finding:
        if f.severity == "note" or f.when is None or not self.days:
            return f
        whole, is_long = f.when.whole, self.days >= self.limits["few_days"]
        asks = bool(f.aliases and f.aliases.verdict == "add")
        is_dear = f.severity == "act" or f.lost_s >= 3600 * self.limits["begun_cost"]
        past = self._load(f, whole) if f.code in self.ends else None
        if past and past.has_ended(whole, self.limits, once=not asks or (is_long and f.when.is_one_run), busy=asks):
            return self._ended(f, whole) if is_dear else f.also(_end(whole))
        if past and f.confidence != "low" and past.has_begun(f.when, self._seen_end(f), self.limits):
            begun = self._begun(f, f.when, past)
            return replace(begun, severity="act") if is_dear else begun
        if f.severity != "act":
            return f
        lasted = f.when.end - f.when.start
        is_brief = f.when.is_one_run and lasted <= min(
            dt.timedelta(minutes=self.limits["brief_minutes"]), self._seen_end(f) - f.when.end
        )
        once = f.when.intervals == 1 or is_brief
        is_seldom = is_long and 2 * f.when.days <= self.days and self._is_little(f)
        if not (once or is_seldom or (is_long and f.when.days == 1)):
            return f
        brief = "in one interval" if f.when.intervals == 1 else f"for {duration(lasted.total_seconds())} only"
        often = brief if once and self.days == 1 else f"on {f.when.days} of {self.days} days"
        load = self._load(f, f.when)
        culprit = load.culprit(self.limits)
        if not (once or is_seldom or culprit) and self.days < self.limits["long_days"]:
            return f
        if once and f.aliases and load.comparable and load.is_longer_service(self.limits, closed=False):
            return _slowed(f, load).also(f"That was {often}")
        first = f"Find out what ran on {culprit['volume']} then" if culprit else "Do nothing now"
        return _watched(f, first).also(f"That was {often}{f'. {_grew(culprit)}' if culprit else ''}")

    def _begun(self, f: Finding, when: Episode, load: Load) -> Finding:
        """The finding about a fault that goes on, or gets worse from day to day."""
        before, since = human_number(load.usual_ms), human_number(load.service_ms)
        began = f"{BEGAN}{when.first_seen:%H:%M on %Y-%m-%d}"
        times = f"{began}: at a comparable rate an I/O took {before} ms of service before, {since} ms since"
        first, last = (self._load(f, part).median_ms for part in when.ends(self.limits["grows_days"]) or (when, when))
        if last > first and last - load.usual_ms >= self.limits["grows_times"] * (first - load.usual_ms):
            first_ms, last_ms = human_number(first), human_number(last)
            times = (
                f"It grows: an I/O took {before} ms of service before {when.first_seen:%Y-%m-%d}, {first_ms} ms in the "
                f"first quarter of the time since, and {last_ms} ms in the last"
            )
        return f if began in f"{f.advice} {f.details}" else f.also(times)

    def _load(self, f: Finding, when: Episode) -> Load:
        return self.loads.during(when, self._volumes(f))

    def _seen_end(self, f: Finding) -> dt.datetime:
        return max((self.places.now(seen).end for seen in self._volumes(f)), default=dt.datetime.max)

    def _volumes(self, f: Finding) -> set[Seen]:
        return self.places.of(f.places)

    def _ended(self, f: Finding, when: Episode) -> Finding:
        """The finding about what is over; at most a note where a change is known that may have ended it."""
        moves, begins = (self.places.moves(self._volumes(f), at) for at in (when.end, when.start))
        end = f"{when.end:%H:%M on %Y-%m-%d}"
        first = f"Find out what changed at {end}, when it ended"
        if moves:
            first = f"See whether this ended it: {moved(moves)}"
        elif begins:
            first = f"See whether this began it: {moved(begins)}"
        # what it began after may be its advice already
        is_known = bool(begins and not moves) and moved(begins) in f.advice
        ended = (f if is_known else _watched(f, first)).also(_end(when))
        return replace(ended, severity="note" if moves else "watch")


def _surge(every: Sequence[Row], times: float) -> tuple[float, float] | None:
    """The I/O rate of volumes, and their usual one, if it is that many times as high."""
    rows = [r for r in every if r["median_rate"]]
    rate, usual = (sum(r[name] for r in rows) for name in ("io_rate", "median_rate"))
    return (rate, usual) if rows and rate >= times * usual else None


def _grew(culprit: Row) -> str:
    rate, usual = human_number(culprit["io_rate"]), human_number(culprit["median_rate"])
    return f"Volume {culprit['volume']} did {rate} I/Os per s then, usually {usual}"


def _end(when: Episode) -> str:
    lasted = duration((when.end - when.start).total_seconds())
    ended = f"{ENDED}{when.end:%H:%M on %Y-%m-%d} after {lasted}"
    return f"{ended}. The same load has run for at least as long without it since"


def _slowed(f: Finding, load: Load) -> Finding:
    """The finding about a queue that comes from slow I/Os, whose cause no rule has named."""
    then = replace(
        f, curve=None, effect=None, hours=(), aliases=Aliases("wont_help", f.aliases.now if f.aliases else None)
    )
    first = "Do nothing now. If it comes back, look for what makes its I/Os slow. Aliases will not help"
    took, usual = human_number(load.service_ms), human_number(load.usual_ms)
    times = f"An I/O took {took} ms of service, {usual} ms at a comparable rate"
    return replace(then.advised(first), severity="watch").also(times)


def _watched(f: Finding, first: str) -> Finding:
    # records of that time show its cause whether or not it comes back
    is_unread = f.advice.startswith("Ingest ")
    return replace(f.advised(f"{f.advice}. {first}") if is_unread else f.after(first, COMES_BACK), severity="watch")
