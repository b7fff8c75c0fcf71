"""Whole columns at a time: field formats decoded with numpy into Arrow arrays.

`raw` is a (rows, length) uint8 matrix of one field's bytes; every function gives (values, null mask or None).
The same values come from `values.py` one at a time; the tests hold them together.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from iosq.parsers.arrow import TYPES
from iosq.parsers.smf.layout import Field
from iosq.parsers.smf.tables import column_type, is_offset
from iosq.parsers.smf.values import TEXT, TOD_EPOCH

Bytes = NDArray[np.uint8]
Mask = NDArray[np.bool_]
Decoded = tuple[NDArray[Any], Mask | None]

_TEXT = np.frombuffer(TEXT.encode("latin-1"), dtype=np.uint8)
_HEX = np.frombuffer("".join(f"{b:02X}" for b in range(256)).encode(), dtype=np.uint16)
_UNIX_DAYS = date(1970, 1, 1).toordinal()
_TOD_SHIFT_US = round((np.datetime64("1970-01-01") - np.datetime64(TOD_EPOCH)) / np.timedelta64(1, "us"))
# 16**(exponent - 64) for the 128 exponents and both signs of a hexadecimal float
_POWERS = np.array([s * 16.0 ** (e - 64) for s in (1, -1) for e in range(128)])
_NUMBERS = {1: ">u1", 2: ">u2", 4: ">u4", 8: ">u8"}


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
        return np.ascontiguousarray(values).view(values.dtype.str.replace("u", "i")).astype(np.int64), None
    if field.length < 8:
        return values.astype(np.int32 if field.length <= 2 else np.int64), None
    wide = values.astype(np.uint64).view(np.int64)
    return wide, wide < 0


def _float(field: Field, raw: Bytes) -> Decoded:
    words = unsigned(raw)
    if not words.any():  # most counters of unused features are zero
        return np.zeros(len(raw)), None
    bits = 8 * field.length - 8
    words = words.astype(np.uint64)
    fraction = (words & np.uint64((1 << bits) - 1)).astype(np.float64)
    return fraction * _POWERS[(words >> np.uint64(bits)).astype(np.intp)] * 2.0**-bits, None


def packed_digits(raw: Bytes) -> tuple[NDArray[np.int64], Mask]:
    """Decimal digits without the sign nibble, and where a nibble is not decimal or the sign is wrong."""
    nibbles = np.empty((len(raw), 2 * raw.shape[1]), np.int64)
    nibbles[:, 0::2], nibbles[:, 1::2] = raw >> 4, raw & 15
    number = nibbles[:, :-1] @ (10 ** np.arange(nibbles.shape[1] - 2, -1, -1))
    bad = (nibbles[:, :-1] > 9).any(axis=1) | ~np.isin(nibbles[:, -1], (0xC, 0xF))
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


def strings(data: Bytes) -> Any:
    """An Arrow string array of the rows of an ASCII or Latin-1 byte matrix, trailing blanks removed."""
    rows, width = data.shape
    if (data > 127).any():
        return pa.array([bytes(r).decode("latin-1").rstrip(" ") for r in data], pa.string())
    offsets = pa.py_buffer(np.arange(0, (rows + 1) * width, width, dtype=np.int32))
    fixed = pa.StringArray.from_buffers(rows, offsets, pa.py_buffer(np.ascontiguousarray(data)))
    return pc.ascii_rtrim(fixed, characters=" ")


def _text(raw: Bytes) -> Any:
    """EBCDIC or hex text by way of its distinct values: they are few, and hashing beats translating."""
    width = raw.shape[1]
    # whole items copy far faster than single bytes
    data = pa.py_buffer(raw.view(f"V{width}")[:, 0].copy())
    return pa.FixedSizeBinaryArray.from_buffers(pa.binary(width), len(raw), [None, data]).dictionary_encode()


def _matrix(values: Any) -> Bytes:
    width = values.type.byte_width
    return np.frombuffer(values.buffers()[1], np.uint8, count=len(values) * width).reshape(len(values), width)


def _translate(field: Field, raw: Bytes) -> Any:
    if field.format == "hex":
        return strings(_HEX[raw].view(np.uint8).reshape(len(raw), 2 * raw.shape[1]))
    return strings(_TEXT[raw])


def _string_column(field: Field, raw: Bytes, mask: Mask | None) -> Any:
    """A dictionary array: its strings are translated once, and the Parquet writer needs not hash them again."""
    encoded = _text(raw)
    indices = encoded.indices
    if mask is not None:
        indices = pa.array(indices.to_numpy(), mask=mask)
    return pa.DictionaryArray.from_arrays(indices, _translate(field, _matrix(encoded.dictionary)))


def column(field: Field, raw: Bytes, absent: Mask | None) -> Any:
    """The Arrow array of one field; NULL where `absent` is true or the bytes mean nothing."""
    if field.format in ("ebcdic", "hex"):
        return _string_column(field, raw, absent)
    values, nulls = _VALUES[field.format](field, raw)
    if absent is not None:
        nulls = absent if nulls is None else nulls | absent
    mask = nulls if nulls is not None and nulls.any() else None
    return pa.array(values, mask=mask).cast(TYPES[column_type(field)])
