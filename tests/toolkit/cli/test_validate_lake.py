"""`iosq validate --lake` on lakes of dumps."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import iosq
from iosq.toolkit.sample import write
from iosq.toolkit.sample.demand import Demand
from iosq.toolkit.sample.planting import scenarios
from tests.command import invoked
from tests.days import CLINIC

MORNING = range(18, 26)  # half hours


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two mornings of a volume with too few exposures: two on the first day, four on the second."""
    folder = tmp_path_factory.mktemp("site")
    hot = scenarios(CLINIC)["hot_pav"]

    def more(demand: Demand) -> None:
        hot.shape(demand)
        demand.exposures[demand.sysplex.volume(hot.planted[0].subject)] = 4

    with pytest.MonkeyPatch.context() as patch:
        for day in (0, 1):
            patch.setitem(scenarios(CLINIC), "hot_pav", replace(hot, shape=more if day else hot.shape))
            write(folder / f"day{day}", plan=CLINIC, names=("hot_pav",), intervals=MORNING, days=range(day, day + 1))
    iosq.ingest(folder / "lake", [folder / "day0", folder / "day1"])
    return folder / "lake"


def test_added_aliases_are_a_change_and_its_prediction_is_judged(lake: Path) -> None:
    done = invoked(["validate", "--lake", str(lake), "--format", "json"])
    assert done.exit_code == 0, done.output
    rows = json.loads(done.stdout)
    hot = next(row for row in rows if row["subject"] == "HOT003" and row["system"] == "SYSA")
    assert (hot["kind"], hot["before"], hot["after"]) == ("exposures", "2", "4")
    assert hot["change_start"].startswith("2025-11-19T")
    assert hot["predicted_low_ms"] <= hot["predicted_ms"] <= hot["predicted_high_ms"]
    assert hot["error_percent"] == pytest.approx(100 * (hot["predicted_ms"] / hot["measured_ms"] - 1))
    assert abs(hot["error_percent"]) < 15
    assert (hot["predictions"], hot["inside"]) == (len(rows), sum(row["is_inside"] for row in rows))
    assert hot["widening"] > 1, "fewer than nine in ten are inside"


def test_the_table_ends_in_the_accuracy_on_this_site(lake: Path) -> None:
    done = invoked(["validate", "--lake", str(lake)])
    assert "on this site: median error" in done.stderr
    assert "HOT003" in done.stdout and "local" in done.stdout


def test_a_lake_without_a_change_says_what_would_make_one(lake: Path) -> None:
    done = invoked(["validate", "--lake", str(lake), "--until", "2025-11-18"])
    assert done.exit_code == 0
    assert "no change seen" in done.stderr and "Ingest the time before and after it" in done.stderr


@pytest.mark.parametrize(
    ("words", "place"), [(["se700", "--lake", "lake"], "STUDY"), (["--since", "2025-11-18"], "--since")]
)
def test_a_study_and_a_lake_are_two_questions(words: list[str], place: str) -> None:
    done = invoked(["validate", *words])
    assert done.exit_code != 0
    assert place in str(done.exception)
