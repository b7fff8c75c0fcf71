"""Prepared views: what views answer, kept in the lake as Parquet for one state of it.

A set belongs to exactly the Parquet files that count and the definitions it was computed with: after the next ingest
or with another release of iosq nobody reads it, and views are computed again. Nothing else rests on it.

What views tell of a day of records hangs on the files about that day alone, so a day is a set of its own: the set of
the lake lists the files of its days beside those that hold for the whole.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import xxhash

from iosq.toolkit.lake import bounds
from iosq.toolkit.lake.checked import spoilt
from iosq.toolkit.lake.disk import file_hash, fsync_file, lake_errors
from iosq.toolkit.lake.stage import stage

if TYPE_CHECKING:
    import pyarrow as pa

FOLDER = "_views"
INDEX = "index.csv"
DAY = "day-"  # what the names of sets of a day begin with
ANSWERS = "answers-"  # and those of answers to questions about a whole lake; the rest is the name of its set
ROW_GROUP = 1 << 14  # rows: what is read at least of a day for one volume
_VIEW = re.compile("[a-z0-9_-]+")
_EARLIER = 1  # sets of former states that stay for those who have just opened the lake
_STATISTICS = ("string", "timestamp[us]")  # what questions filter by


class Kept(NamedTuple):
    """A prepared set: how many views, and the bytes they take; days of it that were made now and that were there.

    `answers` to questions about the whole lake are kept beside it.
    """

    views: int
    bytes: int
    new_days: int = 0
    former_days: int = 0
    answers: int = 0

    @property
    def days(self) -> int:
        """All of them."""
        return self.new_days + self.former_days


class Piece(NamedTuple):
    """Rows of a view in a file, or none (then there is no file).

    `folder` is that of its set; `day` counts from 1970 (UTC), None: rows of any time, or of none.
    """

    view: str
    bytes: int
    hash: str
    rows: int
    folder: str
    day: int | None

    @property
    def path(self) -> str:
        """Below the lake."""
        return f"{FOLDER}/{self.folder}/{self.view}.parquet"


def key(parts: Mapping[str, Sequence[str]], definitions: str) -> str:
    """What a set is prepared for: 32 hex digits of the files (their names tell their inputs) and the definitions.

    Args:
        parts: places below the lake, as the manifest lists them.
        definitions: all that decides what views answer.
    """
    hashed = xxhash.xxh3_128(definitions.encode())
    for table, files in sorted(parts.items()):
        named = (place.rsplit("/", 2)[-2:] for place in files)  # no paths: there may be tens of thousands
        hashed.update("\0".join([table, *(f"{name}\0{folder}" for folder, name in named)]).encode())
    return hashed.hexdigest()


def prepared(lake: Path, of: str, wanted: Collection[str] | None = None) -> dict[str, list[Piece]]:
    """The pieces of the prepared views by name, in the order of their rows; empty where there is no whole set.

    Args:
        lake: the folder of the lake.
        of: from `key`.
        wanted: the views whose files are looked at; all by default.
    """
    pieces = _index(lake / FOLDER / of)
    looked_at = [p for p in pieces if wanted is None or p.view in wanted]
    if any(_is_cut(lake, piece) for piece in looked_at) or _is_spoilt(lake, looked_at):
        return {}
    found: dict[str, list[Piece]] = {}
    for piece in pieces:
        found.setdefault(piece.view, []).append(piece)
    return found


def damaged(lake: Path, *, hashes: bool = False) -> Iterator[str]:
    """The folders of sets that are not what was kept, below the lake.

    Args:
        lake: the folder of the lake.
        hashes: read every file whole and compare it; else those that have changed since they were read whole.
    """
    for folder in _sets(lake):
        index = _index(folder)
        cut = not index or any(_is_cut(lake, piece) for piece in index) or _is_spoilt(lake, index)
        if cut or (hashes and any(file_hash(lake / p.path) != p.hash for p in index if p.rows)):
            yield f"{FOLDER}/{folder.name}"


def _index(folder: Path) -> list[Piece]:
    """What a set holds; empty where that can't be read."""
    try:
        with bounds.opened(folder / INDEX) as file, io.TextIOWrapper(file, "utf-8", newline="") as text:
            return [_piece(row) for row in csv.DictReader(text)]
    except (OSError, ValueError, KeyError, TypeError, AttributeError, csv.Error, bounds.StrangeFileError):
        return []


def _sets(lake: Path) -> list[Path]:
    """The folders of sets that are there."""
    with suppress(FileNotFoundError, NotADirectoryError):
        found = (p for p in sorted((lake / FOLDER).iterdir()) if bounds.SET.fullmatch(p.name))
        return [p for p in found if not p.is_symlink() and p.is_dir()]
    return []


def _piece(row: Mapping[str, str]) -> Piece:
    day = int(row["day"]) if row["day"] else None
    if not (_VIEW.fullmatch(row["view"]) and bounds.SET.fullmatch(row["folder"])):
        raise ValueError("is no place of a view's rows")
    return Piece(row["view"], int(row["bytes"]), row["hash"], int(row["rows"]), row["folder"], day)


def _is_cut(lake: Path, piece: Piece) -> bool:
    if not piece.rows:
        return False
    try:
        return bounds.Files(lake).stat(piece.path).st_size != piece.bytes
    except (OSError, ValueError, bounds.StrangeFileError):
        return True


def _is_spoilt(lake: Path, pieces: Iterable[Piece]) -> bool:
    return bool(spoilt(lake, ((p.path, p.hash) for p in pieces if p.rows)))


@dataclass(slots=True)
class Making:
    """A set that is being made."""

    of: str
    folder: Path
    pieces: list[Piece] = field(default_factory=list)

    def keep(self, view: str, rows: pa.RecordBatchReader, day: int | None = None, *, as_arrow: bool = False) -> Path:
        """Write the rows of a view; where they are until the set is whole. `as_arrow`: with the types Arrow gives."""
        path = self.folder / f"{view}.parquet"
        count = _write(path, rows, as_arrow)
        fsync_file(path)
        self.pieces.append(Piece(view, path.stat().st_size, file_hash(path), count, self.of, day))
        return path


@contextmanager
def making(lake: Path, of: str, days: Iterable[Piece] = ()) -> Iterator[Making]:
    """Keep the answers of views: all of them at the end, or none.

    Args:
        lake: the folder of the lake.
        of: what they are computed from, see `key`.
        days: pieces of other sets that belong to this one.

    Raises:
        LakeError: the disk is full, read-only or the like; former sets stay.
    """
    with stage(lake) as folder, lake_errors(lake):
        made = folder / FOLDER
        made.mkdir()
        yield (now := Making(of, made))
        _write_index(made / INDEX, [*now.pieces, *days])
        target = lake / FOLDER / of
        target.parent.mkdir(exist_ok=True)
        bounds.remove_tree(lake, f"{FOLDER}/{of}")  # a damaged set for the same state
        target.parent.mkdir(exist_ok=True)
        bounds.put(lake, made, f"{FOLDER}/{of}")


def forget(lake: Path, of: str) -> None:
    """Remove the sets that neither this one nor the one before it needs."""
    folders = sorted(_sets(lake), key=lambda f: f.stat().st_mtime)
    of_lakes = [f.name for f in folders if f.name != of and not f.name.startswith((DAY, ANSWERS))]
    kept = {of, *of_lakes[-_EARLIER:]}
    kept |= {ANSWERS + name for name in kept}
    kept |= {piece.folder for name in kept for piece in _index(lake / FOLDER / name)}
    for folder in folders:
        if folder.name not in kept:
            with suppress(OSError):
                bounds.remove_tree(lake, f"{FOLDER}/{folder.name}")


def _write(path: Path, rows: pa.RecordBatchReader, as_arrow: bool) -> int:
    """How many rows there were. As raw tables are encoded, by measurement (`iosq.toolkit.lake.part`)."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    strings = [f.name for f in rows.schema if pa.types.is_string(f.type)]
    keys = [f.name for f in rows.schema if str(f.type) in _STATISTICS]
    count = 0
    with pq.ParquetWriter(
        path, rows.schema, compression="lz4", use_dictionary=strings, write_statistics=keys, store_schema=as_arrow
    ) as file:
        for batch in rows:
            file.write_batch(batch, row_group_size=ROW_GROUP)
            count += batch.num_rows
    return count


def _place(piece: Piece) -> tuple[str, bool, int]:
    return piece.view, piece.day is None, piece.day or 0


def _write_index(path: Path, pieces: Iterable[Piece]) -> None:
    in_order: list[Piece] = sorted(pieces, key=_place)
    with path.open("w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(Piece._fields)
        lines.writerows(in_order)
    fsync_file(path)
