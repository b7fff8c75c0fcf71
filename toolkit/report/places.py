"""LCUs and boxes: their contents, and their numbers over the span.

A place is a set of volumes: those of an LCU on one system, those of a system without LCUs (z/VM), or those of a box
on all systems. `unit` is the LCU, or empty for a system without LCUs.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from iosq.toolkit.advise.subject import box
from iosq.toolkit.report.anchors import anchor
from iosq.toolkit.report.table import Cell, cell
from iosq.toolkit.rows import Row, csv_rows
from iosq.toolkit.sql.engine import Connection
from iosq.toolkit.sql.questions import ask, load
from iosq.toolkit.sql.raw import literal

Kind = Literal["box", "lcu", "system"]

LCUS = load(__package__, "lcus.sql")
BOXES = load(__package__, "boxes.sql")


@dataclass(frozen=True, slots=True)
class Place:
    """An LCU of a system, a system's volumes without LCU, or a box; `parent` is the box of an LCU, if known."""

    id: str
    kind: Kind
    name: str
    row: Row
    parent: str | None = None

    @property
    def numbers(self) -> list[tuple[str, Cell, str]]:
        listed = _numbers(self.kind)
        return [(name, cell(self.row[c], d), unit) for c, name, d, unit in listed if self.row[c] is not None]

    @property
    def sql(self) -> str:
        if self.kind == "box":
            where = f"subsystem IN ({', '.join(literal(s) for s in self.subsystems)})"
        else:
            lcu = f"lcu = {literal(self.row['unit'])}" if self.row["unit"] else "lcu IS NULL"
            where = f"system = {literal(self.row['system'])} AND {lcu}"
        return f"SELECT * FROM volume_interval WHERE {where} ORDER BY interval_start, volume"

    @property
    def subsystems(self) -> list[str]:
        return (self.row["subsystems"] or "").split(", ")


@cache
def _numbers(kind: Kind) -> list[tuple[str, str, int | None, str]]:
    """Column, name, decimals and unit of the numbers of a kind of place, from `places.csv`."""
    rows = (row for row in csv_rows("iosq.toolkit.report", "places.csv") if kind in row["of"].split())
    return [(r["column"], r["name"], int(r["decimals"]) if r["decimals"] else None, r["unit"]) for r in rows]


def boxes(con: Connection) -> list[Place]:
    """The boxes in cache records, most lost time first."""
    rows = ask(con, BOXES).to_pylist()
    return [Place(anchor("box", r["box"].lstrip("0") or r["box"]), "box", box(r).opening, r) for r in rows]


def lcus(con: Connection, known: Sequence[Place]) -> list[Place]:
    """The LCUs of every system, and each system's volumes in no LCU; most lost time first."""
    parents = {b.row["box"]: b.id for b in known}
    found: dict[str, Place] = {}
    for row in ask(con, LCUS).to_pylist():
        place = _unit(row, parents.get(row["box"]))
        # the same name on z/OS and on z/VM is two places
        name = place.id + anchor("", row["platform"]) if place.id in found else place.id
        found[name] = replace(place, id=name)
    return list(found.values())


def _unit(r: Row, parent: str | None) -> Place:
    if r["unit"]:
        return Place(anchor("lcu", r["unit"], r["system"]), "lcu", f"LCU {r['unit']} on {r['system']}", r, parent)
    # z/VM has no LCUs
    rest = "" if r["platform"] == "z/VM" else " in no LCU"
    return Place(anchor("system", r["system"]), "system", f"Volumes of {r['system']}{rest}", r, parent)
