"""Recognises the start of an SMF record by 14 bytes, one place at a time or in a whole buffer."""

from collections.abc import Iterator
from datetime import date, timedelta

import numpy as np
from numpy.typing import NDArray

from iosq.parsers.smf.layout import MINIMUM_RECORD
from iosq.parsers.smf.rows import Ints, Mask

# bytes needed to judge a header: up to the end of the packed date
HEADER_BYTES = 14
# size of the first stretch searched after damage
STRETCH = 1 << 12
WHOLE, FIRST, LAST, MIDDLE = 0, 1, 2, 3

# the first day of 1970 as 0cyyddd
EARLIEST = 70_001


def digits(data: bytes) -> int | None:
    """The digits of a packed decimal field; None if a digit is not decimal or the sign nibble is not C or F."""
    text = data.hex()
    return int(text[:-1]) if text[:-1].isdecimal() and text[-1] in "cf" else None


def packed_date(number: int) -> date | None:
    """The date of 0cyyddd; None if it is invalid."""
    year, day = 1900 + number // 1000, number % 1000
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return date(year, 1, 1) + timedelta(day - 1) if year < 2100 and 1 <= day <= 365 + leap else None


def header_date_good(data: bytes) -> bool:
    """True if bytes 10-13 of a record are a packed decimal date from 1970 on."""
    number = digits(data[10:14])
    # SMF came with MVS: an earlier date is another field that happens to be decimal (a length, a time of day)
    return number is not None and number >= EARLIEST and packed_date(number) is not None


def plausible(data: bytes) -> bool:
    """True if a record (whole or first segment) can start here; `data` begins with its RDW."""
    if len(data) < HEADER_BYTES:
        return False
    length = int.from_bytes(data[:2], "big")
    return length >= MINIMUM_RECORD and data[2] in (WHOLE, FIRST) and data[3] == 0 and header_date_good(data)


def words(buffer: NDArray[np.uint8], offset: int, at: Ints, dtype: str = ">u4") -> Ints:
    """Read unaligned big-endian words at `at + offset`; the buffer needs 8 spare bytes behind the last one."""
    windows = np.ndarray((len(buffer) - 8,), dtype, buffer=buffer, strides=(1,))
    return np.asarray(windows[at + offset], np.int64)


def dates_good(buffer: NDArray[np.uint8], at: Ints) -> Mask:
    """Mask of record headers with a valid packed date (see `header_date_good`)."""
    packed = words(buffer, 10, at)
    distinct, inverse = np.unique(packed, return_inverse=True)
    good = [header_date_good(bytes(10) + int(d).to_bytes(4, "big")) for d in distinct]
    return np.asarray(good, bool)[inverse]


def stretches(begin: int, end: int) -> Iterator[tuple[int, int]]:
    """Split [begin, end) into pieces that double in size, for a target that is usually near the start."""
    size = STRETCH
    while begin < end:
        yield begin, min(begin + size, end)
        begin, size = begin + size, 2 * size


def likely(raw: NDArray[np.uint8], low: int, high: int) -> Iterator[int]:
    """Places in [low, high) where cheap tests allow the start of a record; `raw` extends over its header."""
    # zero byte 3, segment code 0 or 1, date century nibble pair 00/01 and sign nibble F or C
    tail = raw[low + 13 : high + 13] & 15
    hit = (raw[low + 3 : high + 3] == 0) & (raw[low + 2 : high + 2] <= 1) & (raw[low + 10 : high + 10] <= 1)
    yield from (np.flatnonzero(hit & ((tail == 15) | (tail == 12))) + low).tolist()


def find_header(data: bytes | memoryview, begin: int, end: int, final: bool) -> int | None:
    """The first place in [begin, end) where a record starts that another one (or the input's end) follows.

    `final` means that the input ends at `end`. A place whose successor is beyond `end` counts.
    """
    raw = np.frombuffer(data, np.uint8, count=end)
    places = (p for low, high in stretches(begin, end - HEADER_BYTES + 1) for p in likely(raw, low, high))
    return next((p for p in places if _starts(data, p, end, final)), None)


def _starts(data: bytes | memoryview, place: int, end: int, final: bool) -> bool:
    if not plausible(bytes(data[place : place + HEADER_BYTES])):
        return False
    following = place + int.from_bytes(data[place : place + 2], "big")
    if following + HEADER_BYTES > end:
        return not final or following == end or data[place + 2] != WHOLE
    segment = data[following + 2]
    return plausible(bytes(data[following : following + HEADER_BYTES])) or (
        data[place + 2] == FIRST and segment in (LAST, MIDDLE) and data[following + 3] == 0
    )
