"""Detects uncounted sections: unclaimed bytes behind the last section of a triplet, long enough for more of them.

A count that is too small would lose devices silently. The gap between two claims is compared with the length of a
section: if it is a multiple of that length (or at least that length, if the sections have dependent sections) and
not all zeros, the record has more sections than the triplet counts.
"""

from typing import NamedTuple

import numpy as np

from iosq.parsers.smf.rows import Ints

_RECORD = 32  # bits of an offset inside a record; the record number is in the bits above
SLOT = 8  # bytes of a triplet in a header
HEADER = 24  # bytes in front of all triplets
FIRST_SLOT, LAST_SLOT = 28, 284  # range of header offsets searched for triplets


class Claim(NamedTuple):
    """Contents of a triplet, one row per record: `number` sections of `length` at a record offset.

    `is_parent` if other sections depend on these; `known` is false for triplets of sections without a layout.
    """

    record: Ints
    offset: Ints
    length: Ints
    number: Ints
    is_parent: bool = False
    known: bool = True


def uncounted(claims: list[Claim], size: Ints) -> tuple[Ints, Ints, Ints]:
    """Possible sections beyond the count of a triplet: record number, begin and end offset in the record."""
    stacked = [np.concatenate([np.broadcast_to(c[i], len(c.record)) for c in claims]) for i in range(6)]
    record, start, length, count = stacked[:4]
    used = (length > 0) & (start >= FIRST_SLOT) & (start + length * count <= size[record])
    record, start, length, count, parent, known = (column[used] for column in stacked)
    base = record << _RECORD
    gaps, until = _gaps(base + start, base + start + length * count, size)
    ends = (base + start + length * count)[known]
    at = np.searchsorted(gaps, ends).clip(max=max(len(gaps) - 1, 0))
    hit = gaps[at] == ends if len(gaps) else np.zeros(len(ends), bool)
    record, end, length, at = (a[hit] for a in (record[known], ends, length[known], at))
    room = until[at] - end
    found = np.where(parent[known][hit], room >= length, room % length == 0)
    return record[found], (end - (record << _RECORD))[found], (until[at] - (record << _RECORD))[found]


def _gaps(start: Ints, end: Ints, size: Ints) -> tuple[Ints, Ints]:
    """Begin and end of unclaimed bytes behind claimed ones, as record number << _RECORD | offset in the record."""
    order = np.argsort(start, kind="stable")
    reached, start = np.maximum.accumulate(end[order]), start[order]
    record = reached >> _RECORD
    last = np.append(record[1:] != record[:-1], True)[: len(record)]
    until = np.where(last, (record << _RECORD) + size[record], np.append(start[1:], 0)[: len(record)])
    gap = until > reached
    return reached[gap], until[gap]
