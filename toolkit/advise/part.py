"""Advice about a part of a lake, computed on all of it: volumes of a box are solved together.

Only a time filter reaches the rules. Filters by system, LCU and volume select among their findings.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from iosq.toolkit.advise.catalog import SPAN, all_rules
from iosq.toolkit.advise.data_quality import questions
from iosq.toolkit.advise.engine import Settings, apply, with_general
from iosq.toolkit.advise.finding import Finding, Topic
from iosq.toolkit.advise.grouped import apart, as_one
from iosq.toolkit.advise.subject import Subject
from iosq.toolkit.rows import NewRow
from iosq.toolkit.sql.engine import Connection
from iosq.toolkit.sql.questions import ask, load

VOLUMES, LCUS = load(__package__, "part_volumes.sql"), load(__package__, "part_lcus.sql")


@dataclass(frozen=True, slots=True)
class Part:
    """Names in a part of a lake: `volumes` with the system that sees them, `boxes` by any of their names."""

    volumes: frozenset[tuple[str, str]]
    lcus: frozenset[str]
    boxes: frozenset[str]
    systems: frozenset[str]

    def holds(self, subject: Subject) -> bool:
        """True if the part contains some of a subject's names."""
        if subject.kind in ("volume", "volumes"):
            return any(n in subject.names and s in (subject.systems or (s,)) for n, s in self.volumes)
        seen = not subject.systems or bool(self.systems & set(subject.systems))
        return seen and bool((self.lcus if subject.kind == "lcu" else self.boxes) & set(subject.names))


def part_of(con: Connection) -> Part:
    """The part that a filtered connection shows."""
    rows = ask(con, VOLUMES).to_pylist() or ask(con, LCUS).to_pylist()
    volumes = frozenset((r["volume"], r["system"]) for r in rows if r.get("volume"))
    lcus, subsystems, boxes, systems = (
        frozenset(str(r[name]) for r in rows if r.get(name)) for name in ("lcu", "subsystem", "box", "system")
    )
    return Part(volumes, lcus, boxes | subsystems | lcus | systems, systems)


def texts() -> list[str]:
    """The queries run on a connection to a part of a lake."""
    return [
        VOLUMES.sql,
        LCUS.sql,
        SPAN.sql,
        *questions(),
        *(rule.sql for rule in all_rules() if rule.general),
    ]


def findings_of_part(
    found: Iterable[Finding], con: Connection, settings: Settings | None = None, topic: Topic = "all"
) -> list[Finding]:
    """Findings about something in a part of the lake, in their order; then findings about the part as a whole.

    `found` is of the whole lake over the same span, `con` narrowed to the part.
    """
    part = part_of(con)
    rules = [rule for rule in all_rules() if rule.general and topic in ("all", rule.topic)]
    general = [f for rule in rules for f in apply(con, rule, (settings or {}).get(rule.code))]
    touched = ([p for p in apart([f]) if any(map(part.holds, _touched(p)))] for f in found)
    return with_general([*map(as_one, filter(None, touched)), *general])


def verdicts_of_part(rows: Iterable[NewRow], con: Connection) -> list[NewRow]:
    """Rows of `iosq.toolkit.advise.verdicts` about volumes and LCUs of a part of the lake."""
    part = part_of(con)
    return [r for r in rows if part.holds(Subject(r["kind"], tuple(r["names"]), tuple(r["systems"])))]


def _touched(f: Finding) -> Iterable[Subject]:
    """The names in a finding's subject. Channels are found by the volumes they delay."""
    return (
        (subject for _, subject in f.covers if subject.kind == "volume")
        if f.subject.kind == "channel"
        else (f.subject,)
    )
