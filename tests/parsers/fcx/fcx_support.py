"""Reads listings into rows, and into a DuckDB with this reader's tables and one promised view."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from iosq.parsers.api import Balance, Context, Issue
from iosq.parsers.arrow import schema
from iosq.parsers.fcx.reader import READER

ROOT = Path(__file__).parents[3]
VIEWS = ROOT / "toolkit/sql/views"
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
    """All raw tables of the reader with the rows of the listings, and the views fed by listings."""
    con = duckdb.connect()
    reads = [Read(data) for data in listings]
    for table in READER.tables():
        batches = [b for read in reads for b in read.batches.get(table.name, [])]
        rows = pa.Table.from_batches(batches, schema=schema(table))
        rows = rows.append_column("file_id", pa.array(["0" * 16] * rows.num_rows, pa.string()))
        con.register("incoming", rows)
        con.execute(f"CREATE TABLE {table.name} AS SELECT * FROM incoming")
        con.unregister("incoming")
    for view, source in (("device_interval", "fcx"), ("cache_interval", "fcx111"), ("channel_interval", "fcx")):
        con.execute(f"CREATE TABLE {view} AS {(VIEWS / view / f'{source}.sql').read_text()}")
    return con
