"""Finds the column for an XML header or variable name: all of its words must match, in any order."""

from collections.abc import Collection, Sequence
from functools import cache

from iosq.parsers.rmf.bind import bind
from iosq.parsers.rmf.knowledge import Field
from iosq.parsers.rmf.words import Words, filler, words


def columns(headers: Sequence[str], place: str, fields: tuple[Field, ...]) -> tuple[Field | None, ...]:
    """The field of each header in a part called `place`, None if none fits or several headers fit one field."""
    short = [words(header) for header in headers]
    whole = [w if named(w, fields) else words(place) + w for w in short]
    return tuple(bind(whole, fields, named))


def certain(
    headers: Sequence[str], found: Sequence[Field | None], fields: tuple[Field, ...], lacking: Collection[str]
) -> tuple[Field | None, ...]:
    """The fields found, except those whose header may belong to another column because it lost a word.

    `Write Rate` may be the rest of `Write Miss Rate` if no header matches that column, and a header that is not
    understood may be the rest of `Write Rate`.
    """
    place = {field.name: at for at, field in enumerate(found) if field}
    rests = [
        [f.name for f in fields if f is not g and _rest(frozenset(words(h)), f)]
        for h, g in zip(headers, found, strict=True)
    ]

    def reached(starts: Collection[int]) -> set[str]:
        names: set[str] = set()
        ahead = list(starts)
        while ahead:
            new = {*rests[ahead.pop()]} - names
            names |= new
            ahead += [place[name] for name in new if name in place]
        return names

    doubted = reached([at for at, field in enumerate(found) if field is None])
    lost = {name for name in doubted & place.keys() if reached([place[name]]) & {*lacking}}
    return tuple(None if field and field.name in lost else field for field in found)


def _rest(header: frozenset[str], field: Field) -> bool:
    """True if a header can be a heading of the field with words lost."""
    return any(header <= frozenset(heading) for heading in _headings(field))


@cache
def named(header: Words, fields: tuple[Field, ...]) -> tuple[str, ...]:
    """Names of the fields with a heading of the same words; if there are none, without filler words.

    A header with one word more or less may belong to another column (`% Device Connect Time` is no connect time).
    """
    for wanted in (frozenset(header), frozenset(header) - filler()):
        fits = tuple(f.name for f in fields if any(frozenset(h) == wanted for h in _headings(f)))
        if wanted and fits:
            return fits
    return ()


@cache
def _headings(field: Field) -> tuple[Words, ...]:
    return (*(words(header) for header in field.xml), *field.headings)
