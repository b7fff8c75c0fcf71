"""What `iosq validate` shows is what the models give today, as far as it is computed here in little time."""

import pytest

from iosq.toolkit.predict import validation
from tests.validate.page import cell_row, rows, score_row
from tests.validate.run import predicted_vs_measured, studies
from tests.validate.zvm_pav import NAME as PAV

ANEW = "python -m tests.validate writes models/validation/ anew"
NAMED = ("protocol", "model", "quantity", "subset")
CELL = ("machine", "read_pct", "workers", "aliases")


def same(shown, made, **within):
    """Whether rows agree: numbers give or take what another processor rounds differently."""
    return {k: pytest.approx(v, **within) if isinstance(v, float) else v for k, v in shown.items()} == made


def test_every_study_has_results():
    assert tuple(validation.studies()) == studies()


@pytest.mark.parametrize("study", [name for name in studies() if name != PAV])
def test_published_numbers_are_those_of_the_models(study):
    for shown, made in zip(validation.results(study), rows(study), strict=True):
        assert same(shown, made, rel=1e-3, abs=1e-6), ANEW


def test_scores_of_the_pav_study_are_those_of_the_model(table):
    found = [row for row in validation.results(PAV) if row["kind"] == "score"]
    shown = {tuple(row[name] for name in NAMED): row for row in found}
    assert len(shown) == len(found)
    for made in map(score_row, table):
        key = tuple(made[name] for name in NAMED)
        assert same(shown[key], made, rel=0.05, abs=1.3), ANEW


def test_cells_of_the_pav_study_are_those_of_the_model():
    shown = {tuple(row[n] for n in CELL): row for row in validation.results(PAV) if row["kind"] == "cell"}
    made = [cell_row(point) for point in predicted_vs_measured()]
    assert len(shown) == len(made) == 420
    for row in made:
        assert same(shown[tuple(row[n] for n in CELL)], row, rel=0.02), ANEW
