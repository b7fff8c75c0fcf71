"""Names that try to act, through every way out: the page, charts, worksheets, CSV, JSON, the terminal, files.

`RUN` in the table stands for code that would betray itself.
"""

import csv
import io
import json
from pathlib import Path
from xml.etree import ElementTree

import altair as alt
import openpyxl
import pytest
from advise_rows import database, volume
from chromium import body, dom, needs_browser

from iosq.toolkit.errors import RequestError
from iosq.toolkit.lake.partition import Partition
from iosq.toolkit.report.write import write
from iosq.toolkit.show import output, rows, table, terminal
from iosq.toolkit.show.book import Book
from iosq.toolkit.show.picture import picture
from iosq.toolkit.show.theme import finished
from iosq.toolkit.show.values import dumps

HERE = Path(__file__).parent
RUN = "top.postMessage('ran','*')"
with (HERE / "names.csv").open(encoding="utf-8", newline="") as table_file:
    NAMES = [json.loads(row["text_json"]).replace("RUN", RUN) for row in csv.DictReader(table_file)]
RUNS_IN_A_SHEET = ("=", "+", "-", "@", "\t", "\r")
FRAMES = """<!DOCTYPE html><html><body data-ran="0" data-loaded="0"><script>
addEventListener("message", e => { if (e.data === "ran") document.body.dataset.ran++ })
function loaded() { document.body.dataset.loaded++ }
</script>FRAMES</body></html>"""


def _cells() -> list[list[object]]:
    return [[text, number, -1.5] for number, text in enumerate(NAMES)]


def _written(form: str) -> bytes:
    target = io.BytesIO()
    rows.WRITERS[form](["name", "number", "=heading"], _cells(), target)
    return target.getvalue()


def _chart() -> alt.Chart:
    data = [{"name": text, "number": number, "href": text} for number, text in enumerate(NAMES) if text]
    bars = alt.Chart(alt.InlineData(values=data)).mark_bar()
    drawn = bars.encode(x="number:Q", y="name:N", tooltip=["name:N", "href:N"], color="href:N")
    return finished(drawn, " ".join(NAMES[:6]), *NAMES[6:12])


def test_the_table_covers_what_it_should() -> None:
    whole = "".join(NAMES)
    assert all(any(text.startswith(sign) for text in NAMES) for sign in RUNS_IN_A_SHEET)
    assert {"\x1b", "\x9b", "\x07", "\x00", "\u202e", "\u2066", "</script>", "onerror", "../"} <= {
        part for part in ("\x1b", "\x9b", "\x07", "\x00", "\u202e", "\u2066", "</script>", "onerror", "../")
        if part in whole
    }  # fmt: skip


def test_csv_holds_every_name_and_no_formula() -> None:
    read = list(csv.reader(io.StringIO(_written("csv").decode(), newline="")))[1:]
    assert [row[0].removeprefix("'") if row[0].startswith("'") else row[0] for row in read] == [
        text.removeprefix("'") for text in NAMES
    ]
    assert not [row[0] for row in read if row[0].startswith(RUNS_IN_A_SHEET)]
    assert all(row[2] == "-1.5" for row in read)
    assert _written("csv").startswith(b"name,number,'=heading\n")


def test_a_worksheet_holds_text_and_no_formula_or_link() -> None:
    target = io.BytesIO()
    with Book(target) as written:
        for title, names, cells in [*((text, ["name"], [[text]]) for text in NAMES), ("=1", ["a", "b", "c"], _cells())]:
            written.sheet(title, names, cells, {names[0]: 20})
    book = openpyxl.load_workbook(io.BytesIO(target.getvalue()))
    cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row if isinstance(cell.value, str)]
    assert len(cells) > len(NAMES)
    assert {cell.data_type for cell in cells} == {"s"}
    assert not [cell for cell in cells if cell.hyperlink]


@pytest.mark.parametrize("form", ["table", "json"])
def test_text_forms_hold_one_row_a_line(form: str) -> None:
    made = _written(form).decode()
    assert all(line.isprintable() for line in made.split("\n"))
    if form == "json":
        assert [row["name"] for row in json.loads(made)] == NAMES


@pytest.mark.parametrize("text", NAMES, ids=range(len(NAMES)))
def test_nothing_reaches_a_terminal_that_acts(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    terminal.echo(text)
    terminal.echo(str(RequestError(text, place=text, remedy=text)), err=True)
    terminal.echo(table.text(table.grid([text], [[text]])))
    terminal.echo(dumps([text], 1))
    for stream in capsys.readouterr():
        assert all(line.isprintable() for line in stream.split("\n"))


@pytest.mark.parametrize("text", NAMES, ids=range(len(NAMES)))
def test_a_name_is_one_folder(text: str) -> None:
    folder = Partition(text, None).folder
    assert folder.count("/") == 1
    assert ".." not in folder.partition("/")[0].split("=")[1][:2] or "%" in folder
    assert len(folder.encode()) < 255
    assert folder.isascii()


def test_a_chart_is_one_picture_whatever_its_names() -> None:
    made = picture(_chart(), ".svg")
    tree = ElementTree.fromstring(made)
    tags = {element.tag.rpartition("}")[2] for element in tree.iter()}
    assert not tags & {"script", "a", "foreignObject", "iframe", "image", "style"}
    attributes = {name for element in tree.iter() for name in element.attrib}
    assert not [name for name in attributes if name.startswith("on") or name.endswith("href")]
    html = picture(_chart(), ".html").decode()
    assert html.count("</script>") == 2, "the two scripts of the page itself"
    plain = picture(finished(alt.Chart(alt.InlineData(values=[])).mark_bar(), "a"), ".html").decode()
    assert html.count("<") == plain.count("<"), "no name is a tag"


@pytest.mark.page
@needs_browser
def test_no_script_runs_in_the_page_or_in_a_chart(tmp_path: Path) -> None:
    hostile = [text for text in NAMES if text.strip()]
    given = [volume(n % 3, text, wait=1.0 + n, lcu=text[:40], system=text[:8]) for n, text in enumerate(hostile)]
    write(database(volume_interval=given), tmp_path / "page.html")
    output.write(tmp_path / "chart.html", picture(_chart(), ".html"))
    # a page of its own without a policy: what runs in it is known to be seen
    (tmp_path / "seen.html").write_text(f"<script>{RUN}</script>", "utf-8")
    frames = "".join(f'<iframe src="{name}.html" onload="loaded()"></iframe>' for name in ("page", "chart", "seen"))
    (tmp_path / "all.html").write_text(FRAMES.replace("FRAMES", frames), "utf-8")
    seen = body(dom(tmp_path / "all.html", tmp_path / "profile"))
    assert (seen["loaded"], seen["ran"]) == ("3", "1"), "only the one that is meant to"
