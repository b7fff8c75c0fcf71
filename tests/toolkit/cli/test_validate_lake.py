"""`iosq validate --lake` on lakes of dumps."""

import json
from pathlib import Path

import pytest

import iosq
from iosq.simulate import LakeSimulations
from iosq.toolkit.advise.site import on_this_site
from iosq.toolkit.predict.answer import Answer
from iosq.toolkit.predict.site import Accuracy, with_accuracy
from iosq.toolkit.rows import Row
from tests.command import invoked
from tests.days.site import more_exposures


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return more_exposures(tmp_path_factory.mktemp("site"))


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
    assert hot["widening"] == 1, "the intervals as computed hold them"


def test_the_table_ends_in_the_accuracy_on_this_site(lake: Path) -> None:
    done = invoked(["validate", "--lake", str(lake)])
    assert "on this site: median error" in done.stderr
    assert "HOT003" in done.stdout and "local" in done.stdout


def test_advice_and_page_give_the_accuracy_near_each_prediction_of_aliases(lake: Path, tmp_path: Path) -> None:
    """HOT004 still waits; the interval of its prediction is as wide as this site's predictions need it."""
    assert iosq.open(lake).simulate.alias_accuracy is not None
    known = Accuracy(10, 5, 0.06, 1.2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LakeSimulations, "alias_accuracy", None)
        bare = next(f for f in iosq.open(lake).advise("pav") if f.code == "pav_add_alias").effect
        patch.setattr(LakeSimulations, "alias_accuracy", known)
        found = next(f for f in iosq.open(lake).advise("pav") if f.code == "pav_add_alias")
        iosq.open(lake).report(tmp_path / "page.html")
    assert bare is not None and found.effect is not None
    assert (found.effect.low, found.effect.high) == known.widened(bare.low, bare.high)
    assert (found.effect.value, found.effect.now) == (bare.value, bare.now)
    text = f"O{known.text[1:]}"
    assert found.effect.basis == f"{bare.basis}. {text}"
    assert text in (tmp_path / "page.html").read_text("utf-8")


def test_a_what_if_gives_the_same_accuracy_and_the_same_intervals_as_advice(lake: Path) -> None:
    known = Accuracy(10, 5, 0.06, 1.2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LakeSimulations, "alias_accuracy", known)
        answer = iosq.open(lake, system="SYSA").simulate.pav("HOT004")
        findings = iosq.open(lake).advise("pav")
    found = next(
        f for f in findings if f.code == "pav_add_alias" and "HOT004" in f.subject.names and "SYSA" in str(f.subject)
    )
    assert known.text in answer.conclusions and found.curve is not None
    rows = {row["aliases"]: row for row in answer.rows}
    for step in (s for s in found.curve.steps if s.count in rows):
        ends = rows[step.count]["response_low_ms"], rows[step.count]["response_high_ms"]
        assert ends == pytest.approx((step.response_ms.low, step.response_ms.high))


def test_moved_volumes_widen_migrations_not_aliases(lake: Path) -> None:
    def ends(known: Accuracy | None) -> tuple[list[float | None], str]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(LakeSimulations, "move_accuracy", known)
            answer = iosq.open(lake).simulate.migrate("ds8100")
        return [row["response_high_ms"] for row in answer.rows], " ".join(answer.conclusions)

    (bare, _), (wide, text) = ends(None), ends(Accuracy(4, 1, 0.2, 1.5))
    assert any(bare) and wide == [high and pytest.approx(1.5 * high) for high in bare]
    assert "on this site: median error 20 %, 1 of 4 inside" in text


def test_accuracy_is_computed_only_where_a_prediction_is_shown() -> None:
    def computed() -> Accuracy:
        raise AssertionError

    bounds: Row = {"response_ms": None, "response_low_ms": 1.0, "response_high_ms": 2.0, "identifiable": False}
    today: Row = {"response_ms": 1.0, "response_low_ms": 1.0, "response_high_ms": 1.0, "now": True}
    answer = Answer((bounds, today), ("nothing is predicted",))
    assert with_accuracy(answer, computed) == answer
    assert on_this_site([], computed) == []


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
