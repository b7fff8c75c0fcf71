"""Input of an ingest: files found under the given paths, and the streams inside them."""

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import xxhash

from iosq.parsers import packaging
from iosq.parsers.api import Reader
from iosq.parsers.registry import certain
from iosq.toolkit.errors import InputError

HEAD_BYTES = 65_536  # bytes that a reader may inspect to recognise its kind
HASH_CHUNK = 1 << 20
ID_DIGITS = 16


Recognise = Callable[[bytes], Reader | None]


def members(path: Path, unpack_limit_bytes: int | None = None) -> Iterator[packaging.Member]:
    """The streams inside a file; `unpack_limit_bytes` is the most that may come out (None: see `packaging.unpack`)."""
    return packaging.unpack(path, unpack_limit_bytes, looks_like_payload=certain)


@dataclass(frozen=True, slots=True)
class Found:
    """A file to ingest, or one left out or refused and why; `named` by the user, or met in a folder."""

    path: Path
    bytes: int = 0
    left_out: str = ""
    named: bool = True
    refused: str = ""


def find(paths: Iterable[Path], lake: Path | None = None) -> Iterator[Found]:
    """Every file named or lying in a named folder, folders in name order; the lake itself is none."""
    for path in paths:
        if path.is_dir():
            inside = list(_walk(path, lake.resolve() if lake else None))
            yield from inside or [Found(path, refused="holds no files")]
        else:
            yield _look(path)


def _walk(folder: Path, lake: Path | None) -> Iterator[Found]:
    try:
        paths = sorted(folder.iterdir())
    except OSError as error:
        yield Found(folder, refused=f"can't be read: {error.strerror}")
        return
    for path in paths:
        if path.name.startswith("."):
            yield Found(path, left_out="hidden; name it itself if it is wanted")
        elif path.is_dir() and not path.is_symlink():
            if path.resolve() != lake:
                yield from _walk(path, lake)
        else:
            yield replace(_look(path), named=False)


def _look(path: Path) -> Found:
    try:
        status = path.stat()
    except OSError:
        return Found(path)  # opening it gives the reason
    if not stat.S_ISREG(status.st_mode):
        return Found(path, left_out="not a regular file")
    return Found(path, status.st_size)


@dataclass(frozen=True, slots=True)
class Identity:
    """Identity of a file's content, and a state that detects later writes."""

    hash: str
    bytes: int
    state: tuple[int, int, int]

    @property
    def file_id(self) -> str:
        return self.hash[:ID_DIGITS]


def identify(path: Path, tick: Callable[[], None] = lambda: None) -> Identity:
    """Read the file once to identify it by its content.

    XXH3 with 128 bits: there is no gain in a forged dump that looks like another one, and SHA-256 took a third of an
    ingest where the processor has no instructions for it.
    """
    digest, size = xxhash.xxh3_128(), 0
    with path.open("rb", buffering=0) as file:
        state = state_of(os.fstat(file.fileno()))
        while chunk := file.read(HASH_CHUNK):
            digest.update(chunk)
            size += len(chunk)
            tick()
    return Identity(digest.hexdigest(), size, state)


def check_unchanged(path: Path, identity: Identity) -> None:
    """Raise an InputError if the file was written to since it was identified."""
    if state_of(path.stat()) != identity.state:
        raise InputError("changed while it was read", place=str(path), remedy="ingest it again when it is complete")


def state_of(status: os.stat_result) -> tuple[int, int, int]:
    """Attributes that change when a file is written or replaced: inode, bytes, time of last change in ns."""
    return status.st_ino, status.st_size, status.st_mtime_ns
