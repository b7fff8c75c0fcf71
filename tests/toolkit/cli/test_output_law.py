"""One law for -o of every command, found by walking the application: a new command can't forget it."""

import os
import stat
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.main import get_command
from typer.testing import Result

from iosq.toolkit.cli.main import build
from iosq.toolkit.errors import IosqError
from tests.command import invoked

SPAN = "2025-11-10..2025-11-14 2025-11-17..2025-11-21"
# what each command is asked, and an ending it knows; with a lake, that is named behind it
ASKED = {
    "advise": ("advise pav --every --lake", ".json"),
    "chart": ("chart nvs_delay --lake", ".svg"),
    "compare": (f"compare {SPAN} --lake", ".csv"),
    "metrics": ("metrics --lake", ".prom"),
    "report": ("report --lcu 0012 --lake", ".html"),
    "sql": ("sql", ".csv"),
    "trend": ("trend --lake", ".csv"),
    "watch": ("watch . --once --lake", ".json"),
    "validate": ("validate 3990-6", ".json"),
    "demo": ("demo", ".html"),
    "simulate change": ("simulate change mirror --km 10 --lake", ".csv"),
    "simulate channel": ("simulate channel ficon --tasks 1", ".csv"),
    "simulate dump": ("simulate dump --storage-gb 1 --volumes 1", ".csv"),
    "simulate fit": ("simulate fit box --lcu 0012 --lake", ".toml"),
    "simulate migrate": ("simulate migrate --to ds8100 --rate 50 --service-ms 6", ".json"),
    "simulate nvs": ("simulate nvs --machine ibm3990-6 --write-rate 1 --seconds 1", ".csv"),
    "simulate pav": ("simulate pav --rate 1 --service-ms 5 --aliases 1", ".csv"),
    "simulate plan": ("simulate plan --runs 1", ".csv"),
    "simulate tape": ("simulate tape --jobs 1", ".csv"),
}
# what takes long writes as `report` does
WRITTEN = sorted(ASKED.keys() - {"demo", "watch"})  # which writes when something is new


def commands(made: object, name: str = "") -> Iterator[str]:
    children = getattr(made, "commands", None)
    if children is None:
        options = {opt for parameter in getattr(made, "params", ()) for opt in parameter.opts}
        yield from ([name.strip()] if "-o" in options else [])
    else:
        for child, own in children.items():
            yield from commands(own, f"{name} {child}")


@pytest.fixture
def lake(prepared: Callable[[str], Path], command: str) -> Path:
    return prepared("weeks" if command in ("compare", "trend") else "day") / "lake"


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(command: str, target: Path | str, lake: Path | str = "no-such-lake", *more: str) -> Result:
    line = ASKED[command][0]
    words = [*line.split(), *([str(lake)] if line.endswith("--lake") else [])]
    words += ["SELECT system, lcu FROM lcu_interval LIMIT 3", "--lake", str(lake)] if command == "sql" else []
    return invoked([*words, "-o", str(target), *more])


def test_every_command_with_the_option_is_asked() -> None:
    assert sorted(commands(get_command(build()))) == sorted(ASKED)


@pytest.mark.parametrize("command", ASKED)
@pytest.mark.parametrize(("target", "words"), [("x.foo", "the ending .foo"), ("none/x.svg", ""), ("folder", "is a f")])
def test_a_bad_place_is_refused_before_any_work(command: str, target: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    target = target.replace(".svg", ASKED[command][1])
    done = run(command, target)
    # the lake is not there either: that error comes later
    assert isinstance(done.exception, IosqError)
    assert target in str(done.exception)
    assert (words or "there is no folder") in str(done.exception)
    assert done.stdout == ""
    assert [p.name for p in tmp_path.iterdir()] == ["folder"]


@pytest.mark.parametrize("command", WRITTEN)
def test_the_result_goes_where_the_option_says(command: str, tmp_path: Path, lake: Path) -> None:
    for standard in ("-", "/dev/stdout"):
        done = run(command, standard, lake)
        assert (done.exit_code, bool(done.stdout)) == (0, True), (done.output, done.exception)
    assert list(tmp_path.iterdir()) == []
    file, link = tmp_path / f"real{ASKED[command][1]}", tmp_path / f"link{ASKED[command][1]}"
    file.write_text("old")
    link.symlink_to(file)
    done = run(command, link, lake, "--quiet")
    assert (done.exit_code, done.stderr) == (0, "")
    assert link.is_symlink()
    assert file.read_bytes() not in (b"old", b"")


@pytest.mark.parametrize("command", WRITTEN)
def test_a_pipe_stays_a_pipe(command: str, tmp_path: Path, lake: Path) -> None:
    pipe = tmp_path / f"pipe{ASKED[command][1]}"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
    reader.start()
    done = run(command, pipe, lake)
    assert done.exit_code == 0, (done.output, done.exception)
    reader.join(10)
    assert read and read[0]
    assert stat.S_ISFIFO(pipe.stat().st_mode)
