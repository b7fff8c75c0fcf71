"""The bars: every one is met, on cells the model did not see, and better than every baseline."""

import numpy as np
import pytest

from iosq.models.validate import Limit, Score, predicted_vs_measured, render_markdown, studies, validate
from iosq.models.validate.score import error_statistics
from iosq.models.validate.zvm_pav import MODEL
from iosq.toolkit.errors import RequestError


def pick(table, protocol, quantity, subset, model=MODEL):
    found = [s for s in table if (s.protocol, s.quantity, s.subset, s.model) == (protocol, quantity, subset, model)]
    assert len(found) == 1
    return found[0]


def test_every_bar_is_met(table):
    missed = [(s.protocol, s.quantity, dict(s.statistics)) for s in table if s.met is False]
    assert not missed
    assert sum(s.met is not None for s in table) == 13


def test_at_least_three_stretch_goals_are_met(table):
    reached = {s.protocol for s in table if s.stretched}
    assert len(reached) >= 3


@pytest.mark.parametrize("protocol", ["CR", "B'", "A"])
@pytest.mark.parametrize("baseline", ["no change", "naive M/M/c"])
def test_the_model_beats_the_baselines_where_it_truly_extrapolates(table, protocol, baseline):
    model = pick(table, protocol, "rate", "extrapolated").statistics
    other = pick(table, protocol, "rate", "extrapolated", baseline).statistics
    assert model["mean"] < other["mean"] and model["p90"] < other["p90"]


def test_the_model_beats_the_rule_it_replaces(table):
    for protocol in ("helps", "best count"):
        rule = pick(table, protocol, "right answers", "84 groups", "add until no wait")
        assert pick(table, protocol, "right answers", "84 groups").statistics["right"] > rule.statistics["right"]


def test_baselines_are_those_of_the_literature(table):
    assert pick(table, "helps", "right answers", "84 groups", "add until no wait").statistics["right"] == pytest.approx(
        100 * 58 / 84
    )
    assert pick(table, "B'", "rate", "all", "no change").statistics["mean"] == pytest.approx(7.5, abs=0.1)


def test_counts_of_scored_cells(table):
    assert pick(table, "CR", "rate", "all").cells == 333
    assert pick(table, "D15", "rate", "all").cells == 368
    assert pick(table, "D15", "rate", "defective").cells == 7


def test_statistics_of_known_errors():
    assert error_statistics([0, 1, 2, 3, 4]) == {"mean": 2, "median": 2, "p90": pytest.approx(3.6), "worst": 4}


def test_a_score_knows_which_bars_hold():
    limits = (Limit("mean", 5, 2), Limit("coverage", 80, 90, at_least=True))
    good = Score("s", "p", "m", "rate", "all", 1, {"mean": 1.5, "coverage": 85.0}, limits=limits)
    assert good.met and not good.stretched
    assert Score("s", "p", "m", "rate", "all", 1, {"mean": 1.5, "coverage": 79.0}, limits=limits).met is False
    assert Score("s", "p", "m", "rate", "all", 1, {"mean": 1.5}).met is None


def test_markdown_has_a_line_per_score(table):
    lines = [line for line in render_markdown(table).splitlines() if line.startswith("|")]
    assert len(lines) == len(table) + 2
    assert len({line.count("|") for line in lines}) == 1


def test_chart_rows_are_all_cells_with_their_role():
    rows = predicted_vs_measured()
    roles = [row.role for row in rows]
    assert len(rows) == 420 and roles.count("calibration") == 45 and roles.count("defective") == 7
    assert all(row.low <= row.predicted_rate <= row.high for row in rows)
    scored = [abs(row.predicted_rate / row.measured_rate - 1) for row in rows if row.role == "scored"]
    assert 0 < np.mean(scored) < 0.05


def test_unknown_study_names_itself_and_the_known_ones():
    assert "zvm_pav" in studies()
    with pytest.raises(RequestError, match="zvm_pav"):
        validate(["zvm"])
