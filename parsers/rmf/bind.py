"""Finds the column for a heading by its words, never by its position in the row."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cache

from iosq.parsers.rmf.knowledge import Field
from iosq.parsers.rmf.words import Words, filler

Fit = Callable[[Words, tuple[Field, ...]], tuple[str, ...]]
"""Names of the candidate fields of a heading."""


def bind(headings: Sequence[Words], fields: tuple[Field, ...], fit: Fit | None = None) -> list[Field | None]:
    """The field of each heading, None if none fits.

    By default (`fit`) a field fits if one of its headings is the end of the words found; the longest end wins. If one
    end fits several fields (`RATE` after COUNT and after HITS), they are assigned in order, and only if all of them are
    present: with one missing the assignment is ambiguous.
    """
    groups: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for place, heading in enumerate(headings):
        groups[(fit or fitting)(heading, fields)].append(place)
    found: list[Field | None] = [None] * len(headings)
    by_name = _by_name(fields)
    for names, places in groups.items():
        if len(names) == len(places):
            for name, place in zip(names, places, strict=True):
                found[place] = by_name[name]
    return found


def one(heading: Words, fields: tuple[Field, ...]) -> Field | None:
    """The field of a single heading, or None."""
    names = fitting(heading, fields)
    return _by_name(fields)[names[0]] if len(names) == 1 else None


@cache
def fitting(heading: Words, fields: tuple[Field, ...]) -> tuple[str, ...]:
    """Names of the fields whose heading is the longest end of `heading`."""
    fits = _fits(heading, fields)
    longest = max((n for n, _ in fits), default=0)
    return tuple(dict.fromkeys(name for n, name in fits if n == longest))


@cache
def known_end(heading: Words, fields: tuple[Field, ...]) -> int:
    """Number of final words that are the heading of a field."""
    return max((n for n, _ in _fits(heading, fields)), default=0)


def _fits(heading: Words, fields: tuple[Field, ...]) -> list[tuple[int, str]]:
    return [(len(h), f.name) for f in fields for h in f.headings if h and heading[-len(h) :] == h]


@cache
def _by_name(fields: tuple[Field, ...]) -> dict[str, Field]:
    return {f.name: f for f in fields}


@cache
def vocabulary(fields: tuple[Field, ...]) -> frozenset[str]:
    """Every word in a heading of these fields."""
    return filler() | {w for f in fields for h in f.headings for w in h}
