"""The reader of RMF listings. It is found by the registry; see `iosq.parsers.api.Reader`."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter

from iosq.parsers.api import Balance, Batch, Context, Issue, Stream, Table
from iosq.parsers.listing.foreign import Foreign
from iosq.parsers.listing.laws import lawful
from iosq.parsers.listing.lines import Block, blocks, decode, detect
from iosq.parsers.listing.notes import Notes
from iosq.parsers.listing.records import Lines, plain
from iosq.parsers.rmf import knowledge, page, tables
from iosq.parsers.rmf.controls import Controls
from iosq.parsers.rmf.pages import Pages
from iosq.parsers.rmf.rows import SIZE, Rows
from iosq.parsers.rmf.states import stated

CHUNK = 1 << 20
LOOKED_AT = 1 << 15

Counted = dict[tuple[str, str], list[int]]  # lines and bytes by kind of report and outcome


class RmfReader:
    """Postprocessor listings: any reports, intervals and systems one after the other, with or without ASA control."""

    kind = "rmf.listing"
    rank = 60

    def sniff(self, head: bytes) -> bool:
        """True if a page head of RMF is among the first lines."""
        head = head[:LOOKED_AT]
        head = plain(head)
        text = decode(head, detect(head).code_page)
        if "SYSTEM ID" in text and "RPT VERSION" in text:
            return True
        titles = {t for r in knowledge.reports() for t in r.titles}
        return any(page.title(line) in titles for line in text.split("\n"))

    def tables(self) -> tuple[Table, ...]:
        """The tables of the reports we know."""
        return tables.tables()

    def read(self, stream: Stream, balance: Balance, context: Context) -> Iterator[Batch | Issue]:  # noqa: ARG002
        """Read all pages; a record is a line: used, furniture or not understood."""
        yield from lawful(stated(self._read(stream, balance)))

    def _read(self, stream: Stream, balance: Balance) -> Iterator[Batch | Issue]:
        rows, notes = Rows(self.tables()), Notes()
        pages = Pages(rows, notes)
        lines, foreign, controls = Lines(stream), Foreign(), Controls()
        for block in map(controls.restored, blocks(lines, CHUNK)):
            _count(balance, _taken(pages, block.ended()))
            if not block.whole:
                _count(balance, _taken_last(pages, block))
            yield from foreign.issues(block)
            yield from _in_order(notes)
            yield from rows.take(SIZE)
        pages.finish()
        if not rows.some:
            notes.put(_nothing(pages))
        balance.frame_bytes += lines.dropped
        balance.total_bytes += lines.dropped
        yield from rows.take()
        yield from _in_order(notes)
        yield from notes.rest()


def _in_order(notes: Notes) -> list[Issue]:
    """The issues since the last call, by line: missing parts of a page are known at its end."""
    return sorted(notes.take(), key=attrgetter("offset"))


def _taken(pages: Pages, block: Block) -> Counted:
    """Lines of a block and what became of them."""
    counted: Counted = {}
    for at, (text, size) in enumerate(zip(block.lines, block.sizes, strict=True)):
        outcome = pages.line(text, block.number + at, new_page=block.controls[at : at + 1] == "1")
        counts = counted.setdefault((pages.kind, outcome), [0, 0])
        counts[0] += 1
        counts[1] += size
    return counted


def _taken_last(pages: Pages, block: Block) -> Counted:
    """The last line of a listing, without a line end, and what became of it."""
    *earlier, text = block.lines
    new_page = block.controls[-1:] == "1"
    outcome = pages.last(text, block.number + len(earlier), earlier, new_page=new_page)
    return {(pages.kind, outcome): [1, block.sizes[-1]]}


def _count(balance: Balance, counted: Counted) -> None:
    for (kind, outcome), (lines, size) in counted.items():
        counts = balance.kind(kind)
        counts.read += lines
        counts.bytes += size
        balance.total_bytes += size
        setattr(counts, outcome, getattr(counts, outcome) + lines)


def _nothing(pages: Pages) -> Issue:
    """Why a file that looks like a listing of RMF gave no row, so that it does not count as read."""
    if pages.others:
        return Issue(
            "no_rows", "notice", "no row was read: none of the reports in this listing is one of those read", 1
        )
    why = "the pages that were found have none" if pages.others is False else "no title of a page was found"
    text = f"no row was read from this listing of RMF: {why}; see that record lengths or line ends are kept"
    return Issue("no_rows", "data_loss", text, 1)


READER = RmfReader()
