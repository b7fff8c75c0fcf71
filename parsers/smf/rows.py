"""Sections of many records as one matrix: where they start, how long they are, and their bytes."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from iosq.parsers.smf import columns
from iosq.parsers.smf.layout import Field, Only

# rows transposed at a time, so that they stay in the cache
_BLOCK = 256
# so many rows mostly show that a column isn't constant
_SAMPLE = 512
# bytes copied at a time; a field of all sections then lies in few words
_WORD = 8

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

    `buffer` is a uint8 array that holds the records and at least `width` bytes behind the last one, and 7 more.
    """

    def __init__(self, buffer: NDArray[np.uint8], places: Places, width: int) -> None:
        self.places, self.width = places, width
        self.lengths = _distinct(places.length)
        self.shortest = self.lengths[0] if self.lengths else width
        self._known: dict[tuple[int, Only | None], columns.Absent | None] = {}
        # word by word, (words, rows): a field of all sections then lies together
        self.words = self._gather(buffer, places, -(-width // _WORD))
        self._steady = self._steady_bytes()

    @staticmethod
    def _gather(buffer: NDArray[np.uint8], places: Places, count: int) -> NDArray[np.uint64]:
        words = np.empty((count, len(places)), np.uint64)
        # whole rows are taken: reading past a short section is harmless, its fields are masked
        windows = np.ndarray((len(buffer) - _WORD * count + 1,), f"V{_WORD * count}", buffer=buffer, strides=(1,))
        for at in range(0, len(places), _BLOCK):
            rows = windows[places.start[at : at + _BLOCK]]
            words[:, at : at + _BLOCK] = rows.view(np.uint64).reshape(-1, count).T
        return words

    def _steady_bytes(self) -> bytes:
        """Per byte of a section: 0 where it is the same in the first rows and so perhaps in all."""
        first = self.words[:, :_SAMPLE]
        return bytes(np.bitwise_or.reduce(first ^ first[:, :1], axis=1).view(np.uint8))

    def _beyond(self, end: int) -> Mask | None:
        """Where the section is too short for a field with this end; None if it never is."""
        return None if self.shortest >= end else self.places.length < end

    def raw(self, field: Field) -> NDArray[np.uint8]:
        """The field's bytes, (rows, length)."""
        first, last = field.offset // _WORD, -(-field.end // _WORD)
        if last - first == 1:
            part = self.words[first]
        else:
            part = np.empty((len(self.places), last - first), np.uint64)
            for at in range(first, last):
                part[:, at - first] = self.words[at]
        lanes = part.view(np.uint8).reshape(len(self.places), _WORD * (last - first))
        return lanes[:, field.offset - _WORD * first : field.end - _WORD * first]

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

    def _constant(self, field: Field, absent: columns.Absent | None) -> bytes | None:
        """The field's bytes if all sections that have it hold the same ones."""
        if not len(self.places) or (absent is None and any(self._steady[field.offset : field.end])):
            return None
        row = absent.present if absent else 0
        first, last = field.offset // _WORD, -(-field.end // _WORD)
        masks = _lanes(field.offset, field.end)
        if (absent or len(self.places) > _SAMPLE) and not all(
            self._same(at, mask, row, absent) for at, mask in zip(range(first, last), masks, strict=True)
        ):
            return None
        return self.words[first:last, row].tobytes()[field.offset - _WORD * first : field.end - _WORD * first]

    def _same(self, at: int, mask: np.uint64, row: int, absent: columns.Absent | None) -> bool:
        word = self.words[at]
        if absent is None:
            return bool(((word if mask == _ALL else word & mask) == word[row] & mask).all())
        return all(
            not (((word[rows] ^ word[row]) & mask).astype(bool) > absent.mask[rows]).any()
            for rows in (slice(_SAMPLE), slice(_SAMPLE, None))
        )

    def column(self, field: Field, fields: dict[str, Field]) -> Any:
        """The Arrow array of a field: NULL where absent or where its overlay isn't selected."""
        absent = self._absent(field, fields)
        if absent is not None and absent.every:
            return columns.nothing(field, len(self.places))
        data = self._constant(field, absent)
        if data is not None:
            return columns.constant(field, data, len(self.places), absent)
        return columns.column(field, self.raw(field), absent)


_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


@cache
def _lanes(begin: int, end: int) -> tuple[np.uint64, ...]:
    """Which bits of the words that bytes [begin, end) stand in belong to them."""
    first = begin // _WORD * _WORD
    lanes = np.zeros(-(-end // _WORD) * _WORD - first, np.uint8)
    lanes[begin - first : end - first] = 255
    return tuple(lanes.view(np.uint64))


def _distinct(values: Ints) -> list[int]:
    """The distinct values in order; quick where equal ones stand together."""
    if not len(values):
        return []
    changes = np.flatnonzero(values[1:] != values[:-1])
    return sorted({int(values[0]), *values[changes + 1].tolist()})
