"""Collects issues for the caller: the first of each code individually, the rest as one with a count."""

from collections.abc import Iterator
from dataclasses import replace

from iosq.parsers.api import Issue, Severity
from iosq.parsers.listing import unread

MOST = 40  # individual issues per code; a damaged file would otherwise give an issue per line
MOST_SUBJECTS = 1000  # subjects reported once each; damage may produce any number of them
LONGEST = 400  # characters of a message: text quoted from the data may have any length


class Notes:
    """Collects issues until they are taken."""

    def __init__(self) -> None:
        self._fresh: list[Issue] = []
        self._counts: dict[str, int] = {}
        self._reported: set[tuple[str, str]] = set()
        self._more: dict[str, Issue] = {}
        self._unread: dict[str, Issue] = {}

    def add(self, code: str, severity: Severity, message: str, line: int = 0) -> None:
        self.put(Issue(code, severity, message, line))

    def put(self, issue: Issue) -> None:
        """Add an issue; a message that is too long is truncated."""
        if len(issue.message) > LONGEST:
            issue = replace(issue, message=issue.message[: LONGEST - 3] + "...")
        if issue.code in unread.CODES and self._is_merged(issue):
            return
        count = self._counts[issue.code] = self._counts.get(issue.code, 0) + 1
        if count <= MOST:
            self._fresh.append(issue)
        elif more := self._more.get(issue.code):
            self._more[issue.code] = replace(more, count=more.count + issue.count)
        else:
            self._more[issue.code] = replace(issue, message=f"and more, the first: {issue.message}")

    def _is_merged(self, issue: Issue) -> bool:
        """Merge issues of the same unread column into one, reported at the end; False if there are too many columns."""
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
        """Add an issue, but only the first with this code about the subject `about`."""
        if (code, about) not in self._reported and len(self._reported) < MOST_SUBJECTS:
            self._reported.add((code, about))
            self.add(code, severity, message, line)

    def take(self) -> Iterator[Issue]:
        """The issues added since the last call."""
        fresh, self._fresh = self._fresh, []
        yield from fresh

    def rest(self) -> Iterator[Issue]:
        """One issue per unread column, and one per code for issues beyond the first `MOST`."""
        yield from self._unread.values()
        yield from self._more.values()
