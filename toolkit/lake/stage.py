"""Staging folder of an ingest: one per process, removed if the process ended."""

import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from iosq.toolkit.errors import DOCTOR, LakeError
from iosq.toolkit.lake import bounds, manifest
from iosq.toolkit.lake.disk import fsync_file, lake_errors, lock

FOLDER = ".staging"
JOURNAL = "journal"
GUARD_WAIT_S = 60.0
MARK = b"a stage of iosq\n"  # content of its lock; a folder without it is not a stage of ours


@contextmanager
def stage(lake: Path) -> Iterator[Path]:
    """A fresh folder below `lake/.staging`, locked as long as this process lives, removed at the end; or LakeError."""
    folder = lake / FOLDER / uuid.uuid4().hex
    with ExitStack() as held:
        with guarded(lake):
            folder.mkdir()
            held.enter_context(lock(folder / "lock", 0))
            (folder / "lock").write_bytes(MARK)
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
    """Stages are created and removed under this lock only: a folder without its own lock is abandoned."""
    bounds.check(lake)
    with lake_errors(lake):
        if (lake / FOLDER).is_file():
            raise LakeError("is a file, not a folder", place=str(lake / FOLDER), remedy=DOCTOR)
        (lake / FOLDER).mkdir(exist_ok=True)  # a copy without names, or a lake copied by other tools, has none
    with lake_errors(lake), lock(lake / FOLDER / "guard", GUARD_WAIT_S) as free:
        if free is None:
            raise LakeError(
                "another ingest has been cleaning up for too long", place=str(lake), remedy="try again later"
            )
        yield


def _discard(lake: Path, folder: Path, held: ExitStack) -> None:
    with guarded(lake):
        held.close()
        with suppress(OSError):
            bounds.remove_tree(lake, f"{FOLDER}/{folder.name}")


def sweep(lake: Path) -> None:
    """Remove what ingests that died have left behind: stages, and files without a commit. LakeError if that fails."""
    with guarded(lake):
        for folder in sorted(f for f in (lake / FOLDER).iterdir() if bounds.STAGE.fullmatch(f.name)):
            if not folder.is_symlink() and _abandoned(folder):
                _undo(lake, folder)
                bounds.remove_tree(lake, f"{FOLDER}/{folder.name}")


def write_journal(folder: Path, paths: list[str]) -> None:
    """Note which files a commit is about to put in place, before the first of them appears."""
    journal = folder / JOURNAL
    journal.write_text("".join(f"{path}\n" for path in paths), "utf-8")
    fsync_file(journal)


def _abandoned(folder: Path) -> bool:
    """True if it has iosq's mark and its process is gone. A process that died before the mark left an empty folder."""
    if not folder.is_dir():
        return False
    try:
        with bounds.opened(folder / "lock") as file:
            mark = file.read(len(MARK) + 1)
    except FileNotFoundError:
        mark = b""
    except (OSError, bounds.StrangeFileError):
        return False
    if mark != MARK and (mark or {p.name for p in folder.iterdir()} - {"lock"}):
        return False
    if not (folder / "lock").exists():
        return True
    with lock(folder / "lock", 0) as free:
        return free is not None


def _undo(lake: Path, folder: Path) -> None:
    """Remove the files of an unfinished commit; no query reads them, but other tools that list folders would."""
    try:
        with bounds.opened(folder / JOURNAL) as journal:
            paths = journal.read().decode("utf-8", "replace").splitlines()
    except (FileNotFoundError, bounds.StrangeFileError):
        return
    from iosq.toolkit.lake import digests  # numpy, which a question does not need

    with manifest.writing(lake) as db:  # no commit can be half done while this lock is held
        counts = manifest.digest_counts(db)
        kept = manifest.part_paths(db) | {digests.held(lake, file_id, count) for file_id, count in counts.items()}
        for path in paths:
            # a damaged journal may name anything; the last line may be cut short
            if path not in kept:
                with suppress(NotADirectoryError, bounds.StrangeFileError):
                    bounds.remove_file(lake, path)
