"""Work of a cluster's tasks: each reads a file, or a slice of a large unpacked SMF dump; Spark is not imported."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from iosq.parsers.api import Balance, Batch, Issue
from iosq.parsers.arrow import schema
from iosq.parsers.registry import tables
from iosq.parsers.smf.cuts import Part, Slice, context, read_slice, survey
from iosq.parsers.smf.digests import Digests
from iosq.parsers.smf.reader import READER, Notes
from iosq.toolkit.errors import InputError, RequestError
from iosq.toolkit.lake.lake import ABOUT, about_one
from iosq.toolkit.lake.load import Loader, Nowhere
from iosq.toolkit.lake.part import FILE_ID
from iosq.toolkit.lake.progress import Meter
from iosq.toolkit.lake.slices import is_plain_dump
from iosq.toolkit.lake.source import Found, Identity, find, identify
from iosq.toolkit.spark.places import here, is_address, listed

SPLIT_BYTES = 128 << 20
TABLES = "tables"  # the table that lists the others
LISTED = pa.schema([("name", pa.string()), ("title", pa.string())])


@dataclass(frozen=True, slots=True)
class Task:
    """One task: a file, or a slice of it; no path for the list of tables."""

    path: str = ""
    part: Slice | None = None


def schema_of(table: str) -> pa.Schema:
    """The columns a table is read with: a raw table's and `file_id`, or those of a table about the inputs.

    Raises:
        RequestError: there is no such table.
    """
    if table == TABLES:
        return LISTED
    if table in ABOUT:
        return pa.schema(list(ABOUT[table][0].items()))
    known = tables()
    if table not in known:
        what = f"there is no table {table}" if table else "no table is named"
        raise RequestError(what, place="option table", remedy=f"read the table {TABLES!r}, which lists them")
    return schema(known[table]).append(pa.field(FILE_ID, pa.string()))


def plan(paths: Iterable[str], table: str, split_bytes: int = SPLIT_BYTES) -> list[Task]:
    """The tasks that read a table from files, folders and globs: one for each file, several for a large dump.

    A dump is read once to see where it can be cut. One task for each file fills the tables about the inputs.

    Raises:
        RequestError: there is no such table, no file, or one can't be read.
    """
    schema_of(table)
    if table == TABLES:
        return [Task()]
    cut = table in {t.name for t in READER.tables()}
    tasks = [task for path in paths for task in _tasks(path, split_bytes if cut else None)]
    if not tasks:
        raise RequestError("names no file", place="path", remedy="name dumps, folders of them, or a glob that fits")
    return tasks


def _tasks(path: str, split_bytes: int | None) -> Iterator[Task]:
    """Tasks of one path; objects in a store are not split: the driver would have to fetch them."""
    if is_address(path):
        yield from map(Task, listed(path))
        return
    for found in find(_expanded(path)):
        if not found.left_out:
            yield from [Task(str(found.path))] if split_bytes is None else _slices(found, split_bytes)


def _expanded(path: str) -> list[Path]:
    if Path(path).exists():
        return [Path(path)]
    start = Path(Path(path).anchor or ".")
    fitting = sorted(start.glob(path.removeprefix(start.anchor)))
    if not fitting:
        raise RequestError("there is no such file or folder, and no file fits", place=path)
    return fitting


def _slices(found: Found, split_bytes: int) -> list[Task]:
    """The tasks of a file: more than one for an unpacked SMF dump that is larger than a slice."""
    path = found.path
    if found.bytes <= split_bytes or not is_plain_dump(path):
        return [Task(str(path))]
    with path.open("rb", buffering=0) as file:
        wanted = range(split_bytes, found.bytes, split_bytes)
        return [Task(str(path), part) for part in survey(file, wanted)]


def read(task: Task, table: str) -> Iterator[pa.RecordBatch]:
    """The rows of a table that a task finds, in the columns of `schema_of`."""
    if table == TABLES:
        yield from _listed().to_batches()
        return
    with here(task.path) as path:
        yield from _read(task, path, table)


def _read(task: Task, path: Path, table: str) -> Iterator[pa.RecordBatch]:
    identity = identify(path)
    if table in ABOUT:
        yield from _named(_about(path, identity)[table], path, task.path).to_batches()
        return
    form = schema_of(table)
    for batch in _batches(replace(task, path=str(path))):
        if batch.table == table and batch.rows.num_rows:
            ids = pa.repeat(pa.scalar(identity.file_id), batch.rows.num_rows)
            yield batch.rows.append_column(FILE_ID, ids).cast(form)


def _listed() -> pa.Table:
    rows = [(name, table.title) for name, table in tables().items()]
    rows += [(name, "About the inputs") for name in ABOUT]
    return pa.table([pa.array(column, pa.string()) for column in zip(*rows, strict=True)], schema=LISTED)


def _batches(task: Task) -> Iterator[Batch]:
    if task.part is None:
        try:
            yield from _loader().batches(Path(task.path))
        except InputError:
            return  # lake_issues has it
    else:
        with Path(task.path).open("rb", buffering=0) as file:
            stream = Part(file, task.part, task.path)
            items = read_slice(stream, task.part, Balance(), context(task.part.seen), Notes())
            yield from (item for item in items if isinstance(item, Batch))


def _named(rows: pa.Table, path: Path, address: str) -> pa.Table:
    """Texts about a copy, with the address of the original."""
    for place, field in enumerate(rows.schema):
        if pa.types.is_string(field.type) and str(path) != address:
            texts = pc.replace_substring(rows[field.name], str(path), address)
            rows = rows.set_column(place, field, texts)
    return rows


def _loader() -> Loader:
    return Loader(Path(), Nowhere(), Digests(), Meter(None, 0))


def _about(path: Path, identity: Identity) -> dict[str, pa.Table]:
    """The tables about a lake with this input alone; an unreadable input is an issue."""
    loader = _loader()
    try:
        loader.run(path)
    except InputError as error:
        if not any(issue.code == "unreadable" for issue in loader.load.log.rows()):
            loader.load.log.add(Issue("unreadable", "error", str(error)))
    return about_one(loader.load.listed(path, identity))
