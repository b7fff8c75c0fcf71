"""Sections of many records as one matrix: positions, lengths and bytes."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from iosq.parsers.smf import columns
from iosq.parsers.smf.layout import Field, Only

# rows copied at a time, so that they stay in the cache
_BLOCK = 512
# bytes per word; sections are copied word by word
_WORD = 8
# with more distinct lengths than this, the search for common bytes isn't worthwhile
_LENGTHS = 8

Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Places:
    """Positions of sections: per section its record (row), start and length in the buffer, position and parent.

    `index` is the section's position in its whole unsplit record (from 1), `parent` the row of its parent section
    in the parent's `Places` (-1 for none).
    """

    record: Ints
    start: Ints
    length: Ints
    index: Ints
    parent: Ints

    def __len__(self) -> int:
        return len(self.record)

    def at(self, rows: Ints | Mask) -> "Places":
        return Places(self.record[rows], self.start[rows], self.length[rows], self.index[rows], self.parent[rows])

    def keep(self, mask: Mask) -> "Places":
        return self if mask.all() else self.at(mask)


def one_each(start: Ints, length: Ints) -> Places:
    """Places of one section without a parent in each record."""
    rows = np.arange(len(start))
    return Places(rows, start, length, np.ones_like(rows), rows * 0 - 1)


def repeat(record: Ints, start: Ints, length: Ints, count: Ints, first: Ints, parent: Ints | None = None) -> Places:
    """Places of `count[i]` consecutive sections of `length[i]` bytes from `start[i]`, numbered from `first[i]`."""
    total, before = int(count.sum()), np.cumsum(count) - count
    row: Ints = np.arange(len(count)).repeat(count)
    step: Ints = np.arange(total) - before.repeat(count)
    lengths = length.take(row)
    parents = np.full(total, -1, np.int64) if parent is None else parent.take(row)
    return Places(record.take(row), start.take(row) + step * lengths, lengths, first.take(row) + step, parents)


def _take(buffer: NDArray[np.uint8], start: Ints, count: int) -> Iterator[NDArray[np.uint64]]:
    """The first `count` words of the sections at `start`, in blocks of rows."""
    windows = np.ndarray((len(buffer) - _WORD * count + 1,), f"V{_WORD * count}", buffer=buffer, strides=(1,))
    for at in range(0, len(start), _BLOCK):
        yield windows[start[at : at + _BLOCK]].view(np.uint64).reshape(-1, count)


class Sections:
    """The bytes of sections, gathered once, from which fields are extracted as columns.

    `buffer` is a uint8 array of the records that extends at least `width` + 7 bytes beyond the last one.
    Bytes that are the same in all sections long enough for them are neither copied nor decoded per row.
    """

    def __init__(self, buffer: NDArray[np.uint8], places: Places, width: int) -> None:
        self.places, self.width, self._count = places, width, len(places)
        self.lengths = _distinct(np.minimum(places.length, width))
        self.shortest = self.lengths[0] if self.lengths else width
        self._known: dict[tuple[int, Only | None], columns.Absent | None] = {}
        self._model = np.zeros(-(-width // _WORD), np.uint64)  # a section of the greatest length
        differs = self._differences(buffer)
        self._differs, self._common = differs.tobytes(), self._model.tobytes()
        self.impossible: Mask | None = None  # sections with an impossible counter, in the columns made so far
        self._words = self._gather(buffer, np.flatnonzero(differs))

    def _differences(self, buffer: NDArray[np.uint8]) -> NDArray[np.uint64]:
        """Bits that differ between sections long enough for them."""
        if len(self.lengths) > _LENGTHS:
            return ~self._model
        differs = np.zeros_like(self._model)
        for length in reversed(self.lengths):
            count, start = -(-length // _WORD), self.places.start
            if not count:
                continue
            if len(self.lengths) > 1:
                start = start[np.minimum(self.places.length, self.width) == length]
            if length == self.lengths[-1]:
                self._model[:count] = next(_take(buffer, start[:1], count))[0]
            differs[:count] |= self._unlike_model(buffer, start, count) & _lanes(length)
        return differs

    def _unlike_model(self, buffer: NDArray[np.uint8], start: Ints, count: int) -> NDArray[np.uint64]:
        model = np.full((min(_BLOCK, len(start)), count), self._model[:count])
        seen = np.zeros_like(model)
        for rows in _take(buffer, start, count):
            rows ^= model[: len(rows)]
            seen[: len(rows)] |= rows
        return np.asarray(np.bitwise_or.reduce(seen, axis=0), np.uint64)

    def _gather(self, buffer: NDArray[np.uint8], wanted: Ints) -> dict[int, NDArray[np.uint64]]:
        """Copy word by word, so that a field of all sections is contiguous."""
        words, at = np.empty((len(wanted), self._count), np.uint64), 0
        if len(wanted):
            # whole rows: reading past a short section is harmless, as its missing fields are masked
            for rows in _take(buffer, self.places.start, len(self._model)):
                words[:, at : at + len(rows)] = rows.take(wanted, axis=1).T
                at += len(rows)
        return dict(zip(wanted.tolist(), words, strict=True))

    def _beyond(self, end: int) -> Mask | None:
        """Mask of sections too short for a field with this end; None if there are none."""
        return None if self.shortest >= end else self.places.length < end

    def _is_constant(self, begin: int, end: int) -> bool:
        """True if these bytes are the same in all sections long enough for them."""
        return self._differs.count(0, begin, end) == end - begin

    def raw(self, field: Field) -> NDArray[np.uint8]:
        """The field's bytes, shape (rows, length)."""
        first, last = field.offset // _WORD, -(-field.end // _WORD)
        if last - first == 1 and first in self._words:
            part = self._words[first]
        else:
            part = np.empty((self._count, last - first), np.uint64)
            for at in range(first, last):
                part[:, at - first] = self._words.get(at, self._model[at])
        lanes: NDArray[np.uint8] = part.view(np.uint8).reshape(self._count, _WORD * (last - first))
        return lanes[:, field.offset - _WORD * first : field.end - _WORD * first]

    def number(self, field: Field) -> Ints:
        """An unsigned field as int64, 0 where absent; for offsets, lengths, counts and selectors."""
        if self._is_constant(field.offset, field.end):
            value = int.from_bytes(self._common[field.offset : field.end], "big")
            values = np.full(self._count, value, np.uint64).astype(np.int64)
        else:
            values = columns.unsigned(self.raw(field)).astype(np.int64)
        beyond = self._beyond(field.end)
        return values if beyond is None else np.where(beyond, 0, values)

    def _unselected(self, only: Only, selector: Field) -> Mask:
        chosen = np.zeros(self._count, bool)
        value = self.number(selector) & only.mask
        for wanted in only.values:
            chosen |= value == wanted
        missing = self._beyond(selector.end)
        return ~chosen if missing is None else ~chosen | missing

    def _absent(self, field: Field, fields: Mapping[str, Field]) -> columns.Absent | None:
        # few distinct lengths occur, so neighbouring fields share masks
        key = (bisect_left(self.lengths, field.end), field.only)
        if key not in self._known:
            beyond = self._beyond(field.end)
            mask = self._unselected(field.only, fields[field.only.field]) if field.only else None
            if beyond is not None:
                mask = beyond if mask is None else mask | beyond
            self._known[key] = None if mask is None else columns.absent(mask)
        return self._known[key]

    def column(self, field: Field, fields: Mapping[str, Field]) -> pa.Array:
        """The Arrow array of a field: NULL where absent or where its overlay isn't selected."""
        begin, count = field.offset, self._count
        end = begin + field.length
        absent = None if field.only is None and end <= self.shortest else self._absent(field, fields)
        if absent is not None and absent.every:
            return columns.all_null(field, count)
        if self._is_constant(begin, end):
            made = columns.constant(field, self._common[begin:end], count, absent)
        else:
            made = columns.column(field, self.raw(field), absent)
        if field.format == "float" and made.null_count:
            self._note_impossible(made, absent)
        return made

    def _note_impossible(self, made: pa.Array, absent: columns.Absent | None) -> None:
        """Record the sections whose counter is present but impossible."""
        empty = made.is_null().to_numpy(zero_copy_only=False)
        wrong: Mask = empty if absent is None else empty & ~absent.mask
        if wrong.any():
            self.impossible = wrong if self.impossible is None else self.impossible | wrong


@cache
def _lanes(length: int) -> NDArray[np.uint64]:
    """Mask of the first `length` bytes within their words."""
    lanes = np.zeros(-(-length // _WORD) * _WORD, np.uint8)
    lanes[:length] = 255
    return lanes.view(np.uint64)


def _distinct(values: Ints) -> list[int]:
    """The distinct values, sorted; fast if equal ones are adjacent."""
    if not len(values):
        return []
    changes = np.flatnonzero(values[1:] != values[:-1])
    return sorted({int(values[0]), *values[changes + 1].tolist()})
