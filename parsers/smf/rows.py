"""Sections of many records as one matrix: where they start, how long they are, and their bytes."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from iosq.parsers.smf import columns
from iosq.parsers.smf.layout import Field, Only

# rows transposed at a time, so that they stay in the cache; and so many mostly show that a column isn't constant
_BLOCK = 512

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

    `buffer` is a uint8 array that holds the records and at least `width` bytes behind the last one, and 3 more.
    """

    def __init__(self, buffer: NDArray[np.uint8], places: Places, width: int) -> None:
        self.places, self.width = places, width
        self.shortest = int(places.length.min(initial=width))
        self.lengths = [self.shortest] if self._even(places) else sorted(set(places.length.tolist()))
        self._known: dict[tuple[int, Only | None], columns.Absent | None] = {}
        # word by word, (words, rows): a field of all sections then lies together
        self.words = self._gather(buffer, places, -(-width // 4))
        self._steady = self._steady_bytes()

    @staticmethod
    def _even(places: Places) -> bool:
        return not len(places) or bool((places.length == places.length[0]).all())

    @staticmethod
    def _gather(buffer: NDArray[np.uint8], places: Places, count: int) -> NDArray[np.uint32]:
        words = np.empty((count, len(places)), np.uint32)
        # whole rows are taken: reading past a short section is harmless, its fields are masked
        windows = np.ndarray((len(buffer) - 4 * count + 1,), f"V{4 * count}", buffer=buffer, strides=(1,))
        for at in range(0, len(places), _BLOCK):
            rows = windows[places.start[at : at + _BLOCK]]
            words[:, at : at + _BLOCK] = rows.view(np.uint32).reshape(-1, count).T
        return words

    def _steady_bytes(self) -> bytes:
        """Per byte of a section: 1 where it is the same in the first rows and so perhaps in all."""
        if not len(self.places):
            return b""
        first = np.ascontiguousarray(self.words[:, :_BLOCK])
        lanes = first.view(np.uint8).reshape(len(first), -1, 4)
        return bytes((lanes == lanes[:, :1]).all(axis=1))

    def _beyond(self, end: int) -> Mask | None:
        """Where the section is too short for a field with this end; None if it never is."""
        return None if self.shortest >= end else self.places.length < end

    def raw(self, field: Field) -> NDArray[np.uint8]:
        """The field's bytes, (rows, length)."""
        first, last = field.offset // 4, -(-field.end // 4)
        if last - first == 1:
            part = self.words[first]
        else:
            part = np.empty((len(self.places), last - first), np.uint32)
            for at in range(first, last):
                part[:, at - first] = self.words[at]
        lanes: NDArray[np.uint8] = part.view(np.uint8).reshape(len(self.places), 4 * (last - first))
        return lanes[:, field.offset - 4 * first : field.end - 4 * first]

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

    def _constant(self, field: Field) -> bool:
        """Whether all sections hold the same bytes in a field."""
        if not len(self.places) or 0 in self._steady[field.offset : field.end]:
            return False
        if len(self.places) <= _BLOCK:
            return True
        lanes = np.zeros(-(-self.width // 4) * 4, np.uint8)
        lanes[field.offset : field.end] = 255
        words = range(field.offset // 4, -(-field.end // 4))
        return all(self._same(self.words[at], lanes.view(np.uint32)[at]) for at in words)

    @staticmethod
    def _same(word: NDArray[np.uint32], mask: np.uint32) -> bool:
        if mask != 0xFFFFFFFF:
            word = word & mask
        return bool((word == word[0]).all())

    def column(self, field: Field, fields: dict[str, Field]) -> Any:
        """The Arrow array of a field: NULL where absent or where its overlay isn't selected."""
        absent = self._absent(field, fields)
        if absent is None and self._constant(field):
            data = self.words[field.offset // 4 : -(-field.end // 4), 0].tobytes()
            return columns.constant(field, data[field.offset % 4 :][: field.length], len(self.places))
        if absent is not None and absent.every:
            return columns.nothing(field, len(self.places))
        return columns.column(field, self.raw(field), absent)
