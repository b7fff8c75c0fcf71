"""Planted days: every situation gets its finding, healthy volumes get none, and each rule says what it stated before.

After a change that is meant: `IOSQ_GOLDEN=write pytest tests/toolkit/advise/test_advise_score.py`, then read the
difference.
"""

from pathlib import Path

import pytest
from test_advise_elsewhere import PLANTED as PLANTED_ELSEWHERE

from iosq.toolkit.advise import Finding
from iosq.toolkit.advise.catalog import all_rules, question_texts
from iosq.toolkit.advise.engine import apply, run
from iosq.toolkit.advise.migrate import rank, targets
from iosq.toolkit.advise.text import as_text
from iosq.toolkit.advise.verdicts import as_table, verdicts
from iosq.toolkit.sample.day import make_day
from tests.days import PACKAGES
from tests.figures import answers
from tests.held import held
from tests.length import tried
from tests.materialised import materialised
from tests.planted import Planted
from tests.scoring.memory import lake
from tests.scoring.score import GENERAL, PLANS, about, findings, lines, main, score, situations
from tests.scoring.troubles import KINDS

SEEDS = tried(1, 2)  # the command counts many more
GOLDEN = Path(__file__).with_name("golden")
# rules no trouble can be planted for, and why
NEVER_PLANTED = {"time_breakdown": "says where all time goes, right on any day"}


@pytest.fixture(scope="module")
def judged(planted: Planted) -> Planted:
    return planted


@pytest.fixture(scope="module")
def planted_days(judged: Planted) -> list[Finding]:
    return [f for plan in PLANS for f in judged.findings(1, plan)[1]]


def test_every_situation_is_found_and_nothing_else(judged: Planted, monkeypatch: pytest.MonkeyPatch) -> None:
    known = {(1, plan): judged.findings(1, plan) for plan in PLANS}
    monkeypatch.setattr("tests.scoring.score.findings", lambda *day: known.get(day) or findings(*day))
    total = score(range(1, 1 + SEEDS))
    assert "\n".join(lines(total)).count("false, seed") == 0, "\n".join(lines(total))
    assert total.found == dict.fromkeys(situations(), SEEDS), "\n".join(lines(total))
    assert (total.true, total.missed) == (SEEDS * len(situations()), 0)
    assert total.healthy > 40 * SEEDS


def test_every_rule_is_planted_and_scored() -> None:
    planted = {p.finding for p in situations().values()} | {code for p in situations().values() for code in p.also}
    planted |= {code for kind in KINDS for code in kind.expects | kind.also}
    missing = {r.code for r in all_rules()} - planted - NEVER_PLANTED.keys() - PLANTED_ELSEWHERE.keys()
    assert not missing, f"plant a trouble in tests/days or tests/scoring that {', '.join(sorted(missing))} should find"
    assert not planted & (NEVER_PLANTED.keys() | PLANTED_ELSEWHERE.keys())
    assert set(GENERAL) == set(NEVER_PLANTED)


@pytest.mark.parametrize("plan", PLANS)
def test_a_day_without_troubles_has_no_findings(plan: str) -> None:
    with materialised(lake(make_day(3, plan=PACKAGES[plan], names=())), question_texts()) as con:
        assert {f.code for f in run(con)} == GENERAL


def test_the_command_fails_when_a_situation_is_missed(
    judged: Planted, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tests.scoring.score.findings", lambda *day: (judged.findings(*day)[0], []))
    assert main(["--seeds", "1"]) == 1
    assert f"true findings: 0 of {len(situations())}; false findings: 0" in capsys.readouterr().out


@pytest.mark.parametrize("name", situations())
def test_a_rule_gives_the_same_as_before(planted_days: list[Finding], name: str) -> None:
    planted = situations()[name]
    found = [f for f in planted_days if f.code == planted.finding and about(f, planted)]
    held(GOLDEN / f"{name}.txt", as_text(found[:1]) + "\n")


def test_every_question_gives_the_same_as_before(judged: Planted) -> None:
    """Of the first finding a golden holds the words; here all rows of all answers are reported in numbers."""
    found = [line for plan in PLANS for line in answers.lines(plan, judged.day(1, plan)[1])]
    answers.hold(GOLDEN / "answers.csv", found)


def test_every_view_gives_the_same_as_before(judged: Planted) -> None:
    """All columns of what these questions read, in the same numbers."""
    found = [line for plan in PLANS for line in answers.of_views(plan, judged.day(1, plan)[1])]
    answers.hold(GOLDEN / "views.csv", found)


def test_every_finding_gives_the_same_as_before(judged: Planted, planted_days: list[Finding]) -> None:
    """The words of all findings, not of the first of each situation only, and of all machines one could move to."""
    moved = [f for plan in PLANS for f in rank(judged.day(1, plan)[1], targets())]
    held(GOLDEN / "findings.txt", as_text([*planted_days, *moved]) + "\n")


def test_every_verdict_gives_the_same_as_before(judged: Planted) -> None:
    """What is to be done for every volume, pool and group, in the words of `iosq advise pav`."""
    stated = [as_table(verdicts(judged.day(1, plan)[1], judged.findings(1, plan)[1])) for plan in PLANS]
    held(GOLDEN / "verdicts.txt", "\n\n".join(stated) + "\n")


def test_findings_carry_what_a_reader_needs(planted_days: list[Finding]) -> None:
    for f in planted_days:
        assert f.text and f.advice and f.numbers and f.sql.startswith("SELECT")
        if f.severity != "note" and f.code != "hyperpav_wait":  # its cause isn't recorded
            assert f.effect is not None, f.code
            assert f.effect.low <= f.effect.value <= f.effect.high, f


@pytest.mark.parametrize("plan", PLANS)
def test_the_sql_of_a_finding_runs_and_answers(judged: Planted, plan: str) -> None:
    _, con = judged.day(1, plan)
    for f in judged.findings(1, plan)[1]:
        assert con.execute(f.sql).fetchall(), f.code


@pytest.mark.parametrize("plan", PLANS)
def test_every_finding_is_about_something_the_day_has(judged: Planted, plan: str) -> None:
    day, found = judged.findings(1, plan)
    plex = day.sysplex
    known = {v.volser for v in plex.volumes} | {c.number for c in plex.lcus} | {c.ssid for c in plex.lcus}
    known |= {b.serial.lstrip("0") for b in plex.boxes}
    for f in found:
        if f.subject.kind not in ("all", "channel"):
            assert f.subject.names, f.subject
            assert set(f.subject.names) <= known, f.subject
        assert set(f.subject.systems) <= {s.sid for s in plex.systems}, f.subject


def test_a_full_box_explains_the_waits_of_its_volumes(judged: Planted) -> None:
    rule = next(r for r in all_rules() if r.code == "pav_add_alias")
    alone = {str(f.subject) for f in apply(judged.day(1, PLANS[0])[1], rule)}
    together = {str(f.subject) for f in judged.findings(1, PLANS[0])[1] if f.code == rule.code}
    assert any(s.startswith("ARM") for s in alone)
    assert {s.split()[0] for s in together} == {"HOT003", "FUL003"}


def test_full_channels_explain_the_waits_of_the_volumes_behind_them(planted_days: list[Finding]) -> None:
    found = planted_days
    (mine, theirs) = (f for f in found if f.code == "channel_busy")
    assert {str(mine.subject), str(theirs.subject)} == {"channels 1.55, 1.56 on SYSA", "channels 1.55, 1.56 on SYSB"}
    assert any(s.names[0].startswith("LNK") for _, s in mine.covers)
    assert not any("LNK" in str(f.subject) for f in found)


def test_a_pool_that_borrows_what_it_lacks_is_no_trouble(planted_days: list[Finding]) -> None:
    day = make_day(1, plan=PACKAGES[PLANS[0]])
    lender, borrower = (day.sysplex.lcu(n) for n in ("00A1", "00A0"))
    assert day.aliases["XABC"][0, borrower].sum() > 1000
    assert day.aliases["XABC"][0, lender].sum() < 0.01 * day.aliases["XABC"][0, borrower].sum()
    assert not [f for f in planted_days if "00A0" in str(f.subject) or "00A1" in str(f.subject)]


def test_a_dry_group_is_one_finding_for_all_of_its_lcus(planted_days: list[Finding]) -> None:
    dry = [f for f in planted_days if f.code == "alias_pool_dry" and "0080" in str(f.subject)]
    assert {str(f.subject) for f in dry} == {"LCUs 0080, 0081 on SYSA", "LCUs 0080, 0081 on SYSB"}
    assert all(f.text.startswith("Alias management group 8 ran out") for f in dry)


def test_other_work_at_other_hours_is_not_taken_for_a_full_box(judged: Planted) -> None:
    codes = {f.code for f in judged.findings(1, "sysplex")[1]}
    assert {"alias_pool_dry", "pav_add_alias", "nvs_delay", "low_hit_ratio"} <= codes
    assert not codes & {"box_saturated", "slow_path", "reserve_contention", "same_extent", "cache_too_small"}


def test_what_helps_a_box_whose_nvs_is_full(planted_days: list[Finding]) -> None:
    steady, bursts = (
        next(f for f in planted_days if f.code == "nvs_delay" and box in str(f.subject)) for box in ("AA004", "AA003")
    )
    assert "only delay the overflow" in steady.details and "absorb" not in steady.whole_text + steady.advice
    assert "More NVS would absorb them" in bursts.details and "overflow" not in bursts.whole_text + bursts.advice


def test_what_explains_a_wait_away_is_stated_where_aliases_were_asked_about(judged: Planted) -> None:
    """Volumes of a box that takes more writes than it destages wait; advice on aliases must say why they won't help."""
    stated = {f.code for f in run(judged.day(1, PLANS[0])[1], topic="pav")}
    assert "nvs_delay" in stated
    assert "low_hit_ratio" not in stated
