"""Locations of volumes: LCU, box and kind of PAV as each system saw them, from the rule `volumes_moved`."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from iosq.toolkit.advise.subject import Subject
from iosq.toolkit.advise.window import Episode
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import plural
from iosq.toolkit.show.records import device_number

# kinds of PAV with a pool; without one, it is no PAV or static PAV, or unknown
POOLED = ("HyperPAV", "SuperPAV")
MIRROR = {True: "mirrored", False: "not mirrored", None: ""}
# a change this near to the end of a trouble may have ended it
NEAR = dt.timedelta(minutes=20)
A_DAY = dt.timedelta(days=1)
# a volume as one system sees it
Seen = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Place:
    """Location of a volume from `start` to `end`, local time, and its mirror; what the records do not name is empty.

    `device` is known only where the LCU is not.
    """

    system: str
    volume: str
    lcu: str
    device: str
    box: str
    pav: str
    mirror: str
    start: dt.datetime
    end: dt.datetime

    @property
    def seen(self) -> Seen:
        """The volume as the system sees it."""
        return self.system, self.volume

    @property
    def since(self) -> str:
        """Its start in words."""
        return f"{self.start:%H:%M on %Y-%m-%d}"

    def changes(self, after: "Place", *, with_pav: bool = True) -> Iterator[tuple[str, str, str]]:
        """What differs, before and after, as far as both are known."""
        pairs = ("LCU ", self.lcu, after.lcu), ("device ", self.device, after.device), ("box ", self.box, after.box)
        kinds = ("", self.mirror, after.mirror), *[("", self.pav, after.pav)] * with_pav
        for what, old, new in (*pairs, *kinds):
            if old and new and old != new:
                yield what, old, new

    def differs(self, other: "Place", *, with_pav: bool = True) -> bool:
        """True if it is another place, or has another kind of PAV where that counts."""
        return any(self.changes(other, with_pav=with_pav))

    def difference(self, after: "Place", volumes: int = 1) -> str:
        """What changed, in words that follow the number of volumes; it is the first of them."""
        each = list(self.changes(after))
        if volumes > 1 and self.device != after.device:
            return f"moved to other device numbers (the first from {self.device} to {after.device})"
        words = ", ".join(f"from {what}{a} to {what}{b}" for what, a, b in each)
        return f"{'moved' if any(what for what, *_ in each) else 'changed'} {words}"


# a place and the one after it
Move = tuple[Place, Place]


def moved(moves: Sequence[Move]) -> str:
    """Moves in words, those of the first volume for all."""
    then, since = moves[0]
    count = len({place.volume for place, _ in moves})
    return f"{plural(count, 'volume')} {then.difference(since, count)} at {since.since}"


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
        device = device_number(r["device"], r["platform"]) if r["device"] else ""
        where = r["lcu"] or "", device, box, r["pav"] or "", MIRROR[r["is_mirrored"]]
        self._of[seen].append(Place(*seen, *where, r["seen_start"], r["seen_end"]))
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

    def since(self, seen: Seen, then: Place, *, with_pav: bool = True) -> Place:
        """The first later location that differs."""
        later = (p for p in self._of[seen] if p.start >= then.end and p.differs(then, with_pav=with_pav))
        return min(later, key=lambda p: p.start, default=self.now(seen))

    def moves(self, seen: Iterable[Seen], at: dt.datetime) -> list[Move]:
        """Moves of some volumes at about a time."""
        return [(a, b) for a, b in self._moves(seen) if abs(b.start - at) <= NEAR]

    def arrivals(self, seen: Iterable[Seen], when: Episode) -> list[Move]:
        """Moves of some volumes to where they are in a time, in the day before it begins."""
        near = ((a, b) for a, b in self._moves(seen) if -NEAR <= when.first_seen - b.start <= A_DAY)
        return [(a, b) for a, b in near if b == self.at((b.system, b.volume), when)]

    def keepers(self, move: Move) -> list[str]:
        """Systems on which a volume that stayed has the pool of aliases that its own system lost."""
        then, since = move
        has_lost = then.pav in POOLED and since.pav not in (*POOLED, "") and not then.differs(since, with_pav=False)
        others = [p for (_, volume), all_of in self._of.items() if has_lost and volume == since.volume for p in all_of]
        here = [p for p in others if p.pav == then.pav and not p.differs(then) and p.start <= since.start < p.end]
        return sorted({p.system for p in here} - {since.system})

    def like(self, move: Move) -> list[Move]:
        """All moves of that kind, to that box, at that time on that system."""
        then, since = move
        what = since.start, since.box, then.difference(since)
        every = self._moves(seen for seen in self._of if seen[0] == since.system)
        return [(a, b) for a, b in every if (b.start, b.box, a.difference(b)) == what]

    def _moves(self, seen: Iterable[Seen]) -> Iterator[Move]:
        pairs = (pair for one in sorted(seen) for pair in pairwise(self._of[one]))
        return ((a, b) for a, b in pairs if a.end <= b.start and a.differs(b))


def _keys(s: Subject) -> list[tuple[str, str, str]]:
    systems = s.systems or ("",)
    if s.kind in ("volume", "volumes", "lcu"):
        return [(s.kind.removesuffix("s"), name, system) for name in s.names for system in systems]
    # a link or a rank is in the box named first; a box may be named by its LCU
    return [(kind, s.names[0], system) for kind in ("box", "lcu") for system in systems] if s.names else []
