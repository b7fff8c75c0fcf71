"""Check of a lake: its manifest against every file, and files that are not part of it."""

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from iosq.parsers.registry import tables
from iosq.toolkit.errors import LakeError
from iosq.toolkit.lake import bounds, checked, digests, facts, manifest
from iosq.toolkit.lake.bounds import own_files
from iosq.toolkit.lake.disk import file_hash
from iosq.toolkit.lake.manifest import Listed
from iosq.toolkit.lake.stage import FOLDER as STAGING

Kind = Literal["manifest", "part", "digests", "facts", "staging", "stranger"]


@dataclass(frozen=True, slots=True)
class Ailment:
    """One problem: `place` below the lake; `file_id` of the input concerned, '' for none. A problem of
    several inputs is reported for each.

    Kinds: `manifest` can't be read; a `part` (Parquet file) is missing or not what was written; `digests` don't show
    which records are stored; `facts` are not those that were stored; `staging` was left by an ingest that died;
    a `stranger` belongs to no input.
    """

    kind: Kind
    place: str
    what: str
    file_id: str = ""

    @property
    def loses(self) -> bool:
        """True if the problem makes query results or ingests wrong or impossible."""
        return self.kind in ("manifest", "part", "digests", "facts")


Tick = Callable[[int, int], None]  # Parquet files looked at, and all of them


def examine(lake: Path, *, hashes: bool = False, tick: Tick | None = None) -> list[Ailment]:
    """All problems, worst first: the manifest, then Parquet files, digests, leftovers.

    `hashes`: read every Parquet file whole and compare it with what was written; otherwise those that have changed
    since (see `checked`), of others size, footer and rows. LakeError if there is no lake, or one that a later iosq
    wrote.
    """
    bounds.check(lake)
    if not (lake / manifest.NAME).exists() and not own_files(lake):
        raise LakeError("no lake here", place=str(lake), remedy="name another with --lake")
    broken = list(_manifest(lake))
    if broken:
        return broken
    with manifest.reading(lake) as db:
        parts, counts = manifest.listed(db), manifest.digest_counts(db)
    ailments: list[Ailment] = []
    sound = checked.known(lake)
    for done, part in enumerate(parts, 1):
        is_known = sound.get(part.path) == checked.mark(lake, part.path, part.hash)
        if what := _wrong_with(lake, part, hashes or not is_known):
            ailments += (Ailment("part", part.path, what, file_id) for file_id in part.inputs)
        if tick:
            tick(done, len(parts))
    ailments += (a for file_id, count in sorted(counts.items()) if count for a in _digests(lake, file_id, count))
    ailments += (
        Ailment("facts", place, "does not hold the facts that were stored")
        for place in facts.damaged(lake, hashes=hashes)
    )
    return [*ailments, *_staging(lake), *_strangers(lake, {p.path for p in parts}, counts)]


def _manifest(lake: Path) -> Iterator[Ailment]:
    path = lake / manifest.NAME
    if not path.is_file():
        yield Ailment("manifest", manifest.NAME, "is missing")
        return
    try:
        with manifest.reading(lake) as db:
            (verdict,) = db.execute("PRAGMA integrity_check(1)").fetchone()
            orphan = db.execute("SELECT path FROM part WHERE file_id NOT IN (SELECT file_id FROM file)").fetchone()
    except manifest.LaterVersionError:
        raise
    except (LakeError, sqlite3.DatabaseError) as error:
        yield Ailment("manifest", manifest.NAME, error.what if isinstance(error, LakeError) else str(error))
        return
    if verdict != "ok":
        yield Ailment("manifest", manifest.NAME, f"is damaged: {verdict}")
    elif orphan:
        yield Ailment("manifest", manifest.NAME, f"lists {orphan[0]} for an input that it doesn't have")


def _wrong_with(lake: Path, part: Listed, hashes: bool) -> str:
    path = lake / part.path
    try:
        size = bounds.Files(lake).stat(part.path).st_size
    except OSError:
        return "is missing"
    except bounds.StrangeFileError as error:
        return error.what
    if size != part.bytes:
        return f"has {size} bytes, not {part.bytes}"
    try:
        found = pq.read_metadata(path)
    except (OSError, pa.ArrowException) as error:
        return f"is no readable Parquet file: {str(error).splitlines()[0]}"
    if found.num_rows != part.rows:
        return f"has {found.num_rows} rows, not {part.rows}"
    if later := {c for t in (tables().get(part.table),) if t for c in t.names} - {*found.schema.names}:
        return f"has no column {min(later)}: it was written before iosq read that"
    if hashes and file_hash(path) != part.hash:
        return checked.SPOILT
    return ""


def _digests(lake: Path, file_id: str, count: int) -> Iterator[Ailment]:
    place = digests.held(lake, file_id, count)
    try:
        stored = digests.load(lake, file_id, count)
    except LakeError as error:
        yield Ailment("digests", place, error.what.partition(":")[0], file_id)
        return
    if len(stored) != count:
        yield Ailment("digests", place, f"holds {len(stored)} digests, not {count}", file_id)
    elif not bool(np.all(stored[1:] >= stored[:-1])):
        yield Ailment("digests", place, "is not sorted", file_id)


def _staging(lake: Path) -> Iterator[Ailment]:
    staging = lake / STAGING
    if not staging.is_dir():
        if staging.exists():
            yield Ailment("staging", STAGING, "is a file, not a folder: nothing can be ingested")
        return
    if (staging / "guard").is_dir():
        yield Ailment("staging", f"{STAGING}/guard", "is a folder, not a lock file")
    for folder in sorted(p for p in staging.iterdir() if bounds.STAGE.fullmatch(p.name)):
        # a running ingest holds its lock; testing the lock here would take it for a moment
        yield Ailment("staging", f"{STAGING}/{folder.name}", "is of an ingest that is at work or has died")


def _strangers(lake: Path, parts: set[str], counts: dict[str, int]) -> Iterator[Ailment]:
    known = parts | {digests.held(lake, file_id, count) for file_id, count in counts.items() if count}
    for path in own_files(lake):
        if path not in known:
            yield Ailment("stranger", path, "is not listed in the manifest: no query reads it")
