"""Findings about the same I/Os that name aliases and that say they will not help: each names the other.

Both may be right: I/Os wait in the host for an alias, and then on the way or in the box, which aliases don't shorten.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from iosq.toolkit.advise.finding import Finding
from iosq.toolkit.advise.subject import Subject
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import listed
from iosq.toolkit.sql.questions import ask, load

if TYPE_CHECKING:
    from iosq.toolkit.sql.engine import Connection

QUESTION = load(__package__, "agree.sql")
# what is said of some hours only speaks for these
NO_HELP = re.compile(
    r"aliases (will not help(?! in these hours)( here)?|don't (help|shorten disconnect))", re.IGNORECASE
)
NOT_SHORTER = "They don't shorten what "
# a volume as one system sees it
Place = tuple[str, str]


def agreed(con: Connection, found: Sequence[Finding]) -> list[Finding]:
    """The findings, those that name aliases and those that say they are no help beside each other where they meet."""
    give = [n for n, f in enumerate(found) if f.aliases and f.aliases.verdict == "add"]
    deny = [n for n, f in enumerate(found) if n not in give and f.severity != "note" and NO_HELP.search(f.advice)]
    if not (give and deny):
        return list(found)
    where = _places(ask(con, QUESTION).to_pylist())
    at = {n: _of(found[n], where) for n in (*give, *deny)}
    beside: dict[int, set[str]] = defaultdict(set)
    for one in give:
        for other in deny:
            if at[one] & at[other]:
                beside[one].add(found[other].code)
                beside[other].add(found[one].code)
    return [_said(f, sorted(beside[n]), n in give) if n in beside else f for n, f in enumerate(found)]


def _places(rows: Iterable[Row]) -> Mapping[tuple[str, str, str], set[Place]]:
    """Volumes by kind of subject, name and system; all systems under an empty one."""
    found: dict[tuple[str, str, str], set[Place]] = defaultdict(set)
    for r in rows:
        for kind in ("volume", "lcu", "box"):
            for system in (r["system"], ""):
                found[kind, r[kind] or "", system].add((r["system"], r["volume"]))
        found["all", "", ""].add((r["system"], r["volume"]))
        # of a system that tells no LCU
        found["box", r["system"], ""].add((r["system"], r["volume"]))
    return found


def _of(f: Finding, where: Mapping[tuple[str, str, str], set[Place]]) -> set[Place]:
    """The volumes whose I/Os a finding is about."""
    subjects = f.about or {f.subject}
    return {place for s in subjects for key in _keys(s) for place in where.get(key, ())}


def _keys(s: Subject) -> list[tuple[str, str, str]]:
    systems = s.systems or ("",)
    if s.kind == "all":
        return []
    if s.kind in ("volume", "volumes", "lcu"):
        return [(s.kind.removesuffix("s"), name, system) for name in s.names for system in systems]
    # a link or a rank is in the box named first; a box may go by its LCU
    return [(kind, s.names[0], system) for kind in ("box", "lcu") for system in systems] if s.names else []


def beside(f: Finding) -> str:
    """What a finding that names aliases says of the others; empty where nothing stands beside it."""
    _, found, rest = f.advice.partition(NOT_SHORTER)
    return f"{NOT_SHORTER}{rest}" if found else ""


def _said(f: Finding, others: Sequence[str], gives: bool) -> Finding:
    if gives:
        they = "tells" if len(others) == 1 else "tell"
        return replace(f, advice=f"{f.advice}. {NOT_SHORTER}{listed(others)} {they} of here: look at that too")
    names = "names" if len(others) == 1 else "name"
    aside = f" (those that {listed(others)} {names} are for the wait in the host)"
    return replace(f, advice=NO_HELP.sub(lambda m: m[0] + aside, f.advice, count=1))
