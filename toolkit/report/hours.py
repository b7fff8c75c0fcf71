"""Aliases needed in each hour of the day: bars, and the sentence above them."""

from collections.abc import Sequence
from dataclasses import dataclass

from iosq.toolkit.advise import Finding
from iosq.toolkit.advise.finding import Hour, windows
from iosq.toolkit.advise.window import spoken
from iosq.toolkit.show.numbers import alias_range

MEAN = "aliases the mean of the span would ask for"
# if there are more windows, only their number is given
_WINDOWS = 3


@dataclass(frozen=True, slots=True)
class Bar:
    """One hour of the day: its worst interval, the aliases it needs in words, and its bar in % of the full width.

    `sure` is the part up to `fewest`; `most` the part up to the count that is certain to be enough.
    """

    when: str
    queue: float
    wait_ms: float
    words: str
    sure: float
    most: float


def bars(hours: Sequence[Hour]) -> list[Bar]:
    """A bar per hour with a queue, in order of time of day."""
    top = max([1, *(count for h in hours for count in (h.fewest, h.most) if count)])
    made = []
    for h in _by_clock(hours):
        sure, most = 100 * (h.fewest or 0) / top, 100.0 if h.most is None else 100 * h.most / top
        words = alias_range(h.fewest, h.most)
        made.append(Bar(spoken(h.start, h.end), h.queue_length, h.wait_ms, words, sure, most - sure))
    return made


def in_words(finding: Finding) -> str:
    """Aliases needed and when, compared with sizing on the mean of the whole span."""
    hours = _by_clock(finding.hours)
    counts = [count for h in hours for count in (h.fewest, h.most) if count is not None]
    open_end = any(h.most is None for h in hours)
    now = finding.aliases.now if finding.aliases else None
    has = "" if now is None else f" (now {now})"
    needs = (
        f"Takes {alias_range(min(counts), None if open_end else max(counts))}{has}"
        if counts
        else "No count of aliases clears the wait"
    )
    mean = next((n.value for n in finding.numbers if n.name == MEAN), None)
    rest = "" if mean is None else f"; the mean of the span would ask for {mean or 'none'}"
    return f"{needs} {_windows(hours)}{rest}"


def _by_clock(hours: Sequence[Hour]) -> list[Hour]:
    return sorted(hours, key=lambda h: (h.start.hour, h.start))


def _windows(hours: Sequence[Hour]) -> str:
    """Windows of whole hours, in words: shorter ones would omit other intervals of an hour that queue too."""
    runs = windows(hours)
    if len(runs) > _WINDOWS:
        return f"in {len(hours)} hours of the day"
    return "at " + " and ".join(f"{r[0].start.hour:02}:00-{r[-1].start.hour + 1:02}:00" for r in runs)
