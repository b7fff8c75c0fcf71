"""Walks the records of a MONWRITE file by its control records.

A control record of one page lists elements; each element is a run of pages of the monitor segment whose records
never cross a page. At damage, bytes up to the next record are skipped. Without a control record, records are found by
their own headers.
"""

from collections.abc import Iterator
from struct import unpack_from

from iosq.parsers.api import Balance, Issue, Stream
from iosq.parsers.monwrite.layout import END_OF_FRAME
from iosq.parsers.monwrite.pages import (
    PAGE,
    RECORD,
    WINDOW,
    Element,
    Pages,
    elements,
    next_record,
    plausible,
    to_next_page,
    to_next_run,
)

Found = tuple[int, int, int, bytes]  # domain, record, offset in the file, bytes
EMPTY = bytes(PAGE)
WHOLE = "transfer the whole file again in binary"


class Walk:
    """One pass over a file: yields records and issues, counts every byte."""

    def __init__(self, stream: Stream, balance: Balance) -> None:
        self.pages, self.balance = Pages(stream, balance), balance

    def __iter__(self) -> Iterator[Found | Issue]:
        while page := self.pages.page():
            found = self.pages.control()
            if found is None and page != EMPTY:
                yield from self._unannounced()
                continue
            self.balance.frame_bytes += len(self.pages.take(PAGE))
            for element in found or ():
                yield from self._element(element)
        self.balance.total_bytes += self.pages.offset

    def _unannounced(self) -> Iterator[Found | Issue]:
        """Read data found where a control record is due, up to the next control record or the end."""
        start = self.pages.offset
        size, records, before = to_next_run(self.pages.peek(WINDOW)), 0, self.balance.lost_bytes
        while size:
            base, piece = self.pages.offset, self.pages.take(size)
            at = next_record(piece, 0, len(piece))
            self.balance.lost_bytes += at
            for item in self._page(piece, base, at, len(piece)):
                records += not isinstance(item, Issue)
                yield item
            size = self._more_unannounced(size)
        lost = self.balance.lost_bytes - before
        yield Issue(
            "mon.control",
            "data_loss",
            f"no control record in {self.pages.offset - start} bytes: {records} records were found by "
            f"their own headers, {lost} bytes were skipped, and the data before them is missing: {WHOLE}",
            start,
        )

    def _more_unannounced(self, size: int) -> int:
        """Size of the next piece without a control record; 0 if a control record, zeros or the end follows."""
        page = self.pages.page()
        if page in (b"", EMPTY) or self.pages.control():
            return 0
        return PAGE if size == PAGE and RECORD.match(page) else to_next_run(self.pages.peek(WINDOW))

    def _element(self, element: Element) -> Iterator[Found | Issue]:
        at, left = element.first % PAGE, element.last - element.first + 1
        for number in range(element.pages):
            page = self.pages.page()
            if at and not plausible(page, at, PAGE) and plausible(page, 0, PAGE):
                at = 0  # no source says whether the first page is written from its start
            if self._is_other(page, at):
                yield self._cut(element, number, "other data stand")
                return
            base, end = self.pages.offset, min(len(page), at + left)
            self.pages.take(PAGE)
            self.balance.frame_bytes += min(at, len(page)) + max(0, len(page) - max(end, at))
            yield from self._page(page, base, at, end)
            if len(page) < PAGE:
                yield self._cut(element, number, "the file ends")
                return
            at, left = 0, left - (end - at)

    def _is_other(self, page: bytes, at: int) -> bool:
        """True if the page can't belong to the element: a control record, or shifted by missing or extra bytes."""
        if len(page) < PAGE or plausible(page, 0, PAGE):
            return False
        shifted = not plausible(page, at, PAGE) and to_next_page(self.pages.peek(WINDOW)) % PAGE > 0
        return shifted or elements(page) is not None

    def _cut(self, element: Element, number: int, what: str) -> Issue:
        text = f"{what} inside an element, behind {number} of {element.pages} pages: {WHOLE}"
        return Issue("mon.cut", "data_loss", text, self.pages.offset)

    def _page(self, data: bytes, base: int, at: int, end: int) -> Iterator[Found | Issue]:
        while at < end:
            if not plausible(data, at, end):
                resume = next_record(data, at + 1, end)
                yield from self._skipped(data[at:resume], base + at)
                at = resume
                continue
            length, _, domain, _, record = unpack_from(">HHBBH", data, at)
            yield domain, record, base + at, data[at : at + length]
            at += length
            if (domain, record) == END_OF_FRAME:
                self.balance.frame_bytes += end - at
                return

    def _skipped(self, data: bytes, offset: int) -> Iterator[Issue]:
        """Count bytes between records: padding if all are zero, else damage with an issue."""
        if not data.strip(b"\0"):
            self.balance.frame_bytes += len(data)
            return
        self.balance.lost_bytes += len(data)
        text = (
            f"no record header (found {data[:8].hex()}); {len(data)} bytes skipped to the next record or page, and the "
            "record before them may be damaged"
        )
        yield Issue("mon.record", "data_loss", text, offset)
