"""The frame of a MONWRITE file: control records, elements, pages, records.

A control record of one page announces elements; each element is a run of pages of the monitor segment with records
that never cross a page. Damage costs the rest of its page, a bad control record the pages up to the next good one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from struct import iter_unpack, unpack_from

from iosq.parsers.api import Balance, Issue, Stream
from iosq.parsers.monwrite.layout import END_OF_FRAME, HEADER

PAGE = 4096
AREA = 40  # control area behind the copy of the interrupt buffer
SAMPLE, EVENT = 0xE2, 0xC5  # EBCDIC S and E
CHUNK = 256  # pages read at once
MOST_PAGES = 1 << 19  # of one element: a monitor segment is below 2 GiB
LAST_DOMAIN = 31


@dataclass(frozen=True, slots=True)
class Element:
    """One run of records in the monitor segment: first and last address, inclusive."""

    first: int
    last: int

    @property
    def pages(self) -> int:
        """Pages the run touches."""
        return (self.last >> 12) - (self.first >> 12) + 1


Found = tuple[int, int, int, bytes]  # domain, record, offset in the file, bytes


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


class Walk:
    """One pass over a file: yields records and issues, counts every byte."""

    def __init__(self, stream: Stream, balance: Balance) -> None:
        self.stream, self.balance = stream, balance
        self.offset = 0
        self.ahead = b""

    def __iter__(self) -> Iterator[Found | Issue]:
        lost = 0
        while page := self._read(PAGE):
            found = elements(page) if len(page) == PAGE else None
            if found is None and page == bytes(PAGE):
                self.balance.frame_bytes += len(page)
                continue
            if found is None:
                lost += len(page)
                self.balance.lost_bytes += len(page)
                continue
            if lost:
                yield self._lost(self.offset - PAGE - lost, lost)
                lost = 0
            self.balance.frame_bytes += PAGE
            for element in found:
                yield from self._element(element)
        if lost:
            yield self._lost(self.offset - lost, lost)
        self.balance.total_bytes += self.offset

    def _lost(self, offset: int, size: int) -> Issue:
        return Issue("mon.control", "data_loss", f"{size} bytes without a control record", offset)

    def _read(self, size: int) -> bytes:
        parts, got = [self.ahead], len(self.ahead)
        self.ahead = b""
        while got < size and (part := self.stream.read(size - got)):
            parts.append(part)
            got += len(part)
        data = b"".join(parts)
        self.offset += len(data[:size])
        self.ahead = data[size:]
        return data[:size]

    def _element(self, element: Element) -> Iterator[Found | Issue]:
        at, left = element.first & 0xFFF, element.last - element.first + 1
        for page in range(0, element.pages, CHUNK):
            wanted = min(CHUNK, element.pages - page) * PAGE
            base, data = self.offset, self._read(wanted)
            if at and not plausible(data, at, PAGE) and plausible(data, 0, PAGE):
                at = 0  # not confirmed whether the first page is written whole
            good = self._before_control(data)
            end = min(good, at + left)
            self.balance.frame_bytes += min(at, good) + max(0, good - max(end, at))
            yield from self._records(data, base, at, end)
            if good < wanted:
                yield self._short(data, good)
                return
            at, left = 0, left - (end - at)

    def _before_control(self, data: bytes) -> int:
        """Bytes before the next control record, which is never inside an element."""
        for at in range(0, len(data) - PAGE + 1, PAGE):
            if not plausible(data, at, at + PAGE) and elements(data[at : at + PAGE]):
                return at
        return len(data)

    def _short(self, data: bytes, good: int) -> Issue:
        """Fewer pages than announced: give back what belongs to the next control record."""
        self.ahead = data[good:] + self.ahead
        self.offset -= len(data) - good
        what = "the file ends" if good == len(data) else "a control record stands"
        return Issue("mon.cut", "data_loss", f"{what} inside an element", self.offset)

    def _records(self, data: bytes, base: int, at: int, end: int) -> Iterator[Found | Issue]:
        for page in range(0, end, PAGE):
            yield from self._page(data, base, max(page, at), min(page + PAGE, end))

    def _page(self, data: bytes, base: int, at: int, end: int) -> Iterator[Found | Issue]:
        while at < end:
            if not plausible(data, at, end):
                yield from self._rest(data, base, at, end)
                return
            length, _, domain, _, record = unpack_from(">HHBBH", data, at)
            yield domain, record, base + at, data[at : at + length]
            at += length
            if (domain, record) == END_OF_FRAME:
                self.balance.frame_bytes += end - at
                return

    def _rest(self, data: bytes, base: int, at: int, end: int) -> Iterator[Issue]:
        """Data after the last record of a page: empty, or damage."""
        if data.count(0, at, end) == end - at:
            self.balance.frame_bytes += end - at
            return
        self.balance.lost_bytes += end - at
        yield Issue(
            "mon.record", "data_loss", f"no record header; {end - at} bytes to the end of the page lost", base + at
        )
