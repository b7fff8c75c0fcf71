"""Groups of options become single ones, and what stops a command ends in one line."""

import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from iosq.toolkit.cli.options import Options, Part, expanded
from iosq.toolkit.sql.limits import IN_FORCE


@dataclass(frozen=True)
class Pair(Options):
    """Two numbers."""

    one: Annotated[int, typer.Option("--one")] = 1
    two: Annotated[int, typer.Option("--two")] = 2


def _app(command: object) -> typer.Typer:
    app = typer.Typer()
    app.command()(expanded(command))  # type: ignore[arg-type]
    return app


def test_a_group_is_single_options_outside_and_one_value_inside() -> None:
    def add(pair: Pair = Pair(), third: Annotated[int, typer.Option("--third")] = 3) -> None:
        typer.echo(str(pair.one + pair.two + third))

    assert CliRunner().invoke(_app(add), ["--two", "5"]).stdout == "9\n"


@pytest.mark.parametrize("error", [KeyboardInterrupt(), RuntimeError("Query interrupted")])
def test_a_command_the_user_stops_ends_with_its_code(error: BaseException) -> None:
    def endless() -> None:
        raise error

    done = CliRunner().invoke(_app(endless), [])
    assert (done.exit_code, done.stdout) == (130, "")


def test_another_error_is_not_swallowed() -> None:
    def broken() -> None:
        raise RuntimeError("something else")

    assert isinstance(CliRunner().invoke(_app(broken), []).exception, RuntimeError)


def test_limits_narrow_nothing_and_hold_for_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("memory_bytes", "timeout_s", "threads"):
        monkeypatch.setattr(IN_FORCE, name, getattr(IN_FORCE, name))
    part = Part(system=["SYSA"], max_memory="1GB", timeout=5.0, threads=1)
    assert part.given() == ["--system"]
    assert (IN_FORCE.memory_bytes, IN_FORCE.timeout_s, IN_FORCE.threads) == (1_000_000_000, 5.0, 1)


def test_the_wheel_does_not_need_what_only_tests_use() -> None:
    asked = ["git", "grep", "-lE", "(import|from) hypothesis", "--", "parsers", "models", "toolkit", "iosq"]
    found = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert not found.stdout


def test_what_to_type_next_names_the_program_as_it_was_called(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from iosq.toolkit.cli.commands.demo import _say_next

    for called, program in ((".venv/bin/iosq", "  .venv/bin/iosq"), ("iosq", "  iosq"), ("/x/pytest", "  iosq")):
        monkeypatch.setattr("sys.argv", [called])
        _say_next(Path("my demo/lake"))
        assert f"{program} advise pav --lake 'my demo/lake'" in capsys.readouterr().err
