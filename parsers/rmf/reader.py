"""The RMF listing reader; see `iosq.parsers.api.Reader`."""

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
EXAMINED = 1 << 15

Counted = dict[tuple[str, str], list[int]]  # lines and bytes by kind of report and outcome


class RmfReader:
    """Reads Postprocessor listings of any reports, intervals and systems, with or without carriage control."""

    kind = "rmf.listing"
    rank = 60

    def sniff(self, head: bytes) -> bool:
        """True if the first lines have an RMF page head."""
        head = head[:EXAMINED]
        head = plain(head)
        text = decode(head, detect(head).code_page)
        if "SYSTEM ID" in text and "RPT VERSION" in text:
            return True
        titles = {t for r in knowledge.reports() for t in r.titles}
        return any(page.title(line) in titles for line in text.split("\n"))

    def tables(self) -> tuple[Table, ...]:
        """The tables of the known reports."""
        return tables.tables()

    def read(self, stream: Stream, balance: Balance, context: Context) -> Iterator[Batch | Issue]:  # noqa: ARG002
        """Read all pages; a record is a line: decoded, skipped (headings and the like) or failed (not understood)."""
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
        if not rows.has_rows:
            notes.put(_no_rows(pages))
        balance.frame_bytes += lines.dropped
        balance.total_bytes += lines.dropped
        yield from rows.take()
        yield from _in_order(notes)
        yield from notes.rest()


def _in_order(notes: Notes) -> list[Issue]:
    """The issues since the last call, by line; issues about a page are added at its end."""
    return sorted(notes.take(), key=attrgetter("offset"))


def _taken(pages: Pages, block: Block) -> Counted:
    """Read the lines of a block and count them by outcome."""
    counted: Counted = {}
    for at, (text, size) in enumerate(zip(block.lines, block.sizes, strict=True)):
        outcome = pages.line(text, block.number + at, new_page=block.controls[at : at + 1] == "1")
        counts = counted.setdefault((pages.kind, outcome), [0, 0])
        counts[0] += 1
        counts[1] += size
    return counted


def _taken_last(pages: Pages, block: Block) -> Counted:
    """Read the last line of a listing, without a line end, and count it by outcome."""
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


def _no_rows(pages: Pages) -> Issue:
    """Issue that explains why a file that looks like an RMF listing gave no row."""
    if pages.others:
        return Issue("no_rows", "notice", "no row was read: iosq reads none of the reports in this listing", 1)
    why = "the pages that were found have none" if pages.others is False else "no title of a page was found"
    text = f"no row was read from this listing of RMF: {why}; check that record lengths or line ends were kept"
    return Issue("no_rows", "data_loss", text, 1)


READER = RmfReader()
