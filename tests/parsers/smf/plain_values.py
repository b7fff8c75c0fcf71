"""One value at a time, in plain Python: slow and easy to check. Absent and impossible values are None."""

import math
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from iosq.parsers.smf.header import digits, packed_date
from iosq.parsers.smf.layout import Field
from iosq.parsers.smf.tables import is_offset
from iosq.parsers.smf.values import POSSIBLE_EXPONENTS, TEXT, TOD_EPOCH


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


def decode_count(data: bytes) -> float | None:
    """A hexadecimal float that counts something; None where no machine counts that (the record is damaged)."""
    value = decode_hfp(data)
    return value if value == 0 or data[0] in POSSIBLE_EXPONENTS else None


def _clock(number: int) -> int | None:
    hours, minutes, seconds = number // 10000, number // 100 % 100, number % 100
    return hours * 3600 + minutes * 60 + seconds if hours < 24 and minutes < 60 and seconds < 60 else None


def _duration(number: int) -> float | None:
    minutes, seconds, millis = number // 100000, number // 1000 % 100, number % 1000
    return (minutes * 60000 + seconds * 1000 + millis) / 1000 if seconds < 60 else None


PACKED: dict[str, Callable[[int], Any]] = {
    "0cyydddF": packed_date,
    "0hhmmssF": _clock,
    "mmsstttF": _duration,
    "000ttttF ms": float,
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
