"""`iosq validate --lake` on lakes of dumps."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

import iosq
from iosq.simulate import LakeSimulations
from iosq.toolkit.sample import write
from iosq.toolkit.sample.demand import Demand
from iosq.toolkit.sample.planting import scenarios
from tests.command import invoked
from tests.days import CLINIC

MORNING = range(18, 26)  # half hours


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two mornings of two volumes with too few exposures: one of them has four on the second day."""
    folder = tmp_path_factory.mktemp("site")
    hot = scenarios(CLINIC)["hot_pav"]

    def shaped(demand: Demand, exposures: int) -> None:
        hot.shape(demand)
        first, other = map(demand.sysplex.volume, ("HOT003", "HOT004"))
        for values in (demand.rate, demand.exposures[None], demand.read_ratio[None], demand.hit_ratio[None]):
            values[:, other] = values[:, first]
        demand.exposures[first] = exposures

    with pytest.MonkeyPatch.context() as patch:
        for day in (0, 1):
            patch.setitem(scenarios(CLINIC), "hot_pav", replace(hot, shape=partial(shaped, exposures=2 + 2 * day)))
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


def test_advice_and_page_give_the_accuracy_near_each_prediction_of_aliases(lake: Path, tmp_path: Path) -> None:
    """HOT004 still waits; the interval of its prediction is as wide as this site's predictions need it."""
    found = next(f for f in iosq.open(lake).advise("pav") if f.code == "pav_add_alias")
    known = iosq.open(lake).simulate.alias_accuracy
    assert found.effect is not None and known is not None and known.widening > 1
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LakeSimulations, "alias_accuracy", None)
        bare = next(f for f in iosq.open(lake).advise("pav") if f.code == "pav_add_alias").effect
    assert bare is not None
    assert (found.effect.low, found.effect.high) == known.widened(bare.low, bare.high)
    assert (found.effect.value, found.effect.now) == (bare.value, bare.now)
    text = f"O{known.text[1:]}"
    assert found.effect.basis == f"{bare.basis}. {text}"
    iosq.open(lake).report(tmp_path / "page.html")
    assert text in (tmp_path / "page.html").read_text("utf-8")


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


def test_a_span_without_volumes_has_no_accuracy(lake: Path) -> None:
    assert iosq.open(lake, since="2031-01-01").simulate.alias_accuracy is None
