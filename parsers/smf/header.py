"""What makes 14 bytes look like the start of an SMF record, one at a time and for a whole buffer."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from iosq.parsers.smf.layout import MINIMUM_RECORD
from iosq.parsers.smf.oracle import header_date_good
from iosq.parsers.smf.rows import Ints, Mask

# bytes that must be at hand to judge a header: up to the end of the packed date
HEADER_BYTES = 14
WHOLE, FIRST, LAST, MIDDLE = 0, 1, 2, 3


def plausible(data: bytes) -> bool:
    """Whether a record (whole or first segment) can start here; `data` begins with its RDW."""
    if len(data) < HEADER_BYTES:
        return False
    length = int.from_bytes(data[:2], "big")
    return length >= MINIMUM_RECORD and data[2] in (WHOLE, FIRST) and data[3] == 0 and header_date_good(data)


def words(buffer: NDArray[np.uint8], offset: int, at: Ints, dtype: str = ">u4") -> Ints:
    """Unaligned big-endian words at `at + offset`; the buffer needs 8 spare bytes behind the last one."""
    windows = np.ndarray((len(buffer) - 8,), dtype, buffer=buffer, strides=(1,))
    return np.asarray(windows[at + offset], np.int64)


def dates_good(buffer: NDArray[np.uint8], at: Ints) -> Mask:
    """Whether the packed date of each record header is one (see `oracle.header_date_good`)."""
    packed = words(buffer, 10, at)
    distinct, inverse = np.unique(packed, return_inverse=True)
    good = [header_date_good(bytes(10) + int(d).to_bytes(4, "big")) for d in distinct]
    return np.asarray(good, bool)[inverse]


def find_header(data: bytes | memoryview, begin: int, end: int, final: bool) -> int | None:
    """The first place in [begin, end) where a record starts and another one (or the input's end) follows it.

    `data[:end]` is at hand; `final` says that the input ends at `end`. A place whose successor isn't at hand counts.
    """
    raw = np.frombuffer(data, np.uint8, count=end)
    last = end - HEADER_BYTES
    if begin > last:
        return None
    # zero byte 3, segment code 0 or 1, date century nibble pair 00/01 and sign nibble F or C: cheap tests first
    view = raw[begin : last + 1]
    tail = raw[begin + 13 : last + 14] & 15
    hit = (raw[begin + 3 : last + 4] == 0) & (raw[begin + 2 : last + 3] <= 1) & (raw[begin + 10 : last + 11] <= 1)
    for place in np.flatnonzero(hit[: len(view)] & ((tail == 15) | (tail == 12))) + begin:
        if _starts(data, int(place), end, final):
            return int(place)
    return None


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
