"""Where on the page an LCU, a box or a volume has its own page, by the names findings and tables call it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from iosq.toolkit.advise import Finding
from iosq.toolkit.advise.box import box_name
from iosq.toolkit.report.anchors import anchor
from iosq.toolkit.report.places import Place

_LCU = re.compile(r"(?:.* of )?LCUs? (.+?)(?: on (.+))?")
_VOLUMES = re.compile(r"(.+?)(?: and \d+ more)? on (.+)")
# what a finding covers under this code are volumes
_COVERED = "pav_add_alias"


@dataclass(frozen=True, slots=True)
class Link:
    """The id of a page, what to call it; where it is that of a volume, the page of its LCU and its volser."""

    id: str
    name: str
    inside: str = ""
    short: str = ""


class Links:
    """All pages of LCUs, boxes and volumes."""

    def __init__(self, places: Sequence[Place], volumes: Sequence[Mapping[str, Any]]) -> None:
        """Take the places, and rows of the table of volumes with the id of their `place`."""
        self._by_name: dict[str, list[Link]] = {}
        self._by_id = {place.id: Link(place.id, place.name) for place in places}
        for place in places:
            for name in _names(place):
                self._add(name, self._by_id[place.id])
        for row in volumes:
            link = Link(volume_id(row), f"volume {row['volume']} on {row['system']}", row["place"], row["volume"])
            for name in (f"{row['volume']} on {row['system']}", row["volume"]):
                self._add(f"volume {name}", link)

    def _add(self, name: str, link: Link) -> None:
        self._by_name.setdefault(name, []).append(link)

    def about(self, finding: Finding) -> list[Link]:
        """The pages of what a finding is about; none where it is about everything."""
        named = self._known(_named(finding.subject_kind, finding.subject))
        if finding.subject_kind == "volumes":
            return [*self._around(named), *named]
        return self._around(self._covered(finding)) if finding.subject_kind == "channel" else named

    def _known(self, names: Iterable[str]) -> list[Link]:
        return [link for name in names for link in self._by_name.get(name, [])]

    def _around(self, volumes: Sequence[Link]) -> list[Link]:
        """The LCUs, or systems, that volumes are in."""
        return [self._by_id[place] for place in dict.fromkeys(v.inside for v in volumes)]

    def _covered(self, finding: Finding) -> list[Link]:
        """The volumes whose wait a finding explains."""
        return self._known(sorted(f"volume {subject}" for code, subject in finding.covers if code == _COVERED))

    def cell(self, column: str, row: Mapping[str, Any]) -> str:
        """The id of the page a table's cell is the name of; an empty text if there is none."""
        names = {
            "volume": f"volume {row.get('volume')} on {row.get('system')}",
            "lcu": f"LCU {row.get('lcu')} on {row.get('system')}",
            "box": f"box {row.get('box')}",
            "subsystem": f"subsystem {row.get('subsystem')}",
        }
        named = _named(row["kind"], row["subject"]) if column == "subject" else [names.get(column, "")]
        return next((link.id for link in self._known(named)), "")


def volume_id(row: Mapping[str, Any]) -> str:
    """The anchor of a volume's page, from a row with `volume` and `system`."""
    return anchor("volume", row["volume"], row["system"])


def _names(place: Place) -> list[str]:
    if place.kind == "box":
        return list(dict.fromkeys([box_name(place.row), *(f"subsystem {s}" for s in place.subsystems)]))
    if place.kind == "lcu":
        return [place.name, f"LCU {place.row['unit']}"]
    return [place.name]


def _named(kind: str, subject: str) -> list[str]:
    """The names of a subject as `Links` knows them: `A, B on S1, S2` is each of A and B on each of S1 and S2."""
    if kind == "volume":
        return [f"volume {subject}"]
    if kind == "volumes" and (found := _VOLUMES.fullmatch(subject)):
        return [f"volume {volume} on {system}" for system in found[2].split(", ") for volume in found[1].split(", ")]
    if kind in ("lcu", "group") and (found := _LCU.fullmatch(subject)):
        lcus = [f"LCU {name}" for name in found[1].split(", ")]
        return [f"{lcu} on {system}" for lcu in lcus for system in found[2].split(", ")] if found[2] else lcus
    return [subject]
