"""The report as a spreadsheet: findings on the first sheet, then the page's tables with all their rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import xlsxwriter
from xlsxwriter.exceptions import FileCreateError

from iosq.toolkit.advise import Finding
from iosq.toolkit.advise import run as find
from iosq.toolkit.advise.engine import Settings
from iosq.toolkit.errors import RequestError
from iosq.toolkit.report import quality
from iosq.toolkit.report.page import texts
from iosq.toolkit.report.pick import pick
from iosq.toolkit.report.snapshot import snapshot
from iosq.toolkit.report.table import tables
from iosq.toolkit.sql.guard import query

if TYPE_CHECKING:
    import duckdb

FINDINGS = ("rule", "severity", "subject", "finding", "what to do", "seconds lost a day", "confidence", "SQL")
_WIDTH = 18
# what dumps say must never run as a formula, and the same lake gives the same bytes
_OPTIONS = {"strings_to_formulas": False, "strings_to_urls": False, "default_date_format": "yyyy-mm-dd hh:mm"}
_MADE = datetime(2000, 1, 1, tzinfo=UTC).replace(tzinfo=None)


def write_workbook(con: duckdb.DuckDBPyConnection, path: Path, settings: Settings | None = None) -> list[str]:
    """Write the workbook of a lake and return the text of the findings the page opens with.

    Args:
        con: a lake, from `iosq.toolkit.sql.connect`.
        path: the .xlsx file; replaced if it is there.
        settings: a site's own thresholds by rule and name.

    Raises:
        RequestError: the lake has nothing to report on, or the file can't be written.
    """
    with snapshot(con, texts()) as copy:
        quality.require(copy)
        found = find(copy, settings)
        sheets = [(t.title, list(t.columns.values()), _rows(copy, t.sql, list(t.columns))) for t in tables()]
    try:
        with xlsxwriter.Workbook(str(path), _OPTIONS) as book:
            book.set_properties({"created": _MADE})
            bold = book.add_format({"bold": True, "text_wrap": True, "valign": "top"})
            for title, heads, rows in [("Findings", FINDINGS, _finding_rows(found)), *sheets]:
                _sheet(book.add_worksheet(_name(title)), bold, heads, rows)
    except (OSError, FileCreateError) as error:
        raise RequestError(f"can't write the workbook: {error}", place=str(path)) from error
    return [f.text for f in pick(found)]


def _name(title: str) -> str:
    # a worksheet's name: at most 31 characters, none of these
    return "".join(c for c in title if c not in "[]:*?/\\")[:31]


def _finding_rows(found: Iterable[Finding]) -> list[list[Any]]:
    return [[f.code, f.severity, f.subject, f.text, f.advice, f.lost_s, f.confidence, f.sql] for f in found]


def _rows(con: duckdb.DuckDBPyConnection, sql: str, names: Sequence[str]) -> list[list[Any]]:
    return [[_plain(row[name]) for name in names] for row in query(con, sql).to_pylist()]


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, bool | int | float | str | datetime | date | None):
        return value
    return str(value)


def _sheet(sheet: Any, bold: Any, heads: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    sheet.write_row(0, 0, heads, bold)
    for number, row in enumerate(rows, 1):
        sheet.write_row(number, 0, row)
    sheet.freeze_panes(1, 1)
    sheet.set_column(0, max(len(heads) - 1, 0), _WIDTH)
    sheet.autofilter(0, 0, max(len(rows), 1), max(len(heads) - 1, 0))
