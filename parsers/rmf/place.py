"""Assigns the texts of a line to the columns of a page."""

from collections.abc import Sequence
from dataclasses import dataclass

from iosq.parsers.rmf.knowledge import Field
from iosq.parsers.rmf.words import Words

APART = 3  # most blanks after a word of a text (`PND   0`); before the word nearest to the heading it is 1 (`FB 1GB`)
FARTHEST = 3  # most characters between a number and its heading; in known listings at most 2


@dataclass(frozen=True, slots=True, eq=False)  # one object per column: hashed by identity, which is fast
class Place:
    """A column with its field; None if its heading is not understood, or a word `drifted` away from its column."""

    start: int
    end: int
    field: Field | None
    words: Words
    name: str = ""
    numeric: bool = False
    simple: bool = False
    drifted: bool = False

    def distance(self, start: int, end: int) -> int:
        """Distance of a value from its place: numbers by their right edge, text by its left."""
        return abs(end - self.end) if self.field is None or self.numeric else abs(start - self.start)

    def reaches(self, start: int, end: int) -> bool:
        """True if a value is near enough to belong to the column; a text of several words may extend to the right."""
        gap = max(self.start - end, start - self.end)
        if self.numeric:
            return self.start <= start < self.end or self.distance(start, end) <= FARTHEST
        if self.field is not None and not self.field.several:
            return gap < 0 or start == self.end
        if self.field is not None and end < self.start:
            return end + 1 == self.start
        return gap <= FARTHEST or (self.field is not None and not self.numeric and start > self.start)

    def within(self, start: int, end: int) -> bool:
        """True if a text at another column's place could include a value of this column."""
        if self.numeric:
            return start < self.end < end
        return self.field is not None and self.field.width > 0 and start <= self.start < end

    @property
    def bound(self) -> int:
        """The last possible end of the column's values if known, else their start."""
        return self.end if self.numeric else self.start + (self.field.width if self.field else 0)


NOWHERE = Place(0, 0, None, ())
"""The column of a value without a heading."""


Cut = tuple[int, int, Place]  # start, end, column


@dataclass(frozen=True, slots=True)
class Cuts:
    """Values of a line: `run` are the numbers at its end, from `start` to `end`, for the columns `names`.

    `singly` are the other values; `glued` are texts that may be several values without a blank between them.
    """

    singly: tuple[Cut, ...]
    run: tuple[Cut, ...]
    start: int
    end: int
    names: tuple[str, ...]
    glued: frozenset[Cut] = frozenset()


def crowded(cuts: Sequence[Cut], line: str) -> frozenset[Cut]:
    """Values that don't belong to their column, because another one does: the number nearest to its heading (none if
    several are near), or the nearest text. Words of one text are few blanks apart, and most columns have one word.
    """
    of_column: dict[str, list[Cut]] = {}
    for cut in cuts:
        if cut[2].field is not None and (not cut[2].numeric or any(map(str.isdigit, line[cut[0] : cut[1]]))):
            of_column.setdefault(cut[2].name, []).append(cut)
    return frozenset(c for found in of_column.values() if len(found) > 1 for c in set(found) - _own(found))


def _own(cuts: list[Cut]) -> set[Cut]:
    nearest = min(range(len(cuts)), key=lambda n: cuts[n][2].distance(*cuts[n][:2]))
    place = cuts[nearest][2]
    if place.numeric:
        near = [cut for cut in cuts if place.distance(*cut[:2]) <= FARTHEST]
        return {cuts[nearest]} if len(near) == 1 else set()
    if place.field is None or not place.field.several:
        return {cuts[nearest]}
    first, last = nearest, nearest
    while first and cuts[first][0] - cuts[first - 1][1] == 1:
        first -= 1
    while last + 1 < len(cuts) and cuts[last + 1][0] - cuts[last][1] <= APART:
        last += 1
    return {*cuts[first : last + 1]}


def cuts_of(cuts: Sequence[Cut], places: Sequence[Place]) -> Cuts:
    """Combine the numbers at the end of a line into one run, if every value has a separate column."""
    glued = frozenset(cut for cut in cuts if _glued(cut, cuts, places))
    first = len(cuts)
    while first and cuts[first - 1][2].simple:
        first -= 1
    names = tuple(c[2].name for c in cuts[first:])
    if glued or len({c[2].name for c in cuts}) < len(cuts) or not names:
        return Cuts(tuple(cuts), (), 0, 0, (), glued)
    return Cuts(tuple(cuts[:first]), tuple(cuts[first:]), cuts[first][0], cuts[-1][1], names)


def _glued(cut: Cut, cuts: Sequence[Cut], places: Sequence[Place]) -> bool:
    start, end, own = cut
    if own.field is None or not own.numeric:
        return own.field is not None and 0 < own.field.width < end - start
    found = [p for p in places if p is not own and p.within(start, end)]
    used = {c[2].name for c in cuts if c is not cut} if found else set()
    return any(p.name not in used for p in found)
