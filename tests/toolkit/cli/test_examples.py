"""The example every help text ends in: each is run, and says what it should."""

import re
import shlex
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from iosq.toolkit.cli.main import command
from tests.command import invoked, lines_of

HEAD = "Example: iosq "
SCREEN = 50
# what an example must say, on either stream; {a file it writes} in braces
SAYS = {
    "advise": ["findings", "DB2003"],
    "anonymize": ["none is left", "{shared-lake/manifest.sqlite}"],
    "chart": ["{waits.svg}"],
    "compact": ["file"],
    "compare": ["5 days and 5 days", "volume DB2003 on SYSA: wait_ms"],
    "demo": ["records read", "\nopen report.html\n", "{report.html}"],
    "describe": ["SSCH"],
    "doctor": ["the lake is whole"],
    "explore": ["'iosq.toolkit.explore.serve', 'run'", "'127.0.0.1', '--token'"],
    "export delta": ["of them changed", "{tables/lake_files/_delta_log/00000000000000000000.json}"],
    "export duckdb": ["views over the lake", "{lake.duckdb}"],
    "ingest": ["rows stored", "records read"],
    "metrics": ["{iosq.prom}"],
    "prepare": ["optional", "{lake/_facts}"],
    "prune": ["older than "],
    "report": ["DB2003", "{report.html}"],
    "sample": ["sysa.smf", "{sample/sysa.smf}"],
    "simulate change": ["express16s+ in place of express8s: mean response"],
    "simulate channel": ["io_rate"],
    "simulate dump": ["dump_s"],
    "simulate fit": ["fitted to 8 intervals of AB121", "{mybox.toml}"],
    "simulate migrate": ["saturates first", "DB2003"],
    "simulate nvs": ["NVS full after"],
    "simulate pav": ["the wait of"],
    "simulate plan": ["open_percent", "/runs.csv"],
    "simulate tape": ["sustained", "{tape.svg}"],
    "sql": ["max(wait_ms)", "BAT023"],  # of the LCU whose pool runs dry
    "trend": ["too short (1 complete day,"],
    "watch": ['"event": "finding", "change": "new"', "{report.html}"],
    "validate": ["published numbers"],
}
ROOT = Path(__file__).parents[3]
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "sample-data").rglob("*.md")]
STATEMENT = re.compile(r'iosq sql\s+"([^"]*)"|`(SELECT [^`]*)`|^```sql\n(.*?)^```', re.MULTILINE | re.DOTALL)
WRITES = {"compact", "ingest", "prepare", "prune", "watch"}  # into the lake
LAKES = {"compare": "weeks", "trend": "weeks"}  # the rest is asked of a day


def _commands(made: Any, path: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    yield " ".join(path), made
    for name, child in getattr(made, "commands", {}).items():
        yield from _commands(child, (*path, name))


COMMANDS = dict(_commands(command(), ()))


def _example(made: Any) -> str:
    """The last line of a help text, without its mark."""
    text: str = made.get_help(made.context_class(made, info_name="iosq", terminal_width=200)).rstrip()
    last = text.splitlines()[-1].strip()
    assert last.startswith(HEAD), f"end this help text in an example: {text[-300:]}"
    return last.removeprefix(HEAD)


def _about(words: list[str]) -> str:
    """The command that is called by these words."""
    return next(p for n in (2, 1) if (p := " ".join(words[:n])) in COMMANDS and not hasattr(COMMANDS[p], "commands"))


@pytest.mark.parametrize("name", COMMANDS[""].commands)
def test_a_command_that_is_named_is_loaded_alone_and_is_the_same(name: str) -> None:
    alone: Any = command(("--debug", name, "--help"))
    assert list(alone.commands) == [name]
    assert _helps(alone.commands[name]) == _helps(COMMANDS[name])


def _helps(made: Any) -> dict[str, str]:
    return {p: c.get_help(c.context_class(c, info_name="iosq")) for p, c in _commands(made, ())}


@pytest.mark.parametrize("path", COMMANDS)
def test_every_help_ends_in_an_example_of_its_own_command(path: str) -> None:
    made = COMMANDS[path]
    assert f"{_example(made)} ".startswith(f"{path} ".lstrip())
    assert len(made.get_help(made.context_class(made, info_name="iosq")).splitlines()) <= SCREEN


@pytest.mark.parametrize("line", dict.fromkeys(_example(made) for made in COMMANDS.values()))
def test_every_example_runs_and_says_what_it_should(
    line: str, prepared: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = shlex.split(line)
    about = _about(words)
    assert about in SAYS, f"write down what the example of {about} must say"
    kind = LAKES.get(about, "day")
    if about in WRITES:
        shutil.copytree(prepared(kind) / "lake", tmp_path / "lake")
    else:
        (tmp_path / "lake").symlink_to(prepared(kind) / "lake")
    if kind == "day":
        shutil.copy(prepared(kind) / "smf.dump.gz", tmp_path)
        (tmp_path / "dumps").mkdir()
        shutil.copy2(prepared(kind) / "smf.dump.gz", tmp_path / "dumps")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("IOSQ_LAKE", raising=False)
    _short_days(monkeypatch)
    _started_only(monkeypatch)
    done = invoked(words)
    code = 10 if about == "watch" else 3 if "data was lost" in done.stderr else 0
    assert done.exit_code == code, (done.output, done.exception)
    assert len(lines_of(done.output)) <= SCREEN, "the default output fits a screen"
    for message in SAYS[about]:
        if message.startswith("{"):
            assert Path(message.strip("{}")).stat().st_size > 1000, f"{message} was not written"
        else:
            assert message in done.output


def test_every_statement_in_the_documentation_runs(
    prepared: Callable[[str], Path],
) -> None:
    """As it is printed, so that it can be pasted: words that SQL reserves (offset) are quoted in it."""
    import iosq
    from iosq.toolkit.sql.guard import query

    con = iosq.open(prepared("day") / "lake").connection()
    # the page of figures quotes lines of our code, whole or changed: they are not for pasting
    texts = [page.read_text("utf-8") for page in PAGES if page.name != "trust.md"]
    found = {" ".join(sql.split()) for text in texts for pair in STATEMENT.findall(text) for sql in pair if sql}
    given = sorted(sql for sql in found if "…" not in sql and not sql.startswith("$"))  # "$" is for the shell
    assert len(given) > 8
    for sql in given:
        query(con, sql)


def _short_days(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sample dumps of an hour: the whole day of the same has a test of its own in the tutorial."""
    import iosq.toolkit.sample as sample

    whole = sample.write
    monkeypatch.setattr(sample, "write", lambda *args, **more: whole(*args, **more, intervals=range(40, 44)))


def _started_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """The app in a browser runs until it is ended: here only its command is printed."""
    from iosq.toolkit.explore import launch

    def run(words: object, **more: object) -> subprocess.CompletedProcess[str]:
        print(words)
        return subprocess.CompletedProcess(words, 0)

    monkeypatch.setattr(launch.subprocess, "run", run)
