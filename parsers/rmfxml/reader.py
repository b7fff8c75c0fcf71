"""The RMF XML reader; see `iosq.parsers.api.Reader`."""

import re
from collections.abc import Iterator

from iosq.parsers.api import Balance, Batch, Context, Issue, Reader, Stream
from iosq.parsers.arrow import SIZE, Rows
from iosq.parsers.listing.laws import lawful
from iosq.parsers.listing.lines import EBCDIC
from iosq.parsers.listing.notes import Notes
from iosq.parsers.listing.records import Lines, plain
from iosq.parsers.rmf.states import stated
from iosq.parsers.rmfxml.documents import Documents
from iosq.parsers.rmfxml.recorder import Ledger, Recorder
from iosq.parsers.rmfxml.tables import tables

CHUNK = 1 << 16
_OURS = re.compile(rb"<(?:ddsml|postprocessor)[\s>]")
_EBCDIC_MARKS = ("<?xml".encode("cp037"), "<ddsml".encode("cp037"))


class RmfXmlReader(Reader):
    """Reads Postprocessor and Monitor III reports as XML, any number of consecutive documents."""

    kind = "rmf.xml"
    rank = 50
    tables = staticmethod(tables)

    def sniff(self, head: bytes) -> bool:
        """True if a `ddsml` or `postprocessor` element starts in the first bytes."""
        head = plain(head)
        return _OURS.search(_readable(head, ebcdic=_is_ebcdic(head))) is not None

    def read(self, stream: Stream, balance: Balance, context: Context) -> Iterator[Batch | Issue]:  # noqa: ARG002
        """Read all documents; a record is a row, variable or message, all other bytes are markup."""
        yield from lawful(stated(self._read(stream, balance)))

    def _read(self, stream: Stream, balance: Balance) -> Iterator[Batch | Issue]:
        rows, notes, ledger, lines = Rows(self.tables()), Notes(), Ledger(balance), Lines(stream, balance)
        data = lines.read(CHUNK)
        ebcdic = _is_ebcdic(data)
        documents = Documents(Recorder(rows, notes, ledger), ledger, "iso-8859-1" if ebcdic else None)
        while data:
            balance.total_bytes += len(data)
            documents.feed(_readable(data, ebcdic=ebcdic))
            yield from notes.take()
            yield from rows.take(SIZE)
            data = lines.read(CHUNK)
        documents.feed(b"")
        yield from rows.take()
        yield from notes.take()
        yield from notes.rest()


def _is_ebcdic(head: bytes) -> bool:
    return head.lstrip(b"\x40\x15\x25").startswith(_EBCDIC_MARKS)


def _readable(data: bytes, *, ebcdic: bool) -> bytes:
    return data.translate(EBCDIC) if ebcdic else data


READER = RmfXmlReader()
