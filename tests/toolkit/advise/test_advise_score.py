"""Planted days: every situation gets its finding, healthy volumes get none, and each rule says what it said before.

After a change that is meant: `IOSQ_GOLDEN=write pytest tests/toolkit/advise/test_advise_score.py`, then read the
difference.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest

from iosq.toolkit.advise import Finding
from iosq.toolkit.advise.engine import apply, run
from iosq.toolkit.advise.held import held
from iosq.toolkit.advise.memory import lake
from iosq.toolkit.advise.score import GENERAL, PLAN, Score, findings, lines, main, score, situations
from iosq.toolkit.advise.text import as_text
from iosq.toolkit.sample.day import make_day

GOLDEN = Path(__file__).with_name("golden")


@cache
def planted_day() -> list[Finding]:
    return findings(1)[1]


@cache
def scored() -> Score:
    return score(range(1, 6))


def test_every_situation_is_found_and_nothing_else() -> None:
    total = scored()
    assert "\n".join(lines(total)).count("false, seed") == 0, "\n".join(lines(total))
    assert total.found == dict.fromkeys(situations(), 5), "\n".join(lines(total))
    assert (total.true, total.missed) == (5 * len(situations()), 0)
    assert total.healthy > 200


def test_a_day_without_troubles_has_no_findings() -> None:
    with held(lake(make_day(3, plan=PLAN, names=()))) as con:
        assert {f.code for f in run(con)} == GENERAL


def test_the_command_fails_when_a_situation_is_missed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("iosq.toolkit.advise.score.run", lambda *_: [])
    assert main(["--seeds", "1"]) == 1
    assert f"true findings: 0 of {len(situations())}; false findings: 0" in capsys.readouterr().out


@pytest.mark.parametrize("name", situations())
def test_a_rule_says_what_it_said_before(name: str) -> None:
    planted = situations()[name]
    found = [f for f in planted_day() if f.code == planted.finding and planted.subject in f.subject]
    text, file = as_text(found[:1]) + "\n", GOLDEN / f"{name}.txt"
    if os.environ.get("IOSQ_GOLDEN") == "write":
        file.write_text(text)
    assert text == file.read_text()


def test_findings_carry_what_a_reader_needs() -> None:
    for f in planted_day():
        assert f.text and f.advice and f.numbers and f.sql.startswith("SELECT")
        if f.severity != "note":
            assert f.effect is not None, f.code
            assert f.effect.low <= f.effect.value <= f.effect.high, f


def test_the_sql_of_a_finding_runs_and_answers() -> None:
    with held(lake(make_day(1, plan=PLAN))) as con:
        for f in run(con):
            assert con.sql(f.sql).fetchall(), f.code


def test_a_full_box_explains_the_waits_of_its_volumes() -> None:
    from iosq.toolkit.advise.rules.pav_add_alias import RULE

    with held(lake(make_day(1, plan=PLAN))) as con:
        alone = {f.subject for f in apply(con, RULE)}
        together = {f.subject for f in run(con) if f.code == RULE.code}
    assert any(s.startswith("ARM") for s in alone)
    assert together == {"HOT003 on SYSA"}


def test_other_work_at_other_hours_is_not_taken_for_a_full_box() -> None:
    with held(lake(make_day(1))) as con:
        codes = {f.code for f in run(con)}
    assert {"alias_pool_dry", "pav_add_alias", "nvs_steady", "low_hit_ratio"} <= codes
    assert not codes & {"box_saturated", "slow_path", "reserve_contention", "same_extent", "cache_too_small"}
