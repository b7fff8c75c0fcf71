"""Merges small Parquet files into larger ones, rows sorted over all of them; what a lake answers stays the same.

Files of one input, table, system and day are merged: a file belongs to one input only, whatever else is done with that.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from iosq.parsers.api import Table
from iosq.parsers.registry import tables
from iosq.toolkit.errors import LakeError
from iosq.toolkit.lake import manifest
from iosq.toolkit.lake.commit import place_files, remove
from iosq.toolkit.lake.disk import DOCTOR, lake_errors
from iosq.toolkit.lake.part import FILE_ID, Part, named
from iosq.toolkit.lake.partition import NOWHERE
from iosq.toolkit.lake.stage import stage, sweep, write_journal

MERGED_BYTES = 256 << 20  # in memory, of the rows of a merged file; what has half of that is large enough
VALUE_BYTES = 8
GROUP_ROWS = 1 << 16
_PARTS = 'SELECT path, "table", file_id, rows, bytes, system FROM part ORDER BY file_id, "table", path'


@dataclass(frozen=True, slots=True)
class Compacted:
    """What became of a lake's Parquet files, or would: those that were merged, and what they were merged into.

    Attributes:
        files: all that the lake had.
        merged, into: how many were merged, and into how many.
        bytes_before, bytes_after: of these; not known after a dry run.
    """

    files: int
    merged: int
    into: int
    bytes_before: int
    bytes_after: int


@dataclass(frozen=True, slots=True)
class _Small:
    """A file as the manifest lists it."""

    path: str
    table: str
    file_id: str
    rows: int
    bytes: int
    system: str | None

    @property
    def folder(self) -> str:
        return self.path.rpartition("/")[0]


_Batch = list[_Small]
Tell = Callable[[int, int], None]  # files merged, and of how many


def compact(lake: Path, *, dry_run: bool = False, tell: Tell | None = None) -> Compacted:
    """Merge small files; each merged file takes the place of those it is made of in one transaction.

    Args:
        lake: its folder.
        dry_run: only say how many would be merged.
        tell: told how far it is.

    Raises:
        LakeError: there is no lake, a file of it can't be read, or the disk refuses; what was merged before stays.
    """
    with manifest.reading(lake) as db:
        found = [_Small(*row) for row in db.execute(_PARTS)]
    batches = list(_batches(found))
    merged, before, after = sum(map(len, batches)), sum(p.bytes for b in batches for p in b), 0
    if not dry_run:
        sweep(lake)  # one that died may have left nothing to merge, but the files it had merged
    if not dry_run and batches:
        manifest.create(lake)  # a lake of a former version lacks what is written below
        done = 0
        for batch in batches:
            after += _merge(lake, batch)
            done += len(batch)
            if tell:
                tell(done, merged)
    return Compacted(len(found), merged, len(batches), before, after)


def _batches(found: list[_Small]) -> Iterator[_Batch]:
    """Files that become one: small ones of the same input and folder, as many as fit."""
    known = tables()
    for _, group in groupby(found, key=lambda p: (p.file_id, p.folder)):
        parts = [p for p in group if p.table in known and 2 * _size(p, known[p.table]) < MERGED_BYTES]
        batch: _Batch = []
        for part in parts:
            if batch and sum(_size(p, known[p.table]) for p in [*batch, part]) > MERGED_BYTES:
                yield from [batch] if len(batch) > 1 else []
                batch = []
            batch.append(part)
        yield from [batch] if len(batch) > 1 else []


def _size(part: _Small, table: Table) -> int:
    return part.rows * len(table.columns) * VALUE_BYTES


def _merge(lake: Path, batch: _Batch) -> int:
    """Put one file in place of several; its bytes, 0 where somebody else has changed them meanwhile."""
    first, former = batch[0], [part.path for part in batch]
    with stage(lake) as folder, lake_errors(lake):
        part = Part(tables()[first.table], NOWHERE._replace(system=first.system), folder / "merged.parquet")
        try:
            _fill(lake, part, batch)
        except LakeError:
            if not _are_listed(lake, batch):
                return 0
            raise
        with manifest.writing(lake) as db:
            taken = manifest.paths_of(db, first.file_id)
            if not taken.issuperset(former):
                return 0
            named([part], first.file_id, taken)
            part.path = f"{first.folder}/{part.path.rpartition('/')[2]}"
            write_journal(folder, [part.path, *former])  # what is not listed in the end goes
            place_files(lake, {part.path: part.staged})
            _relist(db, first.file_id, former, part)
        remove(lake, former)
    return part.bytes


def _are_listed(lake: Path, batch: _Batch) -> bool:
    with manifest.reading(lake) as db:
        return manifest.paths_of(db, batch[0].file_id).issuperset(part.path for part in batch)


def _fill(lake: Path, part: Part, batch: _Batch) -> None:
    rows = pa.concat_tables([_read(lake / p.path) for p in batch], promote_options="default")
    if rows.num_rows != sum(p.rows for p in batch):
        raise LakeError("has other rows than the lake lists", place=str(lake / batch[0].folder), remedy=DOCTOR)
    part.required = frozenset(name for name in rows.column_names if not rows[name].null_count)
    part.rows = rows.num_rows
    part.write(rows.to_batches(), batch[0].file_id, GROUP_ROWS)
    part.close()


def _read(path: Path) -> pa.Table:
    try:
        rows = pq.ParquetFile(path).read().drop_columns([FILE_ID])
    except (OSError, pa.ArrowException) as error:
        raise LakeError("can't be read", place=str(path), remedy=DOCTOR) from error
    return rows.cast(pa.schema([f.with_nullable(True) for f in rows.schema]))


def _relist(db: sqlite3.Connection, file_id: str, former: list[str], part: Part) -> None:
    db.executemany("DELETE FROM part WHERE path = ?", [(path,) for path in former])
    manifest.list_part(db, file_id, part)
