"""The report as a workbook: the page's findings and tables, whole, as text and numbers."""

import io
import zipfile
from pathlib import Path

import openpyxl
import pytest

from iosq.toolkit.errors import RequestError
from iosq.toolkit.report.chart import charts
from iosq.toolkit.report.table import rows_of, tables
from iosq.toolkit.report.write import write
from iosq.toolkit.show.book import NAME, Book
from tests.once import KEPT


@pytest.fixture(scope="module")
def written(page, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """The workbook of the lake, and the findings it opens with."""
    path = tmp_path_factory.mktemp("workbook") / "report.xlsx"
    return path, write(page.con, path, "xlsx")


def test_sheets_follow_the_page(page, written: tuple[Path, list[str]]) -> None:
    path, shown = written
    book = openpyxl.load_workbook(path)
    assert book.sheetnames[:2] == ["Overview", "Findings"]
    of_lcus, of_tables = book.worksheets[2 : -len(tables())], book.worksheets[-len(tables()) :]
    assert {sheet.title for sheet in of_lcus} >= {"LCU 0011 SYSA", "LCU 0012 SYSB"}
    volumes = [row[0] for sheet in of_lcus for row in sheet.iter_rows(min_row=2, values_only=True)]
    assert len(volumes) == book["Volumes that lose most time"].max_row - 1
    texts = [row[3] for row in book["Findings"].iter_rows(min_row=2, values_only=True)]
    assert set(shown) <= set(texts)
    found = page.found
    for table, sheet in zip(tables(), of_tables, strict=True):
        rows = len(rows_of(page.con, table, found))
        assert sheet.max_row - 1 == rows, table.name
        assert rows > 0, table.name
        assert [c.value for c in sheet[1]] == [heading for heading, _ in table.columns.values()]


def test_the_overview_has_the_charts_of_the_page_and_leads_to_every_sheet(written: tuple[Path, list[str]]) -> None:
    path, shown = written
    with zipfile.ZipFile(path) as parts:
        pictures = [name for name in parts.namelist() if name.startswith("xl/media/")]
    assert len(pictures) == sum(bool(chart.sql) for chart in charts())
    book = openpyxl.load_workbook(path)
    cells = [cell for (cell,) in book["Overview"].iter_rows() if cell.value]
    assert [cell.value for cell in cells[1 : 1 + len(shown)]] == shown
    assert [cell.hyperlink.location for cell in cells[1 + len(shown) :]] == [f"'{n}'!A1" for n in book.sheetnames[1:]]


def test_rows_can_be_filtered_and_findings_wrap(written: tuple[Path, list[str]]) -> None:
    sheets = openpyxl.load_workbook(written[0]).worksheets[1:]
    assert all(sheet.auto_filter.ref == sheet.dimensions for sheet in sheets)
    assert sheets[0]["D2"].alignment.wrap_text and sheets[0].row_dimensions[2].height >= 30


@pytest.mark.parametrize(
    ("value", "form"),
    [(1234.5, "#,##0"), (99.96, "#,##0"), (99.9, "#,##0.0"), (-1.25, "#,##0.00"), (0.0123, "#,##0.0000"),
     (3e-12, "#,##0.000000"), (0.0, "General"), (7, "General")],
)  # fmt: skip
def test_numbers_show_three_significant_digits_and_keep_all(value: float, form: str) -> None:
    target = io.BytesIO()
    with Book(target) as book:
        book.sheet("numbers", ["n"], [[value]])
    cell = openpyxl.load_workbook(io.BytesIO(target.getvalue())).active["A2"]
    assert (cell.value, cell.number_format) == (value, form)


def test_no_name_of_a_sheet_is_cut() -> None:
    assert [table.title for table in tables() if len(table.title) > NAME] == []


def test_same_lake_same_bytes(page, written: tuple[Path, list[str]], tmp_path: Path) -> None:
    KEPT.clear()
    write(page.con, tmp_path / "b.xlsx", "xlsx")
    assert written[0].read_bytes() == (tmp_path / "b.xlsx").read_bytes()


def test_a_folder_that_is_not_there_is_named(page, tmp_path: Path) -> None:
    with pytest.raises(RequestError, match=r"nowhere"):
        write(page.con, tmp_path / "nowhere" / "r.xlsx", "xlsx")
