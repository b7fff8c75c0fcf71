"""Query results as a table, CSV, JSON, Parquet or a spreadsheet, to a file or to standard output."""

import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import BinaryIO

from iosq.parsers.registry import tables
from iosq.toolkit.errors import RequestError
from iosq.toolkit.late import pa, pq
from iosq.toolkit.show import output
from iosq.toolkit.show.clock import PRINTED, Clock, Zone
from iosq.toolkit.show.rows import WRITERS, write_table
from iosq.toolkit.sql.catalog import names, views, words
from iosq.toolkit.sql.engine import Connection, Parameters
from iosq.toolkit.sql.guard import rows, stream

# written when all rows are there
WHOLE = ("table", "xlsx")
# Python keeps a value of eight bytes in about fifty, with its place in a row
AS_OBJECTS = 6
BINARY = ("parquet", "xlsx")
FORMATS = ("table", "csv", "json", *BINARY)
ENDINGS = {".csv": "csv", ".json": "json", ".parquet": "parquet", ".txt": "table", ".xlsx": "xlsx"}


def form_of(target: Path | None, asked: str | None = None) -> str:
    """The output format: the requested one, or by the file's extension, or a table on a terminal, otherwise CSV.

    RequestError if there is no such form, the place can't be written (see `output.check`), or letters of a terminal
    would be bytes.
    """
    if asked is not None and asked not in FORMATS:
        raise RequestError(f"there is no format {asked}", remedy=f"choose from {', '.join(FORMATS)}")
    target = target or output.STANDARD_OUTPUT
    output.check(target, () if asked else tuple(ENDINGS))
    live = output.is_standard(target) and sys.stdout.isatty()
    if live and asked in BINARY:
        raise RequestError(f"{asked} is not a text format for a terminal", place="--format", remedy="add -o FILE")
    return asked or ENDINGS.get(target.suffix.lower(), "table" if live else "csv")


def export(
    con: Connection,
    sql: str,
    *,
    form: str = "table",
    target: Path | BinaryIO | None = None,
    parameters: Parameters = (),
    clock: Clock | None = None,
) -> None:
    """Run a read-only query and write its answer.

    Args:
        form: table, csv, json (array of objects; NULL, NaN and infinity become null), parquet or xlsx.
        target: a file to make, an open binary stream, or None for standard output.
        clock: shows instants of a table in local time, and marks those in files whose offset is not known (see
            `clock_of`); None: as they are.

    RequestError if the query is not allowed or does not run, the form is unknown, the file can't be written, or the
    answer has more rows than a worksheet takes. No half-written file is left.
    """
    if form not in FORMATS:
        raise RequestError(f"there is no format {form}", remedy=f"choose from {', '.join(FORMATS)}")
    with _answering(con, sql, parameters, form, clock) as write:
        if target is None or isinstance(target, Path):
            with output.opened(target or output.STANDARD_OUTPUT) as file:
                write(file)
        else:
            write(target)


@contextmanager
def _answering(
    con: Connection, sql: str, parameters: Parameters, form: str, clock: Clock | None
) -> Iterator[Callable[[BinaryIO], None]]:
    """The writer of the answer."""
    named = clock.in_file if clock else str
    if form == "parquet":
        with stream(con, sql, parameters) as reader:
            yield lambda target: _parquet(reader, target, [named(n) for n in reader.schema.names])
        return
    with rows(con, sql, parameters, held=AS_OBJECTS if form in WHOLE else 0) as (heads, found):
        if form == "table" and clock:
            yield lambda target: write_table(heads, found, target, clock.read)
        else:
            yield lambda target: WRITERS[form]([named(n) for n in heads], found, target)


class _Instants:
    """Names of the columns in UTC; columns no field can match skip the lookup in the views."""

    def __contains__(self, name: object) -> bool:
        return str(name).isidentifier() and name in _instants()


@cache
def _instants() -> frozenset[str]:
    return frozenset(c.name for v in views() for c in v.columns if c.unit == "UTC")


# offsets of systems, and whether there are listings with an unknown clock
CLOCK = "SELECT DISTINCT system, utc_offset_s FROM system_clock"
CLOCKLESS = "SELECT 1 AS found FROM listing_clock WHERE utc_offset_s IS NULL LIMIT 1"
LISTED = frozenset({"rmf.listing", "fcx"})  # local times without an offset
EITHER = frozenset({"rmf.xml"})  # some with one
Opened = Callable[[str], Connection]


def clock_of(kinds: Collection[str], opened: Opened, text: str, utc: bool = False, *, moves: bool = True) -> Clock:
    """Columns of a result in UTC, and the offsets of local time.

    `kinds`: of the lake's files. `opened`: opens a connection for a statement. `text`: the statement. `utc`: the reader
    wants UTC. `moves`: instants are to be shown in local time.
    """
    offsets: dict[str, set[int]] = {}
    if moves:
        with rows(opened(CLOCK), CLOCK) as (_, found):
            for system, offset in found:
                offsets.setdefault(system, set()).add(offset)
    known = {system: frozenset(found) for system, found in offsets.items()}
    return Clock(_Instants(), known, utc, _zone_without_offset(opened, text, frozenset(kinds)))


def _zone_without_offset(opened: Opened, text: str, kinds: frozenset[str]) -> Zone:
    """The zone of instants in rows without an offset: raw tables of listings hold them as printed."""
    if kinds.isdisjoint(LISTED | EITHER):
        return "UTC"
    named = words(text)
    viewed, raw = not named.isdisjoint(names()), [t for name, t in tables().items() if name in named]
    printed = [any(c.name == "line" for c in table.columns) for table in raw]
    if kinds.isdisjoint(EITHER) and (kinds <= LISTED or (all(printed) and raw and not viewed)):
        return PRINTED
    if raw and not any(printed) and not viewed:
        return "UTC"
    unclear = any(printed) or kinds <= LISTED | EITHER or _has_rows(opened, CLOCKLESS)
    return "UTC or local as printed" if unclear else "UTC"


def _has_rows(opened: Opened, statement: str) -> bool:
    with rows(opened(statement), statement) as (_, found):
        return next(iter(found), None) is not None


def _parquet(reader: "pa.RecordBatchReader", target: BinaryIO, names: Sequence[str]) -> None:
    schema = pa.schema([f.with_name(name) for f, name in zip(reader.schema, names, strict=True)])
    try:
        with pq.ParquetWriter(target, schema, compression="zstd") as writer:
            for batch in reader:
                writer.write_batch(batch.rename_columns(list(names)))
    except pa.ArrowNotImplementedError as error:
        kinds = ", ".join(sorted({str(f.type) for f in reader.schema}))
        raise RequestError(f"Parquet can't hold one of {kinds}", remedy="CAST the column AS VARCHAR") from error
