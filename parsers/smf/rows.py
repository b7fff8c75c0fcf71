"""Sections of many records as one matrix: where they start, how long they are, and their bytes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from iosq.parsers.smf import columns
from iosq.parsers.smf.layout import Field

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
        self.bytes = self._gather(buffer, places, width)

    @staticmethod
    def _gather(buffer: NDArray[np.uint8], places: Places, width: int) -> NDArray[np.uint8]:
        if not len(places):
            return np.zeros((0, width), np.uint8)
        # one gather of whole rows: reading past a short section is harmless, its fields are masked
        windows = np.ndarray((len(buffer) - width + 1,), f"V{width}", buffer=buffer, strides=(1,))
        return windows[places.start].view(np.uint8).reshape(len(places), width)

    def absent(self, field: Field) -> Mask | None:
        """Where the section is too short to hold the field; None if it always does."""
        return None if self.shortest >= field.end else self.places.length < field.end

    def raw(self, field: Field) -> NDArray[np.uint8]:
        """The field's bytes, (rows, length)."""
        return self.bytes[:, field.offset : field.end]

    def number(self, field: Field) -> Ints:
        """An unsigned field as int64, 0 where absent; for offsets, lengths, counts and selectors."""
        values = columns.unsigned(self.raw(field)).astype(np.int64)
        absent = self.absent(field)
        return values if absent is None else np.where(absent, 0, values)

    def column(self, field: Field, fields: dict[str, Field]) -> Any:
        """The Arrow array of a field: NULL where absent or where its overlay isn't selected."""
        absent = self.absent(field)
        if field.only:
            selector = fields[field.only.field]
            chosen = np.isin(self.number(selector) & field.only.mask, list(field.only.values))
            missing = self.absent(selector)
            hidden = ~chosen if missing is None else ~chosen | missing
            absent = hidden if absent is None else absent | hidden
        return columns.column(field, self.raw(field), absent)
