"""The page as a browser shows it: drawn, without errors, offline, in every width and on paper."""

import os
import re
import struct
import zlib
from dataclasses import replace
from pathlib import Path

import pytest
from advise_rows import at, database, pool, volume
from chromium import body, browse, dom, needs_browser
from report_page import Page

from iosq.toolkit.advise import run
from iosq.toolkit.report import embed
from iosq.toolkit.report.chart import charts
from iosq.toolkit.report.write import write
from iosq.toolkit.show.theme import DARK, INK

pytestmark = [pytest.mark.page, needs_browser]
PICTURE = Path(__file__).parents[3] / "docs" / "images" / "report.png"


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
        assert sum(m.count("<path") for m in marks) >= 2, chart.name


def test_axes_carry_units_and_local_time(drawn: str) -> None:
    for title in ("response time per I/O, ms", "I/Os per s, mean over the span", "read hits per read"):
        assert f">{title}</text>" in drawn
    assert drawn.count(">local time, 2025-11-18, steps of 15 min</text>") == 6


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
    """The pixel rows of an 8-bit RGB(A) picture, still filtered; enough to separate drawn rows from blank ones."""
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
    """The picture in the documents: `IOSQ_GOLDEN=write` renews it."""
    target = tmp_path / "shot.png"
    browse(page.path, tmp_path / "profile", "--window-size=1100,1750", "--hide-scrollbars", f"--screenshot={target}")
    png = target.read_bytes()
    assert sum(any(row) for row in _rows(png)) > 900
    if os.environ.get("IOSQ_GOLDEN") == "write":
        PICTURE.write_bytes(png)
    assert _sized(png) == _sized(PICTURE.read_bytes()) == (1100, 1750)


def test_the_page_prints(page: Page, tmp_path: Path) -> None:
    target = tmp_path / "page.pdf"
    browse(page.path, tmp_path / "profile", f"--print-to-pdf={target}", "--no-pdf-header-footer")
    pdf = target.read_bytes()
    assert pdf.startswith(b"%PDF")
    assert 5 <= len(re.findall(rb"/Type\s*/Page\b", pdf)) <= 11


def without_policy(page: Page) -> str:
    """The page with room for a script of ours."""
    return re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page.html)


CELL = """<script>addEventListener("load", () => setTimeout(() => {
  const cell = document.querySelector("#response_heatmap .mark-rect path");
  cell.dispatchEvent(new MouseEvent("click", { bubbles: true, view: window }));
  setTimeout(() => { document.body.dataset.at = location.hash; }, 500);
}, 2000));</script>
</body>
</html>"""


def test_a_click_on_a_cell_opens_the_page_of_its_volume(page: Page, tmp_path: Path) -> None:
    clicked = tmp_path / "clicked.html"
    clicked.write_text(without_policy(page).replace("</body>\n</html>", CELL), "utf-8")
    document = dom(clicked, tmp_path / "profile")
    assert re.fullmatch(r"#volume-\w{6}-SYS[AB]", body(document)["at"])
    assert "<h3>Volume " in opened(document)


ZOOM = """<script>addEventListener("load", () => setTimeout(async () => {
  const seen = document.body.dataset;
  const times = (id) => [...document.querySelectorAll(id + " .role-axis-label text")].map((t) => t.textContent)
    .filter((t) => /\\d\\d:\\d\\d/.test(t)).sort().join(" ");
  const mark = document.querySelector("#response_over_time .mark-area path");
  const { left, width, top, height } = mark.getBoundingClientRect();
  const at = { bubbles: true, cancelable: true, clientX: left + width / 2, clientY: top + height / 2 };
  const turn = async (event) => {
    mark.dispatchEvent(new PointerEvent("pointermove", at));
    mark.dispatchEvent(event);
    await new Promise((done) => setTimeout(done, 300));
    return times("#response_over_time") + "|" + times("#response_heatmap");
  };
  seen.plain = await turn(new WheelEvent("wheel", { ...at, deltaY: -400 }));
  seen.near = await turn(new WheelEvent("wheel", { ...at, deltaY: -400, ctrlKey: true }));
  location.hash = "#lcu-0011-SYSA";
  await new Promise((done) => setTimeout(done, 1000));
  seen.place = times(".place.open");
  seen.far = await turn(new MouseEvent("dblclick", at));
}, 2000));</script>
</body>
</html>"""


def test_the_wheel_with_ctrl_zooms_all_charts_over_time(page: Page, tmp_path: Path) -> None:
    zoomed = tmp_path / "zoomed.html"
    zoomed.write_text(without_policy(page).replace("</body>\n</html>", ZOOM), "utf-8")
    seen = body(dom(zoomed, tmp_path / "profile"))
    (plain, other), (near, followed) = seen["plain"].split("|"), seen["near"].split("|")
    assert other and seen["far"] == seen["plain"]
    assert near == followed and near.split()[0] > plain.split()[0]
    assert set(seen["place"].split()) == set(near.split())  # drawn later


def test_no_script_runs_that_the_page_does_not_hold(page: Page, tmp_path: Path) -> None:
    slipped = tmp_path / "slipped.html"
    slipped.write_text(
        page.html.replace("</body>", "<script>document.body.dataset.slipped = 1</script></body>"), "utf-8"
    )
    assert "slipped" not in body(dom(slipped, tmp_path / "profile"))


def test_dark_paper_has_light_ink(page: Page, tmp_path: Path) -> None:
    document = dom(page.path, tmp_path / "profile", "--force-dark-mode", "--blink-settings=preferredColorScheme=0")
    assert body(document)["errors"] == "0"
    assert DARK[INK] in document
    assert INK not in re.sub(r"<style.*?</style>", "", document, flags=re.DOTALL)


CLICK = """<script>addEventListener("load", () => setTimeout(() => {
  const section = document.querySelector("#table-volumes").parentNode;
  const button = [...section.querySelectorAll("th button")].find((b) => b.textContent.startsWith("Response"));
  const seen = () => [...section.querySelectorAll("tbody tr")].map((r) => r.cells[6].textContent).join(" ");
  const shown = document.body.dataset;
  button.click(); shown.down = seen(); button.click(); shown.up = seen();
  const search = section.querySelector("input");
  const name = (r) => r.cells[0].textContent + r.cells[1].textContent;
  const names = () => [...section.querySelectorAll("tbody tr")].map(name);
  search.value = "onl004 sysb"; search.dispatchEvent(new Event("input", { bubbles: true }));
  shown.found = names().join(" "); shown.status = section.querySelector(".status").textContent;
  search.value = ""; search.dispatchEvent(new Event("input", { bubbles: true }));
  section.querySelector(".more-rows button").click(); shown.more = names().length;
  shown.aria = button.parentNode.getAttribute("aria-sort");
  const right = (e) => Math.floor(e.getBoundingClientRect().right);
  const legends = [...document.querySelectorAll(".role-legend")];
  shown.legends = legends.length; shown.cut = legends.filter((e) => right(e) > right(e.closest(".chart"))).length;
  shown.view = document.documentElement.clientWidth; shown.wide = document.documentElement.scrollWidth;
}, 2000));</script>
</body>
</html>"""


def test_a_phone_shows_the_page_and_a_click_sorts(page: Page, tmp_path: Path) -> None:
    clicked = tmp_path / "clicked.html"
    assert page.html.count("</body>\n</html>") == 1
    # no window of this browser is narrower than 500 pixels
    narrow = without_policy(page).replace("</head>", "<style>body { width: 358px }</style></head>", 1)
    clicked.write_text(narrow.replace("</body>\n</html>", CLICK), "utf-8")
    seen = body(dom(clicked, tmp_path / "profile", "--window-size=390,3000"))
    assert (int(seen["legends"]) > 8, seen["cut"]) == (True, "0")
    assert int(seen["wide"]) <= int(seen["view"]) <= 500
    down = [float(v) for v in seen["down"].split()]
    assert len(down) == 50
    assert down == sorted(down, reverse=True)
    up = [float(v) for v in seen["up"].split()]
    assert up == sorted(up)
    assert up[-1] <= down[-1], "all rows are sorted, not those in sight"
    assert (seen["found"], seen["status"]) == ("ONL004SYSB", "1 row of 239"), "all rows are searched"
    assert seen["more"] == "100"
    assert seen["aria"] == "ascending"


def test_hostile_names_are_text_in_a_browser_too(tmp_path: Path) -> None:
    names = ["<B>&\"'", "</script><script>boom()</script>", "<!--<script>"]
    rows = [volume(n, name, wait=1.0 + n) for n in range(3) for name in names]
    write(database(volume_interval=rows), tmp_path / "r.html")
    document = dom(tmp_path / "r.html", tmp_path / "profile")
    assert body(document)["errors"] == "0"
    assert body(document)["charts"] == "4"
    assert "&lt;B&gt;&amp;\"'</text>" in document


def opened(document: str) -> str:
    """The page of a place or volume that is shown."""
    found = re.findall(r'<article class="place open".*?</article>', document, re.DOTALL)
    assert len(found) == 1
    return str(found[0])


def test_an_address_opens_the_page_of_an_lcu_and_draws_it(page: Page, tmp_path: Path) -> None:
    document = dom(page.path, tmp_path / "profile", at="#lcu-0011-SYSA")
    assert body(document)["errors"] == "0"
    shown = opened(document)
    assert 'id="lcu-0011-SYSA"' in shown
    assert shown.count("<svg") == 3
    for title in ("ms per I/O", "I/Os per s", "I/Os queued", "local time, 2025-11-18, steps of 15 min"):
        assert f">{title}</text>" in shown
    # all 24 volumes, though only 20 of them are in the file for readers without scripts
    assert shown.count('<a href="#volume-BAT') == 24


def test_an_address_opens_the_page_of_a_volume_and_draws_it(page: Page, tmp_path: Path) -> None:
    document = dom(page.path, tmp_path / "profile", at="#volume-DB2003-SYSA")
    assert body(document)["errors"] == "0"
    shown = opened(document)
    assert shown.count("<svg") == 3
    assert "<h3>Volume DB2003 on SYSA</h3>" in shown
    assert '<a href="#lcu-0012-SYSA">LCU 0012 on SYSA</a>' in shown
    assert "WHERE volume = 'DB2003' AND system = 'SYSA'" in shown
    assert "<dt>Exposures</dt><dd>2.0</dd>" in shown
    assert "waits on SYSA" in shown


def test_a_page_that_carries_all_packed_is_the_same_page(page: Page, tmp_path: Path, drawn: str) -> None:
    """As that of a lake of hundreds of LCUs: rows of tables and charts, and the pages of places as HTML."""
    with pytest.MonkeyPatch.context() as patch:
        for limit in ("DATA_FROM", "PAGES_FROM", "LIBRARY_FROM"):
            patch.setattr(embed, limit, 0)
        write(page.con, tmp_path / "r.html")
    html = (tmp_path / "r.html").read_text("utf-8")
    assert html.count("application/gzip") > 12
    assert '<article class="place" id="lcu-' not in html
    assert without_ids(dom(tmp_path / "r.html", tmp_path / "profile")) == without_ids(drawn)
    shown = opened(dom(tmp_path / "r.html", tmp_path / "profile", at="#lcu-0011-SYSA"))
    assert shown.count('<a href="#volume-BAT') == 24
    old = without_policy(replace(page, path=tmp_path / "r.html"))
    (tmp_path / "old.html").write_text(old.replace("<head>", f"<head>{OLD}"), "utf-8")
    assert "This browser can't unpack" in dom(tmp_path / "old.html", tmp_path / "profile")


OLD = "<script>delete window.DecompressionStream</script>"
# what a drawing library counts up, what a page is allowed, what is shown without scripts
OWN = r"file:[^#)]*|<meta http-equiv[^>]*>|<noscript>.*?</noscript>|clip\d+|gradient_\d+|\s+"


def without_ids(document: str) -> str:
    """What a document shows, in one line."""
    return re.sub(OWN, "", document, flags=re.DOTALL)


def test_a_finding_shows_the_wait_and_the_response_against_the_aliases(drawn: str) -> None:
    figure = re.findall(r'<figure class="effect">.*?</figure>', drawn, re.DOTALL)[0]
    assert figure.count('class="mark-area') == 2
    for text in ("aliases in the pool", "ms per I/O at the peak", "now", "response", "wait (IOSQ)"):
        assert f">{text}</text>" in figure


def test_bounds_are_drawn_without_a_line_and_without_an_end(tmp_path: Path) -> None:
    # a pool that a box which slows down may never empty: how it serves more is unknown
    rows = [volume(n, rate=2000.0, wait=3.0, exposures=3.0, is_hyperpav=True) for n in range(4)]
    pools = [pool(n, denied=4000, io_rate=2000.0, wait_ms=3.0, queue_length=6.0) for n in range(4)]
    con = database(volume_interval=[{**r, "lcu": "0011"} for r in rows], lcu_interval=pools)
    curves = [f.curve for f in run(con) if f.curve]
    assert [c.identifiable for c in curves] == [False]
    write(con, tmp_path / "r.html")
    assert "Infinity" not in (tmp_path / "r.html").read_text("utf-8").split('id="effect-1"')[1].split("</script>")[0]
    document = dom(tmp_path / "r.html", tmp_path / "profile")
    assert body(document)["errors"] == "0"
    figure = re.findall(r'<figure class="effect">.*?</figure>', document, re.DOTALL)[0]
    assert "Only bounds are known" in figure
    assert figure.count('class="mark-area') == 2


SLIDE = """<script>addEventListener("load", () => setTimeout(async () => {
  const effect = document.querySelector("figure.effect");
  const labels = () => [...effect.querySelectorAll(".mark-text text")].map((t) => t.textContent);
  const words = () => labels().filter((t) => t.includes(" ms (")).join("|");
  const slider = effect.querySelector("input[type=range]");
  const seen = document.body.dataset;
  seen.ends = [slider.min, slider.max].join(" "); seen.advised = slider.value + ": " + words();
  slider.value = slider.min; slider.dispatchEvent(new Event("input"));
  await new Promise((done) => setTimeout(done, 500));
  seen.now = words();
}, 2000));</script>
</body>
</html>"""


def test_a_slider_gives_wait_and_response_with_another_count(page: Page, tmp_path: Path) -> None:
    slid = tmp_path / "slid.html"
    slid.write_text(without_policy(page).replace("</body>\n</html>", SLIDE), "utf-8")
    seen = body(dom(slid, tmp_path / "profile"))
    curve = next(f.curve for f in page.found if f.curve)
    by_count = {s.count: s for s in curve.steps}
    first, last = map(int, seen["ends"].split())
    assert first == curve.now < last <= curve.steps[-1].count
    count, advised = seen["advised"].split(": ")
    for step, words in ((by_count[int(count)], advised), (by_count[first], seen["now"])):
        assert [float(w.split(" ms")[0]) for w in words.split("|")[:2]] == pytest.approx(
            [step.response_ms.value, step.wait_ms.value], abs=0.0051
        )


FIND = """<script>addEventListener("load", () => setTimeout(() => {
  const seen = document.body.dataset;
  for (const link of document.querySelectorAll('#finding-3 a:not([href*="ranks"]), #finding-1 a[href*="ranks"]')) {
    if (!link.dataset.find) continue;
    link.click();
    const part = document.querySelector(link.hash).closest(".table");
    const rows = [...part.querySelectorAll("tbody tr")].map((row) => row.textContent);
    if (part.querySelector(".find")) seen[link.hash.slice(7)] = rows.join("|");
  }
}, 2000));</script>
</body>
</html>"""


def test_a_finding_leads_to_the_data_sets_paths_pool_and_ranks_of_its_volume(page: Page, tmp_path: Path) -> None:
    followed = tmp_path / "followed.html"
    followed.write_text(without_policy(page).replace("</body>\n</html>", FIND), "utf-8")
    seen = body(dom(followed, tmp_path / "profile"))
    of = "SELECT count(DISTINCT {0}) FROM {1} WHERE {2}"
    volumes = "extent_pool = '0000' AND lcu IN ('0010', '0012') AND io_rate > 0"
    for table, names, view, where in (
        ("data_sets", "(job, data_set)", "dataset_interval", "volser = 'DB2003' AND system = 'SYSA'"),
        ("lcu_paths", "channel_path", "lcu_path_interval", "lcu = '0012' AND system = 'SYSA' AND taken_rate > 0"),
        ("ranks", "rank", "rank_interval", "box = 'AB121' AND extent_pool = '0001'"),  # rank 0001 is in 0000
        ("volumes", "(system, volume)", "volume_interval", volumes),
    ):
        ((expected,),) = page.con.execute(of.format(names, view, where)).fetchall()
        assert len(seen[table].split("|")) == min(expected, 50), table


WALK = """<script>addEventListener("load", () => setTimeout(async () => {
  const found = document.body.dataset;
  const shown = () => document.querySelector(".place.open")?.id ?? "list";
  const wait = () => new Promise((done) => setTimeout(done, 300));
  const seen = [];
  for (const step of [
    () => document.querySelector('#places-list a[href="#lcu-0012-SYSA"]').click(),
    () => document.querySelector('.place.open a[href="#volume-DB2003-SYSA"]').click(),
    () => history.back(),
    () => document.querySelector('.place.open a[href="#places"]').click(),
    () => { document.querySelector("details.more").open = true; },
  ]) { step(); await wait(); seen.push(shown()); }
  document.querySelector("details.more").scrollIntoView();
  const folded = () => document.querySelectorAll("details.more figure.effect svg").length;
  for (let turn = 0; turn < 12 && !folded(); turn++) await wait();
  found.walk = seen.join(" ");
  found.folded = folded();
  found.failed = window.iosqErrors.length;
  found.wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
}, 2000));</script>
</body>
</html>"""


def test_links_and_the_back_button_walk_through_the_pages(page: Page, tmp_path: Path) -> None:
    walked = tmp_path / "walked.html"
    walked.write_text(without_policy(page).replace("</body>\n</html>", WALK), "utf-8")
    seen = body(dom(walked, tmp_path / "profile", "--window-size=390,3000"))
    assert seen["walk"] == "lcu-0012-SYSA volume-page lcu-0012-SYSA list list"
    assert seen["failed"] == "0"
    assert int(seen["wide"]) <= 0
    folded = re.search(r'<details class="more">.*?</details>\s*</section>', page.html, re.DOTALL)
    assert folded
    assert int(seen["folded"]) == folded[0].count('<figure class="effect">') > 0


def test_paper_holds_the_page_that_is_open_and_no_other(page: Page, tmp_path: Path) -> None:
    def letters(at: str) -> int:
        target = tmp_path / "page.pdf"
        browse(page.path, tmp_path / "profile", f"--print-to-pdf={target}", "--no-pdf-header-footer", at=at)
        return len(re.findall(rb"/Type\s*/Page\b", target.read_bytes()))

    plain, opened_too = letters(""), letters("#lcu-0011-SYSA")
    assert plain < opened_too <= plain + 3


def test_odd_names_open_their_pages_too(tmp_path: Path) -> None:
    rows = [volume(n, "<A#B'>", wait=1.0 + n, system="S/1", lcu="0 1") for n in range(3)]
    write(database(volume_interval=rows), tmp_path / "r.html")
    document = dom(tmp_path / "r.html", tmp_path / "profile", at="#volume-%3CA%23B'%3E-S%2F1")
    assert body(document)["errors"] == "0"
    shown = opened(document)
    assert "Volume &lt;A#B'&gt; on S/1" in shown
    assert "volume = '&lt;A#B''&gt;'" in shown
