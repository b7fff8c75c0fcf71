"""Answers to queries as a table for people, CSV, JSON, Parquet or a spreadsheet, to a file or to standard output."""

from __future__ import annotations

import csv
import datetime as dt
import decimal
import io
import json
import math
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Literal

import duckdb

from iosq.toolkit.errors import RequestError
from iosq.toolkit.sql.guard import Parameters, stream

SHEET_ROWS = 1_048_575  # rows of a worksheet less the heading
_SHEET_YEAR = 1900  # a worksheet has no days before it, and a wrong one in it
_SHEET_OPTIONS = {
    "in_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "default_date_format": "yyyy-mm-dd hh:mm:ss",
}


def _plain(value: Any) -> Any:
    """A value as JSON can carry it: instants as ISO 8601, no NaN and no infinity (both null)."""
    if isinstance(value, decimal.Decimal):  # DuckDB's sum of whole numbers is one
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dt.datetime | dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    return value if isinstance(value, bool | int | float | str | None) else str(value)


def _rows(reader: Any) -> Iterator[list[Any]]:
    """Rows of a reader as lists of plain values, batch by batch."""
    for batch in reader:
        for row in zip(*(c.to_pylist() for c in batch.columns), strict=True):
            yield [_plain(v) for v in row]


def _text(target: BinaryIO) -> io.TextIOWrapper:
    return io.TextIOWrapper(target, encoding="utf-8", newline="", write_through=True)


def _csv(reader: Any, target: BinaryIO) -> None:
    text = _text(target)
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(reader.schema.names)
    writer.writerows([_field(v) for v in row] for row in _rows(reader))
    text.detach()


def _field(value: Any) -> Any:
    """A value as a field of CSV: nothing for NULL, true and false and nested values as in JSON."""
    if value is None:
        return ""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, bool | dict | list) else value


def _json(reader: Any, target: BinaryIO) -> None:
    text, names = _text(target), reader.schema.names
    before = "[\n"
    for row in _rows(reader):
        text.write(before + json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=False, allow_nan=False))
        before = ",\n"
    text.write("[]\n" if before == "[\n" else "\n]\n")
    text.detach()


def _parquet(reader: Any, target: BinaryIO) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetWriter(target, reader.schema, compression="zstd") as writer:
            for batch in reader:
                writer.write_batch(batch)
    except pa.ArrowNotImplementedError as error:
        kinds = ", ".join(sorted({str(f.type) for f in reader.schema}))
        raise RequestError(f"Parquet can't hold one of {kinds}", remedy="CAST the column AS VARCHAR") from error


def _sheet(reader: Any, target: BinaryIO) -> None:
    import xlsxwriter

    book = xlsxwriter.Workbook(target, _SHEET_OPTIONS)
    sheet = book.add_worksheet("iosq")
    sheet.write_row(0, 0, reader.schema.names, book.add_format({"bold": True}))
    sheet.freeze_panes(1, 0)
    number = 0
    for batch in reader:
        for row in zip(*(c.to_pylist() for c in batch.columns), strict=True):
            number += 1
            if number > SHEET_ROWS:
                raise RequestError(
                    f"more than {SHEET_ROWS:,} rows do not fit a worksheet", remedy="add a LIMIT or use parquet or csv"
                )
            sheet.write_row(number, 0, [_cell(v) for v in row])
    book.close()


def _cell(value: Any) -> Any:
    """A value as a worksheet cell: instants stay instants, everything else as in JSON."""
    if isinstance(value, dt.datetime | dt.date) and value.year > _SHEET_YEAR:
        return value
    plain = _plain(value)
    return json.dumps(plain) if isinstance(plain, dict | list) else plain


def _shown(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) and abs(value) < 10_000 else str(value)


def _table(reader: Any, target: BinaryIO) -> None:
    from rich.console import Console
    from rich.table import Table

    grid = Table(box=None, header_style="bold", pad_edge=False)
    for field in reader.schema:
        right = str(field.type) not in ("string", "bool")
        grid.add_column(field.name, justify="right" if right else "left", no_wrap=True)
    for row in _rows(reader):
        grid.add_row(*(_shown(v) for v in row))
    text = _text(target)
    # NO_COLOR asks for no escape codes at all, bold headings included
    live = target is getattr(sys.stdout, "buffer", None) and sys.stdout.isatty()
    # a pipe or file must not lose columns to an assumed screen width
    colors: Literal["auto"] | None = "auto" if live and not os.environ.get("NO_COLOR") else None
    Console(file=text, width=None if live else 10_000, color_system=colors).print(grid)
    text.detach()


_WRITERS: dict[str, Callable[[Any, BinaryIO], None]] = {
    "table": _table,
    "csv": _csv,
    "json": _json,
    "parquet": _parquet,
    "xlsx": _sheet,
}
FORMATS = tuple(_WRITERS)


def export(
    con: duckdb.DuckDBPyConnection,
    sql: str,
    *,
    form: str = "table",
    target: Path | BinaryIO | None = None,
    parameters: Parameters = (),
) -> None:
    """Run a read-only query and write its answer.

    Args:
        con: from `connect`.
        sql: one SELECT-like statement.
        form: table, csv, json (array of objects; NULL, NaN and infinity become null), parquet or xlsx.
        target: a file to make, an open binary stream, or None for standard output.
        parameters: values for the `?` or `$name` in the statement.

    Raises:
        RequestError: the query is not allowed or does not run, the form is unknown, the file can't be written,
            or the answer has more rows than a worksheet takes. No half-written file is left.
    """
    if form not in _WRITERS:
        raise RequestError(f"there is no format {form}", remedy=f"choose from {', '.join(FORMATS)}")
    with stream(con, sql, parameters) as reader:
        if isinstance(target, Path):
            _to_file(_WRITERS[form], reader, target)
        else:
            _WRITERS[form](reader, target or sys.stdout.buffer)


def _to_file(writer: Callable[[Any, BinaryIO], None], reader: Any, path: Path) -> None:
    part = path.with_name(f".{path.name}.part")
    try:
        with part.open("wb") as file:
            writer(reader, file)
        part.replace(path)
    except OSError as error:
        if error.errno is None:  # not the disk: see `guard`
            raise
        raise RequestError(f"can't be written: {error.strerror}", place=str(path)) from error
    finally:
        part.unlink(missing_ok=True)
