"""The same time a week before, next to the charts over time."""

from pathlib import Path
from typing import Any

import pytest
from report_page import carried

import iosq
from iosq.toolkit.lake.ingest import ingest
from iosq.toolkit.lake.lake import Lake
from iosq.toolkit.report.week import with_week
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


def series(lake: Path, **span: str) -> Any:
    iosq.open(lake, **span).report(lake.with_name("r.html"))  # type: ignore[arg-type]
    return carried(lake.with_name("r.html").read_text("utf-8"), "places-data")["series"]


@pytest.fixture(scope="module")
def before(lake: Path) -> Any:
    return series(lake, until="2025-11-18")


@pytest.mark.parametrize("span", [{"since": "2025-11-25"}, {"since": "2025-11-25", "until": "2025-11-25"}])
def test_the_page_of_a_day_reads_the_week_before_from_the_lake(lake: Path, before: Any, span: dict[str, str]) -> None:
    now = series(lake, **span)
    boxes = [name for name in before if name.startswith("box-")]
    assert boxes
    for name in boxes:
        _, *parts, rate, _, no_response, no_rate = before[name]["columns"]
        assert now[name]["columns"][8] == rate
        assert no_response == no_rate == [None] * len(rate)
        assert now[name]["columns"][7][0] == pytest.approx(sum(column[0] for column in parts), rel=1e-3)
