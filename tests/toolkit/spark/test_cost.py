"""The sums behind the page that says when a cluster pays."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

sys.path.append(str(Path(__file__).parents[3]))
from tests.benchmarks.bench_cluster import ENGINES, Line, fitted, page, pays_from

COST = st.floats(0.0, 1000.0)


@given(COST, COST, st.lists(st.floats(0.01, 100.0), min_size=2, max_size=5, unique=True))
def test_points_on_a_line_give_the_line(start: float, million: float, sizes: list[float]) -> None:
    line = fitted([(x, start + million * x) for x in sizes])
    for x in sizes:
        assert line.start + line.million * x == pytest.approx(start + million * x, abs=1e-3, rel=1e-3)


@given(COST, st.floats(0.1, 1000.0), COST, COST, st.integers(1, 64))
def test_where_it_pays_both_take_the_same(a: float, b: float, start: float, million: float, times: int) -> None:
    here, there = Line(a, b), Line(start, million)
    size = pays_from(here, there, times)
    if size is None:
        assert million / times >= b
    elif size > 0:
        assert a + b * size == pytest.approx(start + million / times * size, rel=1e-6, abs=1e-6)
    else:
        assert start <= a


def test_the_page_shows_what_was_measured_and_what_never_pays() -> None:
    work = {"ingest": dict(zip(ENGINES, (10.0, 40.0), strict=True)), "ask": dict(zip(ENGINES, (1.0, 9.0), strict=True))}
    twice = {name: {engine: 2 * s for engine, s in own.items()} for name, own in work.items()}
    text = page([(1.0, work), (2.0, twice)], 5.0, 2, "the command")
    assert "| 1,000,000 | ingest | 10.0 | 40.0 |" in text
    assert "| ingest | never | never | 1.0 | 0.7 | 0.6 |" in text  # 10 n against 5 + 40 n / times
    assert "| ask | 0.0 + 1.0 per million | 0.0 + 9.0 per million |" in text
