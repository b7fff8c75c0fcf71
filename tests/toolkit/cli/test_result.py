"""-o of advise, compare and trend: the ending says the form, `-` is standard output."""

from pathlib import Path

import pytest

from iosq.toolkit.cli.result import deliver, form_of
from iosq.toolkit.errors import RequestError

ENDINGS = {".txt": "text", "": "table", ".json": "json"}


@pytest.mark.parametrize(
    ("asked", "name", "form"),
    [
        (None, None, "text"),
        ("table", None, "table"),
        (None, "-", "text"),
        (None, "x.JSON", "json"),
        (None, "x.txt", "text"),
        ("table", "x.txt", "table"),
        ("json", "x.out", "json"),
    ],
)
def test_the_form(tmp_path: Path, asked: str | None, name: str | None, form: str) -> None:
    output = None if name is None else Path(name) if name == "-" else tmp_path / name
    assert form_of(asked, output, ENDINGS) == form


@pytest.mark.parametrize(
    ("asked", "name", "words"),
    [
        ("yaml", "x.txt", "not an output format; choose text, table, json"),
        (None, "x.foo", "the ending .foo does not say what to write; end it in .txt or .json"),
        (None, "none/x.txt", "there is no folder"),
    ],
)
def test_what_cannot_be_written_is_refused_before_the_work(tmp_path: Path, asked: str, name: str, words: str) -> None:
    with pytest.raises(RequestError, match=words):
        form_of(asked, tmp_path / name, ENDINGS)


def test_a_result_goes_where_the_option_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deliver("one\x1b[2J", Path("-"))
    assert capsys.readouterr() == ("one\\x1b[2J\n", "")
    deliver("two", tmp_path / "x.txt")
    assert (tmp_path / "x.txt").read_text("utf-8") == "two\n"
    assert capsys.readouterr() == ("", f"written: {tmp_path / 'x.txt'}\n")
