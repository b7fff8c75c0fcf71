"""Rows with columns defined by a query, a file or a record layout, so that their types are dynamic.

If the columns are known, a dataclass replaces such a row.
"""

import csv
import tomllib
from collections.abc import Callable, Hashable, Iterable, Mapping
from importlib.resources import files
from typing import Any, TypeAlias, TypeVar

Row: TypeAlias = Mapping[str, Any]
"""A row by column, or a table of a TOML file by key, to be read."""

NewRow: TypeAlias = dict[str, Any]
"""The same, being made."""

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)


def grouped(items: Iterable[T], key: Callable[[T], K]) -> dict[K, list[T]]:
    """The items of each key, in their order."""
    found: dict[K, list[T]] = {}
    for item in items:
        found.setdefault(key(item), []).append(item)
    return found


def csv_rows(package: str, *path: str) -> list[dict[str, str]]:
    """The lines of a CSV file of a package by the names of its first line."""
    text = files(package).joinpath(*path).read_text("utf-8")
    return list(csv.DictReader(text.splitlines()))


def toml(package: str, *path: str) -> NewRow:
    """The content of a TOML file of a package."""
    return tomllib.loads(files(package).joinpath(*path).read_text("utf-8"))
