"""From batches to staged Parquet files: buffers per partition, parallel encoding, bounded memory.

The batches alone decide which rows go into which file and row group, never timing. The same input always gives the same
files.
"""

from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path

import numpy as np
import pyarrow as pa

from iosq.parsers.api import Batch, Issue, Table
from iosq.parsers.arrow import encoded_schema, schema
from iosq.toolkit.lake.part import Part, named
from iosq.toolkit.lake.partition import NOWHERE, SMALLEST_SLICE, Partition, Systems, split


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of memory, open files and file sizes, whatever the input's size.

    Args:
        group_rows, group_bytes: a row group is written when either is reached.
        buffer_bytes: rows waiting for their row group, all partitions together.
        queue_bytes: rows handed to the encoding thread and not written yet.
        part_rows: a file is closed at this size (its footer is kept in memory until then).
        open_parts: files open at once.
        partitions: folders per table and input; damaged records with wild dates share one beyond.
        systems: folders of systems per input; rows of others share those of unknown systems.
    """

    group_rows: int = 65_536
    group_bytes: int = 8 << 20
    buffer_bytes: int = 16 << 20
    queue_bytes: int = 16 << 20
    part_rows: int = 4_000_000
    open_parts: int = 32
    partitions: int = 1000
    systems: int = 100


OVERHEAD = 512  # bytes an Arrow column costs in addition to its values; counts in batches of a few rows


@dataclass(slots=True)
class _Buffer:
    """Rows of one partition that wait for a row group."""

    table: Table
    partition: Partition
    batches: list[pa.RecordBatch] = field(default_factory=list)
    rows: int = 0
    bytes: int = 0

    def take(self) -> tuple[list[pa.RecordBatch], int, int]:
        taken = self.batches, self.rows, self.bytes
        self.batches, self.rows, self.bytes = [], 0, 0
        return taken


class _Encoder:
    """A thread that encodes while the reader decodes, jobs in order; at most `queue_bytes` of unfinished work.

    The first error of a job is raised by a later call, in the calling thread.
    """

    def __init__(self, queue_bytes: int) -> None:
        self._thread = ThreadPoolExecutor(1, "encode")
        self._room = queue_bytes
        self._unfinished: deque[tuple[Future[None], int]] = deque()

    def submit(self, size: int, job: Callable[[], None]) -> None:
        """Queue a job of `size` bytes; waits for room first."""
        while self._unfinished and (self._room < size or self._unfinished[0][0].done()):
            self._collect()
        self._unfinished.append((self._thread.submit(job), size))
        self._room -= size

    def drain(self) -> None:
        while self._unfinished:
            self._collect()

    def stop(self) -> None:
        """Drop the jobs not yet begun and wait for the one that is; without effect after `drain`."""
        self._thread.shutdown(wait=True, cancel_futures=True)

    def _collect(self) -> None:
        job, size = self._unfinished.popleft()
        self._room += size
        job.result()


class Writer(AbstractContextManager["Writer"]):
    """Writes the batches of one input to staged Parquet files; as a context manager it drops unfinished ones.

    `name`: prefix of staged files, if several writers share one folder.
    """

    def __init__(self, stage: Path, file_id: str, limits: Limits | None = None, name: str = "") -> None:
        _return_memory()
        self._stage, self._file_id, self._limits = stage, file_id, limits or Limits()
        self._name = name or file_id
        self._encoder = _Encoder(self._limits.queue_bytes)
        self._tables: dict[str, Table] = {}
        self._buffers: dict[tuple[str, Partition], _Buffer] = {}
        self._buffered = 0
        self._partitions: Counter[str] = Counter()
        self._systems = Systems(self._limits.systems)
        self._open: OrderedDict[tuple[str, Partition], Part] = OrderedDict()
        self.parts: list[Part] = []

    def __exit__(self, *_: object) -> None:
        self._encoder.stop()
        for part in self.parts:
            part.abandon()

    def declare(self, tables: Iterable[Table]) -> None:
        """Make tables known; a batch may only name one of these."""
        self._tables.update((table.name, table) for table in tables)

    def add(self, batch: Batch) -> None:
        """Add rows and encode complete row groups; OSError if the disk refused an earlier write."""
        table = self._tables[batch.table]
        if batch.rows.schema not in (schema(table), encoded_schema(table)):
            raise TypeError(f"{table.name}: the reader's columns differ from the table's declaration")
        for partition, rows in split(batch.rows, self._systems):
            self._put(self._buffer(table, partition), _compact(rows))
        if self._buffered > self._limits.buffer_bytes:
            self._shed()

    def finish(self) -> list[Part]:
        """Write the remaining rows and close all files; returns the files in order of creation."""
        for buffer in self._buffers.values():
            self._flush(buffer)
        while self._open:
            self._close(next(iter(self._open)))
        self._encoder.drain()
        return named(self.parts, self._file_id)

    def issues(self) -> Iterator[Issue]:
        if self._systems.is_exceeded:
            most = self._limits.systems
            text = f"names more than {most} systems: rows of all others share files, none is lost"
            yield Issue("many_systems", "notice", text)

    def _buffer(self, table: Table, partition: Partition) -> _Buffer:
        found = self._buffers.get((table.name, partition))
        if found is None:
            if self._partitions[table.name] >= self._limits.partitions and partition != NOWHERE:
                return self._buffer(table, NOWHERE)
            self._partitions[table.name] += 1
            found = self._buffers[table.name, partition] = _Buffer(table, partition)
        return found

    def _put(self, buffer: _Buffer, rows: pa.RecordBatch) -> None:
        cost = rows.nbytes + OVERHEAD * rows.num_columns
        buffer.batches.append(rows)
        buffer.rows += rows.num_rows
        buffer.bytes += cost
        self._buffered += cost
        if buffer.rows >= self._limits.group_rows or buffer.bytes >= self._limits.group_bytes:
            self._flush(buffer)

    def _shed(self) -> None:
        """Write the largest buffers until half of the budget is free."""
        for buffer in sorted(self._buffers.values(), key=lambda b: b.bytes, reverse=True):
            if self._buffered <= self._limits.buffer_bytes // 2:
                return
            self._flush(buffer)

    def _flush(self, buffer: _Buffer) -> None:
        if not buffer.rows:
            return
        batches, rows, size = buffer.take()
        self._buffered -= size
        key = (buffer.table.name, buffer.partition)
        part = self._part(key, buffer.table, _complete(batches))
        self._encoder.submit(size, partial(part.write, batches, self._file_id))
        part.rows += rows
        if part.rows >= self._limits.part_rows:
            self._close(key)

    def _part(self, key: tuple[str, Partition], table: Table, complete: frozenset[str]) -> Part:
        """The open file of a partition; may open it and close the least recently used one.

        A file ends if its required columns are not all `complete`, and the next one requires fewer. The number of such
        files per partition is at most the number of columns.
        """
        part = self._open.get(key)
        if part is not None and not part.required <= complete:
            complete &= part.required
            self._close(key)
            part = None
        if part is None:
            if len(self._open) >= self._limits.open_parts:
                self._close(next(iter(self._open)))
            staged = self._stage / f"{self._name}-{len(self.parts):05d}.parquet"
            part = self._open[key] = Part(table, key[1], staged)
            self.parts.append(part)
            part.required = complete
        self._open.move_to_end(key)
        return part

    def _close(self, key: tuple[str, Partition]) -> None:
        part = self._open.pop(key)
        self._encoder.submit(0, part.close)


@cache
def _return_memory() -> None:
    """Arrow's default allocator keeps much more than is in use when threads hand buffers to each other."""
    with suppress(NotImplementedError):  # Windows wheels come without jemalloc
        pa.set_memory_pool(pa.jemalloc_memory_pool())


def _complete(batches: list[pa.RecordBatch]) -> frozenset[str]:
    """The columns without NULL in any batch."""
    names = batches[0].schema.names
    gaps = {name for rows in batches for name, column in zip(names, rows.columns, strict=True) if column.null_count}
    return frozenset(names) - gaps


def _compact(rows: pa.RecordBatch) -> pa.RecordBatch:
    """Rows of their own where they are a small slice of something larger, which would stay in memory with them."""
    if rows.get_total_buffer_size() <= SMALLEST_SLICE * rows.nbytes + OVERHEAD * rows.num_columns:
        return rows
    return rows.take(pa.array(np.arange(rows.num_rows)))
