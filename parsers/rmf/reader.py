"""The RMF listing reader; see `iosq.parsers.api.Reader`."""

from collections.abc import Iterator
from operator import attrgetter

from iosq.parsers.api import Balance, Batch, Context, Issue, Reader, Stream
from iosq.parsers.arrow import SIZE, Rows
from iosq.parsers.listing.foreign import Foreign
from iosq.parsers.listing.laws import lawful
from iosq.parsers.listing.lines import Block, blocks, decode, detect
from iosq.parsers.listing.notes import Notes
from iosq.parsers.listing.records import Lines, plain
from iosq.parsers.rmf import page
from iosq.parsers.rmf.controls import Controls
from iosq.parsers.rmf.knowledge import titled
from iosq.parsers.rmf.pages import Pages
from iosq.parsers.rmf.states import stated
from iosq.parsers.rmf.tables import tables

EXAMINED = 1 << 15


class RmfReader(Reader):
    """Reads Postprocessor listings of any reports, intervals and systems, with or without carriage control."""

    kind = "rmf.listing"
    rank = 60
    tables = staticmethod(tables)

    def sniff(self, head: bytes) -> bool:
        """True if the first lines have an RMF page head."""
        head = plain(head[:EXAMINED])
        text = decode(head, detect(head).code_page)
        if "SYSTEM ID" in text and "RPT VERSION" in text:
            return True
        return any(page.title(line) in titled() for line in text.split("\n"))

    def read(self, stream: Stream, balance: Balance, context: Context) -> Iterator[Batch | Issue]:  # noqa: ARG002
        """Read all pages; a record is a line: decoded, skipped (headings and the like) or failed (not understood)."""
        yield from lawful(stated(self._read(stream, balance)))

    def _read(self, stream: Stream, balance: Balance) -> Iterator[Batch | Issue]:
        rows, notes = Rows(self.tables()), Notes()
        pages = Pages(rows, notes)
        foreign, controls = Foreign(), Controls()
        for block in map(controls.restored, blocks(Lines(stream, balance))):
            _take(pages, block, balance)
            yield from foreign.issues(block)
            yield from _in_order(notes)
            yield from rows.take(SIZE)
        pages.finish()
        if not rows.has_rows:
            notes.put(_no_rows(pages))
        yield from rows.take()
        yield from _in_order(notes)
        yield from notes.rest()


def _in_order(notes: Notes) -> list[Issue]:
    """The issues since the last call, by line; issues about a page are added at its end."""
    return sorted(notes.take(), key=attrgetter("offset"))


def _take(pages: Pages, block: Block, balance: Balance) -> None:
    """Read the lines of a block and count them by outcome."""
    last = len(block.lines) - 1
    for at, (text, size) in enumerate(zip(block.lines, block.sizes, strict=True)):
        number, new_page = block.number + at, block.controls[at : at + 1] == "1"
        if at < last or block.whole:
            outcome = pages.line(text, number, new_page=new_page)
        else:
            outcome = pages.last(text, number, block.lines[:last], new_page=new_page)
        balance.count(pages.kind, outcome, size)
    balance.total_bytes += sum(block.sizes)


def _no_rows(pages: Pages) -> Issue:
    """Issue that explains why a file that looks like an RMF listing gave no row."""
    if pages.others:
        return Issue("no_rows", "notice", "no row was read: iosq reads none of the reports in this listing", 1)
    why = "the pages that were found have none" if pages.others is False else "no title of a page was found"
    text = f"no row was read from this listing of RMF: {why}; check that record lengths or line ends were kept"
    return Issue("no_rows", "data_loss", text, 1)


READER = RmfReader()
