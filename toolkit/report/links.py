"""Where on the page an LCU, a box or a volume has its own page, by the names findings and tables call it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from iosq.toolkit.advise import Finding
from iosq.toolkit.advise.box import box_name
from iosq.toolkit.report.anchors import anchor
from iosq.toolkit.report.places import Place

_LCU = re.compile(r"(?:.* of )?(LCU .+?)(?: on (.+))?")


@dataclass(frozen=True, slots=True)
class Link:
    """The id of a page, what to call it, and the LCU's page where it is that of a volume."""

    id: str
    name: str
    inside: str = ""


class Links:
    """All pages of LCUs, boxes and volumes."""

    def __init__(self, places: Sequence[Place], volumes: Sequence[Mapping[str, Any]]) -> None:
        """Take the places, and rows of the table of volumes with the id of their `place`."""
        self._by_name: dict[str, list[Link]] = {}
        for place in places:
            for name in _names(place):
                self._add(name, Link(place.id, place.name))
        for row in volumes:
            link = Link(volume_id(row), f"volume {row['volume']} on {row['system']}", row["place"])
            for name in (f"{row['volume']} on {row['system']}", row["volume"]):
                self._add(f"volume {name}", link)

    def _add(self, name: str, link: Link) -> None:
        self._by_name.setdefault(name, []).append(link)

    def about(self, finding: Finding) -> list[Link]:
        """The pages of what a finding is about; none where it is about everything."""
        return [link for name in _subjects(finding) for link in self._by_name.get(name, [])]

    def cell(self, column: str, row: Mapping[str, Any]) -> str:
        """The id of the page a table's cell is the name of; an empty text if there is none."""
        names = {
            "volume": f"volume {row.get('volume')} on {row.get('system')}",
            "lcu": f"LCU {row.get('lcu')} on {row.get('system')}",
            "box": f"box {row.get('box')}",
            "subsystem": f"subsystem {row.get('subsystem')}",
        }
        found = self._by_name.get(names.get(column, ""), [])
        return found[0].id if found else ""


def volume_id(row: Mapping[str, Any]) -> str:
    """The anchor of a volume's page, from a row with `volume` and `system`."""
    return anchor("volume", row["volume"], row["system"])


def _names(place: Place) -> list[str]:
    if place.kind == "box":
        return list(dict.fromkeys([box_name(place.row), *(f"subsystem {s}" for s in place.subsystems)]))
    if place.kind == "lcu":
        return [place.name, f"LCU {place.row['unit']}"]
    return [place.name]


def _subjects(finding: Finding) -> list[str]:
    """The names of what a finding is about, as `Links` knows them."""
    if finding.subject_kind == "volume":
        return [f"volume {finding.subject}"]
    if finding.subject_kind == "lcu" and (found := _LCU.fullmatch(finding.subject)):
        return [f"{found[1]} on {system}" for system in found[2].split(", ")] if found[2] else [found[1]]
    return [finding.subject]
