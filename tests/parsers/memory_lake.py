"""One lake in memory for tests of what parsers give to the views: emptied and filled anew each time."""

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from iosq.parsers.api import Table
from iosq.parsers.registry import tables
from iosq.toolkit.sql.catalog import named
from iosq.toolkit.sql.connect import connect
from iosq.toolkit.sql.raw import picked
from tests.settle import settled


class Shared:
    """A connection that is emptied for each who uses it; opening one a test would take most of the time.

    One for each choice of raw tables: whatever the others would give is left out of the views, as in a lake of files.
    """

    def __init__(self, known: Mapping[str, Table], about: Mapping[str, pa.Table], used: Collection[str]) -> None:
        idle = known.keys() - used
        self.con = connect(known.values(), {}, about, root=Path(), idle=idle, commented=False)
        self._known, self._filled = known, set[str]()

    def empty(self) -> None:
        """Take all rows away."""
        for name in self._filled:
            self.con.execute(f"DELETE FROM {name}")
        self._filled.clear()

    def add(self, name: str, rows: pa.Table) -> None:
        """Add rows of a raw table, `file_id` included."""
        self.con.register("arriving", rows)
        self.con.execute(f"INSERT INTO {name} SELECT {picked(self._known[name])} FROM arriving")
        self.con.unregister("arriving")
        self._filled.add(name)


def answered(con: duckdb.DuckDBPyConnection, sql: str) -> list[dict[str, Any]]:
    """All rows of an answer; views that it would plan again and again are computed once, as for a lake of files."""
    with settled(con, [view.name for view in named(sql)]):
        # not `con.sql`: a relation is planned when it is made, and once more when it is read
        rows: list[dict[str, Any]] = con.execute(sql).to_arrow_table().to_pylist()
    return rows


@lru_cache(32)
def _shared(used: frozenset[str]) -> Shared:
    return Shared(tables(), {}, used)


def filled(inputs: Iterable[Mapping[str, list[pa.RecordBatch]]]) -> duckdb.DuckDBPyConnection:
    """The lake with the batches of these inputs by table, and nothing else; all views over it."""
    given = list(inputs)
    shared = _shared(frozenset(name for batches in given for name in batches))
    shared.empty()
    for number, batches in enumerate(given):
        for name, found in batches.items():
            rows = pa.Table.from_batches(found)
            file_id = pa.array([f"{number:016x}"] * rows.num_rows, pa.string())
            shared.add(name, rows.append_column("file_id", file_id))
    return shared.con
