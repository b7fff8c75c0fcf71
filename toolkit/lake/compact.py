"""Merges small Parquet files into larger ones with all rows sorted; query results stay the same.

Files of one table, system and day are merged, whatever their inputs: each row keeps its input. Before an input is read
again to replace its stored rows, these get separate files again (`separate`).
"""

import sqlite3
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import xxhash

from iosq.parsers.api import Table
from iosq.parsers.registry import tables
from iosq.toolkit.errors import DOCTOR, FULL_DOCTOR, LakeError
from iosq.toolkit.lake import manifest
from iosq.toolkit.lake.checked import SPOILT
from iosq.toolkit.lake.commit import place_files, remove
from iosq.toolkit.lake.disk import file_hash, lake_errors, parquet_errors
from iosq.toolkit.lake.manifest import Listed
from iosq.toolkit.lake.part import FILE_ID, Part, named
from iosq.toolkit.lake.partition import NOWHERE
from iosq.toolkit.lake.stage import stage, sweep, write_journal

MERGED_BYTES = 256 << 20  # target size in memory of a merged file; a file of half that size is large enough
VALUE_BYTES = 8
GROUP_ROWS = 1 << 16


@dataclass(frozen=True, slots=True)
class Compacted:
    """Result of a compaction, or of a dry run: the merged files and their replacements.

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


_Batch = list[Listed]
Progress = Callable[[int, int], None]  # files merged, and of how many


def compact(lake: Path, *, dry_run: bool = False, progress: Progress | None = None) -> Compacted:
    """Merge small files; each merged file replaces its sources in one transaction.

    LakeError if there is no lake, a file can't be read, or the disk fails; files merged before stay.
    """
    with manifest.reading(lake) as db:
        found = manifest.listed(db)
    batches = list(_batches(found))
    merged, before, after = sum(map(len, batches)), sum(p.bytes for b in batches for p in b), 0
    if not dry_run:
        sweep(lake)  # one that died may have left nothing to merge, but the files it had merged
    if not dry_run and batches:
        done = 0
        for batch in batches:
            after += _put(lake, batch, [_inputs(batch)])
            done += len(batch)
            if progress:
                progress(done, merged)
    return Compacted(len(found), merged, len(batches), before, after)


def separate(lake: Path, file_id: str) -> None:
    """Give the rows of an input files of their own, where they share some with other inputs.

    Files that are not what was written stay as they are: they are not what their other inputs gave either. LakeError if
    the disk refuses; what was separated before stays.
    """
    with manifest.reading(lake) as db:
        shared = [p for p in manifest.listed(db, file_id) if len(p.inputs) > 1]
    for part in shared:
        with suppress(OSError):
            if file_hash(lake / part.path) == part.hash:
                own = {file_id: part.inputs[file_id]}
                _put(lake, [part], [own, {i: rows for i, rows in part.inputs.items() if i != file_id}])


def _inputs(batch: _Batch) -> dict[str, int]:
    held: Counter[str] = Counter()
    for part in batch:
        held.update(part.inputs)
    return dict(held)


def _batches(found: list[Listed]) -> Iterator[_Batch]:
    """Files to merge: small ones of the same folder, up to the target size."""
    known = tables()
    for _, group in groupby(found, key=lambda p: p.folder):
        parts = [p for p in group if p.table in known and 2 * _size(p, known[p.table]) < MERGED_BYTES]
        batch: _Batch = []
        for part in parts:
            if batch and sum(_size(p, known[p.table]) for p in [*batch, part]) > MERGED_BYTES:
                yield from [batch] if len(batch) > 1 else []
                batch = []
            batch.append(part)
        yield from [batch] if len(batch) > 1 else []


def _size(part: Listed, table: Table) -> int:
    return part.rows * len(table.columns) * VALUE_BYTES


def _put(lake: Path, batch: _Batch, shares: list[dict[str, int]]) -> int:
    """Replace files by one per share of inputs; returns their bytes, 0 if another process changed them."""
    first, former = batch[0], {part.path: part.inputs for part in batch}
    with stage(lake) as folder, lake_errors(lake):
        of = tables()[first.table], NOWHERE._replace(system=first.system)
        parts = [Part(*of, folder / f"merged-{number}.parquet") for number in range(len(shares))]
        try:
            _fill(lake, parts, batch, shares)
        except LakeError:
            with manifest.reading(lake) as db:
                if manifest.inputs_of(db, former) != former:
                    return 0
            raise
        with manifest.writing(lake) as db:
            if manifest.inputs_of(db, former) != former:
                return 0
            for part, inputs in zip(parts, shares, strict=True):
                part.path = f"{first.folder}/{_name(db, part, inputs, former)}"
            write_journal(folder, [*(part.path for part in parts), *former])  # files not listed in the end are removed
            place_files(lake, {part.path: part.staged for part in parts})
            _relist(db, batch, parts, shares)
        remove(lake, former)
    return sum(part.bytes for part in parts)


def _name(db: sqlite3.Connection, part: Part, inputs: Collection[str], former: Iterable[str]) -> str:
    """Begins with the id of the input; where there are several, with one made of the files that it replaces."""
    if len(inputs) == 1:
        (own,) = inputs
        taken = manifest.paths_of(db, own)
    else:
        own = xxhash.xxh3_64_hexdigest("\n".join(sorted(former)).encode())
        taken = frozenset(path for path in manifest.part_paths(db) if f"/{own}-" in path)
    named([part], own, taken)
    return part.path.rpartition("/")[2]


def _fill(lake: Path, parts: list[Part], batch: _Batch, shares: list[dict[str, int]]) -> None:
    every = pa.concat_tables([_read(lake / p.path, p.hash) for p in batch], promote_options="default")
    if every.num_rows != sum(p.rows for p in batch):
        raise LakeError(
            "its rows differ from those that the lake lists", place=str(lake / batch[0].folder), remedy=DOCTOR
        )
    for part, share in zip(parts, shares, strict=True):
        rows = every.filter(pc.is_in(every[FILE_ID], pa.array(list(share)))) if len(shares) > 1 else every
        part.required = frozenset(name for name in rows.column_names if not rows[name].null_count)
        part.rows = rows.num_rows
        part.write(rows.to_batches(), None, GROUP_ROWS)
        part.close()


def _read(path: Path, written: str) -> pa.Table:
    """The rows of a file, checked first: after the merge other bytes than were written could not be found."""
    with parquet_errors(path):
        if file_hash(path) != written:
            raise LakeError(SPOILT, place=str(path), remedy=FULL_DOCTOR)
        rows = pq.ParquetFile(path).read()
    return rows.cast(pa.schema([f.with_nullable(True) for f in rows.schema]))


def _relist(db: sqlite3.Connection, former: _Batch, parts: list[Part], shares: list[dict[str, int]]) -> None:
    db.executemany("DELETE FROM part WHERE path = ?", [(part.path,) for part in former])
    for part, inputs in zip(parts, shares, strict=True):
        manifest.list_part(db, inputs, part, manifest.spans_of(former))
