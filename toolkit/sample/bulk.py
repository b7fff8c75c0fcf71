"""Encode many sections at once from numpy arrays; gives the same bytes as `encode_fields`."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from iosq.parsers.smf.layout import Field
from iosq.parsers.smf.values import encode
from iosq.toolkit.rows import Row

Bytes = NDArray[np.uint8]


def big_endian(values: NDArray[Any], length: int) -> Bytes:
    """Integers >= 0 as `length` bytes each, in a new last axis.

    Raises:
        ValueError: a number does not fit.
    """
    if values.size and not 0 <= int(values.min()) <= int(values.max()) < min(1 << (8 * length), 1 << 63):
        raise ValueError(f"{values.min()} to {values.max()} does not fit {length} bytes")
    words = np.ascontiguousarray(values).astype(">i8")
    return words.view(np.uint8).reshape(*values.shape, 8)[..., 8 - length :]


def hexadecimal_float(values: NDArray[Any], length: int) -> Bytes:
    """Numbers >= 0 as IBM hexadecimal floating point of 4 or 8 bytes, rounded towards zero, in a new last axis."""
    fraction, exponent = np.frexp(values.astype(np.float64))
    shift = -exponent % 4
    bits = 8 * length - 8
    digits = np.ldexp(fraction, bits - shift).astype(np.int64)
    words = digits | (((exponent + shift) // 4 + 64).astype(np.int64) << bits)
    return big_endian(np.where(values == 0, 0, words), length)


def _column(field: Field, value: Any) -> Bytes:
    if isinstance(value, np.ndarray):
        if field.format == "float":
            return hexadecimal_float(value, field.length)
        return big_endian(value, field.length)
    rows = value if isinstance(value, Sequence) and not isinstance(value, str) else [value]
    return np.frombuffer(b"".join(encode(field, v) for v in rows), np.uint8).reshape(len(rows), field.length)


def sections(fields: Sequence[Field], columns: Row, shape: tuple[int, ...], length: int) -> Bytes:
    """Sections of `length` bytes in an array of `shape` + (length,).

    A column is a single value, a list with a value for each element of the last axis, or a numeric array that
    broadcasts to `shape`. Fields beyond `length` are left out.
    """
    data = np.zeros((*shape, length), np.uint8)
    known = {f.name: f for f in fields}
    for name, value in columns.items():
        f = known[name]
        if f.end <= length:
            data[..., f.offset : f.end] = _column(f, value)
    return data
