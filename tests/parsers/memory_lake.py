"""One lake in memory for tests of what parsers give to the views: emptied and filled anew each time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import duckdb
import pyarrow as pa

from iosq.parsers.registry import tables
from iosq.toolkit.sql import connect
from iosq.toolkit.sql.raw import picked

_FILLED: set[str] = set()


@cache
def _shared() -> duckdb.DuckDBPyConnection:
    return connect(tables().values(), {}, {}, root=Path(), lean=False)


def filled(inputs: Iterable[Mapping[str, list[pa.RecordBatch]]]) -> duckdb.DuckDBPyConnection:
    """The lake with the batches of these inputs by table, and nothing else; all views over it."""
    con = _shared()
    for name in _FILLED:
        con.execute(f"DELETE FROM {name}")
    _FILLED.clear()
    for number, batches in enumerate(inputs):
        for name, given in batches.items():
            rows = pa.Table.from_batches(given)
            file_id = pa.array([f"{number:016x}"] * rows.num_rows, pa.string())
            con.register("incoming", rows.append_column("file_id", file_id))
            con.execute(f"INSERT INTO {name} SELECT {picked(tables()[name])} FROM incoming")
            con.unregister("incoming")
            _FILLED.add(name)
    return con
