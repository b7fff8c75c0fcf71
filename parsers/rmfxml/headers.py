"""The column of an XML header or variable name: all of its words must match, in any order."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from iosq.parsers.rmf.bind import bind
from iosq.parsers.rmf.knowledge import Field
from iosq.parsers.rmf.words import Words, filler, words


def columns(headers: Sequence[str], place: str, fields: tuple[Field, ...]) -> tuple[Field | None, ...]:
    """The field of each header in a part called `place`, None where none fits; of two headers for one field both."""
    stands = [words(header) for header in headers]
    whole = [w if named(w, fields) else words(place) + w for w in stands]
    return tuple(bind(whole, fields, named))


def variable(name: str, place: str, fields: tuple[Field, ...]) -> Field | None:
    """The field of a variable in a part called `place`, if there is one."""
    return columns([name], place, fields)[0]


@cache
def named(header: Words, fields: tuple[Field, ...]) -> tuple[str, ...]:
    """Names of the fields with a heading of the same words; if there is none, without words that mean nothing.

    A header with one word more or less may be that of another column (`% Device Connect Time` is no connect time).
    """
    for wanted in (frozenset(header), frozenset(header) - filler()):
        fits = tuple(f.name for f in fields if any(frozenset(h) == wanted for h in _headings(f)))
        if wanted and fits:
            return fits
    return ()


@cache
def _headings(field: Field) -> tuple[Words, ...]:
    return (*(words(header) for header in field.xml), *field.headings)
