"""Brings a set of Delta tables to what a lake holds: what is new is added, what is gone is taken away."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from iosq.parsers import api
from iosq.parsers.arrow import schema
from iosq.parsers.registry import tables as registered
from iosq.toolkit.delta.table import Table, delta_errors
from iosq.toolkit.errors import LakeError, RequestError
from iosq.toolkit.lake import manifest
from iosq.toolkit.lake.lake import Lake, Stored
from iosq.toolkit.sql.dictionary import lake_tables
from iosq.toolkit.sql.raw import FILE_ID

Progress = Callable[[int, int], None]

STRANGE = re.compile(r"[\x00-\x1f\x7f\\\[\]^|\ud800-\udfff]|%[0-9A-Fa-f]{2}")
"""What the deltalake package panics at or reads otherwise in a path: it makes a URL of it."""


@dataclass(frozen=True, slots=True)
class Exported:
    """What became of one Delta table.

    Attributes:
        table: its name.
        rows: how many were written; of a table about the lake itself all, where anything changed.
        inputs: whose rows were written, by file id.
        gone: inputs whose rows were taken away, because the lake has them no more or has others of them.
    """

    table: str
    rows: int = 0
    inputs: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether there was anything to write."""
        return bool(self.rows or self.gone)


def export(
    lake: Lake, target: str | Path, *, tables: Iterable[api.Table] | None = None, progress: Progress | None = None
) -> list[Exported]:
    """Write what a lake holds into Delta tables of the same names, each in one commit; nothing where nothing changed.

    The tables about the lake itself come last: what they list is there.

    Args:
        target: a folder, or the address of one in an object store that the deltalake package knows.
        tables: every raw table there can be.
        progress: called with the number of tables done, and of all tables.

    Returns:
        One per table that the lake or the target has, in the order written.

    Raises:
        LakeError: there is no lake, or a table can't be written; tables before it stay as written.
        RequestError: the package is not installed, or the target can't be one.
    """
    place = _place(target)
    known = {t.name: t for t in (registered().values() if tables is None else tables)}
    lake.parts()  # what is not what was written is not handed on
    state = lake.state()
    if strange := sorted(state.tables.keys() - known.keys()):
        remedy = "export it with the version of iosq that wrote it"
        raise LakeError(
            f"holds the table {strange[0]}, which this iosq does not know", place=str(lake.path), remedy=remedy
        )
    done: list[Exported | None] = []
    for number, name in enumerate([*known, *state.about]):
        if name in state.about:
            done.append(_about(f"{place}/{name}", name, state.about[name]))
        else:
            done.append(_raw(f"{place}/{name}", known[name], state.tables.get(name, {})))
        if progress:
            progress(number + 1, len(known) + len(state.about))
    return [exported for exported in done if exported]


def _raw(place: str, table: api.Table, stored: Mapping[str, Stored]) -> Exported | None:
    """Bring the Delta table of a raw table to what the lake holds; None if neither has rows."""
    id_field = _field(FILE_ID.name, pa.string(), FILE_ID.meaning, "")
    kinds = zip(schema(table), table.columns, strict=True)
    columns = pa.schema([id_field, *(_field(f.name, f.type, c.meaning, c.unit) for f, c in kinds)])
    delta = Table(place, table.title, columns)
    held = delta.inputs()
    if not held and not stored:
        return None
    fresh = {i: s for i, s in stored.items() if i not in held or delta.digest(i) != s.digest}
    gone = held - (stored.keys() - fresh.keys())
    if fresh or gone:
        delta.bring(fresh, gone)
    return Exported(table.name, sum(s.rows for s in fresh.values()), tuple(fresh), tuple(sorted(gone)))


def _about(place: str, name: str, rows: pa.Table) -> Exported:
    """Bring a table about the lake itself to what it says."""
    title, entries = lake_tables()[name]
    meanings = {e.column: e for e in entries}
    fields = [_field(f.name, f.type, meanings[f.name].meaning, meanings[f.name].unit) for f in rows.schema]
    delta = Table(place, title, pa.schema(fields))
    if delta.holds(rows):
        return Exported(name)
    delta.replace(rows)
    return Exported(name, rows.num_rows)


def _field(name: str, kind: pa.DataType, meaning: str, unit: str) -> pa.Field:
    """A column with its meaning where other engines look for it."""
    return pa.field(name, kind, metadata={"comment": f"{meaning} [{unit}]" if unit else meaning})


def _place(target: str | Path) -> str:
    """The target as tables' names are put behind it.

    Raises:
        RequestError: it is a file, a lake, or inside one, or called what the package takes for another place.
    """
    with delta_errors(str(target)):
        pass
    text = str(target)
    if "://" in text:
        return text.rstrip("/")
    path = Path(target)
    if path.exists() and not path.is_dir():
        raise RequestError("is a file, not a folder", place=text, remedy="name a folder for the tables")
    if any((folder / manifest.NAME).exists() for folder in (path, *path.resolve().parents)):
        raise RequestError("is a lake or lies in one", place=text, remedy="name another folder")
    if found := STRANGE.search(path.absolute().as_posix()):
        what = f"lies in a folder with {found[0]!r} in its name, which the deltalake package can't write to"
        raise RequestError(what, place=text, remedy="name another folder")
    return path.as_posix()
