"""The validation page shows what the code gives today, give or take what another processor rounds differently."""

import re
from pathlib import Path

import pytest

from iosq.models.validate import render_markdown

PAGE = Path(__file__).parents[3] / "docs" / "explanation" / "models" / "validation.md"
NUMBER = re.compile(r"\d+\.\d+")


def rows(text):
    return [line for line in text.splitlines() if line.startswith("|")]


def test_the_table_in_the_documentation_is_the_generated_one(table):
    shown, made = rows(PAGE.read_text(encoding="utf-8")), rows(render_markdown(table))
    remedy = "paste render_markdown(validate(['zvm_pav'])) into validation.md"
    assert [NUMBER.sub("", line) for line in shown] == [NUMBER.sub("", line) for line in made], remedy
    for ours, theirs in zip(shown, made, strict=True):
        numbers = [[float(number) for number in NUMBER.findall(line)] for line in (ours, theirs)]
        assert numbers[0] == pytest.approx(numbers[1], rel=0.03, abs=0.11), remedy
