"""Encodes single values in every field format."""

import math
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from iosq.parsers.smf.layout import Field
from iosq.parsers.smf.tables import is_offset

TOD_EPOCH = datetime(1900, 1, 1)


def _text_table() -> str:
    # unset text is NUL in a record; other control characters would break terminals and CSV files
    decoded = bytes(range(256)).decode("cp037")
    return "".join(" " if c == "\0" else c if c.isprintable() or c == " " else "?" for c in decoded)


TEXT = _text_table()


# every float of a record is a counter: not negative, and between 16**-5 and 16**15
POSSIBLE_EXPONENTS = range(60, 80)


def encode_hfp(value: float, length: int) -> bytes:
    """Encode a hexadecimal float, rounded towards zero; exact if the fraction fits 24 (56) bits."""
    if value == 0:
        return bytes(length)
    fraction, exponent = math.frexp(abs(value))
    shift = -exponent % 4
    bits = 8 * length - 8
    word = int(math.ldexp(fraction, bits - shift)) | ((exponent + shift) // 4 + 64) << bits
    return (word | (1 << (8 * length - 1) if value < 0 else 0)).to_bytes(length, "big")


def _unpack_duration(value: float) -> int:
    millis = round(value * 1000)
    return millis // 60000 * 100000 + millis % 60000


UNPACKED: dict[str, Callable[[Any], int]] = {
    "0cyydddF": lambda day: (day.year - 1900) * 1000 + day.timetuple().tm_yday,
    "0hhmmssF": lambda seconds: seconds // 3600 * 10000 + seconds // 60 % 60 * 100 + seconds % 60,
    "mmsstttF": _unpack_duration,
    "000ttttF ms": int,
    "nnnF": int,
}


def _encode_packed(field: Field, value: Any) -> bytes:
    number = UNPACKED[field.unit](value)
    return bytes.fromhex(f"{number:0{2 * field.length - 1}d}f")


def _encode_tod(field: Field, value: Any) -> bytes:
    if is_offset(field):
        return (int(value) << 12).to_bytes(8, "big", signed=True)
    microseconds = int((value - TOD_EPOCH) / timedelta(microseconds=1))
    return (microseconds << 12).to_bytes(8, "big")


_ENCODE: dict[str, Callable[[Field, Any], bytes]] = {
    "binary": lambda f, v: int(v).to_bytes(f.length, "big"),
    "bitflags": lambda f, v: int(v).to_bytes(f.length, "big"),
    "sbinary": lambda f, v: int(v).to_bytes(f.length, "big", signed=True),
    "float": lambda f, v: encode_hfp(v, f.length),
    "packed": _encode_packed,
    "ebcdic": lambda f, v: v.ljust(f.length).encode("cp037"),
    "tod": _encode_tod,
    "hex": lambda _, v: bytes.fromhex(v),
}


def encode(field: Field, value: Any) -> bytes:
    """Encode a value.

    Raises:
        ValueError: the value doesn't fit the field.
    """
    try:
        data = _ENCODE[field.format](field, value)
    except (OverflowError, UnicodeEncodeError) as error:
        raise ValueError(f"{field.name}: {value!r} does not fit {field.length} bytes of {field.format}") from error
    if len(data) != field.length:
        raise ValueError(f"{field.name}: {value!r} makes {len(data)} bytes, the field has {field.length}")
    return data
