"""All readers: each folder of `parsers/` with a module `reader` that defines `READER` is one.

`tables()` of the module `tables` next to it gives its raw tables, so that a query loads no reader.
"""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
from collections.abc import Iterator
from functools import cache
from typing import cast

import iosq.parsers
from iosq.parsers.api import Certain, Diagnosing, Reader, Table


@cache
def readers() -> tuple[Reader, ...]:
    """All readers, in the order in which they examine an input."""
    found = (cast(Reader, importlib.import_module(name).READER) for name in _folders("reader"))
    return tuple(sorted(found, key=lambda r: (r.rank, r.kind)))


def _folders(module: str) -> Iterator[str]:
    """The modules of this name in the folders of `parsers/`."""
    for folder in pkgutil.iter_modules(iosq.parsers.__path__):
        name = f"iosq.parsers.{folder.name}.{module}"
        if folder.ispkg and importlib.util.find_spec(name):
            yield name


@cache
def tables() -> dict[str, Table]:
    """Every raw table any reader can fill, by name, in name order; no reader is loaded for it."""
    found = (t for name in _folders("tables") for t in importlib.import_module(name).tables())
    return {t.name: t for t in sorted(found, key=lambda t: t.name)}


def recognise(head: bytes) -> Reader | None:
    """The reader whose kind the first bytes (64 KiB) are, or None."""
    return next((r for r in readers() if r.sniff(head)), None)


def certain(head: bytes) -> bool:
    """True if a reader is sure of its kind: such bytes are not searched for packaging.

    A lenient test is not enough: a stored ZIP member shows the records inside it.
    """
    return any(r.certain(head) for r in readers() if isinstance(r, Certain))


def diagnose(head: bytes) -> str:
    """Explanation of an unrecognised input by any reader; '' if there is none."""
    found = (r.diagnose(head) for r in readers() if isinstance(r, Diagnosing))
    return next((text for text in found if text), "")
