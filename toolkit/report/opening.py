"""Select the findings at the top of the page."""

from collections.abc import Sequence

from iosq.toolkit.advise import Finding

SHOWN = 5


def pick(findings: Sequence[Finding], count: int = SHOWN) -> list[Finding]:
    """At most `count` findings: the first of every rule before the second of any; in the given order."""
    seen: dict[str, int] = {}
    ranked = []
    for place, finding in enumerate(findings):
        nth_of_rule = seen[finding.code] = seen.get(finding.code, -1) + 1
        ranked.append((nth_of_rule, place))
    return [findings[place] for place in sorted(place for _, place in sorted(ranked)[:count])]
