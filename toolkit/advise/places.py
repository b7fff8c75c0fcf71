"""Locations of volumes: LCU, box and HyperPAV state as each system saw them, from the rule `volumes_moved`."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from iosq.toolkit.advise.subject import Subject
from iosq.toolkit.advise.window import Episode
from iosq.toolkit.rows import Row

# a volume as one system sees it
Seen = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Place:
    """Location of a volume from `start` to `end`, local time; `box` is empty without a serial in the records."""

    system: str
    volume: str
    lcu: str
    box: str
    is_hyperpav: bool
    start: dt.datetime
    end: dt.datetime

    @property
    def where(self) -> tuple[str, str, bool]:
        """The place alone."""
        return self.lcu, self.box, self.is_hyperpav

    @property
    def since(self) -> str:
        """Its start in words."""
        return f"{self.start:%H:%M on %Y-%m-%d}"

    def differs(self, other: Place) -> bool:
        """True if it is another place, as far as both are known."""
        known = [(a, b) for a, b in ((self.lcu, other.lcu), (self.box, other.box)) if a and b]
        return self.is_hyperpav != other.is_hyperpav or any(a != b for a, b in known)

    def difference(self, after: Place) -> str:
        """What changed, in words that follow `moved`."""
        parts = []
        if self.lcu != after.lcu:
            parts.append(f"from LCU {self.lcu} to LCU {after.lcu}")
        if self.box and after.box and self.box != after.box:
            parts.append(f"from box {self.box} to box {after.box}")
        if self.is_hyperpav != after.is_hyperpav:
            parts.append("to HyperPAV" if after.is_hyperpav else "from HyperPAV to static PAV")
        return ", ".join(parts)


class Places:
    """The history of all volumes of a lake."""

    def __init__(self, rows: Iterable[Row]) -> None:
        """Rows of the rule's question, in order of time."""
        self._of: dict[Seen, list[Place]] = defaultdict(list)
        self._in: dict[tuple[str, str, str], set[Seen]] = defaultdict(set)
        for r in rows:
            self._add(r)

    def _add(self, r: Row) -> None:
        seen = r["system"], r["volume"]
        box = r["box"] if r["is_named"] else ""
        self._of[seen].append(Place(*seen, r["lcu"] or "", box, r["is_hyperpav"], r["seen_start"], r["seen_end"]))
        for kind, name in (("volume", r["volume"]), ("lcu", r["lcu"]), ("box", r["box"]), ("box", r["system"])):
            for system in (r["system"], ""):
                self._in[kind, name or "", system].add(seen)

    def of(self, subjects: Iterable[Subject]) -> set[Seen]:
        """The volumes whose I/Os findings about these subjects are about, at any time."""
        return {seen for s in subjects for key in _keys(s) for seen in self._in.get(key, ())}

    def at(self, seen: Seen, when: Episode) -> Place | None:
        """The location of a volume at the middle of a time, or nearest to it."""
        middle = when.start + (when.end - when.start) / 2
        return min(self._of[seen], key=lambda p: max(p.start - middle, middle - p.end), default=None)

    def now(self, seen: Seen) -> Place:
        """The last location."""
        return max(self._of[seen], key=lambda p: p.end)

    def since(self, seen: Seen, then: Place) -> Place:
        """The first later location that differs."""
        later = (p for p in self._of[seen] if p.start >= then.end and p.differs(then))
        return min(later, key=lambda p: p.start, default=self.now(seen))


def _keys(s: Subject) -> list[tuple[str, str, str]]:
    systems = s.systems or ("",)
    if s.kind in ("volume", "volumes", "lcu"):
        return [(s.kind.removesuffix("s"), name, system) for name in s.names for system in systems]
    # a link or a rank is in the box named first; a box may be named by its LCU
    return [(kind, s.names[0], system) for kind in ("box", "lcu") for system in systems] if s.names else []
