"""The report as a workbook: the page's findings and tables, whole, as text and numbers."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest

from iosq.toolkit.errors import RequestError
from iosq.toolkit.report.table import rows_of, tables
from iosq.toolkit.report.workbook import write_workbook


@pytest.fixture(scope="module")
def written(page, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """The workbook of the lake, and the findings it opens with."""
    path = tmp_path_factory.mktemp("workbook") / "report.xlsx"
    return path, write_workbook(page.con, path)


def test_sheets_are_the_findings_and_the_tables(page, written: tuple[Path, list[str]]) -> None:
    path, shown = written
    book = openpyxl.load_workbook(path)
    assert book.sheetnames[0] == "Findings"
    of_tables = book.worksheets[1 : 1 + len(tables())]
    of_lcus = book.worksheets[1 + len(tables()) :]
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
        assert [c.value for c in sheet[1]] == list(table.columns.values())


def test_same_lake_same_bytes(page, written: tuple[Path, list[str]], tmp_path: Path) -> None:
    write_workbook(page.con, tmp_path / "b.xlsx")
    assert written[0].read_bytes() == (tmp_path / "b.xlsx").read_bytes()


def test_a_folder_that_is_not_there_is_named(page, tmp_path: Path) -> None:
    with pytest.raises(RequestError, match=r"nowhere"):
        write_workbook(page.con, tmp_path / "nowhere" / "r.xlsx")
