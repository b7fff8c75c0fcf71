"""Sections of many records as one matrix: where they start, how long they are, and their bytes."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from iosq.parsers.smf import columns
from iosq.parsers.smf.layout import Field, Only

# this many rows mostly show that a column isn't constant
_GLANCE = 512

Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Places:
    """Where sections stand: per section its record (index), start and length in the buffer, position and parent.

    `index` is the section's position in its whole unsplit record (from 1), `parent` the row of the parent's
    `Places` it hangs on (-1 for none).
    """

    record: Ints
    start: Ints
    length: Ints
    index: Ints
    parent: Ints

    def __len__(self) -> int:
        return len(self.record)

    def keep(self, mask: Mask) -> Places:
        """Only the rows where `mask` is true."""
        if mask.all():
            return self
        return Places(self.record[mask], self.start[mask], self.length[mask], self.index[mask], self.parent[mask])


def repeat(record: Ints, start: Ints, length: Ints, count: Ints, first: Ints, parent: Ints | None = None) -> Places:
    """`count[i]` sections of `length[i]` bytes one behind the other from `start[i]`, positions from `first[i]`."""
    total = int(count.sum())
    step = np.arange(total) - np.repeat(np.cumsum(count) - count, count)
    lengths = np.repeat(length, count)
    parents = np.full(total, -1) if parent is None else np.repeat(parent, count)
    starts = np.repeat(start, count) + step * lengths
    return Places(np.repeat(record, count), starts, lengths, np.repeat(first, count) + step, parents)


class Sections:
    """The bytes of sections, gathered once; fields are cut out of them as columns.

    `buffer` is a uint8 array that holds the records and at least `width` bytes behind the last one.
    """

    def __init__(self, buffer: NDArray[np.uint8], places: Places, width: int) -> None:
        self.places, self.width = places, width
        self.shortest = int(places.length.min(initial=width))
        self.lengths = [self.shortest] if self._even(places) else sorted(set(places.length.tolist()))
        self._known: dict[tuple[int, Only | None], columns.Absent | None] = {}
        self.bytes = self._gather(buffer, places, width)
        # bytes that are the same in the first rows may be so in all; where rows are few this settles it
        self._steady = (self.bytes[:_GLANCE] == self.bytes[:1]).all(axis=0).tobytes()

    @staticmethod
    def _even(places: Places) -> bool:
        return not len(places) or bool((places.length == places.length[0]).all())

    @staticmethod
    def _gather(buffer: NDArray[np.uint8], places: Places, width: int) -> NDArray[np.uint8]:
        if not len(places):
            return np.zeros((0, width), np.uint8)
        # one gather of whole rows: reading past a short section is harmless, its fields are masked
        windows = np.ndarray((len(buffer) - width + 1,), f"V{width}", buffer=buffer, strides=(1,))
        return windows[places.start].view(np.uint8).reshape(len(places), width)

    def _beyond(self, end: int) -> Mask | None:
        """Where the section is too short for a field with this end; None if it never is."""
        return None if self.shortest >= end else self.places.length < end

    def raw(self, field: Field) -> NDArray[np.uint8]:
        """The field's bytes, (rows, length)."""
        return self.bytes[:, field.offset : field.end]

    def number(self, field: Field) -> Ints:
        """An unsigned field as int64, 0 where absent; for offsets, lengths, counts and selectors."""
        values = columns.unsigned(self.raw(field)).astype(np.int64)
        beyond = self._beyond(field.end)
        return values if beyond is None else np.where(beyond, 0, values)

    def _unselected(self, only: Only, selector: Field) -> Mask:
        chosen = np.zeros(len(self.places), bool)
        value = self.number(selector) & only.mask
        for wanted in only.values:
            chosen |= value == wanted
        missing = self._beyond(selector.end)
        return ~chosen if missing is None else ~chosen | missing

    def _absent(self, field: Field, fields: dict[str, Field]) -> columns.Absent | None:
        if field.only is None and field.end <= self.shortest:
            return None
        # few lengths occur, so fields share what they lack with their neighbours
        key = (bisect_left(self.lengths, field.end), field.only)
        if key not in self._known:
            beyond = self._beyond(field.end)
            mask = self._unselected(field.only, fields[field.only.field]) if field.only else None
            if beyond is not None:
                mask = beyond if mask is None else mask | beyond
            self._known[key] = None if mask is None else columns.absent(mask)
        return self._known[key]

    def _constant(self, field: Field, raw: NDArray[np.uint8]) -> bool:
        if not len(raw) or 0 in self._steady[field.offset : field.end]:
            return False
        return len(raw) <= _GLANCE or columns.same(raw)

    def column(self, field: Field, fields: dict[str, Field]) -> Any:
        """The Arrow array of a field: NULL where absent or where its overlay isn't selected."""
        raw, absent = self.raw(field), self._absent(field, fields)
        if absent is None and self._constant(field, raw):
            return columns.constant(field, raw[0].tobytes(), len(raw))
        return columns.column(field, raw, absent)
