"""Prepared views: what views answer, kept in the lake as Parquet for one state of it.

A set belongs to exactly the Parquet files that count and the definitions it was computed with: after the next ingest
or with another release of iosq nobody reads it, and views are computed again. Nothing else rests on it.
"""

from __future__ import annotations

import csv
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
import xxhash

from iosq.toolkit.lake.checked import spoilt
from iosq.toolkit.lake.disk import file_hash, fsync_file, lake_errors
from iosq.toolkit.lake.stage import stage

FOLDER = "_views"
INDEX = "index.csv"
_ROW_GROUP = 65_536
_EARLIER = 1  # sets of former states that stay for those who have just opened the lake


class Kept(NamedTuple):
    """A prepared set: how many views, and the bytes they take."""

    views: int
    bytes: int


def key(parts: Mapping[str, Sequence[Path]], definitions: str) -> str:
    """What a set is prepared for: 32 hex digits of the files (their names tell their inputs) and the definitions."""
    hashed = xxhash.xxh3_128(definitions.encode())
    for table, files in sorted(parts.items()):
        hashed.update("\0".join([table, *(f.name + "\0" + f.parent.name for f in files)]).encode())
    return hashed.hexdigest()


def prepared(lake: Path, of: str) -> dict[str, Path]:
    """The Parquet files of the prepared views by name; empty where there is no whole set for that key."""
    folder = lake / FOLDER / of
    index = _index(folder)
    if any(_is_cut(folder, row) for row in index) or _is_spoilt(lake, of, index):
        return {}
    return {row["view"]: _place(folder, row["view"]) for row in index}


def damaged(lake: Path, *, hashes: bool = False) -> Iterator[str]:
    """The folders of sets that are not what was kept, below the lake.

    Args:
        lake: the folder of the lake.
        hashes: read every file whole and compare it; else those that have changed since they were read whole.
    """
    for folder in sorted((lake / FOLDER).glob("*")):
        index = _index(folder)
        cut = not index or any(_is_cut(folder, row) for row in index) or _is_spoilt(lake, folder.name, index)
        if cut or (hashes and any(file_hash(_place(folder, row["view"])) != row["hash"] for row in index)):
            yield f"{FOLDER}/{folder.name}"


def _index(folder: Path) -> list[dict[str, str]]:
    """What a set holds; empty where that can't be read."""
    try:
        with (folder / INDEX).open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
    except (OSError, ValueError, csv.Error):
        return []
    return rows if all(None not in row and None not in row.values() for row in rows) else []


def _is_cut(folder: Path, row: Mapping[str, str]) -> bool:
    try:
        return str(_place(folder, row["view"]).stat().st_size) != row["bytes"]
    except (OSError, ValueError, KeyError):
        return True


def _is_spoilt(lake: Path, of: str, index: Iterable[Mapping[str, str]]) -> bool:
    return bool(spoilt(lake, ((f"{FOLDER}/{of}/{row['view']}.parquet", row["hash"]) for row in index)))


def prepare(lake: Path, of: str, views: Iterable[tuple[str, pa.RecordBatchReader]]) -> Kept:
    """Keep the answers of views: all of them or none.

    Args:
        lake: the folder of the lake.
        of: what they are computed from, see `key`.
        views: name and rows, one after the other.

    Raises:
        LakeError: the disk is full, read-only or the like; the former set stays.
    """
    with stage(lake) as folder, lake_errors(lake):
        made = folder / FOLDER
        made.mkdir()
        written = [_written(made, name, rows) for name, rows in views]
        _write_index(made / INDEX, written)
        target = lake / FOLDER / of
        target.parent.mkdir(exist_ok=True)
        with suppress(FileNotFoundError):  # a damaged set for the same state
            shutil.rmtree(target)
        made.rename(target)
    _forget(lake, of)
    return Kept(len(written), sum(size for _, size, _ in written))


def _place(folder: Path, view: str) -> Path:
    return folder / f"{view}.parquet"


def _written(folder: Path, view: str, rows: pa.RecordBatchReader) -> tuple[str, int, str]:
    path = _place(folder, view)
    with pq.ParquetWriter(path, rows.schema, compression="zstd") as file:
        for batch in rows:
            file.write_batch(batch, row_group_size=_ROW_GROUP)
    fsync_file(path)
    return view, path.stat().st_size, file_hash(path)


def _write_index(path: Path, written: Iterable[tuple[str, int, str]]) -> None:
    lines = "".join(f"{view},{size},{hashed}\n" for view, size, hashed in written)
    path.write_text(f"view,bytes,hash\n{lines}", "utf-8")
    fsync_file(path)


def _forget(lake: Path, of: str) -> None:
    others = sorted((f for f in (lake / FOLDER).iterdir() if f.name != of), key=lambda f: f.stat().st_mtime)
    for folder in others[: max(len(others) - _EARLIER, 0)]:
        shutil.rmtree(folder, ignore_errors=True)
