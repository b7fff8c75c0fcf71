"""A lake on disk: its content, for queries."""

import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import xxhash

from iosq.toolkit.errors import DOCTOR, FULL_DOCTOR, ChangedError, LakeError
from iosq.toolkit.lake import bounds, checked, facts, manifest
from iosq.toolkit.lake.disk import lake_errors
from iosq.toolkit.lake.manifest import Listed
from iosq.toolkit.lake.stage import FOLDER as STAGING
from iosq.toolkit.lake.stage import guarded
from iosq.toolkit.late import pa
from iosq.toolkit.rows import csv_rows, grouped

# Arrow's names of column types: a query that does not read these tables loads no Arrow
_TYPES = {"VARCHAR": "string", "BIGINT": "int64"}

# state of `iosq watch`, which may stand in a folder before the first ingest makes a lake of it
WATCH = "_watch"

_PLACED = '(SELECT *, "offset" AS byte_offset FROM issue)'
# table the user sees: the manifest's table, and the order of rows (never that of arrival)
ABOUT = {
    "lake_files": ("file", "path, file_id"),
    "lake_records": ("file_kind JOIN (SELECT file_id, path FROM file) USING (file_id)", "path, file_id, kind"),
    "lake_issues": (f"{_PLACED} JOIN (SELECT file_id, path FROM file) USING (file_id)", "path, file_id, seq"),
}


@dataclass(frozen=True, slots=True)
class Stored:
    """Rows of one input in a raw table; `digest` (63 bits) changes with the stored files or bytes.

    A file may hold rows of further inputs: its column `file_id` separates them.
    """

    files: tuple[Path, ...]
    rows: int
    digest: int


@dataclass(frozen=True, slots=True)
class State:
    """The lake at one moment: the stored rows of each input, by table and file id, and its tables about itself."""

    tables: dict[str, dict[str, Stored]]
    about: "dict[str, pa.Table]"


class Lake:
    """A folder of Parquet files and the manifest of the valid ones.

    The constructor does no I/O; `create` makes the folder, all other methods need an existing one. What reads the
    manifest raises LakeError where there is none, or one of another format version.
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)

    def check(self) -> None:
        """Check that the folder is a lake, or can become one; LakeError if it holds other things or can't be read."""
        if not self.path.exists():
            return
        if not self.path.is_dir():
            raise LakeError("is a file, not a folder", place=str(self.path), remedy="name another with --lake")
        with lake_errors(self.path):
            strangers = sorted(p.name for p in self.path.iterdir() if p.name not in (STAGING, WATCH))
        if strangers and not self.exists:
            what = f"holds {strangers[0]!r} and no manifest: not a lake"
            raise LakeError(what, place=str(self.path), remedy="name an empty or new folder with --lake")

    def create(self) -> None:
        """Make the lake if it is not there yet; LakeError as of `check`, or if disk or format version forbid it."""
        self.check()
        with lake_errors(self.path):
            self.path.mkdir(parents=True, exist_ok=True)
        with guarded(self.path):  # two first ingests at once
            manifest.create(self.path)

    @property
    def exists(self) -> bool:
        return (self.path / manifest.NAME).exists()

    def discard_empty(self) -> None:
        """Remove a lake without inputs, unless another ingest is running there."""
        with guarded(self.path):
            busy = any(p.is_dir() for p in (self.path / STAGING).iterdir())
            with manifest.reading(self.path) as db:
                used = bool(manifest.digest_counts(db))
            if busy or used:
                return
            for path in self.path.glob(f"{manifest.NAME}*"):
                path.unlink()  # a link itself, not its target
        bounds.remove_tree(self.path, STAGING)
        with suppress(OSError):  # it may contain files of others meanwhile
            self.path.rmdir()

    def parts(self) -> dict[str, list[Path]]:
        """The Parquet files of each raw table that has rows: one state of the lake, both in name order; see `whole`."""
        return {table: [Path(file) for file in files] for table, files in self.whole(self.listed()).items()}

    def listed(self) -> dict[str, list[Listed]]:
        """The result of `parts` as listed in the manifest, without access to the files."""
        with manifest.reading(self.path) as db:
            return manifest.kept(self.path, "files", lambda: grouped(manifest.listed(db), lambda file: file.table))

    def whole(self, listed: Mapping[str, Iterable[Listed]]) -> dict[str, list[str]]:
        """The paths of listed files by table; LakeError if one is missing, or has another size or content."""
        files = bounds.Files(self.path)
        made = {t: [_whole(files, self.path, f.path, f.bytes) for f in found] for t, found in listed.items()}
        if bad := checked.spoilt(self.path, ((f.path, f.hash) for found in listed.values() for f in found)):
            raise LakeError(checked.SPOILT, place=f"{self.path}/{bad[0]}", remedy=FULL_DOCTOR)
        return made

    def about(self) -> "dict[str, pa.Table]":
        """Tables about the lake itself: `lake_files`, `lake_records` (by kind) and `lake_issues`."""
        with manifest.reading(self.path) as db:
            return manifest.kept(self.path, "about", lambda: _about(db))

    def kinds(self) -> frozenset[str]:
        """The kinds of its files, see `Reader.kind`."""
        with manifest.reading(self.path) as db:
            return frozenset(kind for (kind,) in db.execute("SELECT DISTINCT kind FROM file"))

    def state(self) -> State:
        """Everything listed in the manifest, at one moment; LakeError if a file is missing or of another size."""
        listed: dict[tuple[str, str], list[tuple[Path, int, str]]] = {}
        files = bounds.Files(self.path)
        with manifest.reading(self.path) as db:
            for f in manifest.listed(db):
                whole = Path(_whole(files, self.path, f.path, f.bytes))
                for file_id, rows in f.inputs.items():
                    text = f"{f.path} {rows} {f.bytes} {f.hash}"
                    listed.setdefault((f.table, file_id), []).append((whole, rows, text))
            about = _about(db)
        tables: dict[str, dict[str, Stored]] = {}
        for (table, file_id), found in sorted(listed.items()):
            tables.setdefault(table, {})[file_id] = _stored(found)
        return State(tables, about)


def places(pieces: Iterable[facts.Piece]) -> list[str]:
    """Locations of the rows of facts."""
    return list(dict.fromkeys(f"{piece.root}/{piece.path}" for piece in pieces if piece.rows))


def _stored(listed: list[tuple[Path, int, str]]) -> Stored:
    digest = xxhash.xxh3_64_intdigest("\n".join(text for _, _, text in listed).encode()) >> 1
    return Stored(tuple(path for path, _, _ in listed), sum(rows for _, rows, _ in listed), digest)


def _about(db: sqlite3.Connection) -> "dict[str, pa.Table]":
    found, rows = {}, csv_rows("iosq.toolkit.lake", "lake_tables.csv")
    for name, (source, order) in ABOUT.items():
        columns = {r["column"]: _TYPES[r["type"]] for r in rows if r["table"] == name and r["column"]}
        names = ", ".join(f'"{column}"' for column in columns)
        found[name] = _table(columns, db.execute(f"SELECT {names} FROM {source} ORDER BY {order}").fetchall())
    return found


def _whole(files: bounds.Files, lake: Path, path: str, size: int) -> str:
    """The path of a Parquet file, if it exists with its listed size."""
    place = f"{lake}/{path}"
    try:
        now = files.stat(path).st_size
    except OSError as error:
        with manifest.reading(lake) as db:
            if path not in manifest.part_paths(db):
                raise ChangedError(place) from error
        raise LakeError("is missing, but the lake lists it", place=place, remedy=DOCTOR) from error
    if now != size:
        raise LakeError(f"has {now} bytes, not the {size} that the lake lists", place=place, remedy=DOCTOR)
    return place


def _table(columns: dict[str, str], rows: list[tuple[Any, ...]]) -> "pa.Table":
    values = zip(*rows, strict=True) if rows else ([] for _ in columns)
    arrays = [pa.array(column, kind) for column, kind in zip(values, columns.values(), strict=True)]
    return pa.table(arrays, names=list(columns))
