"""From what size a cluster pays, by hand. Nothing here needs Spark."""

import subprocess
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[3]))
from tests.benchmarks.bench_cluster import Line, fitted, page, pays_from, taken


def test_a_cluster_pays_where_its_cores_have_earned_what_it_took_to_begin() -> None:
    here, there = Line(0, 10), Line(20, 20)
    assert pays_from(here, there, cores=2, times=2) is None  # twice the work on twice the cores
    assert pays_from(here, there, cores=2, times=4) == pytest.approx(8)  # 10 x / 2 = 20 + 20 x / 8
    assert pays_from(Line(99, 10), there, cores=2, times=4) == 0


def test_a_line_through_points_is_found_and_costs_nothing_below_zero() -> None:
    assert fitted([(1, 5), (2, 8), (3, 11)]) == pytest.approx((2, 3))
    assert fitted([(1, 1), (2, 3)]) == pytest.approx((0, 2))
    assert fitted([(1, 3), (2, 1)]) == pytest.approx((2, 0))


def test_what_processes_that_ended_have_taken_counts() -> None:
    busy = "import time\nwhile time.process_time() < 0.3: pass"
    assert (
        taken(lambda: subprocess.run([sys.executable, "-c", busy], check=True)) >= 0.25
    )  # the system counts in hundredths


def test_the_page_says_what_was_measured_and_from_what_size_it_pays() -> None:
    points = [(n, {"ingest": {"this machine": 10.0 * n, "Spark": 20 + 20.0 * n}}) for n in (1, 2)]
    text = page(points, 0.0, 2, "the command")
    assert "| 2,000,000 | ingest | 20.0 | 60.0 |" in text
    assert "| ingest | 0.0 + 10.0 per million | 20.0 + 20.0 per million |" in text
    assert "| ingest | never | 8.0 |" in text
