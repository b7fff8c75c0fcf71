"""Links from a finding to rows about its subject in tables of the page: data sets, paths, extent pools, ranks."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from iosq.toolkit.advise import Finding
from iosq.toolkit.advise.subject import Subject
from iosq.toolkit.report.table import Filled
from iosq.toolkit.rows import Row, csv_rows

Names = Mapping[str, str]


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
