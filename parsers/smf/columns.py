"""Decodes field formats with numpy into Arrow arrays, a whole column at a time.

`raw` is a (rows, length) uint8 matrix of one field's bytes, a slice of wider rows; decoders return (values, null mask
or None). Constant columns (flags, models, counters of unused features) are decoded once.
`values.py` encodes the same formats one value at a time; tests compare the two.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from iosq.parsers.api import ColumnType
from iosq.parsers.arrow import TYPES, strings
from iosq.parsers.smf.layout import Field, Format
from iosq.parsers.smf.tables import column_type, is_offset
from iosq.parsers.smf.values import POSSIBLE_EXPONENTS, TEXT, TOD_EPOCH

Bytes = NDArray[np.uint8]
Mask = NDArray[np.bool_]
Decoded = tuple[NDArray[Any], Mask | None]

_TEXT = np.frombuffer(TEXT.encode("latin-1"), dtype=np.uint8)
_HEX = np.frombuffer("".join(f"{b:02X}" for b in range(256)).encode(), dtype=np.uint16)
_TOD_SHIFT_US = round((np.datetime64("1970-01-01") - np.datetime64(TOD_EPOCH)) / np.timedelta64(1, "us"))
# scale of the fraction's integer by first byte (sign and exponent) of a hexadecimal float, for each length
_POWERS = {n: np.array([s * 2.0 ** (4 * (e - 64) - 8 * n + 8) for s in (1, -1) for e in range(128)]) for n in (4, 8)}
# by first byte: true if only a zero counter can have this sign and exponent
_IMPOSSIBLE = np.array([b not in POSSIBLE_EXPONENTS for b in range(256)])
_STRING, _INDEX = pa.string(), pa.int32()
# constant columns of up to this many rows are cached
_SMALL = 1 << 10
_NUMBERS = {1: ">u1", 2: ">u2", 4: ">u4", 8: ">u8"}


@dataclass(frozen=True, slots=True)
class Absent:
    """NULL positions of a column, as mask and as Arrow bitmap; shared by fields with the same end and overlay."""

    mask: Mask
    bitmap: pa.Buffer
    every: bool


def absent(mask: Mask) -> Absent | None:
    """NULL positions from a mask; None if it is never true."""
    if not mask.any():
        return None
    return Absent(mask, pa.py_buffer(np.packbits(~mask, bitorder="little")), bool(mask.all()))


def _native_words(raw: Bytes) -> Iterator[NDArray[Any]]:
    """The bytes of each row as a few native integers: they compare and copy faster than bytes."""
    at, width = 0, raw.shape[1]
    while at < width:
        size = next(n for n in (8, 4, 2, 1) if n <= width - at)
        yield raw[:, at : at + size].view(f"<u{size}")[:, 0]
        at += size


def unsigned(raw: Bytes) -> NDArray[Any]:
    """Big-endian unsigned integers of any length up to 8 bytes."""
    length = raw.shape[1]
    if length in _NUMBERS:
        return raw.view(_NUMBERS[length])[:, 0]  # strided: nothing is copied before the conversion
    wide = np.zeros((len(raw), 8), np.uint8)
    wide[:, 8 - length :] = raw
    return wide.view(">u8")[:, 0]


def _integer(field: Field, raw: Bytes) -> Decoded:
    values = unsigned(raw)
    if field.format == "sbinary":
        signed = np.ascontiguousarray(values).view(values.dtype.str.replace("u", "i"))
        return signed.astype(np.int32 if field.length <= 2 else np.int64), None
    if field.length < 8:
        return values.astype(np.int32 if field.length <= 2 else np.int64), None
    wide = values.astype(np.uint64).view(np.int64)
    return wide, wide < 0


def _float(field: Field, raw: Bytes) -> Decoded:
    words = unsigned(raw).astype(f"u{field.length}")
    words &= words.dtype.type((1 << (8 * field.length - 8)) - 1)
    fraction = words.view(f"i{field.length}").astype(np.float64)  # the top byte is clear, and signed is faster
    first = raw[:, 0].astype(np.intp)
    fraction *= _POWERS[field.length].take(first)
    impossible = _IMPOSSIBLE.take(first)
    return fraction, impossible & (fraction != 0) if impossible.any() else None


def packed_digits(raw: Bytes) -> tuple[NDArray[np.int64], Mask]:
    """Decimal digits without the sign nibble, and where a nibble is not decimal or the sign is wrong."""
    nibbles = np.empty((len(raw), 2 * raw.shape[1]), np.int64)
    nibbles[:, 0::2], nibbles[:, 1::2] = raw >> 4, raw & 15
    number = nibbles[:, :-1] @ (10 ** np.arange(nibbles.shape[1] - 2, -1, -1))
    sign = nibbles[:, -1]
    bad = (nibbles[:, :-1] > 9).any(axis=1) | ((sign != 0xC) & (sign != 0xF))
    return number, bad


def _dates(number: NDArray[np.int64]) -> Decoded:
    years, days = 1900 + number // 1000, number % 1000
    leap = ((years % 4 == 0) & (years % 100 != 0)) | (years % 400 == 0)
    bad = (years >= 2100) | (days < 1) | (days > 365 + leap)
    first = (np.where(bad, 1970, years) - 1970).astype("M8[Y]").astype("M8[D]").astype(np.int64)
    return (first + days - 1).astype(np.int32), bad


def _clock(number: NDArray[np.int64]) -> Decoded:
    hours, minutes, seconds = number // 10000, number // 100 % 100, number % 100
    bad = (hours >= 24) | (minutes >= 60) | (seconds >= 60)
    return (hours * 3600 + minutes * 60 + seconds).astype(np.int32), bad


def _duration(number: NDArray[np.int64]) -> Decoded:
    minutes, seconds, millis = number // 100000, number // 1000 % 100, number % 1000
    return (minutes * 60000 + seconds * 1000 + millis) / 1000, seconds >= 60


_PACKED: dict[str, Callable[[NDArray[np.int64]], Decoded]] = {
    "0cyydddF": _dates,
    "0hhmmssF": _clock,
    "mmsstttF": _duration,
    "000ttttF ms": lambda n: (n.astype(np.float64), None),
    "nnnF": lambda n: (n.astype(np.int32), None),
}


def _packed(field: Field, raw: Bytes) -> Decoded:
    number, bad = packed_digits(raw)
    values, impossible = _PACKED[field.unit](np.where(bad, 0, number))
    return values, bad if impossible is None else bad | impossible


def _tod(field: Field, raw: Bytes) -> Decoded:
    ticks = unsigned(raw).astype(np.uint64)
    if is_offset(field):
        return ticks.view(np.int64) >> 12, None
    return (ticks >> np.uint64(12)).astype(np.int64) - _TOD_SHIFT_US, ticks == 0


_VALUES: dict[str, Callable[[Field, Bytes], Decoded]] = {
    "binary": _integer,
    "sbinary": _integer,
    "bitflags": _integer,
    "float": _float,
    "packed": _packed,
    "tod": _tod,
}


def _numbered(keys: NDArray[np.uint64], width: int) -> tuple[pa.Array, NDArray[np.uint64]]:
    """Arrow indices into the distinct keys (of `width` bytes), and the distinct keys."""
    if width <= 2 and len(keys) > _SMALL:
        return _tabled(keys.astype(np.intp))
    changes = keys[1:] != keys[:-1]
    if np.count_nonzero(changes) > len(keys) // 4:
        encoded = pa.array(keys).dictionary_encode()
        return encoded.indices, encoded.dictionary.to_numpy()
    # equal values are often adjacent (storage groups): look up one value per run
    heads = np.flatnonzero(np.concatenate([np.ones(min(len(keys), 1), bool), changes]))
    encoded = pa.array(keys[heads]).dictionary_encode()
    runs = np.diff(heads, append=len(keys))
    return pa.array(encoded.indices.to_numpy().repeat(runs)), encoded.dictionary.to_numpy()


def _tabled(keys: NDArray[np.intp]) -> tuple[pa.Array, NDArray[np.uint64]]:
    """Like `_numbered` for keys below 65536, using a lookup table."""
    present = np.zeros(1 << 16, bool)
    present[keys] = True
    found = np.flatnonzero(present)
    index = np.empty(len(present), np.int32)
    index[found] = np.arange(len(found), dtype=np.int32)
    return pa.array(index.take(keys)), found.astype(np.uint64)


def _distinct(raw: Bytes, hidden: Absent | None) -> tuple[pa.Array, Bytes]:
    """Arrow indices into the distinct rows, and the distinct rows as a byte matrix. Hidden rows count as zeros."""
    width = raw.shape[1]
    if width <= 8:  # integers hash faster than bytes
        first, *rest = _native_words(raw)
        keys, shift = first.astype(np.uint64), 8 * first.itemsize
        for part in rest:
            keys |= part.astype(np.uint64) << np.uint64(shift)
            shift += 8 * part.itemsize
        if hidden:
            keys[hidden.mask] = 0
        indices, found = _numbered(keys, width)
        return indices, found.astype("<u8").view(np.uint8).reshape(-1, 8)[:, :width]
    items = raw.view(f"V{width}")[:, 0].copy()  # whole items copy far faster than single bytes
    if hidden:
        items[hidden.mask] = bytes(width)
    items_buffer = [None, pa.py_buffer(items)]
    encoded = pa.FixedSizeBinaryArray.from_buffers(pa.binary(width), len(raw), items_buffer).dictionary_encode()
    count, found = len(encoded.dictionary), encoded.dictionary.buffers()[1]
    return encoded.indices, np.frombuffer(found, np.uint8, count=count * width).reshape(count, width)


@lru_cache(16)
def _translated(format_: Format, width: int, data: bytes) -> pa.Array:
    """The strings of rows of `width` bytes; cached because consecutive chunks have mostly the same devices."""
    raw = np.frombuffer(data, np.uint8).reshape(-1, width)
    if format_ == "hex":
        return strings(_HEX[raw].view(np.uint8).reshape(len(raw), 2 * width))
    return strings(_TEXT[raw])


def _string_column(field: Field, raw: Bytes, hidden: Absent | None) -> pa.Array:
    """A dictionary array: strings are translated once, and the Parquet writer need not hash them again."""
    indices, found = _distinct(raw, hidden)
    if hidden:
        indices = pa.Array.from_buffers(_INDEX, len(raw), [hidden.bitmap, indices.buffers()[1]])
    return pa.DictionaryArray.from_arrays(indices, _translated(field.format, field.length, found.tobytes()), safe=False)


def _rounded(count: int) -> int:
    """`count` rounded up to a power of two, so that few sizes occur and can be cached."""
    return 1 << max(count - 1, 1).bit_length()


@cache
def _zeros(count: int) -> pa.Array:
    """A buffer of `count` 8-byte zeros, shared by all columns."""
    return pa.py_buffer(np.zeros(count, np.int64))


def _zero(kind: pa.DataType, count: int, bitmap: pa.Buffer | None = None) -> pa.Array:
    return pa.Array.from_buffers(kind, count, [bitmap, _zeros(_rounded(count))])


@lru_cache(4096)
def _single(field: Field, data: bytes) -> pa.Array:
    """An array of one row; cached because most constants (models, levels, flags) are the same in the next chunk."""
    if field.format in ("ebcdic", "hex"):
        return _translated(field.format, field.length, data)
    return column(field, np.frombuffer(data, np.uint8)[None, :], None)


def _filled(field: Field, data: bytes, count: int, hidden: Absent | None) -> pa.Array:
    single = _single(field, data)
    if single.null_count:
        return all_null(field, count)
    kind, bitmap = single.type, hidden.bitmap if hidden else None
    if kind == _STRING:
        return pa.DictionaryArray.from_arrays(_zero(_INDEX, count, bitmap), single, safe=False)
    word = np.frombuffer(single.buffers()[1], f"i{kind.bit_width // 8}", 1)
    if not word[0]:
        return _zero(kind, count, bitmap)
    return pa.Array.from_buffers(kind, count, [bitmap, pa.py_buffer(word.repeat(count))])


@lru_cache(2048)
def _cached(field: Field, data: bytes, count: int) -> pa.Array:
    return _filled(field, data, count, None)


def constant(field: Field, data: bytes, count: int, hidden: Absent | None = None) -> pa.Array:
    """The Arrow array of `count` rows with the same bytes; NULL where `hidden` is set."""
    # cache zeros, which share a buffer, and small arrays
    if hidden is None and (count <= _SMALL or not any(data)):
        return _cached(field, data, _rounded(count)).slice(0, count)
    return _filled(field, data, count, hidden)


@lru_cache(256)
def _nulls(type_: ColumnType, count: int) -> pa.Array:
    kind = TYPES[type_]
    if kind != _STRING:
        return pa.nulls(count, kind)
    return pa.DictionaryArray.from_arrays(pa.nulls(count, _INDEX), pa.array([], kind))


def all_null(field: Field, count: int) -> pa.Array:
    """The Arrow array of `count` NULLs of a field's type."""
    return _nulls(column_type(field), _rounded(count)).slice(0, count)


def spread(column: pa.Array, rows: NDArray[np.int64]) -> pa.Array:
    """Take `column` at each of `rows`: one value per record becomes one per section."""
    if column.null_count:
        return column.take(pa.array(rows))
    if pa.types.is_dictionary(column.type):
        return pa.DictionaryArray.from_arrays(spread(column.indices, rows), column.dictionary, safe=False)
    size = column.type.bit_width // 8
    values = np.frombuffer(column.buffers()[1], f"i{size}", len(column), column.offset * size)
    return pa.Array.from_buffers(column.type, len(rows), [None, pa.py_buffer(values.take(rows))])


def column(field: Field, raw: Bytes, hidden: Absent | None) -> pa.Array:
    """The Arrow array of one field; NULL where `hidden` is set or the bytes are invalid."""
    if field.format in ("ebcdic", "hex"):
        return _string_column(field, raw, hidden)
    values, nulls = _VALUES[field.format](field, raw)
    if nulls is not None:
        hidden = absent(nulls | hidden.mask if hidden else nulls)
    buffers = [hidden.bitmap if hidden else None, pa.py_buffer(values)]
    return pa.Array.from_buffers(TYPES[column_type(field)], len(raw), buffers)
