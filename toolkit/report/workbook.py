"""The report as a spreadsheet: sheets follow the page, with all rows; charts are on the first sheet."""

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from pathlib import Path

from iosq.toolkit.advise import Finding
from iosq.toolkit.advise.text import expectation
from iosq.toolkit.report import quality
from iosq.toolkit.report.budget import pick
from iosq.toolkit.report.chart import charts, drawn
from iosq.toolkit.report.table import Columns, named, rows_of, tables
from iosq.toolkit.rows import NewRow, grouped
from iosq.toolkit.show import output, stages
from iosq.toolkit.show.book import Book
from iosq.toolkit.show.clock import worded
from iosq.toolkit.show.numbers import rounded
from iosq.toolkit.show.picture import picture
from iosq.toolkit.show.terms import in_cp_terms
from iosq.toolkit.sql.engine import Connection

_DIGITS = 10
# column widths, characters
_WIDE = {"subject": 20, "finding": 60, "details": 60, "what to do": 60, "expect": 40, "confidence": 30, "SQL": 80}
_FINDING = ["rule", "severity", "subject", "finding", "details", "what to do", "expect"]
_FINDING += ["seconds lost a day", "confidence", "SQL"]
Sheet = tuple[str, list[str], Iterable[Sequence[object]]]


def write(con: Connection, path: Path, found: Sequence[Finding], scope: str, utc: bool) -> None:
    """Write the workbook of a lake; `scope`: its data basis in words."""
    terms = in_cp_terms if quality.only_zvm(con) else str
    with output.opened(path) as file, Book(file) as book:
        overview = book.opening("Overview")
        names = [book.sheet("Findings", _FINDING, map(_row, found), _WIDE)]
        for title, headings, rows in _sheets(con, found):
            names.append(book.sheet(terms(title), [terms(worded(heading, utc)) for heading in headings], rows))
        overview([terms(worded(scope, utc)), *(f.text for f in pick(found))], names, _pictures(con, utc))


def _row(f: Finding) -> list[object]:
    texts = [str(f.subject), f.text, f.details, f.advice]
    return [f.code, f.severity, *texts, expectation(f), f.lost_s, f.confidence, f.sql]


def _sheets(con: Connection, findings: Sequence[Finding]) -> Iterator[Sheet]:
    yield from _lcus(con)
    for table in stages.each("tables", tables()):
        yield _sheet(table.title, table.columns, rows_of(con, table, findings))


def _lcus(con: Connection) -> Iterator[Sheet]:
    """A sheet per LCU and system, most lost time first, with all columns of its volumes."""
    table = named("volumes")
    columns = {**table.columns, **table.details}
    of_lcus = (row for row in rows_of(con, table, ()) if row["lcu"])
    for title, rows in grouped(of_lcus, lambda row: f"LCU {row['lcu']} {row['system']}").items():
        yield _sheet(title, columns, rows)


def _sheet(title: str, columns: Columns, rows: Iterable[NewRow]) -> Sheet:
    return title, [head for head, _ in columns.values()], ([steady(row[name]) for name in columns] for row in rows)


def steady(value: object) -> object:
    """A number without the digits that depend on the summation order of threads; other values unchanged."""
    return rounded(value, _DIGITS) if isinstance(value, float | Decimal) else value


def _pictures(con: Connection, utc: bool) -> Iterator[bytes]:
    for chart in stages.each("charts", [c for c in charts() if c.sql]):
        if drawing := drawn(con, chart, utc=utc):
            yield picture(drawing, ".png")
