"""The same time a week before, next to the charts over time."""

import datetime as dt
import json
import re
from pathlib import Path

import pytest
from report_page import carried

import iosq
from iosq.toolkit.lake.ingest import ingest
from iosq.toolkit.lake.lake import Lake
from iosq.toolkit.report.response_parts import with_week
from iosq.toolkit.sample import write as write_sample

PARTS = {"iosq": 1.0, "pend": 0.5, "disc": None, "conn": 0.25, "unknown": None}


def test_a_step_is_matched_by_its_time_and_its_length() -> None:
    def step(t: str, step_s: int = 900, rate: float = 7.0) -> dict[str, object]:
        return {"t": t, "step_s": step_s, "rate": rate, **PARTS}

    earlier = [step("2026-03-02T00:00:00"), step("2026-03-02T00:15:00", 3600)]
    now = [step(f"2026-03-09T00:{minute}:00") for minute in ("00", "15", "30")]
    assert [(r["week_ms"], r["week_rate"]) for r in with_week(now, earlier)] == [
        (1.75, 7.0),
        (None, None),
        (None, None),
    ]


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Half an hour of a Tuesday and of the next one, and the days between."""
    root = tmp_path_factory.mktemp("week")
    write_sample(root / "dumps", intervals=[36, 37, 36 + 672, 37 + 672], names=("healthy",), days=8)
    ingest(Lake(root / "lake"), [root / "dumps"])
    return root / "lake"


def written(lake: Path, **span: str) -> tuple[list[str], str]:
    """What the page of a span opens with, and the page."""
    shown = iosq.open(lake, **span).report(lake.with_name("r.html"))  # type: ignore[arg-type]
    return shown, lake.with_name("r.html").read_text("utf-8")


@pytest.fixture(scope="module")
def before(lake: Path) -> tuple[list[str], str]:
    return written(lake, until="2025-11-18")


def test_a_healthy_lake_has_nothing_to_act_on(before: tuple[list[str], str]) -> None:
    shown, html = before
    assert len(shown) == 1
    assert '<p class="about">1 finding: 1 note' in html


@pytest.mark.parametrize("span", [{"since": "2025-11-25"}, {"since": "2025-11-25", "until": "2025-11-25"}])
def test_the_page_of_a_day_reads_the_week_before_from_the_lake(
    lake: Path, before: tuple[list[str], str], span: dict[str, str]
) -> None:
    then, now = (carried(html, "places-data")["series"] for html in (before[1], written(lake, **span)[1]))
    boxes = [name for name in then if name.startswith("box-")]
    assert boxes
    for name in boxes:
        _, *parts, rate, _, no_response, no_rate = then[name]["columns"]
        assert now[name]["columns"][8] == rate
        assert no_response == no_rate == [None] * len(rate)
        assert now[name]["columns"][7][0] == pytest.approx(sum(column[0] for column in parts), rel=1e-3)


def test_a_chart_in_utc_is_the_local_one_moved_by_the_offset(lake: Path) -> None:
    days = (iosq.open(lake, until="2025-11-18", utc=given) for given in (False, True))
    local, utc = (_first_instant(day.chart("response_over_time").to_dict()) for day in days)
    assert local[1] == "local time, 2025-11-18, steps of 15 min"
    assert utc[1] == "UTC, 2025-11-18, steps of 15 min"
    assert dt.datetime.fromisoformat(local[0]) - dt.datetime.fromisoformat(utc[0]) == dt.timedelta(hours=1)


def _first_instant(spec: dict) -> tuple[str, str]:
    """The earliest of a chart's instants, and the title of its time axis."""
    (rows,) = spec["datasets"].values()
    titles = re.findall(r'"title": "([^"]*2025[^"]*)"', json.dumps({**spec, "title": ""}))
    return min(row["t"] for row in rows), titles[0]
