"""Issues on their way to the caller: the first of a kind one by one, the rest as one with a count."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from iosq.parsers.api import Issue, Severity
from iosq.parsers.listing import unread

MOST = 40  # of one code; a damaged file would otherwise give an issue per line
MOST_SUBJECTS = 1000  # things reported once each; damage may make up any number of them
LONGEST = 400  # characters of a message: a text quoted from the data may be of any length


class Notes:
    """Gathers issues until they are taken."""

    def __init__(self) -> None:
        self._fresh: list[Issue] = []
        self._counts: dict[str, int] = {}
        self._reported: set[tuple[str, str]] = set()
        self._more: dict[str, Issue] = {}
        self._unread: dict[str, Issue] = {}

    def add(self, code: str, severity: Severity, message: str, line: int = 0) -> None:
        """Note what happened at `line`."""
        self.put(Issue(code, severity, message, line))

    def put(self, issue: Issue) -> None:
        """Note an issue; its message is cut where it quotes too much."""
        if len(issue.message) > LONGEST:
            issue = replace(issue, message=issue.message[: LONGEST - 3] + "...")
        if issue.code in unread.CODES and self._is_gathered(issue):
            return
        count = self._counts[issue.code] = self._counts.get(issue.code, 0) + 1
        if count <= MOST:
            self._fresh.append(issue)
        elif more := self._more.get(issue.code):
            self._more[issue.code] = replace(more, count=more.count + issue.count)
        else:
            self._more[issue.code] = replace(issue, message=f"and more, the first: {issue.message}")

    def _is_gathered(self, issue: Issue) -> bool:
        """Keep one issue for each column that is not read, with how often, for the end; False if there are too many."""
        known = self._unread.get(issue.message)
        if known is not None:
            lost = "data_loss" in (known.severity, issue.severity)
            severity: Severity = "data_loss" if lost else "notice"
            issue = replace(known, severity=severity, count=known.count + issue.count)
        elif len(self._unread) >= MOST_SUBJECTS:
            return False
        self._unread[issue.message] = issue
        return True

    def once(self, code: str, severity: Severity, message: str, line: int = 0, about: str = "") -> None:
        """Note what happened, but only the first time it happens to `about`."""
        if self._first(code, about):
            self.add(code, severity, message, line)

    def _first(self, code: str, about: str) -> bool:
        """True if something is reported for the first time."""
        known = (code, about) in self._reported or len(self._reported) >= MOST_SUBJECTS
        self._reported.add((code, about)) if not known else None
        return not known

    def take(self) -> Iterator[Issue]:
        """The issues noted since the last call."""
        fresh, self._fresh = self._fresh, []
        yield from fresh

    def rest(self) -> Iterator[Issue]:
        """One issue for each column that is not read, and one per code for those beyond the first `MOST`."""
        yield from self._unread.values()
        yield from self._more.values()
