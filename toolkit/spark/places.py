"""Inputs in object stores: listed by the driver, and copied by each task while it reads.

pyarrow opens them (`pyarrow.fs`), with the credentials of the store's own environment variables or roles. Spark's
settings of Hadoop file systems are not read.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import Any

import pyarrow as pa
from pyarrow import fs

from iosq.toolkit.errors import RequestError
from iosq.toolkit.spark.message import message

_ADDRESS = re.compile(r"([a-zA-Z][\w+.-]*)://(.*)", re.DOTALL)
_SPELLED = {"s3a": "s3", "s3n": "s3"}  # as Hadoop calls them
_WILD = re.compile(r"[*?\[]")
_CHUNK = 1 << 22
_REMEDY = "pyarrow reads s3, gs, abfss, hdfs and file; are its credentials set?"


def is_address(path: str) -> bool:
    """True if it names something in a store rather than a file of this machine."""
    return _ADDRESS.fullmatch(path) is not None


def listed(address: str) -> list[str]:
    """The files at an address: itself, all of a folder, or those that match a glob; ordered by name.

    Raises:
        RequestError: nothing is there, or the store can't be asked.
    """
    store, path = _opened(address)
    head = address[: -len(path)] if path else address
    try:
        info = store.get_file_info(path)
        if info.type == fs.FileType.File:
            return [address]
        start = path if info.type == fs.FileType.Directory else _folder(path)
        found = store.get_file_info(fs.FileSelector(start, recursive=True, allow_not_found=True))
    except (OSError, pa.ArrowException) as error:
        raise _unreadable(address, error) from error
    files = sorted(f.path for f in found if f.type == fs.FileType.File and not _is_hidden(f.path.removeprefix(start)))
    fitting = files if start == path else [name for name in files if fnmatchcase(name, path)]
    if not fitting:
        raise RequestError("there is no such file or folder, and no file fits", place=address)
    return [f"{head}{name}" for name in fitting]


@contextmanager
def here(path: str) -> Iterator[Path]:
    """The file itself, or a temporary copy of the object at the address.

    Raises:
        RequestError: it can't be copied.
    """
    if not is_address(path):
        yield Path(path)
        return
    store, inside = _opened(path)
    with tempfile.TemporaryDirectory(prefix="iosq-") as folder:
        copy = Path(folder) / PurePosixPath(inside).name
        try:
            with store.open_input_stream(inside, compression=None) as stream, copy.open("wb") as file:
                shutil.copyfileobj(stream, file, _CHUNK)
        except (OSError, pa.ArrowException) as error:
            raise _unreadable(path, error) from error
        yield copy


def _opened(address: str) -> tuple[Any, str]:
    scheme, rest = _ADDRESS.fullmatch(address).groups()  # type: ignore[union-attr]  # who calls has asked
    wild = _WILD.search(rest)
    folder = rest[: wild.start()].rpartition("/")[0] if wild else rest
    known = _SPELLED.get(scheme.lower(), scheme.lower())
    try:
        store, path = fs.FileSystem.from_uri(f"{known}://{folder}")
    except (OSError, pa.ArrowException) as error:
        raise _unreadable(address, error) from error
    return store, f"{path.rstrip('/')}/{rest[len(folder) + 1 :]}" if wild else path


def _folder(path: str) -> str:
    """The folder of all possible matches of a glob."""
    return _WILD.split(path)[0].rpartition("/")[0]


def _is_hidden(path: str) -> bool:
    return any(part.startswith(".") for part in path.split("/"))


def _unreadable(address: str, error: Exception) -> RequestError:
    return RequestError(f"can't be read: {message(error)}", place=address, remedy=_REMEDY)
