"""The report as a spreadsheet: findings on the first sheet, then the page's tables with all their rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl
import xlsxwriter
from xlsxwriter.exceptions import FileCreateError

from iosq.toolkit.advise import Finding
from iosq.toolkit.advise import run as find
from iosq.toolkit.advise.engine import Settings
from iosq.toolkit.errors import RequestError
from iosq.toolkit.report import quality
from iosq.toolkit.report.narrowed import Narrowed
from iosq.toolkit.report.page import texts
from iosq.toolkit.report.pick import pick
from iosq.toolkit.report.snapshot import snapshot
from iosq.toolkit.report.table import Table, rows_of, tables
from iosq.toolkit.sql.guard import query

if TYPE_CHECKING:
    import duckdb

# what dumps say must never run as a formula, and the same lake gives the same bytes
_OPTIONS = {"strings_to_formulas": False, "strings_to_urls": False}
_DIGITS = 10
_MADE = datetime(2000, 1, 1, tzinfo=UTC).replace(tzinfo=None)


def write_workbook(
    con: duckdb.DuckDBPyConnection, path: Path, settings: Settings | None = None, part: Narrowed | None = None
) -> list[str]:
    """Write the workbook of a lake and return the text of the findings the page opens with.

    Args:
        con: a lake, from `iosq.toolkit.sql.connect`.
        path: the .xlsx file; replaced if it is there.
        settings: a site's own thresholds by rule and name.
        part: what `con` was narrowed to, and what is found about it; None where it shows all of the lake.

    Raises:
        RequestError: the lake has nothing to report on, or the file can't be written.
    """
    with snapshot(con, texts()) as copy:
        quality.require(copy)
        found = find(copy, settings) if part is None else list(part.found)
        sheets = {"Findings": _findings(found)} | {_name(t.title): _frame(copy, t, found) for t in tables()}
    try:
        with xlsxwriter.Workbook(str(path), _OPTIONS) as book:
            book.set_properties({"created": _MADE})
            for name, frame in sheets.items():
                finite(frame).write_excel(book, name, freeze_panes=(1, 1), autofit=True, float_precision=3)
    except (OSError, FileCreateError) as error:
        raise RequestError(f"can't write the workbook: {error}", place=str(path)) from error
    return [f.text for f in pick(found)]


def finite(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with empty cells for NaN and infinity, which a workbook can't hold.

    Sums over threads differ in their last digits from run to run: numbers keep ten.
    """
    floats = pl.col(pl.Float64)
    return frame.with_columns(pl.when(floats.is_finite()).then(floats.round_sig_figs(_DIGITS)))


def _name(title: str) -> str:
    # a worksheet's name: at most 31 characters, none of these
    return "".join(c for c in title if c not in "[]:*?/\\")[:31]


def _findings(found: Iterable[Finding]) -> pl.DataFrame:
    columns = {
        "rule": pl.String,
        "severity": pl.String,
        "subject": pl.String,
        "finding": pl.String,
        "what to do": pl.String,
        "seconds lost a day": pl.Float64,
        "confidence": pl.String,
        "SQL": pl.String,
    }
    rows = [(f.code, f.severity, str(f.subject), f.text, f.advice, f.lost_s, f.confidence, f.sql) for f in found]
    return pl.DataFrame(rows, schema=columns, orient="row")


def _frame(con: duckdb.DuckDBPyConnection, table: Table, found: Sequence[Finding]) -> pl.DataFrame:
    if table.found:
        # what no row knows is an empty column, not one of no type
        made = pl.DataFrame(rows_of(con, table, found), infer_schema_length=None).cast({pl.Null: pl.String})
        return made.select(_columns(table)) if made.width else pl.DataFrame(schema=list(table.columns.values()))
    frame = pl.from_arrow(query(con, table.sql))
    assert isinstance(frame, pl.DataFrame)
    return frame.select(_columns(table))


def _columns(table: Table) -> list[pl.Expr]:
    return [pl.col(name).alias(head) for name, head in table.columns.items()]
