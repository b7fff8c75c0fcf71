"""A reader of a tiny text format, for testing the lake without any real kind of input.

FAKE                       first line
SYSA 1700000000 42         a record: system (- for none), interval start (- for none), value
# anything                 a record skipped on purpose
! anything                 a record that can't be read
"""

import os
import time
from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import xxhash

from iosq.parsers.api import Balance, Batch, Column, Context, Issue, Reader, Stream, Table
from iosq.parsers.arrow import schema
from iosq.toolkit.errors import InputError
from iosq.toolkit.lake.lake import Lake

COLUMNS = (
    Column("system", "varchar"),
    Column("interval_start", "timestamp"),
    Column("record_id", "bigint"),
    Column("value", "bigint"),
)
EVENT = Table("fake_event", "every record", COLUMNS, sort=("system", "value", "interval_start"))
ODD = Table("fake_odd", "records with an odd value", COLUMNS)


class FakeReader(Reader):
    kind = "fake"

    def __init__(self, batch_lines: int = 50, pause_s: float = 0.0) -> None:
        self.batch_lines, self.pause_s = batch_lines, pause_s

    def sniff(self, head: bytes) -> bool:
        return head.startswith(b"FAKE\n")

    def tables(self) -> tuple[Table, ...]:
        return (EVENT, ODD)

    def read(self, stream: Stream, balance: Balance, context: Context) -> Iterator[Batch | Issue]:
        lines = stream.read().splitlines(keepends=True)
        if b"UNREADABLE\n" in lines:
            raise InputError("is marked unreadable", place=stream.name)
        balance.frame_bytes += len(lines[0])
        balance.total_bytes += sum(map(len, lines))
        for start in range(1, len(lines), self.batch_lines):
            time.sleep(self.pause_s)
            yield from self._chunk(lines[start : start + self.batch_lines], start, balance, context)

    def _chunk(self, lines: list[bytes], number: int, balance: Balance, context: Context) -> Iterator[Batch | Issue]:
        rows = []
        digests = np.array([xxhash.xxh64_intdigest(line) for line in lines], np.uint64)
        known = context.seen(digests) if context.seen else np.zeros(len(lines), bool)
        for at, line in enumerate(lines):
            mark = line[:1]
            count = balance.kind("note" if mark in b"#!" else "event")
            count.read += 1
            count.bytes += len(line)
            if mark == b"!":
                count.failed += 1
                yield Issue("bad_line", "data_loss", line.decode().strip(), number + at, number + at)
            elif mark == b"#" or known[at]:
                count.skipped += 1
            else:
                count.decoded += 1
                rows.append((number + at, *line.split()))
        context.digests.append(digests[~known])
        for table in (EVENT, ODD):
            yield Batch(table.name, _batch(table, rows))


def _batch(table: Table, rows: list[tuple[int, bytes, bytes, bytes]]) -> pa.RecordBatch:
    chosen = [r for r in rows if table is EVENT or int(r[3]) % 2]
    return pa.record_batch(
        [
            pa.array([None if r[1] == b"-" else r[1].decode() for r in chosen], pa.string()),
            pa.array([None if r[2] == b"-" else int(r[2]) * 1_000_000 for r in chosen], pa.timestamp("us")),
            pa.array([r[0] for r in chosen], pa.int64()),
            pa.array([int(r[3]) for r in chosen], pa.int64()),
        ],
        schema=schema(table),
    )


class Fakes:
    """`recognise` for inputs that fake readers read."""

    def __init__(self, *readers: FakeReader) -> None:
        self.readers = readers or (FakeReader(pause_s=float(os.environ.get("FAKE_PAUSE_S", "0"))),)

    def __call__(self, head: bytes):
        return next((r for r in self.readers if r.sniff(head)), None)


def text(lines: int, seed: int = 0, systems: int = 2, days: int = 3) -> str:
    """An input with records of several systems and days, no two the same, and some that are skipped or bad."""
    random = np.random.default_rng(seed)
    made = ["FAKE\n"]
    for n in range(lines):
        if n % 17 == 5:
            made.append(f"# {seed} {n}\n")
        elif n % 29 == 7:
            made.append(f"! {seed} {n}\n")
        else:
            start = 1_700_000_000 + int(random.integers(days * 86_400))
            made.append(f"SYS{random.integers(systems)} {start} {seed * 1_000_000 + n}\n")
    return "".join(made)


def rows(lake: Lake) -> dict[str, list[tuple]]:
    """Every row of every raw table, read through the manifest, in an order that doesn't depend on files."""
    return {table: rows_of(paths) for table, paths in lake.parts().items()}


def rows_of(paths) -> list[tuple]:
    return sorted((tuple(r.values()) for p in paths for r in pq.ParquetFile(p).read().to_pylist()), key=repr)


def about(lake: Lake) -> dict[str, list[dict]]:
    return {name: table.to_pylist() for name, table in lake.about().items()}
