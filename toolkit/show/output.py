"""Output of a result: files are replaced atomically, other targets are streamed, `-` is standard output."""

import io
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

from iosq.toolkit.errors import RequestError
from iosq.toolkit.show import stages

STANDARD_OUTPUT = Path("-")
_STANDARD = ("-", "/dev/stdout", "/dev/fd/1")
_SYSTEM = ("/dev/", "/proc/")
MANIFEST = "manifest.sqlite"  # the file that makes a folder a lake
_BEGUN: list[Path] = []  # contains standard output once a result is written there


def is_begun() -> bool:
    """True if a part of a result may be on standard output."""
    return bool(_BEGUN)


def is_standard(path: Path) -> bool:
    """True if a result goes to standard output."""
    return str(path) in _STANDARD


def spoken(path: Path) -> str:
    """The destination of a result, in words."""
    return "standard output" if is_standard(path) else str(path.absolute())


def check(path: Path, endings: Sequence[str] = (), option: str = "-o") -> None:
    """RequestError before the work if its target can't be written, is a folder, or has an unknown extension.

    `endings`: known extensions (".csv"), or empty for any; not checked for pipes, devices and standard output.
    """
    if is_standard(path):
        return
    place = f"{option} {path}"
    if path.is_dir():
        raise RequestError("is a folder", place=place, remedy="name a file in it")
    if _is_special(path):
        if not os.access(path, os.W_OK):
            raise RequestError("can't be written: permission denied", place=place)
        return
    refuse_lake(path, place)
    if endings and path.suffix.lower() not in endings:
        what = f"the ending {path.suffix}" if path.suffix else "a name without ending"
        raise RequestError(f"{what} does not say what to write", place=place, remedy=f"end it in {_either(endings)}")
    folder = _target(path).parent
    if not folder.is_dir():
        raise RequestError(f"can't be written: there is no folder {folder}", place=place, remedy="make it first")
    _check_access(folder, place)


def refuse_lake(path: Path, place: str) -> None:
    """RequestError if a target, with links resolved, is in a lake's folder, whose files belong to the lake."""
    if found := next((f for f in path.resolve().parents if os.path.lexists(f / MANIFEST)), None):
        raise RequestError(f"lies in the lake {found}", place=place, remedy="name a file outside it")


def check_folder(path: Path, what: str) -> None:
    """RequestError before the work if a folder can't be created or written; `what`: the user's name for it.

    It and its parents need not exist.
    """
    if is_standard(path):
        raise RequestError("standard output holds one file, this makes several", place=what, remedy="name a folder")
    existing = next(p for p in (path.absolute(), *path.absolute().parents) if p.exists() or p.is_symlink())
    place = f"{what} {path}"
    refuse_lake(path, place)
    if not existing.is_dir():
        raise RequestError(f"can't be made: {existing} is a file", place=place, remedy="name another")
    _check_access(existing, place)


def _either(endings: Sequence[str]) -> str:
    return " or ".join(filter(None, [", ".join(endings[:-1]), endings[-1]]))


def _check_access(folder: Path, place: str) -> None:
    if not os.access(folder, os.W_OK | os.X_OK):
        raise RequestError(f"can't be written: folder {folder} is write-protected", place=place)


class _Terminal(io.RawIOBase):
    """Standard output on a terminal; the first write ends the display of progress."""

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        stages.quiet()
        return sys.stdout.buffer.write(data)


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """Open a binary file to write a result; RequestError if it can't be written.

    A regular or new file is replaced atomically at the end, so that a kill leaves the old one. For a symbolic link
    its target is replaced. Pipes and devices are written directly.
    """
    try:
        if is_standard(path):
            stages.clear()
            _BEGUN.append(path)
            yield cast("BinaryIO", _Terminal()) if sys.stdout.isatty() else sys.stdout.buffer
            sys.stdout.buffer.flush()
        elif _is_special(path):
            with path.open("wb") as file:
                yield file
        else:
            refuse_lake(path, str(path))
            with _replaced(_target(path)) as file:
                yield file
    except OSError as error:
        if error.errno is None or isinstance(error, BrokenPipeError):  # not a disk error
            raise
        raise RequestError(f"can't be written: {error.strerror}", place=str(path)) from error


@contextmanager
def _replaced(path: Path) -> Iterator[BinaryIO]:
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            part.chmod(path.stat().st_mode & 0o7777)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def write(path: Path, content: str | bytes) -> None:
    """Write a complete result; RequestError if the file can't be written."""
    with opened(path) as file:
        file.write(content if isinstance(content, bytes) else content.encode())


def _target(path: Path) -> Path:
    """The target of a symbolic link; other paths unchanged."""
    return path.resolve() if path.is_symlink() else path


def _is_special(path: Path) -> bool:
    """True for an existing path that is not a regular file, and for paths below /dev and /proc."""
    return (path.exists() and not path.is_file()) or str(path.absolute()).startswith(_SYSTEM)
