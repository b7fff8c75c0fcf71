"""All readers: each folder of `parsers/` with a module `reader` that defines `READER` is one.

`tables()` of the module `tables` next to it lists its raw tables, so that a query loads no reader.
"""

import importlib
import importlib.util
import pkgutil
from collections.abc import Iterator
from functools import cache
from typing import cast

import iosq.parsers
from iosq.parsers.api import Reader, Table


@cache
def readers() -> tuple[Reader, ...]:
    """All readers, in the order in which they test an input."""
    found = (cast(Reader, importlib.import_module(name).READER) for name in _folders("reader"))
    return tuple(sorted(found, key=lambda r: (r.rank, r.kind)))


def _folders(module: str) -> Iterator[str]:
    """Full names of the modules called `module` in the folders of `parsers/`."""
    for folder in pkgutil.iter_modules(iosq.parsers.__path__):
        name = f"iosq.parsers.{folder.name}.{module}"
        if folder.ispkg and importlib.util.find_spec(name):
            yield name


@cache
def tables() -> dict[str, Table]:
    """Every raw table that a reader can fill, by name, sorted by name; loads no reader."""
    found = (t for name in _folders("tables") for t in importlib.import_module(name).tables())
    return {t.name: t for t in sorted(found, key=lambda t: t.name)}


def recognise(head: bytes) -> Reader | None:
    """The reader that recognises an input by its first 64 KiB, or None."""
    return next((r for r in readers() if r.sniff(head)), None)


def certain(head: bytes) -> bool:
    """True if the input can only be a reader's kind: it is not searched for packaging then.

    A lenient test is not enough: the records in a stored ZIP member are visible from outside.
    """
    return any(r.certain(head) for r in readers())


def diagnose(head: bytes) -> str:
    """The first reader's explanation of an unrecognised input; '' if there is none."""
    return next((text for r in readers() if (text := r.diagnose(head))), "")
