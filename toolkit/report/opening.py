"""The findings that the page opens with."""

from __future__ import annotations

from collections.abc import Sequence

from iosq.toolkit.advise import Finding

SHOWN = 5


def pick(findings: Sequence[Finding], count: int = SHOWN) -> list[Finding]:
    """The first of every kind before the second of any, `count` at most; in the order given, most urgent first."""
    seen: dict[str, int] = {}
    turns = []
    for place, finding in enumerate(findings):
        turn = seen[finding.code] = seen.get(finding.code, -1) + 1
        turns.append((turn, place))
    return [findings[place] for place in sorted(place for _, place in sorted(turns)[:count])]
