"""Reads page headings: report, system and time span."""

import itertools
import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache

DATE, TIME = r"\d{4}[/-]\d\d[/-]\d\d", r"\d\d:\d\d:\d\d"
BEGIN = r"\s*.{0,2}?\s*FCX(\d{3})"
PRINTED = re.compile(rf"{BEGIN}\s+Run\s+({DATE}\s+{TIME})\s+(.*?)(?:\s+Page\s+(\d+))?\s*$")
SCREEN = re.compile(rf"{BEGIN}\s+CPU\s+(\S+)\s+SER\s+(\S+)\s+Interval\s+({TIME})\s*-\s*({TIME})\b")
# a screen of a monitor scan, which prints the date: from memory, no example available
SCAN = re.compile(rf"{BEGIN}\s+Data for\s+({DATE})\s+Interval\s+({TIME})\s*-\s*({TIME})\b")
STRANGE = re.compile(r"\s*[01+-]?\s*FCX(\d{3})\s{2,}(?!Run\s)\S")
FROM = re.compile(rf"\s*From\s+({DATE}\s+{TIME})(?:\s+(?:.*\s)?(\S+))?\s*$")
TO = re.compile(rf"\s*To\s+({DATE}\s+{TIME})(?:\s+(.*\S))?\s*$")
FOR = re.compile(r"\s*For\s+(\d+)\s+Secs\s+\d+:\d\d:\d\d(?:\s+(.*\S))?\s*$")
RELEASE = re.compile(r"(.*?)\s*(z/VM\s+V?\.?\d.*)?$")
STRAY = re.compile(r"\s*(?:From|To|For)\s|.*\b(?:Run\s+\d{4}|Page\s+\d+\s*$|Perf\. Monitor)")
# text of a screen below its rows
SCREEN_FOOT = re.compile(r"\s*(?:Command ===>.*|P?F\d+=.*|Select a device for I/O device details.*)")
BREAK = re.compile(r"\s*(?:[-_=]{20,}\s*)?")  # a blank line or an unbroken rule; dotted rules mark sortable columns
SLACK_S = 2  # From, To and For are each truncated to whole seconds
MOST_DIGITS = 9  # most digits of a page number or a span in seconds (30 years); more is damage


@dataclass(slots=True)
class Page:
    """One page heading. Times are local, None if the page has none; `printed` is False for a screen form.

    `conflict` is the reason for an unknown span, `doubt` describes other unreadable parts. `spaced`: the lines are
    double-spaced. `again`: an earlier page prints the same span with other numbers, so that this page's rows get no
    time.
    """

    report: str
    line: int
    printed: bool
    name: str = ""
    number: int | None = None
    run: datetime | None = None
    start: datetime | None = None
    end: datetime | None = None
    seconds: float | None = None
    system: str | None = None
    cpu: str | None = None
    serial: str | None = None
    release: str | None = None
    remark: str | None = None
    lines: list[str] = field(default_factory=list)
    conflict: str = ""
    doubt: str = ""
    spaced: bool = False
    again: bool = False

    def take(self, line: str) -> bool:
        """Store the values of a From, To or For line; False for other lines."""
        if line.lstrip()[:2] not in ("Fr", "To", "Fo"):
            return False
        if match := FROM.match(line):
            self.start, self.system = moment(match[1]), match[2]
        elif match := TO.match(line):
            self.end = moment(match[1])
            pairs = dict(itertools.pairwise((match[2] or "").split()))
            self.cpu, self.serial = pairs.get("CPU"), pairs.get("SN")
        elif match := FOR.match(line):
            self.seconds = _whole(match[1])
            self.conflict = "" if self.seconds is not None else f"For {_short(match[1])} Secs is no span of time"
            remark, self.release = RELEASE.match(match[2] or "").groups()  # type: ignore[union-attr]
            self.remark = remark or None
        return match is not None

    @property
    def rows_start(self) -> datetime | None:
        """Start of the interval of the page's rows."""
        return None if self.again else self.start

    @property
    def headings(self) -> tuple[str, ...]:
        """The lines of column headings: the last group of adjacent lines."""
        parts = [
            list(p) for broken, p in itertools.groupby(self.lines, lambda x: bool(BREAK.fullmatch(x))) if not broken
        ]
        return tuple(parts[-1]) if parts else ()

    @property
    def above(self) -> list[str]:
        """Lines with numbers above the column headings, such as a summary."""
        upper = self.lines[: -len(self.headings)] if self.headings else self.lines
        return [line for line in upper if re.search(r"\d", line)]

    def settle(self) -> None:
        """Check that From, To and For agree, else the span is unknown; remove the blank lines of double spacing."""
        if self.spaced:
            self.lines = self.lines[1::2]
        if self.start and self.end and self.seconds is None:
            self.seconds = (self.end - self.start).total_seconds()
        if self.start and self.seconds is not None and self.end is None:
            self.end = _later(self.start, self.seconds)
        self.conflict = self.conflict or self._disagreement()
        if self.conflict:
            self.start = self.end = None

    def _disagreement(self) -> str:
        if not (self.start and self.end and self.seconds is not None):
            return "no date" if not self.printed else "no readable From, To and For lines"
        if abs((self.end - self.start).total_seconds() - self.seconds) > SLACK_S:
            return f"From {self.start}, To {self.end} and For {self.seconds:.0f} Secs do not agree"
        return ""


def _whole(digits: str | None) -> int | None:
    """A number of at most `MOST_DIGITS` digits; None if there is none or it is longer."""
    return int(digits) if digits and len(digits) <= MOST_DIGITS else None


def _short(digits: str) -> str:
    return digits if len(digits) <= 2 * MOST_DIGITS else f"{digits[:MOST_DIGITS]}... ({len(digits)} digits)"


def _later(start: datetime, seconds: float) -> datetime | None:
    """`start` plus `seconds`; None beyond the calendar."""
    try:
        return start + timedelta(seconds=seconds)
    except OverflowError:
        return None


@lru_cache(1024)
def moment(text: str) -> datetime | None:
    """A printed date and time, or None if the day or hour is invalid."""
    try:
        return datetime.fromisoformat(" ".join(text.replace("/", "-").split()))
    except ValueError:
        return None


def heading(line: str, number: int) -> Page | None:
    """The page that starts with this line, or None."""
    if match := PRINTED.match(line):
        name, page = match[3].strip(), match[4]
        doubt = f"{_short(page)} is no page number" if page and len(page) > MOST_DIGITS else ""
        return Page(f"fcx{match[1]}", number, True, name, _whole(page), moment(match[2]), doubt=doubt)
    if match := SCREEN.match(line):
        seconds = _between(match[4], match[5])
        return Page(f"fcx{match[1]}", number, False, cpu=match[2], serial=match[3], seconds=seconds)
    if match := SCAN.match(line):
        seconds, start = _between(match[3], match[4]), moment(f"{match[2]} {match[3]}")
        return Page(f"fcx{match[1]}", number, False, start=start, seconds=seconds)
    if match := STRANGE.match(line):
        doubt = f"page heading not understood: {line.strip()[:60]!r}"
        return Page(f"fcx{match[1]}", number, False, doubt=doubt)
    return None


def _between(first: str, last: str) -> float | None:
    try:
        start, end = (datetime.strptime(t, "%H:%M:%S") for t in (first, last))
    except ValueError:
        return None
    return (end - start).total_seconds() % 86400
