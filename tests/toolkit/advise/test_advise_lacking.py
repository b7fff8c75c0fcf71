"""A law: with fewer records advice says less, not something else. Long runs: `situations.lacking --runs 200`."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.toolkit.advise.finding import Aliases, Finding, Verdict
from iosq.toolkit.advise.subject import Subject, lcus
from tests.length import tried
from tests.scoring import lacking
from tests.scoring.lacking import TYPES, broken
from tests.scoring.site import Site
from tests.scoring.troubles import KINDS, span


def site(kind: str, seed: int) -> Site:
    """A day with one trouble from 10:00 to 12:30."""
    made = Site(1800, 48, np.random.default_rng(seed))
    next(k for k in KINDS if k.name == kind).plant(made, span(made, 10, 2.5, daily=False))
    return made


@cache
def stated(kind: str, seed: int, *without: str) -> list[Finding]:
    """What all rules say of such a day, without some record types: asked once of each."""
    return lacking.stated(site(kind, seed), without)


@given(
    kind=st.sampled_from([k.name for k in KINDS if k.least_days < 1]),
    missing=st.sampled_from(TYPES),
    seed=st.integers(0, 2**31),
)
@settings(max_examples=tried(1, 4), deadline=None)
def test_fewer_records_say_nothing_else(kind: str, missing: str, seed: int) -> None:
    assert not list(broken(stated(kind, seed), stated(kind, seed, missing)))


@pytest.mark.parametrize(
    ("missing", "code", "first"),
    [
        ("73", "slow_path", "ingest type 73 of the same time"),
        ("78.3", "channel_busy", "are reached over them (type 78.3 shows it)"),
    ],
)
def test_a_slow_path_that_full_channels_may_explain_is_no_sure_one(missing: str, code: str, first: str) -> None:
    assert not [f for f in stated("channel_full", 5) if f.code == "slow_path"], "channel_busy explains it"
    slow = [f for f in stated("channel_full", 5, missing) if f.code in ("slow_path", "channel_busy")]
    assert slow and all((f.code, f.confidence) == (code, "medium") and first in f.advice for f in slow)
    (sure, *_) = (f for f in stated("slow_path", 5) if f.code == "slow_path")
    assert sure.confidence == "high" and "Full channels" not in sure.advice


def finding(
    code: str, verdict: Verdict, confidence: str = "high", advice: str = "", covers: Subject | None = None
) -> Finding:
    what = frozenset({("slow_path", covers)}) if covers else frozenset()
    subject, aliases = lcus(["0011"]), Aliases(verdict)
    return Finding("act", subject, "", advice, (), "", 1.0, confidence, covers=what, aliases=aliases, code=code)


@pytest.mark.parametrize(
    ("whole", "less", "wrong"),
    [
        ([], [finding("slow_path", "enough")], "sure"),
        ([], [finding("slow_path", "enough", "medium")], ""),
        ([finding("slow_path", "enough")], [finding("slow_path", "enough")], ""),
        ([finding("channel_busy", "enough", covers=lcus(["0011"]))], [finding("slow_path", "enough")], "sure"),
        ([finding("x", "wont_help")], [finding("y", "add", "medium")], "aliases to add"),
        ([finding("x", "wont_help")], [finding("y", "add", "low")], ""),
        ([finding("x", "wont_help"), finding("y", "add")], [finding("y", "add", "medium")], ""),
        ([], [finding("y", "cant_tell", "low", "look at it")], "unknown, without"),
        ([], [finding("y", "cant_tell", "low", "collect SMF type 78")], ""),
    ],
)
def test_what_is_against_the_law(whole: list[Finding], less: list[Finding], wrong: str) -> None:
    texts = list(broken(whole, less))
    assert [t.startswith(wrong) for t in texts] == ([True] if wrong else [])
