"""A sample day as a lake in memory: records are encoded and decoded as ever, only Parquet is left out."""

import io
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from iosq.parsers.api import Balance, Batch, Context
from iosq.parsers.registry import tables
from iosq.parsers.smf.reader import READER
from iosq.toolkit.sample.day import Day
from iosq.toolkit.sample.records import cache as cache_records
from iosq.toolkit.sample.records import channel, device, queuing
from iosq.toolkit.sql.connect import connect
from iosq.toolkit.sql.raw import picked, quoted

if TYPE_CHECKING:
    import duckdb

# what the views behind findings read; other records would only take time
MAKERS = (channel.maker, device.maker, cache_records.maker, queuing.maker)


class _Dump(io.BytesIO):
    name = "memory"


def batches(day: Day) -> Iterator[Batch]:
    """Decoded rows of the day's channel, device, cache and queuing records."""
    for system in range(len(day.sysplex.systems)):
        makers = [make(day, system) for make in MAKERS]
        made = (record for i in range(day.sysplex.intervals) for make in makers for record in make(i))
        records = (data for kind, data in made if kind not in day.sysplex.left_out)
        for item in READER.read(_Dump(b"".join(records)), Balance(), Context()):
            if isinstance(item, Batch):
                yield item


@cache
def _empty() -> "duckdb.DuckDBPyConnection":
    others = tables().keys() - {t.name for t in READER.tables()}
    con: duckdb.DuckDBPyConnection = connect(tables().values(), {}, {}, root=Path(), idle=others, commented=False)
    return con


def lake(day: Day) -> "duckdb.DuckDBPyConnection":
    """The one lake in memory, holding this day and nothing else; opening a new one each time would take longer."""
    con, known = _empty(), tables()
    for name in {t.name for t in READER.tables()}:
        con.execute(f"DELETE FROM {quoted(name)}")
    for batch in batches(day):
        con.register("arriving", batch.rows)
        rows = "SELECT *, 'memory' AS file_id FROM arriving"
        con.execute(f"INSERT INTO {quoted(batch.table)} SELECT {picked(known[batch.table])} FROM ({rows}) AS rows")
        con.unregister("arriving")
    return con
