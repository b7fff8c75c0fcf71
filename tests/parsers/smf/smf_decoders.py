"""Both decoders behind one face, and dumps made of records."""

import io
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from iosq.parsers.api import Balance, Batch, Context, Issue
from iosq.parsers.smf.header import header_date_good
from iosq.parsers.smf.layout import layouts
from iosq.parsers.smf.reader import READER
from iosq.parsers.smf.tables import tables
from tests.parsers.smf.oracle import RefusedError, decode_record

Rows = dict[str, list[dict[str, Any]]]
KEYS = ("record_id", "record_offset")
SAME_ROUND = {t.name: t.names for t in tables()}


class Dump(io.BytesIO):
    """A stream with a name; `most` bounds what one read gives, as a pipe does."""

    def __init__(self, data: bytes, most: int | None = None) -> None:
        super().__init__(data)
        self.name, self.most = "test dump", most

    def read(self, size: int | None = -1, /) -> bytes:
        asked = len(self.getbuffer()) if size is None or size < 0 else size
        return super().read(min(asked, self.most or asked))

    def readinto(self, buffer: Any, /) -> int:
        view = memoryview(buffer)
        return super().readinto(view[: self.most or len(view)])


class ReadOnly:
    """A stream that knows `read` only, as the members of a ZIP archive do."""

    def __init__(self, data: bytes) -> None:
        self.name, self.read = "test dump", io.BytesIO(data).read


@dataclass
class Result:
    """What one read of a dump gave."""

    rows: Rows = field(default_factory=dict)
    issues: list[Issue] = field(default_factory=list)
    balance: Balance = field(default_factory=Balance)

    @property
    def codes(self) -> list[str]:
        return [i.code for i in self.issues]


def read(data: bytes, *, chunk: int = 1 << 16, stream: Any = None, context: Context | None = None) -> Result:
    """Read a dump with the fast decoder; the laws that hold for every input are checked here."""
    result = Result()
    for item in READER.read(stream or Dump(data), result.balance, context or Context(), chunk):
        if isinstance(item, Issue):
            assert 0 <= item.offset <= len(data)
            assert item.count > 0
            assert "{" not in item.message
            result.issues.append(item)
        else:
            assert isinstance(item, Batch)
            assert tuple(item.rows.schema.names) == SAME_ROUND[item.table]
            result.rows.setdefault(item.table, []).extend(_as_recorded(item.rows.to_pylist()))
    assert result.balance.total_bytes == len(data)
    assert result.balance.balanced, result.balance
    return result


def _as_recorded(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The decoder gives rows in the order of their table; here they are compared in that of the records."""
    return sorted(rows, key=lambda row: (row["record_offset"], row["section_index"])) if rows else rows


def bare(rows: Rows) -> Rows:
    """Rows without the keys of records; tables without rows left out."""
    return {
        name: [{k: v for k, v in row.items() if k not in KEYS} for row in table]
        for name, table in rows.items()
        if table
    }


def fast(record: bytes) -> Rows | str:
    """Rows of one record by the fast decoder, or the code of the issue that refused it."""
    result = read(record)
    refused = [i.code for i in result.issues if i.severity == "data_loss" and i.code != "split_incomplete"]
    assert result.balance.read == 1
    assert result.balance.failed == len(refused) <= 1
    return refused[0] if refused else bare(result.rows)


def oracle(record: bytes) -> Rows | str:
    """The same by the plain one."""
    layout = layouts()[record[5], int.from_bytes(record[22:24], "big")]
    if not header_date_good(record):
        return "bad_header_date"
    try:
        return bare(decode_record(layout, record))
    except RefusedError as error:
        return error.code


def framed(record: bytes) -> bytes:
    """The record behind an RDW of its length, whatever its RDW says now."""
    return len(record).to_bytes(2, "big") + record[2:]


def spanned(record: bytes, *sizes: int) -> list[bytes]:
    """The record as segments whose bodies have the given sizes; the last one takes the rest."""
    body, parts = record[4:], []
    for size in sizes:
        parts.append(body[:size])
        body = body[size:]
    parts.append(body)
    codes = [1, *[3] * (len(parts) - 2), 2]
    return [(len(p) + 4).to_bytes(2, "big") + bytes((code, 0)) + p for code, p in zip(codes, parts, strict=True)]


def block(records: Iterable[bytes], wide: bool = False) -> bytes:
    """Records behind a block descriptor; `wide` = the 31-bit form."""
    data = b"".join(records)
    length = len(data) + 4
    return (length | 1 << 31 if wide else length << 16).to_bytes(4, "big") + data


def raw(text: str) -> bytes:
    return bytes.fromhex("".join(line.partition("#")[0] for line in text.splitlines()))
