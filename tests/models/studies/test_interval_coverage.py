"""Stated 90 % intervals hold nine in ten of the published numbers that no fit saw, for every model."""

import pytest
from interval_coverage import errors, markdown, of_boxes, pooled_misfit, table
from test_render import PAGE

from iosq.toolkit.predict import spread

GOAL = (85, 95)


def test_the_page_has_the_table() -> None:
    assert markdown() in PAGE.read_text(encoding="utf-8"), f"paste markdown() into {PAGE.name}"


def test_every_model_reaches_the_goal() -> None:
    """Where a study has ten numbers or more; both statements about old channels are outside, as the page reports."""
    shares = [share for _, share in of_boxes()] + [round(c.share) for c in table() if c.of >= 10]
    assert all(GOAL[0] <= share <= GOAL[1] for share in shares), shares
    assert {c.cells: c.inside for c in table()}["channels"] == 0


def test_the_pooled_misfit_is_that_of_all_studies() -> None:
    assert pytest.approx(pooled_misfit(errors()), rel=0.01) == spread.POOLED
    assert sum(map(len, errors().values())) > 100
