"""The prompt of `iosq sql`, with keys typed into it."""

import pydoc
import time
from pathlib import Path

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.document import Document
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

import iosq
from iosq.toolkit.cli import prompt
from iosq.toolkit.errors import RequestError
from iosq.toolkit.show import stages
from tests.command import invoked


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> iosq.Lake:
    """A small lake."""
    path = tmp_path_factory.mktemp("prompt") / "lake"
    iosq.ingest(path, [Path(__file__).parents[2] / "golden" / "rmf" / "device.txt"])
    return iosq.open(path)


@pytest.fixture(autouse=True)
def _own_history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def typed(lake: iosq.Lake, keys: str) -> None:
    """A session in which these keys are typed, to its end."""
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
        pipe.send_text(keys + "\x04")
        prompt.Prompt(lake, utc=False).run()


def test_statements_and_commands(lake: iosq.Lake, capsys: pytest.CaptureFixture[str]) -> None:
    typed(lake, "SELECT 41 +\n1 AS answer;\n.describe pend_ms\nSELECT nonsense;\n.timing\nSELECT 7 AS x;\n")
    out, err = capsys.readouterr()
    assert "42" in out and "answer" in out and "pend_ms (column)" in out and "7" in out
    assert "iosq: " in err and "nonsense" in err and " s\n" in err


def test_rows_below_each_other(lake: iosq.Lake, capsys: pytest.CaptureFixture[str]) -> None:
    typed(lake, ".vertical\nSELECT 1 AS first, 'two' AS second;\n")
    assert "row 1\n  first   1\n  second  two\n" in capsys.readouterr().out


def test_all_rows_of_the_last_statement_are_paged(
    lake: iosq.Lake, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    paged = list[str]()
    monkeypatch.setattr(pydoc, "pager", paged.append)
    columns = ", ".join(f"range AS column_{n:02}" for n in range(40))
    typed(lake, f"SELECT {columns} FROM range(99);\n.all\n")
    assert not capsys.readouterr().err.count("iosq: ")
    (text,) = paged
    assert "column_39" in text and text.splitlines()[-1].split() == ["98"] * 40


def test_no_progress_is_written_over_the_pager(
    lake: iosq.Lake, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def read(text: str) -> None:
        assert "row 99" in text
        stages.progress("while it is read")
        time.sleep(0.5)

    monkeypatch.setattr(stages, "SILENT_S", 0.01)
    monkeypatch.setattr(pydoc, "pager", read)
    with stages.watched("sql"):
        typed(lake, ".vertical\nSELECT * FROM range(99);\n")
    assert "while it is read" not in capsys.readouterr().err


def test_history_is_kept(lake: iosq.Lake, tmp_path: Path) -> None:
    typed(lake, "SELECT 17 AS kept;\n")
    assert "SELECT 17 AS kept" in (tmp_path / "state" / "iosq" / "sql_history").read_text()


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("SELECT * FROM volume_in", "volume_interval"),
        ("SELECT max(pend", "pend_ms"),
        ("SELECT volume FROM volume_interval WHERE is_hyp", "is_hyperpav"),
        ("SELECT volume FROM volume_interval ORD", "ORDER BY"),
        (".des", ".describe"),
        (".describe lcu_int", "lcu_interval"),
    ],
)
def test_completion(lake: iosq.Lake, before: str, expected: str) -> None:
    completer = prompt._session(prompt.Prompt(lake, utc=False)._words).completer
    assert completer is not None
    found = [c.text for c in completer.get_completions(Document(before), None)]  # type: ignore[arg-type]
    assert expected in found


def test_no_progress_is_written_over_what_is_typed(
    lake: iosq.Lake, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Session:
        def prompt(self, _: str) -> str:
            stages.progress("lake")  # as of a completion
            time.sleep(0.2)
            raise EOFError

    monkeypatch.setattr(stages, "SILENT_S", 0.01)
    monkeypatch.setattr(prompt, "_session", lambda _: Session())
    with stages.watched("sql"):
        prompt.Prompt(lake, utc=False).run()
    _, begun, after = capsys.readouterr().err.partition("Ctrl-D ends")
    assert begun
    assert "so far" not in after


def test_without_a_terminal_there_is_no_prompt(lake: iosq.Lake) -> None:
    result = invoked(["sql", "--lake", str(lake.path)])
    assert isinstance(result.exception, RequestError)
