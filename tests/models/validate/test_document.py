"""The validation page shows what the code gives today, give or take what another processor rounds differently.

Only the lines that the short form of the table has are computed again; the page as a whole is `iosq validate`'s.
"""

import re
from pathlib import Path

import pytest

from tests.validation_page import render_markdown

PAGE = Path(__file__).parents[3] / "docs" / "explanation" / "models" / "validation.md"
NUMBER = re.compile(r"\d+\.\d+")


def rows(text):
    lines = [line.split(" | ") for line in text.splitlines() if line.startswith("| ")]
    return {tuple(NUMBER.sub("", part) for part in line[:4]): line for line in lines if "---" not in line[0]}


def test_the_table_in_the_documentation_is_the_generated_one(table):
    shown, made = rows(PAGE.read_text(encoding="utf-8")), rows(render_markdown(table))
    assert len(made) > 60
    for key, line in made.items():
        assert key in shown, "paste the page of python -m tests.validation_page FILE zvm_pav into validation.md"
        numbers = [[float(number) for number in NUMBER.findall(" ".join(row))] for row in (shown[key], line)]
        assert numbers[0] == pytest.approx(numbers[1], rel=0.05, abs=1.3), key


def test_the_example_of_ones_own_predictor_runs(capsys):
    code = re.search(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    exec(compile(code.group(1), str(PAGE), "exec"), {})
    assert "| B' | square root | rate | all | 249 |" in capsys.readouterr().out
