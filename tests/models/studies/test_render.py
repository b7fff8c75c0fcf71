"""The page of published numbers shows what the code gives today."""

from pathlib import Path

from published_page import error_text, markdown, summary

from iosq.models.studies.catalog import studies
from iosq.models.studies.check import Check, direction

PAGE = Path(__file__).parents[3] / "docs" / "explanation" / "models" / "published.md"


def test_the_page_is_what_the_code_gives() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for study in studies().values():
        assert markdown(study) in text, f"paste markdown(study({study.name!r})) into {PAGE.name}"


def test_lines() -> None:
    rows = [
        Check("s", "a", "ms", 11.0, 10.0, "scored"),
        Check("s", "b", "ms", 8.0, 10.0, "scored"),
        Check("s", "c", "ms", None, 10.0, "unpredicted", "why"),
        direction("s", "up", True),
        direction("s", "down", False),
    ]
    assert [error_text(row) for row in rows] == ["+10.0%", "-20.0%", "", "holds", "FAILS"]
    assert summary(rows) == (
        "0 calibration; 2 scored; 1 unpredicted; 1 of 2 directions hold; "
        "error of the scored: mean 15.0%, median 15.0%, worst 20.0%."
    )
    assert "median" not in summary(rows[2:])
