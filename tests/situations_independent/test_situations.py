"""A few of the situations, small enough for every run; `python -m tests.situations_independent` tries all of them."""

import datetime as dt
from dataclasses import replace
from pathlib import Path

import pytest

import iosq
from iosq.toolkit.advise.catalog import SPAN, all_rules
from iosq.toolkit.advise.engine import apply
from iosq.toolkit.advise.finding import Finding
from iosq.toolkit.advise.subject import Subject
from tests.length import some
from tests.situations_independent.expected import Say, Situation, judged
from tests.situations_independent.known import WRONG
from tests.situations_independent.run import built, names, situation_called, tried
from tests.situations_independent.shop import Shop

WEDNESDAY = dt.datetime(2026, 3, 4)
SHIFT = dt.datetime(2026, 3, 3, 8)
# the hours around the trouble, and the rules that should find it: all of them on all hours take too long
CASES = [
    pytest.param("idle_without_74_5", dt.datetime(2026, 3, 3, 11), 1.0, {"idle_volume"}),
    pytest.param("foreign_reserve", dt.datetime(2026, 3, 3, 12), 2.0, {"reserve_contention"}),
    pytest.param("shift_slow_but_hanging", SHIFT, 3.0, {"pav_add_alias"}),
    pytest.param("shift_commands_answer_late", SHIFT, 6.0, {"slow_path"}),
    pytest.param("director_port", WEDNESDAY.replace(hour=13), 2.0, {"slow_path"}),
]


@pytest.mark.parametrize(("name", "start", "hours", "codes"), CASES)
def test_an_expert_would_sign(name: str, start: dt.datetime, hours: float, codes: set[str], tmp_path: Path) -> None:
    whole = situation_called(name)
    assert isinstance(whole.shop, Shop)
    s = replace(whole, shop=replace(whole.shop, start=start, hours=hours))
    lake = iosq.open(built(s, tmp_path))
    asked = [r for r in all_rules() if r.code in codes]
    outcome = judged(s, [f for r in asked for f in apply(lake.connection(f"{r.sql}; {SPAN.sql}"), r)])
    assert asked
    assert outcome.is_right, (outcome.unsaid, outcome.forbidden, outcome.too_sure)


ALL_RULES = (
    "pair_mirror_static",
    "reserve_of_other_clock",
    "missing_box_left_at_noon",
    "channels_always_full",
    "two_paths_lost",
    "one_system_is_answered_late",
    "mirror_slow_since_noon",
    "mirror_suspended_twice",
    "flash_disconnects_for_longer",
    "half_of_the_cache_fails",
    "idle_aliases_next_door",
    "job_every_six_hours",
    "backup_grows_into_the_morning",
)


@pytest.mark.parametrize("name", some(ALL_RULES))
def test_all_rules_together_name_the_cause(name: str, tmp_path: Path) -> None:
    """Of these, all of what the program says is judged, and what advice about aliases begins with."""
    outcome = tried(name, tmp_path)
    assert outcome.is_right, (outcome.unsaid, outcome.forbidden, outcome.too_sure)


def test_known_faults_are_situations() -> None:
    assert set(WRONG) <= set(names())


def _finding(text: str, confidence: str = "high") -> Finding:
    return Finding("act", Subject("lcu", ("0010",)), text, "Define 4 more aliases", (), "", 1.0, confidence)


def _judged(must: Say, *must_not: Say) -> tuple[bool, bool, bool]:
    """Whether a finding about LCU 0010 is right, leaves something unsaid, or is too sure."""
    shop = situation_called("idle_without_74_5").shop
    found = judged(Situation("one", "", shop, (must,), must_not), [_finding("The pool is dry")])
    return found.is_right, bool(found.unsaid), bool(found.too_sure)


def test_judging_can_fail() -> None:
    dry = Say("it is dry", "0010", ("dry",), more_aliases=True)
    assert _judged(dry) == (True, False, False)
    assert _judged(replace(dry, about="0011")) == (False, True, False)
    assert _judged(replace(dry, at_most="medium")) == (False, False, True)
    assert _judged(dry, Say("no aliases", "0010", more_aliases=True)) == (False, False, False)
    assert _judged(dry, Say("no aliases", "0010", ("dry",), lacking="pool")) == (True, False, False)
