"""A response, or a rate, that became another one within the bad time: means over both are of neither."""

import datetime as dt
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, product

from iosq.toolkit.advise.finding import Finding
from iosq.toolkit.advise.present import LOOK
from iosq.toolkit.advise.window import Episode
from iosq.toolkit.rows import grouped
from iosq.toolkit.units import human_number

SATURDAY = 5
DAY_H = 24
HOUR = dt.timedelta(hours=1)
BEGAN, ENDED = "It began at ", "It ended at "
# by name, and by hour after the start of a window
Levels = Mapping[str, Mapping[int, float]]


def mean(hours: Levels, name: str, over: str = "", length: int = DAY_H) -> dict[int, float]:
    """Mean level of each day, or of each span of `length` hours, in order; or its ratio to another level."""
    parts = grouped(sorted(hours[name]), lambda hour: hour // length)
    per = {n: sum(hours[over][h] for h in each) if over else len(each) for n, each in parts.items()}
    return {n: sum(hours[name][h] for h in each) / per[n] for n, each in parts.items() if per[n]}


@dataclass(frozen=True, slots=True)
class _Step:
    """Parts before a change and after it; local end of the former, start of the latter, or their dates."""

    before: Sequence[int]
    after: Sequence[int]
    end: dt.datetime
    start: dt.datetime
    is_day: bool

    @property
    def moment(self) -> str:
        """When it changed, in words."""
        return f"{self.start:%Y-%m-%d}" if self.is_day else f"{self.start:%H:%M on %Y-%m-%d}"

    def of(self, levels: Mapping[int, float]) -> tuple[float, float]:
        """Their means before and after it."""
        before, after = (sum(levels[n] for n in part) / len(part) for part in (self.before, self.after))
        return before, after

    def words(self, before: str, after: str) -> str:
        """What was until then, and since."""
        end = replace(self, start=self.end).moment
        return f"{before} until {end}, and {after} since{'' if end == self.moment else f' {self.moment}'}"


def stepped(f: Finding, when: Episode, hours: Levels, limits: Mapping[str, float]) -> Finding:
    """The finding about what was there before and since a moment at which its response changed, or else its rate.

    Args:
        f: a finding.
        when: its worst run; from midnight on, where that takes a day or more.
        hours: `ios` and their `time_ms` by hour, at the hours of this run on all days.
        limits: those of `causes.toml`.
    """
    if BEGAN in f"{f.advice} {f.details}" or LOOK in f.advice:
        return f
    for (name, over), length in product((("time_ms", "ios"), ("ios", "")), (1, DAY_H)):
        levels, ios = mean(hours, name, over, length), mean(hours, "ios", "", length)
        if step := _step(levels, when, length, limits):
            (was, now), (usual, rate), times = step.of(levels), step.of(ios), limits["changed"]
            came = f"{human_number(usual)} I/Os per s"
            took = step.words(f"an I/O took {human_number(was)} ms", f"{human_number(now)} ms")
            if max(rate, usual) >= times * min(rate, usual):
                took += f", at {came} before and {human_number(rate)} since"
            changed = f.also(f"At these hours {took if over else step.words(f'{came} came', human_number(rate))}")
            if ENDED in f.details or (now < was and not over):
                return changed
            what = "does more I/Os since" if rate >= times * usual else f"changed {'on' if step.is_day else 'at'}"
            first, then = f"Find out what {what} {step.moment}", "If that is to stay"
            if now < was:
                left = f"{human_number(now)} ms an I/O in place of {human_number(was)}"
                first, then = f"See what is left since {step.moment}: {left}", "If that is too long"
            # like findings keep their form
            return replace(changed.after(first, then), form=f.form)
    return f


def _step(levels: Mapping[int, float], when: Episode, length: int, limits: Mapping[str, float]) -> _Step | None:
    """Where the level of parts of `length` hours became another one in the bad time; of a week, on working days."""
    starts = {n: when.start + n * length * HOUR for n, level in levels.items() if level > 0}
    worked = [n for n, at in starts.items() if at.weekday() < SATURDAY]
    parts = worked if len({starts[n].date() for n in worked}) >= limits["few_days"] else [*starts]
    until, since = _split([levels[n] for n in parts], limits["changed"]) or (0, 0)
    if not until or not when.first_seen + HOUR < starts[parts[since]] <= when.last_seen - HOUR:
        return None
    before, after = parts[:until], parts[since:]
    is_day = after[0] * length % DAY_H == 0
    return _Step(before, after, starts[before[-1]] + (not is_day) * length * HOUR, starts[after[0]], is_day)


def _split(levels: Sequence[float], times: float) -> tuple[int, int] | None:
    """Where a level ends, and one begins that is `times` higher, or lower; the one between may have both.

    Of ten before it, or after it, one may be otherwise.
    """
    sums = [0.0, *accumulate(map(math.log, levels))]
    n, total = len(levels), sums[-1]
    at = max(range(1, n), key=lambda k: sums[k] ** 2 / k + (total - sums[k]) ** 2 / (n - k), default=0)
    for until, since in ((at, at), (at - 1, at), (at, at + 1)):
        before, after = sorted(levels[: max(until, 0)]), sorted(levels[since:])
        if before and after and (_is_over(after, before, times) or _is_over(before, after, times)):
            return until, since
    return None


def _is_over(high: Sequence[float], low: Sequence[float], times: float) -> bool:
    return high[len(high) // 10] >= times * low[-1 - len(low) // 10]
