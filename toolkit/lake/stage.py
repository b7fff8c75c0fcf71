"""Where an ingest builds what it will commit: one folder per process, cleared away if the process died."""

from __future__ import annotations

import re
import shutil
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from iosq.toolkit.errors import DOCTOR, LakeError
from iosq.toolkit.lake import manifest
from iosq.toolkit.lake.disk import fsync_file, lake_errors, lock

FOLDER = ".staging"
JOURNAL = "journal"
GUARD_WAIT_S = 60.0
# what an ingest puts in place: Parquet files of a table and partition, and digests
OWN_FILE = re.compile(
    r"[a-z0-9_]+/system=[^/]+/day=[^/]+/[0-9a-f]{16}-\d{3,}\.parquet|_digests/[0-9a-f]{16}(-\d+)?\.npy"
)


@contextmanager
def stage(lake: Path) -> Iterator[Path]:
    """A fresh folder below `lake/.staging`, held by a lock as long as this process lives, removed at the end.

    Raises:
        LakeError: the folder can't be made.
    """
    folder = lake / FOLDER / uuid.uuid4().hex
    with ExitStack() as held:
        with guarded(lake):
            folder.mkdir()
            held.enter_context(lock(folder / "lock", 0))
        try:
            yield folder
        except BaseException:
            with suppress(LakeError):  # what can't be undone now, the next ingest's sweep will find
                _undo(lake, folder)
                _discard(lake, folder, held)
            raise
        _discard(lake, folder, held)


@contextmanager
def guarded(lake: Path) -> Iterator[None]:
    """Stages come and go under this lock only: a folder seen without its own lock is abandoned."""
    with lake_errors(lake):
        if (lake / FOLDER).is_file():
            raise LakeError("is a file, not a folder", place=str(lake / FOLDER), remedy=DOCTOR)
        (lake / FOLDER).mkdir(exist_ok=True)  # a copy without names, or a lake copied by other tools, has none
    with lake_errors(lake), lock(lake / FOLDER / "guard", GUARD_WAIT_S) as free:
        if not free:
            raise LakeError("another ingest clears up for too long", place=str(lake), remedy="try again later")
        yield


def _discard(lake: Path, folder: Path, held: ExitStack) -> None:
    with guarded(lake):
        held.close()
        shutil.rmtree(folder, ignore_errors=True)


def sweep(lake: Path) -> None:
    """Remove what ingests that died have left behind: their stages, and files they renamed but did not commit.

    Raises:
        LakeError: the disk doesn't let us.
    """
    with guarded(lake):
        for folder in sorted(f for f in (lake / FOLDER).iterdir() if f.is_dir()):
            if _abandoned(folder):
                _undo(lake, folder)
                shutil.rmtree(folder)


def write_journal(folder: Path, paths: list[str]) -> None:
    """Note which files a commit is about to put in place, before the first of them appears."""
    journal = folder / JOURNAL
    journal.write_text("".join(f"{path}\n" for path in paths), "utf-8")
    fsync_file(journal)


def _abandoned(folder: Path) -> bool:
    if (folder / "lock").is_dir():  # no ingest made that
        return True
    with lock(folder / "lock", 0) as free:
        return free


def _undo(lake: Path, folder: Path) -> None:
    """Remove the files of an unfinished commit; nobody reads them, but other tools that list folders would."""
    journal = folder / JOURNAL
    if not journal.exists():
        return
    from iosq.toolkit.lake import digests  # numpy, which a question does not need

    with manifest.writing(lake) as db:  # no commit can be half way while we hold this
        counts = manifest.digest_counts(db)
        kept = manifest.part_paths(db) | {digests.held(lake, file_id, count) for file_id, count in counts.items()}
        for path in journal.read_bytes().decode("utf-8", "replace").splitlines():
            # a damaged journal may name anything; the last line may be cut short
            if OWN_FILE.fullmatch(path) and path not in kept and (lake / path).is_file():
                (lake / path).unlink()
