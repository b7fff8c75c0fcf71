"""Rows that the page carries column by column are those it was given, in Python's reading and in the browser's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from chromium import browse, needs_browser
from hypothesis import given
from hypothesis import strategies as st

from iosq.toolkit.report.columns import column, packed

SCRIPT = Path(__file__).parents[3] / "toolkit/report/html/columns.js"
VALUES: list[list[Any]] = [
    [],
    [None, None, None],
    [1, 1, 1, 1, 2, 2],
    ["SYSA", "SYSB", "SYSA", "SYSB", "SYSA", "SYSB"],
    [0.1697, 3.136e-05, 513.5, None, 4800, 0.0],
    [1e-300, 0.5, 1e22],
    [True, 1, 1.0, "1"],
    ["2025-11-18T00:00:00"] * 9 + ["ä"],
]


def unpacked(made: Any) -> list[Any]:
    """What columns.js does."""
    if isinstance(made, list):
        return made
    if "runs" in made:
        return [value for value, count in zip(made["runs"], made["each"], strict=True) for _ in range(count)]
    if "of" in made:
        return [made["of"][place] for place in made["at"]]
    return [None if value is None else value / 10 ** made["tenths"] for value in made["whole"]]


plain = st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(plain | st.text(max_size=4)))
def test_no_value_changes(values: list[Any]) -> None:
    assert unpacked(json.loads(json.dumps(column(values)))) == values


@pytest.mark.parametrize(
    ("values", "form"),
    [
        ([7, 8], list),
        (["SYSA"] * 5, "runs"),
        (["BAT000", "BAT001"] * 9, "at"),
        ([0.1697 + n / 1000 for n in range(40)], "whole"),
    ],
)
def test_the_shortest_form_is_taken(values: list[Any], form: Any) -> None:
    made = column([round(v, 4) if isinstance(v, float) else v for v in values])
    assert isinstance(made, list) if form is list else form in made


def test_rows_of_different_names_stay_rows() -> None:
    assert packed([{"a": 1}, {"b": 1}]) == [{"a": 1}, {"b": 1}]
    assert packed([]) == []
    assert packed([{"a": 1}, {"a": 1}]) == {"count": 2, "columns": {"a": [1, 1]}}


@pytest.mark.page
@needs_browser
def test_a_browser_reads_the_same_rows(tmp_path: Path) -> None:
    sent = json.dumps([packed([{"v": value, "n": n} for n, value in enumerate(values)]) for values in VALUES])
    script = f"{SCRIPT.read_text('utf-8')}; document.title = JSON.stringify({sent}.map(iosqColumns.rows));"
    page = tmp_path / "p.html"
    page.write_text(f'<meta charset="utf-8"><title></title><script>{script}</script>', "utf-8")
    title = browse(page, tmp_path / "profile", "--dump-dom").split("<title>")[1].split("</title>")[0]
    assert [[row["v"] for row in rows] for rows in json.loads(title)] == VALUES
