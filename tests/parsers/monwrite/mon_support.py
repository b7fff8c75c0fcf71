"""Encodes monitor records from the same field table the decoder reads, and puts them into a MONWRITE file."""

import io
import struct
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
from memory_lake import filled

from iosq.parsers.api import Balance, Context, Issue
from iosq.parsers.monwrite.layout import Record, records
from iosq.parsers.monwrite.reader import READER
from iosq.parsers.smf.layout import Field
from iosq.parsers.smf.values import encode as put

ROOT = Path(__file__).parents[3]
PAGE = 4096
START = datetime(2024, 3, 5, 10)
BY_NAME = {r.name: r for r in records().values()}
SYSTEM_NAME = "VMSYS1"


class Named(io.BytesIO):
    name = "monwrite"


def tod(when: datetime) -> int:
    """Store-clock value of a time (UTC)."""
    return (int(when.replace(tzinfo=UTC).timestamp()) * 1_000_000 + 2_208_988_800_000_000) << 12


def header(domain: int, number: int, length: int, when: datetime) -> bytes:
    return struct.pack(">HHBBHQI", length, 0, domain, 0, number, tod(when), 0)


def encode(name: str, when: datetime = START, length: int = 0, **values: Any) -> bytes:
    """One record; fields not given are zero, `length` is that of the last field unless given."""
    record = BY_NAME[name]
    size = length or max(f.end for f in record.fields)
    data = bytearray(size)
    data[:20] = header(*record.number, size, when)
    fields = {f.name.split("_", 1)[1]: f for f in record.fields}
    for key, value in values.items():
        field = fields[key]
        data[field.offset : field.end] = put(field, value)
    return bytes(data)


def pages(items: Iterable[bytes], first: int = 0) -> tuple[bytes, int]:
    """Records laid into pages from offset `first` of the first, an end-of-frame record where one is full."""
    data = bytearray(first)
    for item in items:
        room = -len(data) % PAGE
        if len(item) > room and len(data) % PAGE:
            if room >= 20:
                data += header(1, 13, 20, START)
            data += bytes(-len(data) % PAGE)
        data += item
    return bytes(data) + bytes(-len(data) % PAGE), len(data)


def control(runs: list[tuple[int, int, int]]) -> bytes:
    """A control record: (type, first address, last address) of each element."""
    body = b"".join(struct.pack(">BBBBII", kind, 0x42, 0, 0, first, last) for kind, first, last in runs)
    return bytes(40) + body.ljust(PAGE - 40, b"\0")


def file(*groups: Iterable[bytes], first: int = 0x40, segment: int = 0x0900_0000) -> bytes:
    """A MONWRITE file: each group of records is one control record with one element."""
    out = b""
    for group in groups:
        data, used = pages(group, first)
        out += control([(0xE2, segment + first, segment + used - 1)]) + data
    return out


def system(when: datetime = START, name: str = SYSTEM_NAME, zone: int = -18000) -> bytes:
    return encode("D1R4", when, SYSTMID=name) if zone == 0 else encode("D1R4", when, SYSTMID=name, SYSZONE=zone)


def device(sid: int, dev: str, volser: str = "", base: str = "0000", pool: int = 0, kind: str = "3390") -> bytes:
    return encode(
        "D1R6",
        RDEVSID=sid,
        RDEVDEV=dev,
        RDEVSER=volser,
        CALRDEVDEV=base,
        RDEVHPPL=pool,
        RDEVDVID=kind,
        RDEVCUID="2107",
    )


def minute(i: int) -> datetime:
    return START + timedelta(minutes=i)


class Read:
    """What reading a file gave: rows by table, issues, balance."""

    def __init__(self, data: bytes) -> None:
        self.balance, self.issues, self.batches = Balance(), [], {}
        for item in READER.read(Named(data), self.balance, Context()):
            if isinstance(item, Issue):
                self.issues.append(item)
            else:
                self.batches.setdefault(item.table, []).append(item.rows)

    def rows(self, table: str) -> list[dict[str, Any]]:
        return [row for batch in self.batches.get(table, []) for row in batch.to_pylist()]


def database(*inputs: bytes) -> duckdb.DuckDBPyConnection:
    """A lake in memory with the rows of the files, all views over it."""
    return filled(Read(data).batches for data in inputs)


def all_fields() -> Iterator[tuple[Record, Field]]:
    for record in BY_NAME.values():
        for field in record.fields:
            yield record, field
