"""Commit of staged files to the lake: all tables of an input, in one transaction."""

import sqlite3
from collections.abc import Iterable
from enum import Enum
from pathlib import Path

from iosq.toolkit.lake import bounds, manifest
from iosq.toolkit.lake.digests import Stored, place
from iosq.toolkit.lake.disk import fsync_file, fsync_folder, lake_errors
from iosq.toolkit.lake.load import Load
from iosq.toolkit.lake.source import Identity
from iosq.toolkit.lake.stage import write_journal


class Verdict(Enum):
    """Result of a commit."""

    DONE = "committed"
    ALREADY = "another ingest has committed the same bytes"
    STALE = "another ingest has committed some of the same records: read again"


def commit(
    lake: Path,
    stage: Path,
    path: Path,
    identity: Identity,
    load: Load,
    stored: Stored,
    *,
    replacing: frozenset[str] | None = None,
) -> Verdict:
    """Put the staged files in place and list them in the manifest, or do nothing; LakeError if the disk refuses.

    All waiting for the disk but that for the names happens before the lock is taken. Renames come before the
    manifest's commit: a crash between them leaves unlisted files, and the journal says which. `replacing`: the listed
    Parquet files of the same input that these replace.
    """
    with lake_errors(lake):
        moves = _prepare(stage, identity, load, counted=replacing is not None)
    with manifest.writing(lake) as db:
        committed = manifest.digest_counts(db)
        former = committed.pop(identity.file_id, None)
        if former is not None and replacing is None:
            return Verdict.ALREADY
        if stored.clash(load.digests, committed):
            return Verdict.STALE
        if replacing is not None:
            if manifest.paths_of(db, identity.file_id) != replacing:
                return Verdict.STALE
            forget(db, identity.file_id)
        place_files(lake, moves)
        _list(db, path, identity, load)
        shared = manifest.inputs_of(db, replacing or ())
    if replacing is not None:
        gone = {*replacing, place(identity.file_id), place(identity.file_id, former)} - moves.keys()
        gone -= {path for path, inputs in shared.items() if inputs}  # a damaged one of several inputs
        remove(lake, gone)
    return Verdict.DONE


def remove(lake: Path, gone: Iterable[str]) -> None:
    """Delete files that are no longer listed."""
    with lake_errors(lake):
        for path_below in gone:
            bounds.remove_file(lake, path_below)


def forget(db: sqlite3.Connection, file_id: str) -> None:
    """Take an input off the lists."""
    for table in ("part", "issue", "file_kind", "file_wanted", "file"):
        db.execute(f"DELETE FROM {table} WHERE file_id = ?", (file_id,))


def _prepare(stage: Path, identity: Identity, load: Load, *, counted: bool) -> dict[str, Path]:
    """Final place of each staged file; all of them, and the journal that names them, are on the disk."""
    moves = {part.path: part.staged for part in load.parts}
    if count := len(load.digests):
        staged = moves[place(identity.file_id, count if counted else None)] = stage / "digests.npy"
        load.digests.save(staged)
        fsync_file(staged)
    write_journal(stage, list(moves))
    return moves


def place_files(lake: Path, moves: dict[str, Path]) -> None:
    """Move staged files to their place below the lake, and sync their names to disk."""
    changed: set[Path] = set()
    for path, staged in moves.items():
        above = path.rpartition("/")[0]
        if lake / above not in changed:
            changed |= {lake / grown for grown in bounds.make_folder(lake, above)}
        bounds.put(lake, staged, path)
        changed.add(lake / above)
    for folder in sorted(changed):
        fsync_folder(folder)


def _list(db: sqlite3.Connection, path: Path, identity: Identity, load: Load) -> None:
    for table, rows in load.listed(path, identity).items():
        for row in rows:
            manifest.insert(db, table, row)
    for part in load.parts:
        manifest.list_part(db, {identity.file_id: part.rows}, part)
