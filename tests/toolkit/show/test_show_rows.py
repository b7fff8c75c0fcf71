"""Tables, CSV, JSON and worksheets: values, room on a terminal, text that acts on terminals and spreadsheets."""

import csv
import io
import json
import math

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.toolkit.show import rows, table, terminal
from iosq.toolkit.show.numbers import duration, listed, plural, shown
from iosq.toolkit.show.values import dumps, plain

ACTS = "\x1b[31mred\x07", "abc\u202etxt", "a\u2066b\x00"


def written(form: str, names: list[str], cells: list[list[object]]) -> bytes:
    target = io.BytesIO()
    rows.WRITERS[form](names, cells, target)
    return target.getvalue()


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1"])
def test_text_that_a_spreadsheet_would_run_is_kept_from_it(text: str) -> None:
    read = list(csv.reader(io.StringIO(written("csv", ["a"], [[text], [-1], [-1.5]]).decode(), newline="")))
    assert read[1:] == [[f"'{text}"], ["-1"], ["-1.5"]], "numbers stay numbers"
    sheet = openpyxl.load_workbook(io.BytesIO(written("xlsx", ["a"], [[text], [-1]]))).active
    assert sheet["A2"].data_type == "s"
    assert sheet["A3"].value == -1


@settings(max_examples=60)
@given(st.text())
def test_nothing_that_is_shown_acts_on_a_terminal(text: str) -> None:
    assert all(line.isprintable() for line in terminal.safe(text).split("\n"))
    made = table.text(table.grid(["name", text], [[text, 1]]))
    assert all(line.isprintable() for line in made.split("\n"))
    assert len(made.split("\n")) == 2
    assert json.loads(dumps({text: text})) == {text: text}
    assert all(line.isprintable() for line in dumps([text], 1).split("\n"))


class Terminal(io.BytesIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("form", ["table", "csv", "json"])
@pytest.mark.parametrize("text", ACTS)
def test_a_terminal_gets_no_letter_of_the_data_that_acts(form: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    target = Terminal()
    rows.WRITERS[form](["name"], [[text]], target)
    made = target.getvalue().decode()
    # headings are bold on a terminal
    head = "\x1b[1mname\x1b[0m"
    assert made.startswith(head) == (form == "table")
    assert all(line.isprintable() for line in made.removeprefix(head).split("\n"))


@pytest.mark.parametrize("text", ACTS)
def test_what_acts_is_spelled_out(text: str) -> None:
    assert "\\" in terminal.safe(text)


def test_numbers_stand_right_and_columns_line_up() -> None:
    made = table.text(table.grid(["volume", "wait_ms", "cache_bytes"], [["DB2003", 0.5, 2**31], ["X", 1234.5, None]]))
    assert made.split("\n") == [
        "volume  wait_ms  cache_bytes",
        "DB2003      0.5      2.0 GiB",
        "X         1,234            –",
    ]


def test_a_wide_row_goes_downwards_and_many_say_which_columns_have_no_room() -> None:
    names = [f"column_{n}" for n in range(20)]
    one = table.text(table.grid(names, [list(range(20))]), 80)
    assert one.split("\n")[3] == "column_3   3"
    many = table.text(table.grid(names, [list(range(20))] * 30), 80)
    lines = many.split("\n")
    assert len(lines) == 32
    assert max(map(len, lines[:-1])) <= 80
    assert lines[-1].startswith("12 columns left out for lack of room: column_8, column_9")
    assert "and 6 more" in lines[-1]
    assert "left out" not in table.text(table.grid(names, [list(range(20))] * 30))


def test_many_rows_are_capped_on_a_terminal_with_the_count() -> None:
    made = table.text(table.grid(["n"], [[n] for n in range(500)]), 80)
    assert made.endswith("40 of 500 rows; -o FILE writes all")
    assert len(table.text(table.grid(["n"], [[n] for n in range(500)])).split("\n")) == 501


@pytest.mark.parametrize(
    ("count", "words"), [(0, "0 volumes"), (1, "1 volume"), (2, "2 volumes"), (1200, "1,200 volumes")]
)
def test_plurals(count: int, words: str) -> None:
    assert plural(count, "volume") == words


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ("", ""),
        ("A", "A"),
        ("AB", "A and B"),
        ("ABCDEF", "A, B, C, D, E and F"),
        ("ABCDEFG", "A, B, C, D, E, F and 1 more"),
        ("ABCDEFGHIJKLMNOPQRSTUVWX", "A, B, C, D, E, F and 18 more"),
    ],
)
def test_names(names: str, words: str) -> None:
    assert listed(names) == words


@pytest.mark.parametrize(
    ("value", "name", "words"),
    [
        (None, "", "–"),
        (math.nan, "", "–"),
        (math.inf, "", "no limit"),
        (True, "", "yes"),
        (119e9, "write_bytes", "110.8 GiB"),
        (4096, "write_bytes", "4,096"),
        (1.2e8, "read_bytes_rate", "120 MB/s"),
        (0.1234, "", "0.123"),
        (12345.6, "", "12,346"),
        (0, "", "0"),
        (-5, "", "-5"),
    ],
)
def test_values_in_words(value: object, name: str, words: str) -> None:
    assert shown(value, name) == words


def test_durations() -> None:
    assert [duration(s) for s in (12, 900, 15_000, 475_200)] == ["12 s", "15 min", "4 h 10 min", "132 h"]


def test_values_that_json_does_not_know() -> None:
    assert plain({"a": [math.inf, math.nan, 1.5], "b": (None, True)}) == {"a": [None, None, 1.5], "b": [None, True]}
