"""Service classes that miss their goals in the hours of a finding, and wait for disks more than usual."""

import datetime as dt
from collections import defaultdict
from collections.abc import Mapping, Sequence

from iosq.toolkit.advise.finding import Finding
from iosq.toolkit.advise.places import Places, Seen
from iosq.toolkit.advise.window import Episode
from iosq.toolkit.rows import Row, grouped
from iosq.toolkit.show.numbers import plural, share
from iosq.toolkit.sql.engine import Connection
from iosq.toolkit.sql.questions import ask, load
from iosq.toolkit.units import human_number

QUESTION, VOLUMES = load(__package__, "goals.sql"), load(__package__, "goals_volumes.sql")
# classes that are named, the most important first
NAMED = 2
# volumes of each class of a system; empty where no record shows them
Users = Mapping[tuple[str, str], set[Seen]]


def named(con: Connection, found: Sequence[Finding], places: Places, limits: Mapping[str, float]) -> list[Finding]:
    """The findings; those that cost time name the classes of their systems that then waited for disks."""
    costly = [f.severity != "note" and f.when is not None and f.lost_s > 0 for f in found]
    names = QUESTION.asked_with
    rows = ask(con, QUESTION, **{n: limits[n] for n in names}).to_pylist() if any(costly) else []
    if not rows:
        return list(found)
    users: dict[tuple[str, str], set[Seen]] = defaultdict(set)
    classes = "".join(f"|{name}|" for name in sorted({r["service_class"] for r in rows}))
    for r in ask(con, VOLUMES, classes=classes).to_pylist():
        users[r["system"], r["service_class"]].add((r["system"], r["volser"]))
    least = limits["overlap"]
    return [
        _named(f, f.when, rows, users, places, least) if f.when and c else f for f, c in zip(found, costly, strict=True)
    ]


def _named(f: Finding, when: Episode, rows: Sequence[Row], users: Users, places: Places, overlap: float) -> Finding:
    volumes = places.of(f.places)
    systems = set(f.subject.systems) or {system for system, _ in volumes}
    here = (r for r in rows if r["system"] in systems and _inside(r, when))
    then = grouped(here, lambda r: (r["system"], r["service_class"], r["period"]))
    least = overlap * (when.end - when.start)
    missed = [of for of in then.values() if sum((_inside(r, when) for r in of), dt.timedelta()) >= least]
    missed.sort(key=lambda of: (of[0]["importance"] or 9, -max(r["performance_index"] for r in of)))
    for of in missed[:NAMED]:
        f = f.also(_sentence(of, volumes, users))
    more = len(missed) - NAMED
    return (
        f.also(f"{plural(more, 'more class misses its goal', 'more classes miss their goals')} then") if more > 0 else f
    )


def _sentence(of: Sequence[Row], volumes: set[Seen], users: Users) -> str:
    first, index = of[0], max(r["performance_index"] for r in of)
    delayed = sum(r["disk_delay_ratio"] * r["interval_s"] for r in of) / sum(r["interval_s"] for r in of)
    importance = f" (importance {first['importance']})" if first["importance"] else ""
    uses = volumes & users[first["system"], first["service_class"]]
    link = "its jobs use volumes of this finding" if uses else "no record shows which volumes it waits for"
    return (
        f"Service class {first['service_class']}{importance} misses its goal on {first['system']} then: performance "
        f"index {human_number(index)}, {share(delayed)} of its samples delayed for disk I/O; {link}"
    )


def _inside(r: Row, when: Episode) -> dt.timedelta:
    both: dt.timedelta = min(r["local_end"], when.end) - max(r["local_start"], when.start)
    return max(both, dt.timedelta())
