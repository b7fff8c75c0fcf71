"""Confinement of a lake to its folder: names are checked before a file is opened, moved or removed.

A lake may come from another person. A path in it therefore has one form (`OWN_FILE`), names a regular file, and has no
symbolic link among its folders. Files are removed through folder handles, and only with names made by iosq. What reads
or changes a folder raises StrangeFileError where a link is on the way, and OSError where the disk refuses.
"""

import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import BinaryIO, NamedTuple

from iosq.toolkit.errors import DOCTOR, LakeError

_VALUE = r"[A-Za-z0-9_.~%+-]+"
# what an ingest puts in place: Parquet files of a table and partition, and digests
OWN_PART = re.compile(rf"([a-z0-9_]+)/system={_VALUE}/day={_VALUE}/[0-9a-f]{{16}}-\d{{3,}}\.parquet")
OWN_FILE = re.compile(rf"{OWN_PART.pattern}|_digests/[0-9a-f]{{16}}(-\d+)?\.npy")
FILE_ID = re.compile("[0-9a-f]{16}")
SET = re.compile(r"([a-z0-9_]+-)?[0-9a-f]{32}")  # a folder of facts: those of a day, or one about the whole lake
STAGE = re.compile("[0-9a-f]{32}")
_OWN_TOP = re.compile(r"manifest\.sqlite.*|\.(staging|checked|checked\.part|rebuilding)|[a-z0-9_]+")
# names in stages and sets of facts
_TEMPORARY = re.compile(
    rf"{SET.pattern}|_facts|_views|lock|guard|journal|manifest\.sqlite[a-z-]*|index\.csv|[A-Za-z0-9_.-]+\.(parquet|npy)"
)
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_FILE = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
_FILE |= getattr(os, "O_BINARY", 0)
_HANDLES = os.unlink in os.supports_dir_fd  # Windows has none: there names are looked at instead
_OWNERS = hasattr(os, "geteuid")
_TRUST = "a lake holds plain files and folders only: don't use one whose origin you don't know"


class StrangeFileError(LakeError):
    """A link, a pipe or a device in place of a lake's own file; it is not opened."""


def check(lake: Path) -> None:
    """Refuse a lake whose own names are links, pipes, sockets or devices: StrangeFileError about the first."""
    for folder, own in ((lake, _OWN_TOP), (lake / "_facts", SET)):
        with suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder) as entries:
            named = (e for e in entries if own.fullmatch(e.name) and not _is_plain(e))
            for entry in sorted(named, key=lambda e: e.name):
                if what := _strange(entry.stat(follow_symlinks=False).st_mode):
                    raise StrangeFileError(what, place=entry.path, remedy=_TRUST)


def _is_plain(entry: os.DirEntry[str]) -> bool:
    return entry.is_dir(follow_symlinks=False) or entry.is_file(follow_symlinks=False)


def make_private(folder: Path) -> Path:
    """Make a folder of the user's, if it is not there; StrangeFileError if it is a link, or another user's."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = os.lstat(folder)
    if stat.S_ISLNK(found.st_mode) or (_OWNERS and found.st_uid != os.geteuid()):
        remedy = "name another folder with XDG_CACHE_HOME"
        raise StrangeFileError("is a symbolic link or belongs to another user", place=str(folder), remedy=remedy)
    return folder


def user_cache(name: str) -> Path:
    """A folder of the user's cache; errors as of `make_private`."""
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return make_private(make_private(base / "iosq") / name)


def _strange(mode: int) -> str:
    if stat.S_ISLNK(mode):
        return "is a symbolic link"
    return "" if stat.S_ISREG(mode) or stat.S_ISDIR(mode) else "is a pipe, socket or device"


class Files:
    """Looks at many files of a lake; each folder on the way to them once."""

    def __init__(self, lake: Path | str) -> None:
        self._lake, self._folders = str(lake), {""}

    def stat(self, path: str) -> os.stat_result:
        """The `stat` of a file; StrangeFileError if it is not regular, or a folder above it is a link."""
        self._check_folder(path.rpartition("/")[0])
        found = os.lstat(f"{self._lake}/{path}")
        if not stat.S_ISREG(found.st_mode):
            what = _strange(found.st_mode) or "is a folder"
            raise StrangeFileError(what, place=f"{self._lake}/{path}", remedy=_TRUST)
        return found

    def _check_folder(self, folder: str) -> None:
        if folder in self._folders:
            return
        self._check_folder(folder.rpartition("/")[0])
        if what := _strange(os.lstat(f"{self._lake}/{folder}").st_mode):
            raise StrangeFileError(what, place=f"{self._lake}/{folder}", remedy=_TRUST)
        self._folders.add(folder)


def opened(path: Path, flags: int = os.O_RDONLY, mode: str = "rb") -> BinaryIO:
    """A regular file; opening never waits, and never follows a link: StrangeFileError for anything else."""
    with suppress(FileNotFoundError):
        if what := _strange(os.lstat(path).st_mode):
            raise StrangeFileError(what, place=str(path), remedy=_TRUST)
    descriptor = os.open(path, flags | _FILE, 0o666)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):  # it changed meanwhile, or is a folder
        os.close(descriptor)
        raise StrangeFileError("is no regular file", place=str(path), remedy=DOCTOR)
    return os.fdopen(descriptor, mode, buffering=0)  # type: ignore[return-value]


class _Folder(NamedTuple):
    """A folder by its handle, or by its path where the system has no handles."""

    path: str
    handle: int | None

    def at(self, name: str) -> tuple[str, int | None]:
        """A name in it, as calls of the system take it."""
        return (f"{self.path}/{name}", None) if self.handle is None else (name, self.handle)

    def mode(self, name: str) -> int:
        place, handle = self.at(name)
        return os.stat(place, dir_fd=handle, follow_symlinks=False).st_mode

    def names(self) -> list[str]:
        return sorted(os.listdir(self.path if self.handle is None else self.handle))  # noqa: PTH208  a handle

    @contextmanager
    def below(self, name: str) -> "Iterator[_Folder]":
        """A folder in it that is not a link."""
        place, path = self.at(name), f"{self.path}/{name}"
        if what := _strange(self.mode(name)):
            raise StrangeFileError(what, place=path, remedy=_TRUST)
        with _held(*place, path) as found:
            yield found


@contextmanager
def _held(place: str, at: int | None, path: str) -> Iterator[_Folder]:
    handle = os.open(place, _FOLDER, dir_fd=at) if _HANDLES else None
    try:
        yield _Folder(path, handle)
    finally:
        if handle is not None:
            os.close(handle)


@contextmanager
def folder(lake: Path, path: str = "") -> Iterator[_Folder]:
    """A folder below a lake, reached without following a link."""
    place = os.path.realpath(lake)
    if not path:
        with _held(place, None, place) as found:
            yield found
        return
    above, _, name = path.rpartition("/")
    with folder(lake, above) as upper, upper.below(name) as found:
        yield found


def make_folder(lake: Path, path: str) -> list[str]:
    """Make a folder below a lake, and those above it; the folders that have a new name in them."""
    above, _, name = path.rpartition("/")
    grown = make_folder(lake, above) if above else []
    with folder(lake, above) as held:
        place, handle = held.at(name)
        try:
            os.mkdir(place, dir_fd=handle)
        except FileExistsError:
            return grown
    return [*grown, above]


def put(lake: Path, staged: Path, path: str) -> None:
    """Move a file of a stage to its place below the lake; the folders above are there."""
    above, _, name = path.rpartition("/")
    with folder(lake, above) as target:
        place, handle = target.at(name)
        os.replace(staged, place, dst_dir_fd=handle)


def set_aside(lake: Path, path: str) -> None:
    """Rename a foreign object that blocks one of our names below a lake."""
    above, _, name = path.rpartition("/")
    with folder(lake, above) as held:
        taken = set(held.names())
        free = next(n for n in (f"{name}.damaged-{number}" for number in count(1)) if n not in taken)
        (former, handle), (new, _) = held.at(name), held.at(free)
        os.rename(former, new, src_dir_fd=handle, dst_dir_fd=handle)


def remove_file(lake: Path, path: str) -> None:
    """Remove a file of ours below a lake, if it exists; links and other names stay."""
    above, _, name = path.rpartition("/")
    with suppress(FileNotFoundError), folder(lake, above) as held:
        if OWN_FILE.fullmatch(path) and stat.S_ISREG(held.mode(name)):
            place, handle = held.at(name)
            os.unlink(place, dir_fd=handle)


def remove_empty(lake: Path, path: str) -> None:
    """Remove a folder below a lake, and those above it, as far as they are empty."""
    while path:
        above, _, name = path.rpartition("/")
        try:
            with folder(lake, above) as held:
                place, handle = held.at(name)
                os.rmdir(place, dir_fd=handle)
        except OSError:
            return
        path = above


def remove_tree(lake: Path, path: str) -> None:
    """Remove a stage or facts, if they exist; links and names not made by iosq stay."""
    with suppress(FileNotFoundError, NotADirectoryError):
        with folder(lake, path) as held:
            _clear(held)
        remove_empty(lake, path)


def _clear(held: _Folder) -> None:
    for name in held.names():
        if not _TEMPORARY.fullmatch(name):
            continue
        (place, handle), mode = held.at(name), held.mode(name)
        if stat.S_ISREG(mode):
            os.unlink(place, dir_fd=handle)
        elif stat.S_ISDIR(mode):
            with held.below(name) as inner:
                _clear(inner)
            with suppress(OSError):  # the folder holds something else
                os.rmdir(place, dir_fd=handle)


def own_files(lake: Path) -> list[str]:
    """Regular files in a lake's folder that look like those an ingest puts there, by path below it."""
    return sorted(path for path in _walk(str(lake), "", 4) if OWN_FILE.fullmatch(path))


def _walk(lake: str, above: str, levels: int) -> Iterator[str]:
    with suppress(FileNotFoundError, NotADirectoryError), os.scandir(f"{lake}/{above}") as entries:
        for entry in entries:
            if entry.is_file(follow_symlinks=False):
                yield above + entry.name
            elif levels > 1 and entry.is_dir(follow_symlinks=False):
                yield from _walk(lake, f"{above}{entry.name}/", levels - 1)
