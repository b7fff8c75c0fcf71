"""What a finding is about, by name: read from its subject, which rules write in one grammar.

`[WHAT] NAME[, NAME...] [on SYSTEM[, SYSTEM...]]`, where WHAT is `LCU`, `LCUs`, `channels`, `box TYPE`, `subsystem`,
`N volumes of LCU` or `the storage of`, or is left out for volumes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from iosq.toolkit.advise.finding import Finding

_WHAT = re.compile(r"(?:LCUs?|channels?|box \S+(?= \S)|box|subsystem|\d+ volumes of LCU|the storage of) (.+)")


@dataclass(frozen=True, slots=True)
class About:
    """Names of what a finding is about and the systems that see it (none named: all)."""

    names: tuple[str, ...]
    systems: tuple[str, ...]


def about(finding: Finding) -> About:
    """The names in a finding's subject; none for one about everything, or about a machine."""
    if finding.subject_kind in ("all", "machine"):
        return About((), ())
    return named(finding.subject)


def named(subject: str) -> About:
    """The names in a subject."""
    what, _, systems = subject.partition(" on ")
    found = _WHAT.fullmatch(what)
    return About(_listed(found[1] if found else what), _listed(systems))


def _listed(text: str) -> tuple[str, ...]:
    return tuple(name for name in text.split(", ") if name)
