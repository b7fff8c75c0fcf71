"""The issues of one file: the first thousand of each code one by one, the rest as a sum."""

from dataclasses import replace

from iosq.parsers.api import Issue

KEEP = 1000


class IssueLog:
    """Collects issues in bounded memory; the sum of the counts equals the reported total."""

    def __init__(self, keep: int = KEEP) -> None:
        self._keep = keep
        self._kept: list[Issue] = []
        self._seen: dict[tuple[str, str], int] = {}
        self._rest: dict[tuple[str, str], Issue] = {}

    def add(self, issue: Issue) -> None:
        key = (issue.code, issue.severity)
        self._seen[key] = self._seen.get(key, 0) + 1
        if self._seen[key] <= self._keep:
            self._kept.append(issue)
        elif key in self._rest:
            self._rest[key] = replace(self._rest[key], count=self._rest[key].count + issue.count)
        else:
            message = f"further issues of this kind, from here on counted only; the first: {issue.message}"
            self._rest[key] = replace(issue, message=message)

    def absorb(self, later: "IssueLog") -> None:
        """Take in the issues of what follows in the same input, as if they had been added here."""
        for issue in later._kept:
            self.add(issue)
        for key, rest in later._rest.items():
            mine = self._rest.get(key)
            self._rest[key] = rest if mine is None else replace(mine, count=mine.count + rest.count)

    def rows(self) -> list[Issue]:
        """All issues in order of arrival, summary rows last."""
        return [*self._kept, *(self._rest[key] for key in sorted(self._rest))]
