"""Finds the pages of a MONWRITE file by control records, record headers and descriptor words of a transfer.

A complete file has a control record at its first byte. A partial file is aligned to pages by a control record, or by
the place in a page at which most runs of records begin.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from struct import iter_unpack, unpack_from

from iosq.parsers.api import Balance, Stream, read_fully
from iosq.parsers.monwrite.layout import END_OF_FRAME, HEADER

PAGE = 4096
AREA = 40  # control area behind the copy of the interrupt buffer
SAMPLE, EVENT = 0xE2, 0xC5  # EBCDIC S and E
CHUNK = 256 * PAGE  # bytes read at once
WINDOW = 16 * PAGE  # bytes searched for the next page
MOST_PAGES = 1 << 19  # of one element: a monitor segment is below 2 GiB
LAST_DOMAIN = 31
RUN = 3  # consecutive records that identify monitor data

# RDW of one page, with or without a BDW in front; no record in a page is that long
WORDS = re.compile(rb"(?:[\x10-\x7f].\0\0)?\x10\x04\0\0", re.DOTALL)
FRAMED = re.compile(WORDS.pattern + rb"(?=.{4096}" + WORDS.pattern + rb")", re.DOTALL)
# length, zeros, domain, record number, a time between 1983 and 2042
RECORD = re.compile(rb"(?=[\0-\x10].\0\0[\0-\x1f].\0[^\0][\xa0-\xff](?!\0\0\0))", re.DOTALL)
# type, domains, addresses below 2 GiB
ELEMENT = re.compile(rb"(?=[\xe2\xc5](?!\0\0)...[\0-\x7f]...[\0-\x7f])", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Element:
    """One run of records in the monitor segment: first and last address, inclusive."""

    first: int
    last: int

    @property
    def pages(self) -> int:
        return (self.last >> 12) - (self.first >> 12) + 1


def elements(page: bytes) -> list[Element] | None:
    """The elements that a control record lists; None if the page is not a control record."""
    found = []
    for kind, domains, more, _, first, last in iter_unpack(">BBBBII", page[AREA : AREA + (PAGE - AREA) // 12 * 12]):
        if kind == 0:
            break
        element = Element(first, last)
        if kind not in (SAMPLE, EVENT) or not (domains or more) or last <= first or element.pages > MOST_PAGES:
            return None
        found.append(element)
    return found or None


def plausible(data: bytes, at: int, end: int) -> bool:
    """True if a valid record header is at `at` and its record ends by `end`."""
    end = min(end, len(data))
    if at + HEADER > end:
        return False
    length, zero, domain = unpack_from(">HHB", data, at)
    fits: bool = HEADER <= length <= end - at and zero == 0 and domain <= LAST_DOMAIN
    return fits


def is_control(data: bytes, at: int) -> bool:
    """True if `at` has a control record and its first element starts with a record."""
    found = elements(data[at : at + PAGE]) if at + 2 * PAGE <= len(data) else None
    places = (at + PAGE + n for n in (found[0].first % PAGE, 0)) if found else ()
    return any(RECORD.match(data, place) and plausible(data, place, at + 2 * PAGE) for place in places)


def _controls(data: bytes) -> Iterator[int]:
    """Offsets of control records, at any byte."""
    places = (m.start() - AREA for m in ELEMENT.finditer(data, AREA))
    return (at for at in places if is_control(data, at))


def _records(data: bytes) -> dict[int, int]:
    """Begin and end of everything that looks like a record."""
    every = {m.start(): m.start() + int.from_bytes(data[m.start() : m.start() + 2]) for m in RECORD.finditer(data)}
    return {at: end for at, end in every.items() if end - at >= HEADER}


def holds_records(head: bytes) -> bool:
    """True if the first bytes are a control record, or have a run of records at any place.

    An apparent control record elsewhere doesn't count: it may be text of other data.
    """
    data = WORDS.sub(b"", head)
    if is_control(data, 0):
        return True
    found = _records(data)
    return sum(end in found and data[at + 8 : at + 10] == data[end + 8 : end + 10] for at, end in found.items()) >= RUN


def to_next_page(window: bytes) -> int:
    """Bytes up to the next page: a whole page if one starts here, 0 if no page is found."""
    if words := FRAMED.search(window):
        return words.start() or PAGE
    at = next(_controls(window), None)
    if at is None:
        found = _records(window)
        runs = Counter(begin % PAGE for begin in found.keys() - found.values())
        at = max(runs, key=lambda place: (runs[place], -place), default=0)
        if runs[at] < 2:
            return 0
    return at % PAGE or PAGE


def to_next_run(window: bytes) -> int:
    """Bytes to read at once: up to the next page, else to the next run of records or the end of the last record."""
    if size := to_next_page(window):
        return size
    # a control record before those at the end may not be whole yet
    whole = len(window) - 2 * PAGE if len(window) == WINDOW else len(window)
    found = {at: end for at, end in _records(window).items() if at < whole}
    ends = [end for end in found.values() if end <= len(window)]
    return next(iter(sorted(found.keys() - found.values())[1:]), max(ends, default=PAGE if found else _barren(window)))


def _barren(window: bytes) -> int:
    """Size of the pages in a window without records and control records; what lies across its end is left."""
    ends = range(PAGE, len(window) - 2 * PAGE, PAGE)
    return next((at for at in ends if _begins(window, at)), max(ends, default=PAGE))


def _begins(data: bytes, at: int) -> bool:
    """True if something other than records begins at a page: descriptor words, zeros or a list of elements."""
    page = data[at : at + PAGE]
    return bool(WORDS.match(page)) or not page.strip(b"\0") or elements(page) is not None


def next_record(data: bytes, at: int, end: int) -> int:
    """Start of the next record from `at` on that another one or only zeros follow; `end` if there is none."""
    for match in RECORD.finditer(data, at, end):
        begin = match.start()
        length, _, domain, _, record = unpack_from(">HHBBH", data, begin)
        after = begin + length
        if not HEADER <= length <= end - begin:
            continue
        if (domain, record) == END_OF_FRAME or RECORD.match(data, after, end) or not data[after:end].strip(b"\0"):
            return begin
    return end


class Pages:
    """Reads a file by pages; removes and counts descriptor words that a transfer put in front of pages."""

    def __init__(self, stream: Stream, balance: Balance) -> None:
        self.offset = 0
        self._stream, self._balance = stream, balance
        self._buffer, self._at = b"", 0

    def peek(self, size: int) -> bytes:
        """The next `size` bytes, fewer only at the end, without consuming them."""
        if len(self._buffer) - self._at < size:
            self._buffer, self._at = self._buffer[self._at :] + read_fully(self._stream, CHUNK), 0
        return self._buffer[self._at : self._at + size]

    def take(self, size: int) -> bytes:
        """Read the next `size` bytes, fewer only at the end."""
        data = self.peek(size)
        self.offset += len(data)
        self._at += len(data)
        return data

    def page(self) -> bytes:
        """Skip descriptor words and return the next page without consuming it."""
        if words := WORDS.match(self.peek(8)):
            self._balance.frame_bytes += len(self.take(words.end()))
        return self.peek(PAGE)

    def control(self) -> list[Element] | None:
        """The elements of the next page, if it is a control record aligned with the pages after it."""
        found = elements(self.peek(PAGE)) if len(self.peek(PAGE)) == PAGE else None
        if found and not is_control(self.peek(2 * PAGE), 0) and to_next_page(self.peek(WINDOW)) % PAGE:
            return None
        return found
