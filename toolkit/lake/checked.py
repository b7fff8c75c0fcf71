"""Integrity of stored files: each is read whole on first use, and again after a change.

Parquet's structures reveal a truncated file, but not changed bytes: half of such files give wrong numbers, and DuckDB
does not check page checksums. Results are stored next to the manifest with the file times; the files of a copied lake
have other times and are read again.
"""

import os
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from iosq.toolkit.lake.bounds import StrangeFileError, opened
from iosq.toolkit.lake.disk import file_hash
from iosq.toolkit.show import stages

NAME = ".checked"
SPOILT = "holds other bytes than were written"
_SELDOM = 61  # one append in that many, by its place in the file, is followed by tidying
_READ: dict[Path, tuple[int, int, dict[str, str]]] = {}  # inode, bytes read, marks
_AT_ONCE = min(4, os.cpu_count() or 1)  # reading a file and hashing it both leave the interpreter


def spoilt(lake: Path, files: Iterable[tuple[str, str]]) -> list[str]:
    """The files whose content is not what was written, in order; `files`: path below it and hash."""
    marks = {path: found for path, written in files if (found := mark(lake, path, written))}
    before = known(lake) if marks else {}
    new = [path for path, now in marks.items() if before.get(path) != now]
    if not new:
        return []
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        hashes = dict(zip(stages.each("lake", new), pool.map(lambda path: _hash(lake, path), new), strict=True))
    sound = {path: marks[path] for path in new if marks[path].startswith(hashes[path] + " ")}
    _keep(lake, sound)
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


def known(lake: Path) -> Mapping[str, str]:
    """Mark of each file by its path, of some that are gone too; empty where that can't be read."""
    with suppress(OSError, ValueError, StrangeFileError), opened(lake / NAME) as file:
        inode = os.fstat(file.fileno()).st_ino
        was, end, marks = _READ.get(lake, (inode, 0, {}))
        if was != inode or file.seek(0, os.SEEK_END) < end:
            end, marks = 0, {}
        file.seek(end)
        lines, newline, _ = file.read().rpartition(b"\n")
        cut = (line.partition("\t") for line in lines.decode().split("\n"))
        marks.update({path: as_found for as_found, tab, path in cut if tab})
        _READ[lake] = inode, end + len(lines) + len(newline), marks
        return marks
    return {}


def _keep(lake: Path, marks: Mapping[str, str]) -> None:
    """Add to the result; if the lake is read-only, files are checked again next time."""
    with suppress(OSError, StrangeFileError):
        with opened(lake / NAME, os.O_WRONLY | os.O_APPEND | os.O_CREAT, "ab") as file:
            file.write(_text(marks))
            size = file.seek(0, os.SEEK_END)
        if size % _SELDOM == 0:
            _tidy(lake)


def _tidy(lake: Path) -> None:
    part = lake / f"{NAME}.part"  # two at once lose each other's lines at worst: files are read again
    there = {path: found for path, found in known(lake).items() if os.path.exists(f"{lake}/{path}")}  # noqa: PTH110
    try:
        part.write_bytes(_text(there))
        part.replace(lake / NAME)
    except OSError:
        with suppress(OSError):
            part.unlink()


def _text(marks: Mapping[str, str]) -> bytes:
    return "".join(f"{found}\t{path}\n" for path, found in sorted(marks.items())).encode()
