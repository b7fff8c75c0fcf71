"""Sites made up from the truth: what is planted is found and told apart, and the figures say what came out."""

from __future__ import annotations

import math

import numpy as np
import pytest

from iosq.toolkit.advise import Finding
from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.engine import apply
from iosq.toolkit.advise.situations.measured import tables
from iosq.toolkit.advise.situations.site import Site
from iosq.toolkit.advise.situations.tables import lake
from iosq.toolkit.advise.situations.trial import bounds, markdown, try_sites
from iosq.toolkit.advise.situations.troubles import KINDS, span

RULES = {r.code: r for r in all_rules()}


def found(kind: str, code: str, *without: str, seed: int = 3) -> list[Finding]:
    """What one rule finds on a site of a day with one trouble from 10:00 to 12:00."""
    site = Site(900, 96, np.random.default_rng(seed))
    next(k for k in KINDS if k.name == kind).plant(site, span(site, 10, 2, daily=False))
    with lake(tables(site, without), [RULES[code].question.sql]) as con:
        return apply(con, RULES[code])


def test_a_saturated_rank_names_its_volumes() -> None:
    (finding,) = found("rank_full", "rank_saturated")
    assert "(10:00-12:00 on 2026-03-02)" in finding.text and ". There live V0" in finding.text
    assert finding.subject.kind == "rank" and finding.lost_s > 30
    (untold,) = found("rank_full", "rank_saturated", "74.5")
    assert "collect type 74.5" in untold.text
    assert found("rank_full", "rank_saturated", "74.8") == found("random_reader", "rank_saturated") == []


def test_a_full_link_is_full_in_one_direction() -> None:
    (finding,) = found("link_full", "link_full")
    assert "(FC 8 Gb/s) is up to" in finding.text and "with what leaves the box" in finding.text
    assert "the 3 other links" not in finding.advice and "1 other link of the box" in finding.advice


def test_throttling_is_told_without_queuing_records() -> None:
    (finding,) = found("throttled", "alias_throttled", "78.3")
    assert "Alias throttling holds back" in finding.text and finding.covers
    assert found("throttled", "same_extent") == []


def test_figures_come_from_what_was_tried() -> None:
    total = try_sites(1)
    assert total.sites == 1 and f"Measured on {total.sites} made-up sites" in markdown(total)
    assert total.found.total() <= total.called.total()


def test_bounds_are_those_of_wilson() -> None:
    """Wilson's interval solves |share - p| = 1.96 sqrt(p (1 - p) / n)."""
    for right, count in ((9, 10), (50, 100), (990, 1000)):
        for p in bounds(right, count):
            assert abs(right / count - p) == pytest.approx(1.96 * math.sqrt(p * (1 - p) / count))
    assert bounds(0, 0) == (0.0, 1.0)
    assert bounds(20, 20)[1] == pytest.approx(1.0)
