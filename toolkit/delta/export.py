"""Synchronises Delta tables with a lake: adds new data and removes deleted data."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import cast

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from iosq.parsers import api
from iosq.parsers.arrow import TYPES, schema
from iosq.parsers.registry import tables as registered
from iosq.toolkit.delta.table import Table, delta_errors
from iosq.toolkit.delta.views import PART, Promised, promised
from iosq.toolkit.errors import LakeError, RequestError
from iosq.toolkit.lake import manifest
from iosq.toolkit.lake.disk import parquet_errors
from iosq.toolkit.lake.lake import Lake, Stored
from iosq.toolkit.sql.about import dictionary, view_list
from iosq.toolkit.sql.catalog import View
from iosq.toolkit.sql.dictionary import lake_tables
from iosq.toolkit.sql.raw import FILE_ID

Progress = Callable[[int, int], None]

STRANGE = re.compile(r"[\x00-\x1f\x7f\\\[\]^|\ud800-\udfff]|%[0-9A-Fa-f]{2}")
"""Characters that make the deltalake package fail, or that it decodes: it makes a URL of the path."""


@dataclass(frozen=True, slots=True)
class Exported:
    """Result for one Delta table.

    Attributes:
        table: its name.
        rows: how many were written; of a table about the lake itself all, where anything changed.
        parts: whose rows were written: inputs by file id; of a view days, or `all`.
        gone: parts whose rows were taken away, because the lake has them no more or has others of them.
        is_view: whether it has the rows of a promised view.
    """

    table: str
    rows: int = 0
    parts: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    is_view: bool = False

    @property
    def changed(self) -> bool:
        """True if there was anything to write."""
        return bool(self.rows or self.parts or self.gone)


def export(
    lake: Lake, target: str | Path, *, tables: Iterable[api.Table] | None = None, progress: Progress | None = None
) -> list[Exported]:
    """Write a lake's content into Delta tables of the same names, each in one commit; nothing if unchanged.

    Raw tables, then promised views. The tables about the lake itself come last: what they list is there.

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
    lake.parts()  # damaged files are not exported
    state = lake.state()
    if strange := sorted(state.tables.keys() - known.keys()):
        remedy = "export it with the version of iosq that wrote it"
        raise LakeError(
            f"holds the table {strange[0]}, which this iosq does not know", place=str(lake.path), remedy=remedy
        )
    tasks: list[Callable[[], Exported | None]] = [
        partial(_raw, place, table, state.tables.get(name, {})) for name, table in known.items()
    ]
    if tables is None:
        rows = Promised(lake)
        tasks += [partial(_view, place, view, rows) for view in promised()]
        state.about.update(lake_dictionary=dictionary(known.values()), lake_views=view_list())
    tasks += [partial(_about, place, name, about) for name, about in state.about.items()]
    done: list[Exported | None] = []
    for number, task in enumerate(tasks, 1):
        done.append(task())
        if progress:
            progress(number, len(tasks))
    return [exported for exported in done if exported]


def _raw(place: str, table: api.Table, stored: Mapping[str, Stored]) -> Exported | None:
    """Synchronise the Delta table of a raw table; None if neither side has rows."""
    id_field = _field(FILE_ID.name, pa.string(), FILE_ID.meaning, "")
    kinds = zip(schema(table), table.columns, strict=True)
    columns = pa.schema([id_field, *(_field(f.name, f.type, c.meaning, c.unit) for f, c in kinds)])
    delta = Table(f"{place}/{table.name}", table.title, columns)
    if not stored and not delta.parts():
        return None
    fresh, gone = delta.changes({file_id: rows.digest for file_id, rows in stored.items()})
    if fresh or gone:
        files = list(dict.fromkeys(str(path) for i in fresh for path in stored[i].files))
        own = ds.field(FILE_ID.name).isin(pa.array(fresh, pa.string()))  # a file may hold rows of further inputs
        found = ds.dataset(files, schema=_plain(columns), format="parquet")
        try:
            delta.bring(found.scanner(filter=own, fragment_readahead=2).to_reader(), fresh, gone)
        except LakeError:
            for path in files:  # the cause may be a file of the lake, which the package does not name
                with parquet_errors(Path(path)):
                    pq.read_table(path)
            raise
    return Exported(table.name, sum(stored[i].rows for i in fresh), tuple(fresh), tuple(sorted(gone)))


def _view(place: str, view: View, rows: Promised) -> Exported:
    """Bring the Delta table of a promised view to its rows; one without rows has a table too."""
    fields = [_field(c.name, TYPES[cast("api.ColumnType", c.type.lower())], c.meaning, c.unit) for c in view.columns]
    columns = pa.schema(
        [_field(PART, pa.string(), "UTC day of interval_start, or `all`: written at once", ""), *fields]
    )
    delta = Table(f"{place}/{view.name}", f"{view.title}; {view.grain}", columns, key=PART)
    fresh, gone = delta.changes(rows.parts(view))
    count = 0
    if fresh or gone or not delta.is_there:
        with rows.rows(view, fresh) as found:
            count = delta.bring(found, fresh, gone)
    return Exported(view.name, count, tuple(fresh), tuple(sorted(gone)), is_view=True)


def _about(place: str, name: str, rows: pa.Table) -> Exported:
    """Synchronise a table about the lake itself."""
    title, entries = lake_tables()[name]
    meanings = {e.column: e for e in entries}
    fields = [_field(f.name, f.type, meanings[f.name].meaning, meanings[f.name].unit) for f in rows.schema]
    delta = Table(f"{place}/{name}", title, pa.schema(fields))
    if delta.holds(rows):
        return Exported(name)
    delta.replace(rows)
    return Exported(name, rows.num_rows)


def _plain(columns: pa.Schema) -> pa.Schema:
    return pa.schema([f.remove_metadata() for f in columns])


def _field(name: str, kind: pa.DataType, meaning: str, unit: str) -> pa.Field:
    """A column with its meaning where other engines look for it."""
    return pa.field(name, kind, metadata={"comment": f"{meaning} [{unit}]" if unit else meaning})


def _place(target: str | Path) -> str:
    """The target as a prefix of table names.

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
