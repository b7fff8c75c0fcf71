"""The validation page shows what the code gives today."""

from pathlib import Path

from iosq.models.validate import render_markdown

PAGE = Path(__file__).parents[3] / "docs" / "explanation" / "models" / "validation.md"


def test_the_table_in_the_documentation_is_the_generated_one(table):
    text = PAGE.read_text(encoding="utf-8")
    assert render_markdown(table).strip() in text, "paste render_markdown(validate(['zvm_pav'])) into validation.md"
