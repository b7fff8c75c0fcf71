"""The report as a spreadsheet: findings first, then the page's tables with all their rows, then a sheet per LCU."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

from iosq.toolkit.advise import Finding
from iosq.toolkit.advise.engine import Settings
from iosq.toolkit.report.absent import only_zvm
from iosq.toolkit.report.opening import pick
from iosq.toolkit.report.scope import Narrowed
from iosq.toolkit.report.scope import findings as findings_of
from iosq.toolkit.report.table import Table, rows_of, tables
from iosq.toolkit.show import output, stages
from iosq.toolkit.show.clock import worded
from iosq.toolkit.show.numbers import rounded
from iosq.toolkit.show.rows import write_book
from iosq.toolkit.show.terms import in_cp_terms

if TYPE_CHECKING:
    from iosq.toolkit.sql.engine import Connection

_DIGITS = 10
_FINDING = ["rule", "severity", "subject", "finding", "what to do", "seconds lost a day", "confidence", "SQL"]


def write_workbook(
    con: Connection,
    path: Path,
    settings: Settings | None = None,
    part: Narrowed | None = None,
    *,
    utc: bool = False,
) -> list[str]:
    """Write the workbook of a lake and return the text of the findings the page opens with.

    Args:
        con: a lake, from `iosq.toolkit.sql.connect`.
        path: the .xlsx file; replaced if it is there.
        settings: a site's own thresholds by rule and name.
        part: what `con` was narrowed to, and what is found about it; None where it shows all of the lake.
        utc: local times of `con` are UTC, and are called so.

    Raises:
        RequestError: the lake has nothing to report on, or the file can't be written.
    """
    findings = findings_of(con, settings, part)
    sheets = {"Findings": _findings(findings)} | {
        t.title: _sheet(con, t, findings) for t in stages.each("tables", tables())
    }
    sheets |= _lcus(con)
    terms = in_cp_terms if only_zvm(con) else str
    sheets = {
        terms(name): ([worded(terms(head), utc) for head in heads], rows) for name, (heads, rows) in sheets.items()
    }
    with output.opened(path) as file:
        write_book(sheets, file)
    return [f.text for f in pick(findings)]


def _findings(findings: Iterable[Finding]) -> tuple[list[str], list[list[object]]]:
    rows = [[f.code, f.severity, str(f.subject), f.text, f.advice, f.lost_s, f.confidence, f.sql] for f in findings]
    return _FINDING, rows


def _lcus(con: Connection) -> dict[str, tuple[list[str], list[list[object]]]]:
    """A sheet per LCU and system, the one that loses most time first: its volumes, with all that is known of each."""
    table = next(t for t in tables() if t.name == "volumes")
    headings = {**table.columns, **table.details}
    sheets: dict[str, tuple[list[str], list[list[object]]]] = {}
    for row in rows_of(con, table, ()):
        if row["lcu"]:
            _, rows = sheets.setdefault(f"LCU {row['lcu']} {row['system']}", (list(headings.values()), []))
            rows.append([steady(row[name]) for name in headings])
    return sheets


def _sheet(con: Connection, table: Table, findings: Sequence[Finding]) -> tuple[list[str], list[list[object]]]:
    rows = [[steady(row[name]) for name in table.columns] for row in rows_of(con, table, findings)]
    return list(table.columns.values()), rows


def steady(value: object) -> object:
    """A number without the digits that depend on the order in which threads add; anything else as it is."""
    return rounded(value, _DIGITS) if isinstance(value, float | Decimal) else value
