"""Reads listings into rows, and into a lake in memory."""

import io
from pathlib import Path
from typing import Any

import duckdb
from memory_lake import filled

from iosq.parsers.api import Balance, Context, Issue
from iosq.parsers.fcx.reader import READER

ROOT = Path(__file__).parents[3]
GOLDEN = ROOT / "tests/golden/fcx"


class Named(io.BytesIO):
    name = "listing"


class Read:
    """What reading a listing gave: rows by table, issues, balance."""

    def __init__(self, data: bytes) -> None:
        self.balance, self.issues, self.batches = Balance(), [], {}
        for item in READER.read(Named(data), self.balance, Context()):
            if isinstance(item, Issue):
                self.issues.append(item)
            else:
                self.batches.setdefault(item.table, []).append(item.rows)

    def rows(self, table: str) -> list[dict[str, Any]]:
        return [row for batch in self.batches.get(table, []) for row in batch.to_pylist()]

    def one(self, table: str) -> dict[str, Any]:
        (row,) = self.rows(table)
        return row


def database(*listings: bytes) -> duckdb.DuckDBPyConnection:
    """A lake in memory with the rows of the listings, all views over it."""
    return filled(Read(data).batches for data in listings)
