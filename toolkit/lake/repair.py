"""Repair of a lake without losing a row: data is rebuilt if possible, or read again from its source."""

import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from iosq.parsers.registry import tables
from iosq.toolkit.lake import bounds, digests, manifest
from iosq.toolkit.lake.bounds import own_files
from iosq.toolkit.lake.commit import place_files
from iosq.toolkit.lake.disk import file_hash, fsync_file, lake_errors
from iosq.toolkit.lake.doctor import Ailment, examine
from iosq.toolkit.lake.ingest import replace
from iosq.toolkit.lake.lake import Lake
from iosq.toolkit.lake.part import FILE_ID
from iosq.toolkit.lake.sound import guarded, unsound
from iosq.toolkit.lake.source import find, identify
from iosq.toolkit.lake.stage import FOLDER as STAGING
from iosq.toolkit.lake.stage import stage, sweep

REBUILT = (
    "the manifest was rebuilt from the Parquet files: counts of records, issues and the name of the input are lost"
)

REBUILDING = ".rebuilding"  # folder of a manifest until it is whole


@dataclass(frozen=True, slots=True)
class Repaired:
    """Repair of one ailment; `done` is false if it needs the source of the input."""

    ailment: Ailment
    done: bool
    what: str


def repair(lake: Path, sources: Iterable[Path] = (), *, hashes: bool = False) -> list[Repaired]:
    """Repair a lake; LakeError if there is none, or the disk refuses.

    The manifest first, as everything else needs it; then leftovers of ingests that died, then digests, which the stored
    records give, then Parquet files, for which the input is read again from `sources`. Where the manifest says that
    inputs lay is not looked at: who made the lake may have named any file of this machine or of another.
    """
    found = examine(lake)
    done = [_manifest(lake, a) for a in found if a.kind == "manifest"]
    done += [Repaired(a, True, "removed") for a in found if _cleared(lake, a)]
    Lake(lake).create()
    left = examine(lake, hashes=hashes)
    sweep(lake)
    done += [Repaired(a, *_swept(lake, a)) for a in left if a.kind in ("staging", "stranger")]
    done += [dropped(lake, a) for a in left if a.kind == "facts"]
    missing = [a for a in left if a.kind == "digests" and not _rebuild_digests(lake, a.file_id)]
    done += [
        Repaired(a, True, "rebuilt from the stored records") for a in left if a.kind == "digests" and a not in missing
    ]
    lost = [a for a in left if a.kind == "part"] + missing
    done += _again(lake, lost, list(sources))
    is_rebuilt = any(a.kind == "manifest" for a in found)
    return done + list(_unsure(lake, {a.file_id for a in lost}, list(sources), is_rebuilt))


def _manifest(lake: Path, ailment: Ailment) -> Repaired:
    """A new manifest from the readable part of the damaged one and the Parquet files.

    It comes into place whole: to one that lists less, files of the lake would be leftovers to remove.
    """
    fresh = lake / REBUILDING
    with lake_errors(lake):
        aside = _kept_aside(lake)
        bounds.remove_tree(lake, REBUILDING)
        fresh.mkdir()
    _put_aside(lake)
    manifest.create(fresh)
    with manifest.writing(fresh) as db:
        if aside is not None and aside.is_file():
            _salvage(aside, db)
            if unsound(db, manifest.script()):  # none of it can be trusted
                for table in ("file", "file_kind", "issue", "file_wanted"):
                    db.execute(f"DELETE FROM {table}")
        _list_parts(lake, db)
        _count_digests(lake, db)
    with lake_errors(lake):
        for log in ("wal", "shm", "journal"):
            (lake / f"{manifest.NAME}-{log}").unlink(missing_ok=True)
        (fresh / manifest.NAME).replace(lake / manifest.NAME)
        bounds.remove_tree(lake, REBUILDING)
    kept = f"; the damaged one is kept as {aside.name}" if aside is not None else ""
    return Repaired(ailment, True, f"rebuilt from the Parquet files{kept}")


def _kept_aside(lake: Path) -> Path | None:
    """A copy of the damaged manifest, or the object found in its place."""
    path = lake / manifest.NAME
    if not path.exists():
        return None
    numbered = (path.with_name(f"{path.name}.damaged-{n}") for n in range(1, 10_000))
    aside = next(name for name in numbered if not name.exists())
    return Path(shutil.copy2(path, aside)) if path.is_file() else path.rename(aside)  # `examine` has refused links


def _put_aside(lake: Path) -> None:
    """Rename a file in place of a table's folder, or a folder in place of its file: both block writes."""
    wrong = [name for name in (*tables(), digests.FOLDER, STAGING) if (lake / name).is_file()]
    found = (p for pattern in ("*/*/*/*.parquet", "_digests/*.npy", f"{STAGING}/guard") for p in lake.glob(pattern))
    wrong += [p.relative_to(lake).as_posix() for p in found if p.is_dir()]
    with lake_errors(lake):
        for path in wrong:
            bounds.set_aside(lake, path)


def _clear_way(lake: Path, place: str) -> None:
    """Rename objects that block a file or its folders: a file in place of a folder, or the reverse."""
    for above in Path(place).parents:
        if (lake / above).is_file():
            bounds.set_aside(lake, above.as_posix())
    if (lake / place).is_dir():
        bounds.set_aside(lake, place)


def _salvage(damaged: Path, db: sqlite3.Connection) -> None:
    """Rows of the damaged manifest as far as they can be read; a table that can't stays empty."""
    uri = f"{damaged.absolute().as_uri()}?mode=ro&immutable=1"
    with closing(guarded(sqlite3.connect(uri, uri=True))) as old:
        for table in ("file", "file_kind", "issue", "file_wanted"):
            names = [name for _, name, *_ in db.execute(f"PRAGMA table_info({table})")]
            with suppress(sqlite3.DatabaseError):
                picked = ", ".join(f'"{name}"' for name in names)
                for row in old.execute(f"SELECT {picked} FROM {table}"):
                    manifest.insert(db, table, row)


def _list_parts(lake: Path, db: sqlite3.Connection) -> None:
    known = manifest.digest_counts(db)
    for path in own_files(lake):
        if path.endswith(".parquet") and path.partition("/")[0] in tables():
            # not whole, or not ours: examined as a stranger, and its input read again
            with suppress(pa.ArrowException, KeyError, ValueError):
                _list_part(lake, path, db, known)


def _list_part(lake: Path, path: str, db: sqlite3.Connection, known: dict[str, int]) -> None:
    file, table = lake / path, path.partition("/")[0]
    held = pq.ParquetFile(file)
    inputs = Counter(held.read([FILE_ID])[FILE_ID].to_pylist())
    if not all(isinstance(file_id, str) and bounds.FILE_ID.fullmatch(file_id) for file_id in inputs):
        raise ValueError("no ids of inputs")
    for file_id in inputs.keys() - known.keys():
        known[file_id] = _digest_count(lake, file_id)
        manifest.insert(db, "file", (file_id, file_id, "(unknown)", 0, "(unknown)", "", *[0] * 7, known[file_id]))
        _remember(db, file_id)
    has = set(held.schema_arrow.names)
    found = held.read(["system"])["system"].unique().to_pylist() if "system" in has else [None]
    system = found[0] if len(found) == 1 else None  # several share a file where an input names very many
    starts = held.read(["interval_start"])["interval_start"].cast(pa.int64()) if "interval_start" in has else None
    span = _span(starts) if starts is not None else (None, None)
    digest = file_hash(file)
    for file_id, rows in inputs.items():
        row = (file_id, table, path, rows, file.stat().st_size, system, *span, digest)
        manifest.insert(db, "part", row)


def _span(starts: pa.ChunkedArray) -> tuple[int | None, int | None]:
    values = starts.drop_null().to_numpy()
    return (int(values.min()), int(values.max())) if len(values) else (None, None)


def _digest_count(lake: Path, file_id: str) -> int:
    """Number of digests of an input; -1 if unreadable."""
    found = sorted((lake / digests.FOLDER).glob(f"{file_id}*.npy"))
    try:
        if not found:
            return 0
        with bounds.opened(found[-1]) as file:
            return len(np.load(file, allow_pickle=False))
    except (OSError, ValueError, EOFError, bounds.StrangeFileError):
        return -1


def _count_digests(lake: Path, db: sqlite3.Connection) -> None:
    """Count the digests that can't be read, from the stored records."""
    for (file_id,) in db.execute("SELECT file_id FROM file WHERE digests < 0").fetchall():
        count = len(_record_ids(lake, manifest.paths_of(db, file_id), file_id))
        db.execute("UPDATE file SET digests = ? WHERE file_id = ?", (count, file_id))


def _cleared(lake: Path, ailment: Ailment) -> bool:
    """True if something stood where ingests have their locks, and is removed."""
    place = lake / ailment.place
    with lake_errors(lake):
        if ailment.place == STAGING:
            place.unlink()
        elif ailment.place == f"{STAGING}/guard":
            bounds.set_aside(lake, ailment.place)
        else:
            return False
    return True


def _swept(lake: Path, ailment: Ailment) -> tuple[bool, str]:
    """Whether a leftover is gone; strangers that no journal names are removed while no commit can be under way."""
    path = lake / ailment.place
    if ailment.kind == "stranger" and path.is_file():
        with lake_errors(lake), manifest.writing(lake) as db:
            if ailment.place not in manifest.part_paths(db):
                bounds.remove_file(lake, ailment.place)
    gone = not path.exists()
    return gone, "removed" if gone else "kept: an ingest is at work"


def dropped(lake: Path, ailment: Ailment) -> Repaired:
    """Remove damaged facts: the next query computes them again."""
    with lake_errors(lake):
        bounds.remove_tree(lake, ailment.place)
    return Repaired(ailment, True, "removed: the next query computes it again")


def _rebuild_digests(lake: Path, file_id: str) -> bool:
    """The digests of an input from the ids of its stored records; false where pieces of split records share one."""
    with manifest.reading(lake) as db:
        (count,) = db.execute("SELECT digests FROM file WHERE file_id = ?", (file_id,)).fetchone()
        paths = manifest.paths_of(db, file_id)
    ids = _record_ids(lake, paths, file_id)
    if len(ids) != count:
        return False
    target = digests.held(lake, file_id, count)
    with stage(lake) as folder, lake_errors(lake):
        staged = folder / "digests.npy"
        np.save(staged, ids, allow_pickle=False)
        fsync_file(staged)
        _clear_way(lake, target)
        place_files(lake, {target: staged})
    return True


def _is_there(files: bounds.Files, path: str) -> bool:
    with suppress(OSError, bounds.StrangeFileError):
        return bool(files.stat(path))
    return False


def _record_ids(lake: Path, paths: Iterable[str], file_id: str) -> NDArray[np.uint64]:
    found, files = [np.empty(0, np.uint64)], bounds.Files(lake)
    for path in (lake / below for below in paths if _is_there(files, below)):
        with suppress(OSError, pa.ArrowException):
            if "record_id" in pq.read_schema(path).names:
                own = pq.read_table(path, columns=["record_id"], filters=[(FILE_ID, "=", file_id)], partitioning=None)
                ids = own["record_id"].to_numpy()
                found.append(np.unique(ids.astype(np.int64).view(np.uint64)))
    return np.unique(np.concatenate(found))


def _again(lake: Path, lost: Sequence[Ailment], sources: Sequence[Path]) -> Iterator[Repaired]:
    """Read inputs with lost rows again, each once.

    Inputs that share a lost file are read again all or none, since the file holds the rows of the others.
    """
    wanted = {a.file_id for a in lost}
    places = _sources(lake, wanted, sources) if wanted else {}
    for file_id in sorted(wanted):
        lacking = sorted(_together(lost, file_id) - places.keys())
        what = _needs(lake, lacking[0]) if lacking else f"read again from {places[file_id]}"
        if not lacking:
            for ailment in lost:
                _clear_way(lake, ailment.place)
            replace(Lake(lake), places[file_id])
        yield from (Repaired(a, not lacking, what) for a in lost if a.file_id == file_id)


def _unsure(lake: Path, read: set[str], sources: Sequence[Path], is_rebuilt: bool) -> Iterator[Repaired]:
    """Inputs of a rebuilt manifest: their files that are gone or damaged can't be known any more.

    They are read again where they can be found; others keep an issue, by which a later repair finds them.
    """
    with manifest.reading(lake) as db:
        asked = (
            "SELECT file_id FROM file" if is_rebuilt else "SELECT file_id FROM issue WHERE code = 'manifest_rebuilt'"
        )
        wanted = {file_id for (file_id,) in db.execute(asked)} - read
    places = _sources(lake, wanted, sources) if wanted and sources else {}
    for file_id in sorted(wanted if is_rebuilt else wanted & places.keys()):
        ailment = Ailment("manifest", manifest.NAME, "no longer listed which files hold the rows of an input", file_id)
        if file_id in places:
            replace(Lake(lake), places[file_id])
            yield Repaired(ailment, True, f"read again from {places[file_id]}")
        else:
            with manifest.writing(lake) as db:
                _remember(db, file_id)
            what = "kept as its files have it; name a folder that holds the input with --from if any may be missing"
            yield Repaired(ailment, True, what)


def _remember(db: sqlite3.Connection, file_id: str) -> None:
    """An issue about the rebuilt manifest, once."""
    codes = db.execute("SELECT code FROM issue WHERE file_id = ?", (file_id,)).fetchall()
    if ("manifest_rebuilt",) not in codes:
        (seq,) = db.execute("SELECT coalesce(max(seq) + 1, 0) FROM issue WHERE file_id = ?", (file_id,)).fetchone()
        manifest.insert(db, "issue", (file_id, seq, "manifest_rebuilt", "notice", REBUILT, 0, 0, 1))


def _together(lost: Sequence[Ailment], file_id: str) -> set[str]:
    """The inputs that share lost files with one, or with those that do."""
    found, before = {file_id}, 0
    while len(found) > before:
        before = len(found)
        places = {a.place for a in lost if a.file_id in found}
        found |= {a.file_id for a in lost if a.place in places}
    return found


def _needs(lake: Path, file_id: str) -> str:
    with manifest.reading(lake) as db:
        (path,) = db.execute("SELECT path FROM file WHERE file_id = ?", (file_id,)).fetchone()
    return f"needs its input: name a folder that holds {path} with --from"


def _sources(lake: Path, wanted: set[str], sources: Sequence[Path]) -> dict[str, Path]:
    """Paths of inputs among `sources`, found by their content."""
    with manifest.reading(lake) as db:
        rows = db.execute("SELECT file_id, bytes FROM file").fetchall()
    sizes = {size for file_id, size in rows if file_id in wanted}
    places: dict[str, Path] = {}
    for found in find(sources, lake):
        if found.bytes in sizes or 0 in sizes:
            places.setdefault(identify(found.path).file_id, found.path)
    return {file_id: path for file_id, path in places.items() if file_id in wanted}
