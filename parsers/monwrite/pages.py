"""Where pages of a MONWRITE file begin: control records, record headers, descriptor words of a transfer.

A whole file has a control record at its first byte. A piece of one is brought into step by what it holds: a control
record, or the place in a page at which most runs of records begin.
"""

from __future__ import annotations

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
WINDOW = 16 * PAGE  # bytes in which the next page is looked for
MOST_PAGES = 1 << 19  # of one element: a monitor segment is below 2 GiB
LAST_DOMAIN = 31
RUN = 3  # records behind each other that no other data have

# RDW of one page, behind the BDW where there is one; no record of a page is so long
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
        """Pages the run touches."""
        return (self.last >> 12) - (self.first >> 12) + 1


def elements(page: bytes) -> list[Element] | None:
    """The elements a control record announces; None if the page is not a control record."""
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
    """True if a control record is at `at` and a record where its first element begins."""
    found = elements(data[at : at + PAGE]) if at + 2 * PAGE <= len(data) else None
    places = (at + PAGE + n for n in (found[0].first % PAGE, 0)) if found else ()
    return any(RECORD.match(data, place) and plausible(data, place, at + 2 * PAGE) for place in places)


def _controls(data: bytes) -> Iterator[int]:
    """Where control records are, whatever byte they begin at."""
    places = (m.start() - AREA for m in ELEMENT.finditer(data, AREA))
    return (at for at in places if is_control(data, at))


def _records(data: bytes) -> dict[int, int]:
    """Where what looks like a record begins and ends."""
    every = {m.start(): m.start() + int.from_bytes(data[m.start() :][:2]) for m in RECORD.finditer(data)}
    return {at: end for at, end in every.items() if end - at >= HEADER}


def holds_records(head: bytes) -> bool:
    """True if the first bytes are a control record, or hold a run of records, wherever it begins.

    What looks like a control record elsewhere may be letters of other data.
    """
    data = WORDS.sub(b"", head)
    if is_control(data, 0):
        return True
    found = _records(data)
    return sum(end in found and data[at + 8 : at + 10] == data[end + 8 : end + 10] for at, end in found.items()) >= RUN


def to_next_page(window: bytes) -> int:
    """Bytes up to the next page; a whole page where one begins here, 0 where nothing shows it."""
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
    """Bytes that are read at once: up to the next page, or where none shows, to the next or the end of a run."""
    if size := to_next_page(window):
        return size
    found = _records(window)
    ends = [end for end in found.values() if end <= len(window)]
    return next(iter(sorted(found.keys() - found.values())[1:]), max(ends, default=PAGE))


def next_record(data: bytes, at: int, end: int) -> int:
    """Where the next record from `at` on begins that another one follows, or nothing but zeros; `end` if none."""
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
    """A file by pages; descriptor words in front of pages, as a transfer adds them, are taken off and counted."""

    def __init__(self, stream: Stream, balance: Balance) -> None:
        self.offset = 0
        self._stream, self._balance = stream, balance
        self._held, self._at = b"", 0

    def peek(self, size: int) -> bytes:
        """The next `size` bytes, fewer only before the end; they stay to be taken."""
        if len(self._held) - self._at < size:
            self._held, self._at = self._held[self._at :] + read_fully(self._stream, CHUNK), 0
        return self._held[self._at : self._at + size]

    def take(self, size: int) -> bytes:
        """The next `size` bytes, fewer only before the end."""
        data = self.peek(size)
        self.offset += len(data)
        self._at += len(data)
        return data

    def page(self) -> bytes:
        """The next page, which stays to be taken, without the words in front of it."""
        if words := WORDS.match(self.peek(8)):
            self._balance.frame_bytes += len(self.take(words.end()))
        return self.peek(PAGE)

    def control(self) -> list[Element] | None:
        """The elements of the next page, if it is a control record in step with the pages behind it."""
        found = elements(self.peek(PAGE)) if len(self.peek(PAGE)) == PAGE else None
        if found and not is_control(self.peek(2 * PAGE), 0) and to_next_page(self.peek(WINDOW)) % PAGE:
            return None
        return found
