"""Facts on disk: sets of Parquet files, each named by the records and definitions that it was computed from.

A set is complete or absent, and never out of date: for another state of the lake, or another release of iosq, sets have
other names. The daily facts of one day are a set, and so are its joined facts; each fact about the whole lake is a set.
Sets of consecutive days may be packed: one file per view has the rows of all of them, see `iosq.toolkit.lake.packed`.
"""

import csv
import io
import os
import re
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, groupby
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

import xxhash

from iosq.toolkit.lake import bounds, checked
from iosq.toolkit.lake.disk import file_hash, fsync_file, lake_errors
from iosq.toolkit.lake.stage import stage
from iosq.toolkit.late import pa, pq

FOLDER = "_facts"
_OLD_FOLDER = "_views"  # what former versions stored there
INDEX = "index.csv"
DAY = "day-"  # name prefix of the sets of a day
JOINED = "joined-"  # the same, of facts made of daily ones and of dimensions
PACKED = "packed-"  # of folders with sets of several days
ROW_GROUP = 1 << 14  # rows: the smallest unit read of a day for one volume
_VIEW = re.compile("[a-z0-9_]+")
_STATISTICS = ("string", "timestamp[us]")  # what queries filter by


class Piece(NamedTuple):
    """Rows of a view in a file, or none (then there is no file).

    `folder` names its set; `day` counts from 1970 (UTC), None: rows of any time, or of none. `pack` is the folder that
    its set is packed in, if it is: bytes and hash are those of the file there, `rows_hash` that of its own rows as they
    were first written. `root` is where it was found: the lake, or the user's cache of a lake that can't be written.
    """

    view: str
    bytes: int
    hash: str
    rows: int
    folder: str
    day: int | None
    pack: str = ""
    rows_hash: str = ""
    root: str = ""

    @property
    def place(self) -> str:
        """The folder that has its set."""
        return self.pack or self.folder

    @property
    def path(self) -> str:
        return f"{FOLDER}/{self.place}/{file_of(self.view)}"

    @property
    def digest(self) -> str:
        """Hash of its rows, packed or not."""
        return self.rows_hash or self.hash


def file_of(view: str) -> str:
    """The file of a view's rows; Spark and Hive pass over files whose names begin with an underscore."""
    return f"{'part' if view.startswith('_') else ''}{view}.parquet"


def key(content: Mapping[str, int], definitions: str) -> str:
    """32 hex digits of what facts are computed from: the content of tables (`manifest.contents`), and definitions."""
    named = (f"{table} {identity:x}" for table, identity in sorted(content.items()))
    return xxhash.xxh3_128_hexdigest("\n".join([definitions, *named]).encode())


ByView = Mapping[str, Piece]
"""The pieces of a set by view."""
Sets = Mapping[str, ByView]
"""Sets by name."""


class Index(NamedTuple):
    """What a folder has: its sets, and a piece of each of its files by path."""

    sets: Sets
    files: Mapping[str, Piece]


def read_sets(lake: Path, names: Iterable[str], read: Collection[str] | None = None) -> dict[str, ByView]:
    """The pieces of sets by view, without sets that are not complete; `read`: the views to look at, None for all.

    What is packed with others is found only together with them, since its rows are in one file.
    """
    asked = set(names)
    packed = (
        [i for i in packs(lake) if i.sets.keys() <= asked]
        if any(name.startswith((DAY, JOINED)) for name in asked)
        else []
    )
    found = _sound(lake, sorted(packed, key=lambda index: len(index.sets), reverse=True), read)
    return found | _sound(lake, [_index(lake / FOLDER / name) for name in asked - found.keys()], read)


def packs(lake: Path) -> list[Index]:
    """The folders with several sets, complete or not."""
    return [_index(folder) for folder in _sets(lake, PACKED)]


def _sound(lake: Path, folders: Iterable[Index], read: Collection[str] | None) -> dict[str, ByView]:
    """The sets of folders without damage; of folders that have the same set, the first one's."""
    indexes = list(folders)
    files = (item for index in indexes for item in index.files.items())
    bad = _bad(lake, {path: piece for path, piece in files if read is None or piece.view in read})
    found: dict[str, ByView] = {}
    for index in indexes:
        if bad.isdisjoint(index.files) and found.keys().isdisjoint(index.sets):
            found |= index.sets
    return found


def _bad(lake: Path, pieces: Mapping[str, Piece]) -> set[str]:
    """The files that are missing, truncated or changed since they were written."""
    files = bounds.Files(lake)
    spoilt = set(checked.spoilt(lake, ((path, piece.hash) for path, piece in pieces.items())))
    return {path for path, piece in pieces.items() if path in spoilt or _is_cut(files, path, piece.bytes)}


def damaged(lake: Path, *, hashes: bool = False) -> Iterator[str]:
    """The folders of damaged sets, below the lake.

    `hashes`: read every file whole and compare it; else those that have changed since they were read whole.
    """
    for folder in _sets(lake):
        sets, files = _index(folder)
        cut = not sets or _bad(lake, files)
        if cut or (hashes and any(file_hash(lake / path) != piece.hash for path, piece in files.items())):
            yield f"{FOLDER}/{folder.name}"


def _index(folder: Path) -> Index:
    """The content of a folder; none if its index is unreadable."""
    try:
        status = os.lstat(folder / INDEX)
    except OSError:
        return Index({}, {})
    return _read_index(folder, (status.st_ino, status.st_size, status.st_mtime_ns))


@lru_cache(4096)
def _read_index(folder: Path, _state: tuple[int, int, int]) -> Index:
    sets: dict[str, dict[str, Piece]] = {}
    files: dict[str, Piece] = {}
    try:
        with bounds.opened(folder / INDEX) as file, io.TextIOWrapper(file, "utf-8", newline="") as text:
            lines = csv.reader(text)
            names, root = next(lines, []), str(folder.parents[1])
            for line in lines:
                piece = _piece(dict(zip(names, line, strict=True)), folder.name, root)
                if sets.setdefault(piece.folder, {}).setdefault(piece.view, piece) is not piece:
                    raise ValueError("is listed twice")
                files |= {piece.path: piece} if piece.rows else {}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, csv.Error, bounds.StrangeFileError):
        return Index({}, {})
    return Index(sets, files)


def _sets(lake: Path, prefix: str = "") -> list[Path]:
    """The folders of sets that are there; there may be thousands."""
    with suppress(FileNotFoundError, NotADirectoryError):
        names = sorted(os.listdir(lake / FOLDER))  # noqa: PTH208  of paths it takes ten times as long
        found = (lake / FOLDER / n for n in names if n.startswith(prefix) and bounds.SET.fullmatch(n))
        return [p for p in found if p.is_dir()]
    return []


def _piece(row: Mapping[str, str], place: str, root: str) -> Piece:
    day = int(row["day"]) if row["day"] else None
    rows, size = int(row["rows"]), int(row["bytes"])
    packed = row.get("pack", ""), row.get("rows_hash", "")  # former releases did not pack sets
    found = Piece(row["view"], size, row["hash"], rows, row["folder"], day, *packed, root)
    if not (_VIEW.fullmatch(found.view) and bounds.SET.fullmatch(found.folder) and rows >= 0):
        raise ValueError("is no place of a view's rows")
    if found.place != place:
        raise ValueError("is in another folder")
    return found


def _is_cut(files: bounds.Files, path: str, size: int) -> bool:
    try:
        return files.stat(path).st_size != size
    except (OSError, ValueError, bounds.StrangeFileError):
        return True


@dataclass(slots=True)
class Making:
    """Sets that are being made."""

    folder: Path
    pieces: list[Piece] = field(default_factory=list)

    def keep(self, view: str, of: str, rows: "pa.RecordBatchReader") -> list[Path]:
        """Write the rows of a view into a set; the file that has them until the set is complete, if there are any."""
        return self._keep(view, {None: of}, ((None, batch) for batch in rows))

    def keep_days(self, view: str, sets: Mapping[int | None, str], rows: "Iterable[pa.RecordBatch]") -> list[Path]:
        """Write the rows of a view, in the order of their days, into the sets of some days.

        The files have all rows until the sets are complete: those of other days too, which are in no set.
        """
        from iosq.toolkit.lake.partition import by_day  # numpy, which a question does not need

        return self._keep(view, sets, (part for batch in rows for part in by_day(batch)))

    def pack(self, view: str, into: str, pieces: Sequence[Piece], rows: "Iterable[pa.RecordBatch]") -> None:
        """Write the rows of a view that several sets have, in the order of their days, into one file."""
        _, size, known = _stored(self.folder / f"{into}/{file_of(view)}", rows)
        for piece in pieces:
            packed = piece._replace(bytes=size, hash=known, rows_hash=piece.digest) if piece.rows else piece
            self.pieces.append(packed._replace(pack=into))

    def keep_digests(self, of: str, digests: Mapping[int | None, str]) -> None:
        """List a digest for each day in a set: of what has no file there."""
        days = enumerate(digests.items())
        self.pieces += [Piece(f"day{number}", 0, digest, 0, of, day) for number, (day, digest) in days]

    def _keep(
        self, view: str, sets: Mapping[int | None, str], parts: "Iterable[tuple[int | None, pa.RecordBatch]]"
    ) -> list[Path]:
        files, left = list[Path](), dict(sets)
        for day, group in groupby(parts, key=itemgetter(0)):
            of = left.pop(day, None)
            path = self.folder / (f"{of}/{file_of(view)}" if of else f"{view}.{day}.parquet")
            batches = (batch for _, batch in group)
            count, size, known = _stored(path, batches) if of else (_write(path, batches), 0, "")
            files += [path] if count else []
            self.pieces += [Piece(view, size, known, count, of, day)] if of else []
        self.pieces += [Piece(view, 0, "", 0, of, day) for day, of in left.items()]
        return files


@contextmanager
def making(lake: Path, names: Iterable[str]) -> Iterator[Making]:
    """Store facts: sets are complete at the end, or none is there. LakeError if the disk refuses; former sets stay."""
    sets = sorted(set(names))
    with stage(lake) as folder, lake_errors(lake):
        made = folder / FOLDER
        for name in sets:
            (made / name).mkdir(parents=True, exist_ok=True)
        yield (now := Making(made))
        (lake / FOLDER).mkdir(exist_ok=True)
        for name in sets:
            _put(made / name, [p for p in now.pieces if p.place == name], lake)


def _put(made: Path, pieces: Sequence[Piece], lake: Path) -> None:
    _write_index(made / INDEX, pieces)
    try:
        if not _has(lake, pieces):
            bounds.remove_tree(lake, f"{FOLDER}/{made.name}")  # a damaged set
            (lake / FOLDER).mkdir(exist_ok=True)
            bounds.put(lake, made, f"{FOLDER}/{made.name}")
    except OSError:
        if not _has(lake, pieces):  # no other process was sooner
            raise


def _has(lake: Path, pieces: Collection[Piece]) -> bool:
    found = read_sets(lake, {piece.folder for piece in pieces})
    there = (found.get(piece.folder, {}).get(piece.view) for piece in pieces)
    return all(old is not None and old.place == new.place for old, new in zip(there, pieces, strict=True))


def forget(lake: Path, current: Collection[str], spared_s: float, spared: str = "") -> None:
    """Remove the folders of sets that are older than some seconds and not read.

    `spared`: name prefix of sets that stay.
    """
    latest, sets = time.time() - spared_s, read_sets(lake, current, read=())
    read = {piece.place for of in sets.values() for piece in of.values()}
    with suppress(OSError):
        bounds.remove_tree(lake, _OLD_FOLDER)
    for folder in _sets(lake):
        stays = folder.name in read or (spared and any(name.startswith(spared) for name in _index(folder).sets))
        if not stays and folder.stat().st_mtime <= latest:
            with suppress(OSError):
                bounds.remove_tree(lake, f"{FOLDER}/{folder.name}")


def _stored(path: Path, batches: "Iterable[pa.RecordBatch]") -> tuple[int, int, str]:
    """Write rows, if any, for good; their number, and bytes and hash of the file."""
    if not (count := _write(path, batches)):
        return 0, 0, ""
    fsync_file(path)
    return count, path.stat().st_size, file_hash(path)


def _write(path: Path, batches: "Iterable[pa.RecordBatch]") -> int:
    """Write rows, if any, and count them. The encoding is that of raw tables (`iosq.toolkit.lake.part`)."""
    with_rows = (batch for batch in batches if batch.num_rows)
    first = next(with_rows, None)
    if first is None:
        return 0
    strings = [f.name for f in first.schema if pa.types.is_string(f.type)]
    keys = [f.name for f in first.schema if str(f.type) in _STATISTICS]
    count = 0
    with pq.ParquetWriter(
        path,
        first.schema,
        compression="zstd",
        compression_level=1,
        use_dictionary=strings,
        write_statistics=keys,
        store_schema=False,
    ) as file:
        for batch in chain([first], with_rows):
            file.write_batch(batch, row_group_size=ROW_GROUP)
            count += batch.num_rows
    return count


def _write_index(path: Path, pieces: Iterable[Piece]) -> None:
    in_order: list[Piece] = sorted(pieces, key=lambda p: (p.view, p.day is None, p.day or 0))
    with path.open("w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(Piece._fields[:-1])
        lines.writerows(piece[:-1] for piece in in_order)
    fsync_file(path)
