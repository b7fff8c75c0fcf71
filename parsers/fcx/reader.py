"""The reader of Performance Toolkit listings."""

import re
from collections.abc import Iterator

from iosq.parsers.api import Balance, Batch, Context, Issue, Reader, Stream
from iosq.parsers.fcx import pages
from iosq.parsers.fcx.listing import KIND, Listing
from iosq.parsers.fcx.tables import tables
from iosq.parsers.listing.foreign import Foreign
from iosq.parsers.listing.laws import lawful
from iosq.parsers.listing.lines import blocks, decode, is_ebcdic
from iosq.parsers.listing.notes import Notes
from iosq.parsers.listing.records import Lines, plain

FULL = 60_000  # rows collected before they are split: limits memory, and splitting many rows at once is fast
FIRST = re.compile(
    pages.PRINTED.pattern.rstrip("$") + rf"|{pages.SCREEN.pattern}|{pages.SCAN.pattern}|^{pages.STRANGE.pattern}",
    re.MULTILINE,
)

STRANGE_DATE = re.compile(rf"FCX\d{{3}}\s+Run\s+(?!{pages.DATE})(\d{{1,4}}[./-]\d{{1,2}}[./-]\d{{2,4}})\s+\d\d[:.]\d\d")


class FcxReader(Reader):
    """Reads Performance Toolkit listings and screens (FCX reports), ASCII or EBCDIC."""

    kind = KIND
    rank = 100
    tables = staticmethod(tables)

    def sniff(self, head: bytes) -> bool:
        """True if the first bytes contain a page heading."""
        return bool(FIRST.search(_text(head)))

    def diagnose(self, head: bytes) -> str:
        """Explain a page heading with an ambiguous date format; '' if there is none."""
        found = STRANGE_DATE.search(_text(head))
        if found is None:
            return ""
        return (
            f"a Performance Toolkit listing with dates such as {found[1]}, where day and month are ambiguous: "
            "print it with dates as yyyy/mm/dd or yyyy-mm-dd"
        )

    def read(self, stream: Stream, balance: Balance, context: Context) -> Iterator[Batch | Issue]:  # noqa: ARG002
        """Read a listing to its end; offset and record of an issue are line numbers."""
        yield from lawful(self._read(stream, balance))

    def _read(self, stream: Stream, balance: Balance) -> Iterator[Batch | Issue]:
        listing, notes, foreign = Listing(balance), Notes(), Foreign()
        for block in blocks(Lines(stream, balance)):
            listing.block(block)
            yield from foreign.issues(block)
            if listing.gathered >= FULL:
                listing.flush()
            balance.total_bytes += sum(block.sizes)
            yield from _drain(listing, notes)
        listing.finish()
        yield from _drain(listing, notes)
        yield from notes.rest()


def _text(head: bytes) -> str:
    head = plain(head)
    return decode(head, "ebcdic" if is_ebcdic(head) else "ascii").replace("\r", " ")


def _drain(listing: Listing, notes: Notes) -> Iterator[Batch | Issue]:
    out, listing.out = listing.out, []
    for item in out:
        if isinstance(item, Issue):
            notes.put(item)
        elif item.rows.num_rows:
            yield item
    yield from notes.take()


READER = FcxReader()
