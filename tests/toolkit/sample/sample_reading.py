"""Reading sample dumps back with the oracle decoder."""

import gzip
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from iosq.parsers.smf.layout import layouts
from tests.parsers.smf.oracle import RefusedError, decode_record


def unpacked(path: Path) -> bytes:
    data = path.read_bytes()
    return gzip.decompress(data) if path.suffix == ".gz" else data


def whole_records(data: bytes) -> list[bytes]:
    found, at = [], 0
    while at < len(data):
        length = int.from_bytes(data[at : at + 2], "big")
        assert length >= 18
        found.append(data[at : at + length])
        at += length
    assert at == len(data)
    return found


def blocks(data: bytes) -> Iterator[bytes]:
    at = 0
    while at < len(data):
        length = int.from_bytes(data[at : at + 2], "big")
        yield data[at + 4 : at + length]
        at += length


def records_of(path: Path) -> list[bytes]:
    data = unpacked(path)
    return [r for b in blocks(data) for r in whole_records(b)] if ".bdw." in path.name else whole_records(data)


def kind_of(record: bytes) -> tuple[int, int]:
    subtype = int.from_bytes(record[22:24], "big") if len(record) >= 24 else 0
    return record[5], 1 if record[5] == 73 else subtype


@dataclass
class Read:
    paths: list[Path]
    records: dict[str, list[bytes]] = field(default_factory=dict)
    rows: dict[str, list[dict[str, Any]]] = field(default_factory=lambda: defaultdict(list))
    refused: list[tuple[str, tuple[int, int], str]] = field(default_factory=list)

    def decode(self) -> None:
        for path in self.paths[:-1]:
            self.records[path.name] = records_of(path)
            for record in self.records[path.name]:
                if kind_of(record) in layouts():
                    self._decode(path.name, record)

    def _decode(self, name: str, record: bytes) -> None:
        try:
            for table, rows in decode_record(layouts()[kind_of(record)], record).items():
                self.rows[table] += rows
        except RefusedError as error:
            self.refused.append((name, kind_of(record), error.code))
