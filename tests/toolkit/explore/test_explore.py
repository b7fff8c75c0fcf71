"""The app as a browser shows it, with real clicks on each panel.

`IOSQ_GOLDEN=write` renews the pictures of the guide.
"""

import os
import re
import shlex
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from chromium import needs_browser
from driver import HOSTILE, Tab, opened

from tests.command import invoked
from tests.days.site import more_exposures

pytestmark = [pytest.mark.page, pytest.mark.slow, needs_browser]
PICTURES = Path(__file__).parents[3] / "docs" / "images"
CHART = "canvas"
UNCUT = "e.getBoundingClientRect().right <= innerWidth && e.parentElement.scrollWidth <= e.parentElement.clientWidth"


def pictured(tab: Tab, name: str) -> None:
    time.sleep(1)  # charts are drawn
    png = tab.shot()
    assert len(png) > 20_000, "the page is not empty"
    if os.environ.get("IOSQ_GOLDEN") == "write":
        (PICTURES / f"explore-{name}.png").write_bytes(png)


def commands(tab: Tab) -> list[str]:
    """The commands that the panel shows."""
    found = tab.run("deep(document, 'details.same pre').map(e => e.textContent)")
    return [text for text in found if text.startswith("iosq ")]


def has_command(tab: Tab, *words: str) -> bool:
    return any(all(word in line for word in words) for line in commands(tab))


@pytest.fixture(name="page")
def _page(shared_page: Tab) -> Tab:
    """The one page of the module: about all of the time, whatever other tests did."""
    shared_page.show("Overview", "Hours of each box")
    if shared_page.run("deep(document, 'input[type=text]').filter(shown)[0].value"):
        shared_page.type("")
    return shared_page


def test_a_brush_on_the_grid_narrows_the_overview(page: Tab, troubled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page.reads("Findings: ")
    assert "box AB121" in page.text()
    page.repeated(lambda: page.drag(CHART, 0.15, 0.3), lambda: has_command(page, "--since 2025-11-18T"), "the brush")
    page.until(lambda: page.run("deep(document, 'input').some(e => e.value.includes('..'))"), "the time")
    page.reads("are about this time")
    monkeypatch.chdir(troubled.parent)
    assert {invoked(shlex.split(command)[1:]).exit_code for command in commands(page)} == {0}
    page.run("window.scrollTo(0, 0)")
    pictured(page, "overview")


def test_the_time_can_be_typed(page: Tab) -> None:
    page.type("2025-11-18T10:00..T11:00")
    page.until(lambda: has_command(page, "--since 2025-11-18T10:00 --until 2025-11-18T11:00"), "the hour")
    page.type("yesterday")
    page.reads("is not a date or time")
    page.type("")
    page.until(lambda: "is not a date or time" not in page.text(), "the whole span")


def test_tab_leads_to_the_panels_and_on_and_what_has_the_focus_shows(page: Tab) -> None:
    page.run("deep(document, 'button').find(e => words(e).trim() === 'Overview').focus()")
    for panel in ("Drill", "Before and after", "What if", "SQL"):
        page.key("Tab")
        assert page.run("words(focused()).trim()") == panel
    seen = set()

    def all_kinds_seen() -> bool:
        page.key("Tab")
        seen.add(page.run("getComputedStyle(focused()).outline.endsWith('solid 2px') && focused().tagName"))
        return seen >= {"INPUT", "SUMMARY", "BUTTON"}

    page.until(all_kinds_seen, "inputs, summaries and buttons with an outline", 30)  # parts still arrive
    cell = (
        "(e => (e?.focus(), e && getComputedStyle(e).outline.endsWith('solid 2px')))(deep(document, 'td').find(shown))"
    )
    page.until(lambda: page.run(cell), "a cell's outline", 30)
    assert "Overview: lake" in page.text(), "to stop at a panel does not open it"


def test_drill_leads_from_a_box_to_a_volume_and_its_neighbours(page: Tab) -> None:
    page.show("Drill", "Choose an LCU")
    page.check(1)
    page.reads("LCUs of box CD472")
    page.until(lambda: "AB121" not in page.text().split("LCUs of box")[1], "the LCUs of the box alone")
    page.check(2)  # of two boxes and the LCUs
    page.reads("Volumes of LCU 0022 on SYSA")
    assert "None" not in page.text(), "what is not known is blank"
    page.check(8)  # of two boxes, six LCUs and the volumes
    page.reads("Neighbours of ")
    page.until(lambda: page.run(f"deep(document, '{CHART}').filter(shown).length"), "the chart")
    assert has_command(page, "chart response_over_time", "--volume ")
    pictured(page, "drill")


def test_before_and_after_says_what_compare_says(page: Tab, troubled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(troubled.parent)
    page.show("Before and after", "Drag over")
    spans = "deep(document, 'input').filter(e => e.value.includes('..')).length"
    for number, (begin, end) in enumerate(((0.15, 0.3), (0.6, 0.8))):
        page.repeated(
            lambda n=number, b=begin, e=end: page.drag(CHART, b, e, n),  # type: ignore[misc]
            lambda n=number: page.run(spans) > n,  # type: ignore[misc]
            "a time",
        )
    for number, span in enumerate(("2025-11-18", "2025-11-19")):
        page.type(span, number)
    page.reads("What changed")
    both = "2025-11-18 2025-11-19"
    command = page.until(lambda: next((c for c in commands(page) if both in c), ""), both)
    printed = invoked(shlex.split(command)[1:])
    assert printed.exit_code == 0
    page.reads(printed.stdout.splitlines()[0])
    pictured(page, "before-after")


def test_what_if_draws_a_curve_and_says_what_is_not_identifiable(page: Tab) -> None:
    page.show("What if", "More or fewer aliases")
    page.press("button", "Predict", until=lambda: "the interval with the longest queue" in page.text())
    page.click("[role=slider]", number=1)
    page.key("ArrowRight")
    page.until(lambda: " aliases: response" in page.text(), "one more")
    assert "aliases (now): response" in page.text()
    assert has_command(page, "simulate pav")
    pictured(page, "what-if")
    page.press("button", "Move the load", until=lambda: "saturates first" in page.text())


def test_a_prediction_has_the_accuracy_on_this_site_and_fits_a_telephone(tmp_path: Path) -> None:
    with opened(more_exposures(tmp_path), tmp_path / "profile") as tab:
        tab.size(390, 844)
        tab.show("What if", "More or fewer aliases")
        tab.press("button", "Predict", until=lambda: "the interval with the longest queue" in tab.text())
        tab.reads("on this site: median error")
        tab.click("select", number=1)
        tab.key("ArrowDown")  # a machine that carries the load
        tab.press("button", "Move the load", until=lambda: "saturates first" in tab.text())
        tab.until(lambda: tab.run(f"deep(document, '{CHART}').filter(shown).length") >= 3, "the charts")
        assert tab.run(f"deep(document, '{CHART}').filter(shown).every(e => {UNCUT})")


def test_sql_reads_and_does_not_write(page: Tab) -> None:
    page.show("SQL", "Dictionary")
    page.press("button", "Run", until=lambda: "20 rows" in page.text())
    assert all(name in page.text() for name in ("CSV", "Excel", "Parquet"))
    pictured(page, "sql")

    def typed() -> None:
        page.click(".cm-content")
        page.write("CREATE TABLE t AS SELECT 1")
        time.sleep(1)
        page.key("Escape")
        page.key("Tab")
        page.key("Enter", "\r")

    page.repeated(typed, lambda: "is not allowed here" in page.text(), "a statement by keyboard")


def test_without_the_token_nothing_is_shown(page: Tab) -> None:
    bare, _, token = page.address.partition("?")
    assert token.startswith("access_token=")
    with pytest.raises(urllib.error.HTTPError) as refused, urllib.request.urlopen(f"{bare}/api/status/connections"):
        pass
    assert refused.value.code in (401, 403)


@pytest.mark.parametrize("dark", [False, True])
def test_it_fits_a_telephone_and_is_dark_where_the_system_is(page: Tab, dark: bool) -> None:
    page.size(390, 844, dark=dark)
    page.send("Page.navigate", url=page.address)
    page.reads("Hours of each box")
    wide = page.run("document.documentElement.scrollWidth")
    assert wide <= 390
    colour = page.run("getComputedStyle(document.body).backgroundColor")
    red, green, blue = (float(part) for part in re.findall(r"[\d.]+", colour)[:3])
    assert (red + green + blue < (3 if colour.startswith("rgb") else 0.01) * 100) == dark
    if dark:
        pictured(page, "phone")
    page.size(1280, 1000)


def test_hostile_names_are_text(hostile: Path, tmp_path: Path) -> None:
    with opened(hostile, tmp_path / "profile") as tab:
        for panel, words in (("Overview", "Findings: "), ("Drill", "Choose an LCU"), ("What if", "Predict")):
            tab.show(panel, words)
            if panel == "Drill":
                tab.check(2)  # the LCU behind two boxes
            tab.reads(HOSTILE)
            assert not tab.run("deep(document, 'b').filter(e => /^\\d{3}/.test(e.textContent)).length")
        tab.show("Before and after", "Drag over")
        for number, span in enumerate(("2025-11-18T01:30..T02:30", "2025-11-18T01:30..T02:30")):
            tab.type(span, number)
        tab.reads("What changed")
        assert not tab.run("deep(document, 'b').filter(e => /^\\d{3}/.test(e.textContent)).length")
