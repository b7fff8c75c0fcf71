"""Integrity of stored files: each is read whole on first use, and again after a change.

Parquet's own structures show a torn file, not one with other bytes in it: half of those give wrong numbers, and DuckDB
does not look at checksums of pages. What was found sound is kept next to the manifest, by the times the file system
gives a file; a copy of a lake has others and is read again.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from iosq.toolkit.lake.bounds import StrangeFileError
from iosq.toolkit.lake.disk import file_hash
from iosq.toolkit.show import stages

NAME = ".checked"
SPOILT = "holds other bytes than were written"
_AT_ONCE = min(4, os.cpu_count() or 1)  # reading a file and hashing it both leave the interpreter


def spoilt(lake: Path, files: Iterable[tuple[str, str]]) -> list[str]:
    """The files whose content is not what was written, in order.

    Args:
        lake: the folder of the lake.
        files: path below it and hash.
    """
    marks = {path: found for path, written in files if (found := mark(lake, path, written))}
    before = known(lake) if marks else {}
    new = [path for path, now in marks.items() if before.get(path) != now]
    if not new:
        return []
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        hashes = dict(zip(stages.each("lake", new), pool.map(lambda path: _hash(lake, path), new), strict=True))
    sound = {path: marks[path] for path in new if marks[path].startswith(hashes[path] + " ")}
    _keep(lake, before | sound)
    return sorted(path for path in new if hashes[path] and path not in sound)


def mark(lake: Path, path: str, written: str) -> str:
    """Written hash and current state of a file; '' for a missing one, which others report."""
    with suppress(OSError):
        found = os.stat(f"{lake}/{path}")  # noqa: PTH116  there may be tens of thousands
        return f"{written} {found.st_size} {found.st_mtime_ns} {found.st_ctime_ns}"
    return ""


def _hash(lake: Path, path: str) -> str:
    """'' where it can't be read, or was merged meanwhile: the query of its rows reports that."""
    with suppress(OSError, StrangeFileError):
        return file_hash(lake / path)
    return ""


def known(lake: Path) -> dict[str, str]:
    """Mark of each file by its path; empty where that can't be read."""
    with suppress(OSError, ValueError):
        found = (lake / NAME).stat()
        return dict(_read(lake / NAME, (found.st_ino, found.st_size, found.st_mtime_ns)))
    return {}


@lru_cache(2)
def _read(path: Path, _state: tuple[int, int, int]) -> dict[str, str]:
    lines = path.read_text("utf-8").split("\n")
    return {path: as_found for as_found, tab, path in (line.partition("\t") for line in lines) if tab}


def _keep(lake: Path, marks: dict[str, str]) -> None:
    """Store the result; if the lake is read-only, files are checked again next time."""
    part = lake / f"{NAME}.part"  # two at once spoil each other's lines at worst: files are read again
    there = (path for path in sorted(marks) if os.path.exists(f"{lake}/{path}"))  # noqa: PTH110  as above
    text = "".join(f"{marks[path]}\t{path}\n" for path in there)
    try:
        part.write_text(text, "utf-8")
        part.replace(lake / NAME)
    except OSError:
        with suppress(OSError):
            part.unlink()
