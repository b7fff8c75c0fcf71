"""Splits adjacent values without a blank between them by the properties of their columns, if unambiguous.

A text column has a printed width and a pattern, a numeric one a number of decimals, and a number ends near its
heading's end. An ambiguous text gives no value.
"""

import re
from collections.abc import Iterator, Sequence

from iosq.parsers.rmf.cells import Values, put
from iosq.parsers.rmf.heading import Columns
from iosq.parsers.rmf.knowledge import Field
from iosq.parsers.rmf.place import Cut, Place
from iosq.parsers.rmf.values import MARKS, absent

NEAR = 2  # most characters between a number's end and its heading's end in known listings
FEWEST = 3  # numbers of a line needed to determine their alignment
LONGEST = 60  # maximum length of an examined text; no report prints more without a blank
_NUMBER = re.compile(rf"(?:0|[1-9]\d*)?(?:\.(\d*))?([KMGTP]?)[{MARKS}]*\Z")  # without leading zeros
_FRACTION = re.compile(r"\d*\.\d+")

Way = tuple[Cut, ...]


def ways(columns: Columns, line: str, cut: Cut, taken: Sequence[Cut]) -> list[Way]:
    """All ways to assign the text at `cut` to consecutive columns, including those with one column.

    `taken` are all texts of the line; columns of the other ones are excluded.
    """
    start, end, _ = cut
    if end - start > LONGEST:
        return []
    others = [c for c in taken if c is not cut]
    used = {c[2].name for c in others}
    free = [p for p in columns.places if p.name not in used]
    found = [way for at in range(len(free)) for way in _ways(free[at:], line, start, end)]
    found = [way for way in found if not any(overruns(free, piece) for piece in way)]
    if len(found) > 1:
        near = _spread(line, others)
        found = [way for way in found if all(_off(line, piece) <= near for piece in way)]
    return found


def overruns(places: Sequence[Place], cut: Cut) -> bool:
    """True if a value would start left of an earlier column's end: no value is printed that wide."""
    start, _, own = cut
    return any(p.field is not None and p.end < own.end and start < p.bound - NEAR for p in places)


def values(way: Way, line: str) -> Values | None:
    """The value of each column; None if one does not fit its column."""
    found: Values = {}
    good = all(place.field is not None and put(found, place.field, line[start:end]) for start, end, place in way)
    return found if good else None


def _ways(places: Sequence[Place], line: str, start: int, end: int) -> Iterator[Way]:
    """All ways to assign the text between `start` and `end` to consecutive columns, from the first one on."""
    if not places or places[0].field is None:
        return
    for stop in _stops(places[0], places[0].field, line, start, end):
        piece = start, stop, places[0]
        if stop == end:
            yield (piece,)
        else:
            yield from ((piece, *rest) for rest in _ways(places[1:], line, stop, end))


def _stops(place: Place, field: Field, line: str, start: int, end: int) -> Iterator[int]:
    """Possible ends of a column's value that starts at `start`."""
    if not place.numeric:
        stop = start + field.width
        if field.width and stop <= end and abs(start - place.start) <= NEAR and field.fits(line[start:stop]):
            yield stop
        return
    for stop in range(max(start + 1, place.end - NEAR), min(end, place.end + NEAR + len(MARKS)) + 1):
        whole = stop == end or line[stop] not in MARKS  # a mark belongs to the number in front of it
        if whole and _off(line, (start, stop, place)) <= NEAR and _is_value(field, line[start:stop]):
            yield stop


def _is_value(field: Field, text: str) -> bool:
    if absent(text):
        return True
    found = _NUMBER.match(text)
    if found is None or not any(c.isdigit() for c in text) or (text[-1] in MARKS and not field.mark):
        return False
    return field.decimals is None or bool(found[2]) or len(found[1] or "") == field.decimals


def _off(line: str, piece: Cut) -> int:
    """Distance of a value, without marks, from its column's place."""
    start, end, place = piece
    bare = line[start:end].rstrip(MARKS) if place.numeric else line[start:end]
    return place.distance(start, start + len(bare))


def _spread(line: str, others: Sequence[Cut]) -> int:
    """Largest distance of the line's other numbers from their headings; integers don't count, they may be further."""
    far = [_off(line, c) for c in others if c[2].simple and _FRACTION.fullmatch(line, c[0], c[1])]
    return min(max(far), NEAR) if len(far) >= FEWEST else NEAR
