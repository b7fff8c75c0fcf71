"""Reader of Performance Toolkit listings."""

from __future__ import annotations

import re
from collections.abc import Iterator

from iosq.parsers.api import Balance, Batch, Context, Issue, Stream, Table
from iosq.parsers.fcx import pages, tables
from iosq.parsers.fcx.listing import KIND, Listing
from iosq.parsers.listing.lines import blocks, decode, is_ebcdic
from iosq.parsers.listing.notes import Notes
from iosq.parsers.listing.records import Lines, framed, unframed

FULL = 60_000  # rows gathered before they are cut: bounds memory, and cutting many at once is what makes it fast
FIRST = re.compile(pages.PRINTED.pattern.rstrip("$") + r"|" + pages.SCREEN.pattern, re.MULTILINE)


class FcxReader:
    """Performance Toolkit listings and screens (FCX reports), ASCII or EBCDIC."""

    kind = KIND
    rank = 100

    def sniff(self, head: bytes) -> bool:
        """Whether a page heading of a report stands in the first bytes."""
        head = unframed(head)[0] if framed(head) else head
        return bool(FIRST.search(decode(head, "ebcdic" if is_ebcdic(head) else "ascii").replace("\r", " ")))

    def read(self, stream: Stream, balance: Balance, context: Context) -> Iterator[Batch | Issue]:  # noqa: ARG002
        """Read a listing to its end; an issue's offset and record are line numbers."""
        listing, lines, notes = Listing(balance), Lines(stream), Notes()
        for block in blocks(lines):
            listing.block(block)
            if listing.gathered >= FULL:
                listing.flush()
            balance.total_bytes += sum(block.sizes)
            yield from _drain(listing, notes)
        balance.frame_bytes += lines.dropped
        balance.total_bytes += lines.dropped
        listing.finish()
        yield from _drain(listing, notes)
        yield from notes.rest()

    def tables(self) -> tuple[Table, ...]:
        """One table per report, one for pages, for rows marked `>>` and for cells not understood."""
        return tables.tables()


def _drain(listing: Listing, notes: Notes) -> Iterator[Batch | Issue]:
    out, listing.out = listing.out, []
    for item in out:
        if isinstance(item, Issue):
            notes.put(item)
        elif item.rows.num_rows:
            yield item
    yield from notes.take()


READER = FcxReader()
