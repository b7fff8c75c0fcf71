"""Synchronise Delta tables with a lake: add new data and remove deleted data."""

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
from iosq.toolkit.sql.catalog import View
from iosq.toolkit.sql.dictionary import dictionary, lake_tables, view_list
from iosq.toolkit.sql.raw import FILE_ID

Progress = Callable[[int, int], None]

STRANGE = re.compile(r"[\x00-\x1f\x7f\\\[\]^|\ud800-\udfff]|%[0-9A-Fa-f]{2}")
"""Characters in paths with which the deltalake package fails, or which it decodes because it converts paths to URLs."""


@dataclass(frozen=True, slots=True)
class Exported:
    """Result for one Delta table.

    Attributes:
        table: name of the table.
        rows: number of rows written; a changed metadata table is written whole.
        parts: parts written: file ids of inputs; for a view days, or `all`.
        gone: parts whose rows were removed, because the lake no longer has them or has replaced them.
        is_view: true for a promised view.
    """

    table: str
    rows: int = 0
    parts: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    is_view: bool = False

    @property
    def changed(self) -> bool:
        return bool(self.rows or self.parts or self.gone)


def export(
    lake: Lake, target: str | Path, *, tables: Iterable[api.Table] | None = None, progress: Progress | None = None
) -> list[Exported]:
    """Write a lake's content to Delta tables of the same names, each in one commit; unchanged tables are skipped.

    Raw tables come first, followed by promised views. Metadata tables come last, so that all they list is there. The
    result has each table that the lake or the target has, in the order written. Errors as of `iosq.export_delta`.
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
        own = ds.field(FILE_ID.name).isin(pa.array(fresh, pa.string()))  # a file may also have rows of other inputs
        plain = pa.schema([f.remove_metadata() for f in columns])
        found = ds.dataset(files, schema=plain, format="parquet")
        try:
            delta.bring(found.scanner(filter=own, fragment_readahead=2).to_reader(), fresh, gone)
        except LakeError:
            for path in files:  # check if a file of the lake is the cause, as the package does not name it
                with parquet_errors(Path(path)):
                    pq.read_table(path)
            raise
    return Exported(table.name, sum(stored[i].rows for i in fresh), tuple(fresh), tuple(sorted(gone)))


def _view(place: str, view: View, rows: Promised) -> Exported:
    """Synchronise the Delta table of a promised view; a view without rows gets a table too."""
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
    title, entries = lake_tables()[name]
    meanings = {e.column: e for e in entries}
    fields = [_field(f.name, f.type, meanings[f.name].meaning, meanings[f.name].unit) for f in rows.schema]
    delta = Table(f"{place}/{name}", title, pa.schema(fields))
    if delta.holds(rows):
        return Exported(name)
    delta.replace(rows)
    return Exported(name, rows.num_rows)


def _field(name: str, kind: pa.DataType, meaning: str, unit: str) -> pa.Field:
    """A column with its meaning as a comment, where other engines look for it."""
    return pa.field(name, kind, metadata={"comment": f"{meaning} [{unit}]" if unit else meaning})


def _place(target: str | Path) -> str:
    """The target as a prefix of table names; RequestError if it is no folder outside lakes that the package can use."""
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
