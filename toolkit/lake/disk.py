"""Disk access of the lake: locks that end with their process, durable names, one-line errors."""

import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import xxhash

from iosq.toolkit.errors import DOCTOR, LakeError
from iosq.toolkit.lake import bounds
from iosq.toolkit.late import pa
from iosq.toolkit.waiting import attempts

REMEDY = "make room or give write permission, then run the same command again: nothing is half stored"


@contextmanager
def parquet_errors(path: Path) -> Iterator[None]:
    """Convert errors of a stored file into a `LakeError`."""
    try:
        yield
    except (OSError, pa.ArrowException) as error:
        raise LakeError("can't be read", place=str(path), remedy=DOCTOR) from error


@contextmanager
def lake_errors(place: Path) -> Iterator[None]:
    """Convert errors of the disk, SQLite or the Parquet encoder into a `LakeError` about `place`."""
    try:
        yield
    except sqlite3.OperationalError as error:
        what, remedy = f"the manifest can't be used ({error})", REMEDY
        if is_locked(error):
            what, remedy = "another process has locked it for too long", "try again later"
        raise LakeError(what, place=str(place), remedy=remedy) from error
    except sqlite3.DatabaseError as error:
        raise LakeError(f"the manifest is damaged ({error})", place=str(place), remedy=DOCTOR) from error
    except OSError as error:
        what = error.strerror or str(error)
        raise LakeError(f"can't be written: {what}", place=str(error.filename or place), remedy=REMEDY) from error


def is_locked(error: sqlite3.OperationalError) -> bool:
    """True if another process holds the database: the same statement may run later."""
    return "database is locked" in str(error)


@contextmanager
def lock(path: Path, wait_s: float) -> Iterator[int | None]:
    """Hold the lock file at `path`; yields None if another process still has it after `wait_s` seconds.

    Otherwise it yields the file's descriptor. The operating system releases the lock when the process ends, even after
    a crash, and all processes that inherited the descriptor.
    """
    with bounds.opened(path, os.O_RDWR | os.O_CREAT, "r+b") as file:
        yield file.fileno() if any(_try_lock(file.fileno()) for _ in attempts(wait_s)) else None


if sys.platform == "win32":
    import msvcrt

    def _try_lock(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try_lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def file_hash(path: Path) -> str:
    """XXH3 of a file, 128 bits as 32 hex digits."""
    digest = xxhash.xxh3_128()
    with bounds.opened(path) as file:
        while chunk := file.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()


def fsync_folder(path: Path) -> None:
    """Sync the names in a folder to disk (not needed and not possible on Windows)."""
    if os.name != "nt":
        fsync_file(path, os.O_RDONLY)


def fsync_file(path: Path, flags: int = os.O_RDWR) -> None:
    """Wait until the bytes of a written file are on the disk."""
    descriptor = os.open(path, flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
