"""Macros of SQL: called by name, nested, indented; what no macro answers is refused with its place."""

import re
from pathlib import Path

import pytest

from iosq.toolkit.errors import LakeError
from iosq.toolkit.sql.macros import expanded, shipped

MEAN = "SELECT sum(r.io_rate * a.ms) / nullif(sum(CASE WHEN a.ms IS NOT NULL THEN r.io_rate END), 0) AS ms"


def test_arguments_replace_the_parameters() -> None:
    assert expanded('SELECT {{ mean_of("a.ms", "r.io_rate") }} AS ms', "one.sql") == MEAN


def test_a_macro_keeps_the_margin_of_its_call() -> None:
    best = expanded('WITH a AS (\n    {{ best_of("ms", "t", "x, y") }}\n)', "one.sql").splitlines()
    assert best[1].startswith("    SELECT")
    assert all(line.startswith("    ") for line in best[1:-1])


@pytest.mark.parametrize(
    ("sql", "complaint"),
    [
        ("SELECT 1,\n{{ worst_of_all() }}", r"one\.sql: line 2: unknown function"),
        ("SELECT {{ mean_of('a') }}", "undefined value"),
        ("SELECT {{ mean_of('a', 'b', 'c') }}", "too many arguments"),
        ("SELECT {{ mean_of(", r"one\.sql: line 1: syntax error"),
    ],
)
def test_a_call_that_no_macro_answers_is_refused(sql: str, complaint: str) -> None:
    with pytest.raises(LakeError, match=complaint):
        expanded(sql, "one.sql")


def test_each_macro_is_called_and_says_what_it_is_for() -> None:
    callers = (file for file in Path("toolkit").rglob("*") if file.suffix in (".sql", ".toml"))  # tables of rules, too
    every = "\n".join(file.read_text("utf-8") for file in callers)
    for name, text in shipped().items():
        assert re.search(rf"{{[{{%] (call )?{name}\(", every), name
        assert text.startswith("{#\n"), name
