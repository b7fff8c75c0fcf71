"""Links from names of LCUs, boxes and volumes, in findings and tables, to their pages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from iosq.toolkit.advise import Finding
from iosq.toolkit.advise.subject import WAITS, Subject, box
from iosq.toolkit.report.anchors import volume_id
from iosq.toolkit.report.places import Place
from iosq.toolkit.rows import Row

# key of a page: kind, name, and the system or an empty text
_Key = tuple[str, str, str]


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
        return self._around(self._covered(finding)) if finding.subject.kind == "channel" else named

    def _of(self, subject: Subject) -> list[Link]:
        return [link for key in _keys(subject) for link in self._by_name.get(key, [])]

    def _around(self, volumes: Sequence[Link]) -> list[Link]:
        """The pages of the LCUs, or systems, that the volumes are in."""
        return [self._by_id[place] for place in dict.fromkeys(v.inside for v in volumes)]

    def _covered(self, finding: Finding) -> list[Link]:
        """The volumes whose wait a finding explains."""
        waiting = sorted((subject for code, subject in finding.covers if code == WAITS), key=str)
        return [link for subject in waiting for link in self._of(subject)]

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


def _keys(subject: Subject) -> list[_Key]:
    return [(kind, s.names[0], "".join(s.systems)) for s in subject.each for kind in _PAGES.get(s.kind, (s.kind,))]
