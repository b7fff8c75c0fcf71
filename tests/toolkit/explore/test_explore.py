"""The app as a browser shows it, with real clicks on each panel.

`IOSQ_GOLDEN=write` renews the pictures of the guide.
"""

from __future__ import annotations

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

pytestmark = [pytest.mark.page, pytest.mark.slow, needs_browser]
PICTURES = Path(__file__).parents[3] / "docs" / "images"
CHART = "canvas"
CHECK = "[role=checkbox]"


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


def show(tab: Tab, panel: str, words: str) -> None:
    tab.run("window.scrollTo(0, 0)")
    tab.click("[role=tab]", panel)
    tab.reads(words)


def test_a_brush_on_the_grid_narrows_the_overview(page: Tab) -> None:
    show(page, "Overview", "Findings: ")
    assert "box AB121" in page.text()
    page.drag(CHART, 0.15, 0.3)
    page.until(lambda: any("--since 2025-11-18T" in line for line in commands(page)), "the command with the time")
    page.until(lambda: page.run("deep(document, 'input').some(e => e.value.includes('..'))"), "the time")
    page.reads("are about this time")
    page.run("window.scrollTo(0, 0)")
    pictured(page, "overview")


def test_the_time_can_be_typed(page: Tab) -> None:
    show(page, "Overview", "Findings: ")
    page.click("input[type=text]")
    page.write("2025-11-18T10:00..T11:00")
    page.key("Enter")
    page.until(
        lambda: any("--since 2025-11-18T10:00 --until 2025-11-18T11:00" in c for c in commands(page)), "the hour"
    )
    page.click("input[type=text]")
    page.write("yesterday")
    page.key("Enter")
    page.reads("is not a date or time")
    page.click("input[type=text]")
    page.write(" ")
    page.key("Enter")
    page.until(lambda: "is not a date or time" not in page.text(), "the whole span")


def test_drill_leads_from_a_box_to_a_volume_and_its_neighbours(page: Tab) -> None:
    show(page, "Drill", "Choose an LCU")
    page.click(CHECK, number=1)
    page.reads("LCUs of box CD472")
    page.until(lambda: "AB121" not in page.text().split("LCUs of box")[1], "the LCUs of the box alone")
    page.click(CHECK, number=2)  # of two boxes and the LCUs
    page.reads("Volumes of LCU 0022 on SYSA")
    page.click(CHECK, number=8)  # of two boxes, six LCUs and the volumes
    page.reads("Neighbours of ")
    page.until(lambda: page.run(f"deep(document, '{CHART}').filter(shown).length"), "the chart")
    assert any("chart response_over_time" in line and "--volume " in line for line in commands(page))
    pictured(page, "drill")


def test_before_and_after_says_what_compare_says(page: Tab, troubled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(troubled.parent)
    show(page, "Before and after", "Drag over")
    page.drag(CHART, 0.15, 0.3, 0)
    page.drag(CHART, 0.6, 0.8, 1)
    page.until(lambda: page.run("deep(document, 'input').filter(e => e.value.includes('..')).length") == 2, "both")
    for number, span in enumerate(("2025-11-18", "2025-11-19")):
        page.click("input[type=text]", number=number)
        page.write(span)
        page.key("Enter")
        page.until(lambda span=span: page.run(f"deep(document, 'input').some(e => e.value === '{span}')"), span)
    page.reads("What changed")
    both = "2025-11-18 2025-11-19"
    command = page.until(lambda: next((c for c in commands(page) if both in c), ""), both)
    printed = invoked(shlex.split(command)[1:])
    assert printed.exit_code == 0
    page.reads(printed.stdout.splitlines()[0])
    pictured(page, "before-after")


def test_what_if_draws_a_curve_and_says_what_is_not_identifiable(page: Tab) -> None:
    show(page, "What if", "More or fewer aliases")
    page.click("button", "Predict")
    page.reads("the interval with the longest queue")
    page.click("[role=slider]", number=1)
    page.key("ArrowRight")
    page.until(lambda: "aliases (now): response" in page.text(), "the measured response")
    assert any("simulate pav" in line for line in commands(page))
    pictured(page, "what-if")
    page.click("button", "Move the load")
    page.reads("saturates first")


def test_sql_reads_and_does_not_write(page: Tab) -> None:
    show(page, "SQL", "Dictionary")
    page.click("button", "Run")
    page.reads("20 rows")
    assert all(name in page.text() for name in ("CSV", "Excel", "Parquet"))
    pictured(page, "sql")
    page.click(".cm-content")
    page.write("CREATE TABLE t AS SELECT 1")
    page.click("button", "Run")
    page.reads("is not allowed here")


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
            show(tab, panel, words)
            if panel == "Drill":
                tab.click(CHECK, number=2)  # the LCU behind two boxes
            tab.reads(HOSTILE)
            assert not tab.run("deep(document, 'b').filter(e => /^\\d{3}/.test(e.textContent)).length")
