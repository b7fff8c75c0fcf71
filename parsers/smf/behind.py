"""Sections that no triplet counts: bytes behind the last one, as long as further ones, that nothing claims.

A count that is too small would lose devices without a word. What stands between two claims is compared with the
length of a section: where it is a multiple (or, where other sections hang on those that are missing, at least one)
and not all zeros, more sections were there than were counted.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from iosq.parsers.smf.rows import Ints, Mask

_RECORD = 32  # bits for a place inside a record
SLOT = 8  # bytes of a triplet in a header
HEADER = 24  # bytes in front of all triplets
FIRST_SLOT, LAST_SLOT = 28, 284  # where triplets begin, and how far they are followed


class Claim(NamedTuple):
    """Content of triplets, one per row: `number` sections of `length` at a record offset.

    `held` are those that others depend on; `known` is false for triplets of sections without a layout.
    """

    record: Ints
    offset: Ints
    length: Ints
    number: Ints
    held: bool = False
    known: bool = True


def _stacked(claims: list[Claim]) -> tuple[Ints, Ints, Ints, Ints, Mask, Mask]:
    record, offset, length, count = (np.concatenate([c[i] for c in claims]) for i in range(4))
    rows = [len(c.record) for c in claims]
    held, known = np.repeat([c.held for c in claims], rows), np.repeat([c.known for c in claims], rows)
    return record, offset, length, count, held, known


def uncounted(claims: list[Claim], size: Ints) -> tuple[Ints, Ints, Ints]:
    """Possible sections beyond the count of a triplet: record, and begin and end of the bytes in it."""
    record, start, length, count, held, known = _stacked(claims)
    used = (length > 0) & (start >= FIRST_SLOT) & (start + length * count <= size[record])
    record, start, length, count = (a[used] for a in (record, start, length, count))
    held, known = held[used], known[used]
    base = record << _RECORD
    gaps, until = _gaps(base + start, base + start + length * count, size)
    ends = (base + start + length * count)[known]
    at = np.searchsorted(gaps, ends).clip(max=max(len(gaps) - 1, 0))
    hit = gaps[at] == ends if len(gaps) else np.zeros(len(ends), bool)
    record, end, length, at = (a[hit] for a in (record[known], ends, length[known], at))
    room = until[at] - end
    found = np.where(held[known][hit], room >= length, room % length == 0)
    return record[found], (end - (record << _RECORD))[found], (until[at] - (record << _RECORD))[found]


def _gaps(start: Ints, end: Ints, size: Ints) -> tuple[Ints, Ints]:
    """Begin and end of the bytes that nothing claims behind something claimed, each with its record above its place."""
    order = np.argsort(start, kind="stable")
    reached, start = np.maximum.accumulate(end[order]), start[order]
    record = reached >> _RECORD
    last = np.append(record[1:] != record[:-1], True)[: len(record)]
    until = np.where(last, (record << _RECORD) + size[record], np.append(start[1:], 0)[: len(record)])
    gap = until > reached
    return reached[gap], until[gap]
