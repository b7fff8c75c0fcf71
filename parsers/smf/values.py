"""One value at a time, in plain Python: decoder and encoder of every field format.

`decode(field, data)` and `encode(field, value)` are inverse on every value the format can hold.
Absent and impossible values are None: packed digits that are not decimal, a zero TOD clock, 2**63 and above.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any

from iosq.parsers.smf.layout import Field
from iosq.parsers.smf.tables import is_offset

TOD_EPOCH = datetime(1900, 1, 1)


def _text_table() -> str:
    # NUL is how unset text looks in a record; other controls would break terminals and CSV files
    decoded = bytes(range(256)).decode("cp037")
    return "".join(" " if c == "\0" else c if c.isprintable() or c == " " else "?" for c in decoded)


TEXT = _text_table()


def decode_text(data: bytes) -> str:
    """EBCDIC (code page 037) to text without trailing blanks; NUL counts as blank, other controls become `?`."""
    return "".join(TEXT[b] for b in data).rstrip(" ")


def decode_hfp(data: bytes) -> float:
    """IBM hexadecimal floating point, 4 or 8 bytes: +-fraction * 16**(exponent - 64)."""
    word = int.from_bytes(data, "big")
    fraction_bits = 8 * len(data) - 8
    exponent = (word >> fraction_bits) & 0x7F
    value = math.ldexp(word & ((1 << fraction_bits) - 1), 4 * (exponent - 64) - fraction_bits)
    return -value if data[0] & 0x80 else value


# every float of a record is a counter: nothing is negative, and by its exponent it lies between 16**-5 and 16**15
POSSIBLE_EXPONENTS = range(60, 80)


def decode_count(data: bytes) -> float | None:
    """A hexadecimal float that counts something; None where no machine counts that (the record is damaged)."""
    value = decode_hfp(data)
    return value if value == 0 or data[0] in POSSIBLE_EXPONENTS else None


def encode_hfp(value: float, length: int) -> bytes:
    """The hexadecimal float nearest towards zero; exact where the fraction fits 24 (56) bits."""
    if value == 0:
        return bytes(length)
    fraction, exponent = math.frexp(abs(value))
    shift = -exponent % 4
    bits = 8 * length - 8
    word = int(math.ldexp(fraction, bits - shift)) | ((exponent + shift) // 4 + 64) << bits
    return (word | (1 << (8 * length - 1) if value < 0 else 0)).to_bytes(length, "big")


def digits(data: bytes) -> int | None:
    """The decimal digits of a packed field without its sign nibble; None if one is not decimal or the sign is wrong."""
    text = data.hex()
    return int(text[:-1]) if text[:-1].isdecimal() and text[-1] in "cf" else None


def _packed_date(number: int) -> date | None:
    year, day = 1900 + number // 1000, number % 1000
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return date(year, 1, 1) + timedelta(day - 1) if year < 2100 and 1 <= day <= 365 + leap else None


def _clock(number: int) -> int | None:
    hours, minutes, seconds = number // 10000, number // 100 % 100, number % 100
    return hours * 3600 + minutes * 60 + seconds if hours < 24 and minutes < 60 and seconds < 60 else None


def _duration(number: int) -> float | None:
    minutes, seconds, millis = number // 100000, number // 1000 % 100, number % 1000
    return (minutes * 60000 + seconds * 1000 + millis) / 1000 if seconds < 60 else None


PACKED: dict[str, Callable[[int], Any]] = {
    "0cyydddF": _packed_date,
    "0hhmmssF": _clock,
    "mmsstttF": _duration,
    "000ttttF ms": float,
    "nnnF": int,
}


def _unpack_date(value: date) -> int:
    return (value.year - 1900) * 1000 + value.timetuple().tm_yday


def _unpack_clock(value: int) -> int:
    return value // 3600 * 10000 + value // 60 % 60 * 100 + value % 60


def _unpack_duration(value: float) -> int:
    millis = round(value * 1000)
    return millis // 60000 * 100000 + millis % 60000


UNPACKED: dict[str, Callable[[Any], int]] = {
    "0cyydddF": _unpack_date,
    "0hhmmssF": _unpack_clock,
    "mmsstttF": _unpack_duration,
    "000ttttF ms": int,
    "nnnF": int,
}


def _decode_packed(field: Field, data: bytes) -> Any:
    number = digits(data)
    return None if number is None else PACKED[field.unit](number)


def _decode_tod(field: Field, data: bytes) -> Any:
    if is_offset(field):
        return int.from_bytes(data, "big", signed=True) >> 12
    ticks = int.from_bytes(data, "big")
    return TOD_EPOCH + timedelta(microseconds=ticks >> 12) if ticks else None


def _decode_binary(_: Field, data: bytes) -> int | None:
    value = int.from_bytes(data, "big")
    return value if value < 1 << 63 else None


_DECODE: dict[str, Callable[[Field, bytes], Any]] = {
    "binary": _decode_binary,
    "bitflags": _decode_binary,
    "sbinary": lambda _, data: int.from_bytes(data, "big", signed=True),
    "float": lambda _, data: decode_count(data),
    "packed": _decode_packed,
    "ebcdic": lambda _, data: decode_text(data),
    "tod": _decode_tod,
    "hex": lambda _, data: data.hex().upper(),
}


def decode(field: Field, data: bytes) -> Any:
    """The value of a field; `data` holds exactly the field's bytes."""
    return _DECODE[field.format](field, data)


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
    """The bytes of a value.

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
