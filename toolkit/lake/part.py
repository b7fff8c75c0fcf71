"""One Parquet file of one partition, written row group by row group."""

from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from iosq.parsers.api import Table
from iosq.toolkit.lake.disk import file_hash, fsync_file
from iosq.toolkit.lake.partition import Partition
from iosq.toolkit.rows import NewRow

FILE_ID = "file_id"
WRITE_ROWS = 1 << 16  # size of a row group: smaller steps cost time


@cache
def _options(table: Table) -> NewRow:
    """How columns are encoded, by measurement on wide device rows (`python -m tests.benchmarks ingest`).

    Dictionaries on strings only: on counters they cost time and make files larger. DELTA_BINARY_PACKED for
    counters: faster than plain, and every engine reads it (BYTE_STREAM_SPLIT would be smaller, but not everyone
    reads it on integers). LZ4 costs less than half of zstd's time for a tenth more bytes. Statistics only on what
    rows are sorted and filtered by: elsewhere they cost time without a benefit.
    """
    types = {c.name: c.type for c in table.columns}
    strings = [FILE_ID, *(name for name, kind in types.items() if kind == "varchar")]
    counters = [name for name, kind in types.items() if kind == "bigint"]
    return {
        "compression": "lz4",
        "use_dictionary": strings,
        "column_encoding": dict.fromkeys(counters, "DELTA_BINARY_PACKED"),
        "write_statistics": sorted({*table.sort, "interval_start", "volser"} & {FILE_ID, *types}),
        "write_batch_size": WRITE_ROWS,
        "store_schema": False,
    }


def _form(group: pa.Table, required: frozenset[str]) -> pa.Schema:
    """The columns of a file; those never NULL in it are required, which spares their definition levels."""
    return pa.schema([f.with_nullable(f.name not in required and f.name != FILE_ID) for f in group.schema])


@dataclass(slots=True)
class Part:
    """A file being written; its methods are called from one thread at a time, in order.

    `required` are columns without NULL in any of its row groups.
    """

    table: Table
    partition: Partition
    staged: Path
    path: str = ""  # final place below the lake, with forward slashes
    required: frozenset[str] = frozenset()
    rows: int = 0  # handed over for writing
    bytes: int = 0
    hash: str = ""
    first_interval_us: int | None = None
    last_interval_us: int | None = None
    _writer: Any = field(default=None, repr=False)

    def write(self, batches: list[pa.RecordBatch], file_id: str | None, group_rows: int = 0) -> None:
        """Write the batches, sorted, as one row group, or as row groups of `group_rows` rows.

        `file_id`: the input they are of; None where the rows have it themselves.
        """
        group = _sorted(pa.Table.from_batches(batches), self.table)
        self._widen(group)
        if file_id is not None:
            same = pa.array([file_id], pa.string())[0]  # without its type, Arrow looks for modules on the disk
            group = group.add_column(0, FILE_ID, pa.repeat(same, group.num_rows))
        group = pa.Table.from_arrays(group.columns, schema=_form(group, self.required))
        if self._writer is None:
            self._writer = pq.ParquetWriter(str(self.staged), group.schema, **_options(self.table))
        self._writer.write_table(group, row_group_size=group_rows or group.num_rows)

    def close(self) -> None:
        writer, self._writer = self._writer, None
        writer.close()
        fsync_file(self.staged)
        self.bytes, self.hash = self.staged.stat().st_size, file_hash(self.staged)

    def abandon(self) -> None:
        if self._writer is not None:
            with suppress(OSError):
                self._writer.close()

    def _widen(self, group: pa.Table) -> None:
        if "interval_start" not in group.schema.names:
            return
        span = pc.min_max(group["interval_start"].cast(pa.int64())).as_py()
        if span["min"] is None:
            return
        first, last = self.first_interval_us, self.last_interval_us
        self.first_interval_us = span["min"] if first is None else min(first, span["min"])
        self.last_interval_us = span["max"] if last is None else max(last, span["max"])


def named(parts: Iterable[Part], file_id: str, taken: Iterable[str] = ()) -> list[Part]:
    """The files of an input in the order they were begun, with the places they will have in the lake.

    Numbered per table, not per folder: names stay apart even where a disk takes SYSA and sysa for one folder. Numbers
    begin behind those of `taken`, places of files that are there until these are.
    """
    numbers: Counter[str] = Counter()
    for path in taken:
        table, last = path.partition("/")[0], int(path.rpartition("-")[2].removesuffix(".parquet"))
        numbers[table] = max(numbers[table], last + 1)
    found = list(parts)
    for part in found:
        table = part.table.name
        part.path = f"{table}/{part.partition.folder}/{file_id}-{numbers[table]:03d}.parquet"
        numbers[table] += 1
    return found


def _sorted(rows: pa.Table, table: Table) -> pa.Table:
    """Rows in the table's order; no copy if they are sorted, as is common for records."""
    # a partition has one system: no need to compare it
    keys = [(name, "ascending") for name in table.sort if name != "system" and name in rows.schema.names]
    if not keys:
        return rows
    order = pc.sort_indices(_comparable(rows.select([name for name, _ in keys])), sort_keys=keys)
    places = order.to_numpy()
    return rows if (places[1:] > places[:-1]).all() else rows.take(order)


def _comparable(rows: pa.Table) -> pa.Table:
    """Decode dictionaries before a comparison: their codes do not follow the order of their strings."""
    plain = [f.with_type(f.type.value_type) if pa.types.is_dictionary(f.type) else f for f in rows.schema]
    return rows.cast(pa.schema(plain))
