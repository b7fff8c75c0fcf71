"""Links from names of LCUs, boxes and volumes to their pages, and from findings to table rows about their subject."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from iosq.toolkit.advise import Finding
from iosq.toolkit.advise.subject import WAITS, Subject, box
from iosq.toolkit.report.anchors import volume_id
from iosq.toolkit.report.places import Place
from iosq.toolkit.report.table import Filled
from iosq.toolkit.rows import Row, csv_rows

# key of a page: kind, name, and the system or an empty text
_Key = tuple[str, str, str]
Names = Mapping[str, str]
# page kinds by kind of subject, if they differ; a box without a serial uses its subsystem
_PAGES: Mapping[str, tuple[str, ...]] = {"box": ("box", "subsystem"), "subsystem": ("box", "subsystem")}
# columns with names that are unique only within a system, and the column of the system
_WITHIN = {"volume": "system", "lcu": "system"}


@dataclass(frozen=True, slots=True)
class Link:
    """Id and name of a page; for a volume also the page of its LCU (`inside`) and its volser (`short`)."""

    id: str
    name: str
    inside: str = ""
    short: str = ""


class Links:
    """All pages of LCUs, boxes and volumes."""

    def __init__(self, places: Sequence[Place], volumes: Sequence[Row]) -> None:
        """Index the places, and rows of the table of volumes with the id of their `place`."""
        self._by_name: dict[_Key, list[Link]] = {}
        self._by_id = {place.id: Link(place.id, place.name) for place in places}
        for place in places:
            for name in _names(place):
                self._add(name, self._by_id[place.id])
        for row in volumes:
            link = Link(volume_id(row), f"volume {row['volume']} on {row['system']}", row["place"], row["volume"])
            for system in (row["system"], ""):
                self._add(("volume", row["volume"], system), link)

    def _add(self, name: _Key, link: Link) -> None:
        self._by_name.setdefault(name, []).append(link)

    def about(self, finding: Finding) -> list[Link]:
        """The pages about a finding's subject; empty if the finding is about everything."""
        named = self._of(finding.subject)
        if finding.subject.kind == "volumes":
            return [*self._around(named), *named]
        if finding.subject.kind != "channel":
            return named
        # the volumes whose wait the finding explains
        waiting = sorted((subject for code, subject in finding.covers if code == WAITS), key=str)
        return self._around([link for subject in waiting for link in self._of(subject)])

    def _of(self, subject: Subject) -> list[Link]:
        keys = ((kind, s.names[0], "".join(s.systems)) for s in subject.each for kind in _PAGES.get(s.kind, (s.kind,)))
        return [link for key in keys for link in self._by_name.get(key, [])]

    def _around(self, volumes: Sequence[Link]) -> list[Link]:
        """The pages of the LCUs, or systems, that the volumes are in."""
        return [self._by_id[place] for place in dict.fromkeys(v.inside for v in volumes)]

    def cell(self, column: str, row: Row) -> str:
        """The id of the page that a table's cell names; empty if there is none."""
        if column == "subject":
            named = self._of(Subject(row["kind"], tuple(row["names"]), tuple(row["systems"])))
        else:
            named = self._by_name.get((column, row.get(column) or "", row.get(_WITHIN.get(column, ""), "")), [])
        return next((link.id for link in named), "")


def _names(place: Place) -> list[_Key]:
    """All names of a place. A place without a box in the records is its own box."""
    if place.kind == "box":
        return [("box", name, "") for name in box(place.row).names] + [("subsystem", s, "") for s in place.subsystems]
    system, unit = place.row["system"], place.row["unit"]
    own: list[_Key] = [("lcu", unit, system), ("lcu", unit, "")] if place.kind == "lcu" else [("system", system, "")]
    return own if place.parent else [*own, ("box", unit or system, "")]


@dataclass(frozen=True, slots=True)
class Related:
    """A link that opens a table with a search; each quoted word matches a whole cell, of any or of a given column."""

    label: str
    table: str
    find: str


class Tables:
    """Index of the tables of a page, and of the locations of its volumes."""

    def __init__(self, tables: Iterable[Filled], volumes: Sequence[Row]) -> None:
        """Index the tables, and rows of the table of volumes with `box`, `pool`, and both as `extent_pool`."""
        self._cells = {f.table.name: _cells(f) for f in tables}
        self._volumes: dict[tuple[str, str], Row] = {}
        for row in volumes:
            for system in (row["system"], ""):
                self._volumes.setdefault((row["volume"], system), row)

    def about(self, finding: Finding) -> list[Related]:
        """The links of a finding, only to tables with rows about its subject."""
        subject = finding.subject
        asked = ((names, self._link(names, *link)) for names in self._names(subject) for link in _links(subject.kind))
        made = {link: names.get("system", "") for names, link in asked if link}
        often = Counter(link.label for link in made)
        return [
            replace(link, label=f"{link.label} on {on}") if on and often[link.label] > 1 else link
            for link, on in made.items()
        ]

    def _link(self, names: Names, label: str, table: str, keys: Sequence[str]) -> Related | None:
        columns = {key: column.replace("_", " ") for column, _, key in (name.rpartition(":") for name in keys)}
        keys = [*columns]
        words = [names[key] for key in keys if names.get(key)]
        if not names.get(keys[0]) or (len(words) < len(keys) and keys[-1] != "system"):
            return None
        if not any(cells.issuperset(words) for cells in self._cells.get(table, ())):
            return None
        found = (f"{columns[key]}: {names[key]}".removeprefix(": ") for key in keys if names.get(key))
        return Related(label.format_map(names), table, " ".join(f'"{word}"' for word in found))

    def _names(self, subject: Subject) -> list[Names]:
        if subject.kind in ("rank", "link"):
            box, *units = subject.names
            return [{"box": box, "unit": unit, "extent_pool": f"{box} {unit}"} for unit in units]
        if subject.kind in ("volume", "volumes"):
            each = [self._volume(s.names[0], "".join(s.systems)) for s in subject.each]
            return each if subject.kind == "volume" else [_shared(each)]
        if subject.kind == "lcu":
            return [self._lcu(s.names[0], "".join(s.systems)) for s in subject.each]
        kind = "box" if subject.kind == "subsystem" else subject.kind
        return [{kind: s.names[0], "system": "".join(s.systems)} for s in subject.each]

    def _lcu(self, name: str, system: str) -> Names:
        inside = [self._volume(v, on) for (v, on), row in self._volumes.items() if row["lcu"] == name and on == system]
        return {**(_shared(inside) if inside else {}), "lcu": name, "system": system}

    def _volume(self, name: str, system: str) -> Names:
        row = self._volumes.get((name, system), {})
        known = {key: row[key] for key in ("lcu", "box", "pool", "extent_pool") if row.get(key)}
        return {"volume": name, "system": system, **known}


@cache
def _links(kind: str) -> list[tuple[str, str, list[str]]]:
    """Label, table and names of the links of a kind of subject, from `related.csv`.

    The names are keys of cells to search, in any column or in the one before the colon; a subject on all systems has no
    system.
    """
    rows = csv_rows("iosq.toolkit.report", "related.csv")
    return [(row["label"], row["table"], row["names"].split()) for row in rows if kind in row["subjects"].split()]


def _shared(each: Sequence[Names]) -> Names:
    first, *others = each
    return {key: name for key, name in first.items() if all(other.get(key) == name for other in others)}


def _cells(filled: Filled) -> list[frozenset[str]]:
    if filled.data:
        rows = ((cell[0] if isinstance(cell, list) else cell for cell in row) for row in filled.data["rows"])
        return [frozenset(value for value in row if isinstance(value, str)) for row in rows]
    return [frozenset(cell.text for cell in row) for row in filled.rows]
