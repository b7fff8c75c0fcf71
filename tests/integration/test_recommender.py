"""The published bars of the PAV recommender hold through `iosq simulate fit` and `iosq advise pav --machine`."""

import csv
import os
from importlib.resources import files
from pathlib import Path

import pytest
import recommender

from iosq.models.validate.recommender import advice, published
from iosq.settings import settings


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    settings.cache_clear()
    yield tmp_path
    settings.cache_clear()


def bars() -> dict[str, float]:
    text = files("iosq.models.validate").joinpath("bars.csv").read_text("utf-8")
    rows = csv.DictReader(text.splitlines())
    return {r["protocol"]: float(r["bar"]) for r in rows if r["quantity"] == "right answers"}


@pytest.mark.skipif("IOSQ_LONG" not in os.environ, reason="takes a minute; set IOSQ_LONG to run it")
def test_the_bars_hold_through_the_command_line(folder: Path) -> None:
    recommender.prepare(folder, recommender.groups())
    lake = recommender.minutes(folder)
    answers = [(group, recommender.judged(folder, group, lake)) for group in recommender.groups()]
    for group in recommender.groups()[recommender.SAMPLE]:
        assert recommender.advised(group) == answers[group.number][1]
    whether, count = recommender.right(answers)
    text = "".join(recommender.lines(answers))
    assert len(answers) == 84
    assert whether >= bars()["helps"], text
    assert count >= bars()["best count"], text


def test_the_score_counts_right_answers() -> None:
    helps, best = advice(published())
    exact = [(g, recommender.Answer(bool(helps[g.number]), int(best[g.number]))) for g in recommender.groups()]
    assert recommender.right(exact) == (100.0, 100.0)
    turned = [(g, recommender.Answer(not a.helps, a.best)) for g, a in exact]
    assert recommender.right(turned) == (0.0, 100.0)
