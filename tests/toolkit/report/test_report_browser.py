"""The page as a browser shows it: drawn, without errors, offline, in every width and on paper."""

from __future__ import annotations

import re
import struct
import zlib
from pathlib import Path

import pytest
from advise_rows import at, database, volume
from chromium import body, browse, dom, needs_browser
from conftest import Page

from iosq.toolkit.report import charts, write

pytestmark = [pytest.mark.page, needs_browser]


@pytest.fixture(scope="module")
def drawn(page: Page, tmp_path_factory: pytest.TempPathFactory) -> str:
    return dom(page.path, tmp_path_factory.mktemp("profile"))


def test_every_chart_is_drawn_and_nothing_fails(drawn: str) -> None:
    own = [c for c in charts() if c.sql]
    # two of the five findings predict what aliases would do
    assert body(drawn) == {"charts": str(len(own) + 2), "errors": "0", "first-error": ""}
    assert drawn.count("<svg") == len(own) + 2
    for chart in own:
        figure = re.search(rf'<figure id="{chart.name}">.*?</figure>', drawn, re.DOTALL)
        assert figure
        marks = re.findall(r'class="mark-(?:rect|line|area|symbol) role-mark[^>]*>.*?</g>', figure[0], re.DOTALL)
        assert sum(m.count("<path") for m in marks) >= 4, chart.name


def test_axes_carry_units_and_local_time(drawn: str) -> None:
    for title in ("response time per I/O, ms", "I/Os per s, mean over the span", "read hits per read"):
        assert f">{title}</text>" in drawn
    assert drawn.count(">local time, 2025-11-18</text>") == 5


def test_no_zone_of_a_reader_moves_the_time_axis(tmp_path: Path) -> None:
    # the hour from 02:00 on does not exist on this day in New York
    begin = at(0).replace(day=8, hour=1)
    rows = [volume(0, interval_start=begin + n * (at(1) - at(0)), utc_offset_s=0) for n in range(8)]
    write(database(volume_interval=rows), tmp_path / "r.html")
    document = dom(tmp_path / "r.html", tmp_path / "profile", zone="America/New_York")
    labels = re.findall(r">(\d\d:\d\d)</text>", document)
    assert {"01:00", "02:00", "02:30", "03:00"} <= set(labels)
    assert "04:00" not in labels


def _sized(png: bytes) -> tuple[int, int]:
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def _rows(png: bytes) -> list[bytes]:
    """The pixel rows of an 8-bit RGB(A) picture, still filtered; enough to tell drawn rows from blank ones."""
    width, height = _sized(png)
    chunks, place = b"", 8
    while place < len(png):
        length, kind = struct.unpack(">I4s", png[place : place + 8])
        chunks += png[place + 8 : place + 8 + length] if kind == b"IDAT" else b""
        place += 12 + length
    data = zlib.decompress(chunks)
    step = len(data) // height
    assert step > width
    return [data[n * step + 1 : (n + 1) * step] for n in range(height)]


def test_the_page_can_be_looked_at(page: Page, tmp_path: Path) -> None:
    target = tmp_path / "shot.png"
    browse(page.path, tmp_path / "profile", "--window-size=1280,3000", f"--screenshot={target}")
    png = target.read_bytes()
    assert _sized(png) == (1280, 3000)
    assert sum(any(row) for row in _rows(png)) > 1500


def test_the_page_prints(page: Page, tmp_path: Path) -> None:
    target = tmp_path / "page.pdf"
    browse(page.path, tmp_path / "profile", f"--print-to-pdf={target}", "--no-pdf-header-footer")
    pdf = target.read_bytes()
    assert pdf.startswith(b"%PDF")
    assert 5 <= len(re.findall(rb"/Type\s*/Page\b", pdf)) <= 25


CLICK = """<script>addEventListener("load", () => setTimeout(() => {
  const section = document.querySelector("#table-volumes").parentNode;
  const button = [...section.querySelectorAll("th button")].find((b) => b.textContent.startsWith("Response"));
  const seen = () => [...section.querySelectorAll("tbody tr")].map((r) => r.cells[6].dataset.v).join(" ");
  const said = document.body.dataset;
  button.click(); said.down = seen(); button.click(); said.up = seen();
  said.aria = button.parentNode.getAttribute("aria-sort");
  said.view = document.documentElement.clientWidth; said.wide = document.documentElement.scrollWidth;
}, 2000));</script>
</body>
</html>"""


def test_a_phone_shows_the_page_and_a_click_sorts(page: Page, tmp_path: Path) -> None:
    clicked = tmp_path / "clicked.html"
    assert page.html.count("</body>\n</html>") == 1
    clicked.write_text(page.html.replace("</body>\n</html>", CLICK), "utf-8")
    seen = body(dom(clicked, tmp_path / "profile", "--window-size=390,3000"))
    assert int(seen["wide"]) <= int(seen["view"]) <= 500
    down = [float(v) for v in seen["down"].split()]
    assert len(down) == 50
    assert down == sorted(down, reverse=True)
    assert [float(v) for v in seen["up"].split()] == sorted(down)
    assert seen["aria"] == "ascending"


def test_hostile_names_are_text_in_a_browser_too(tmp_path: Path) -> None:
    names = ["<B>&\"'", "</script><script>boom()</script>", "<!--<script>"]
    rows = [volume(n, name, wait=1.0 + n) for n in range(3) for name in names]
    write(database(volume_interval=rows), tmp_path / "r.html")
    document = dom(tmp_path / "r.html", tmp_path / "profile")
    assert body(document)["errors"] == "0"
    assert body(document)["charts"] == "4"
    assert "&lt;B&gt;&amp;\"'</text>" in document
