"""Advice about a part of a lake: worked out on all of it, because volumes of a box are solved together.

Only time narrows what rules read. Systems, LCUs and volumes choose among what they find.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from iosq.toolkit.advise.about import about, named
from iosq.toolkit.advise.engine import Settings, all_rules, apply
from iosq.toolkit.advise.finding import Finding, Row, Topic
from iosq.toolkit.sql.questions import ask, load

if TYPE_CHECKING:
    import duckdb

VOLUMES, LCUS = load(__package__, "part_volumes.sql"), load(__package__, "part_lcus.sql")


@dataclass(frozen=True, slots=True)
class Part:
    """Names of what a part of a lake holds. `volumes` as `V` and as `V on SYSTEM`; `boxes` by any name they have."""

    volumes: frozenset[str]
    lcus: frozenset[str]
    boxes: frozenset[str]
    systems: frozenset[str]


def part_of(con: duckdb.DuckDBPyConnection) -> Part:
    """What a narrowed connection shows."""
    rows = ask(con, VOLUMES).to_pylist() or ask(con, LCUS).to_pylist()
    seen = [(r["volume"], r["system"]) for r in rows if r.get("volume")]
    volumes = {volume for volume, _ in seen} | {f"{volume} on {system}" for volume, system in seen}
    names = {
        name: frozenset(str(r[name]) for r in rows if r.get(name)) for name in ("lcu", "subsystem", "box", "system")
    }
    boxes = names["box"] | names["subsystem"] | names["lcu"] | names["system"]
    return Part(frozenset(volumes), names["lcu"], boxes, names["system"])


def narrowed(
    found: Iterable[Finding], con: duckdb.DuckDBPyConnection, settings: Settings | None = None, topic: Topic = "all"
) -> list[Finding]:
    """Those that are about something in a part of the lake, in their order; then what is said of the part as a whole.

    Args:
        found: from the whole lake, over the same span.
        con: the lake, narrowed to the part.
        settings: as for `run`.
        topic: as for `run`.
    """
    part = part_of(con)
    rules = [rule for rule in all_rules() if rule.general and topic in ("all", rule.topic)]
    general = [f for rule in rules for f in apply(con, rule, (settings or {}).get(rule.code))]
    return [f for f in found if _concerns(f, part)] + general


def narrowed_rows(rows: Iterable[dict[str, Any]], con: duckdb.DuckDBPyConnection) -> list[dict[str, Any]]:
    """Rows of `iosq.toolkit.advise.verdicts` about volumes and LCUs of a part of the lake."""
    part = part_of(con)
    return [r for r in rows if _within(r, part)]


def _within(row: Row, part: Part) -> bool:
    what = named(row["subject"])
    seen = not what.systems or bool(part.systems & set(what.systems))
    return seen and bool((part.volumes if row["kind"] == "volume" else part.lcus) & set(what.names))


def _concerns(f: Finding, part: Part) -> bool:
    what = about(f)
    if what.systems and not part.systems & set(what.systems):
        return False
    if f.subject_kind == "channel":
        # known by whom they slow down
        return bool(part.volumes & {subject for _, subject in f.covers})
    known = {"volume": part.volumes, "volumes": part.volumes, "lcu": part.lcus}.get(f.subject_kind, part.boxes)
    return bool(known & set(what.names))
