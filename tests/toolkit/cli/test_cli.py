"""The command line as a user meets it: exit codes, streams, help, start-up."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("polars", "duckdb", "pyarrow", "numpy", "altair", "rich", "jinja2")


def iosq(*args: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from iosq.toolkit.cli.main import run; run()", *args]
    full = {**os.environ, "COLUMNS": "200", **env}
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, env=full)


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from iosq.toolkit.sample import write

    folder = tmp_path_factory.mktemp("cli")
    write(folder / "dumps", intervals=range(38, 42))
    done = iosq("ingest", "dumps", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder


def test_help_and_import_load_nothing_heavy(tmp_path: Path) -> None:
    code = (
        "import sys, iosq, iosq.toolkit, iosq.toolkit.cli.main as m\n"
        "m.build()\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_ingest_closes_with_a_balance_on_stderr(lake: Path) -> None:
    done = iosq("ingest", "dumps", "--lake", "other", cwd=lake)
    assert done.stdout == ""
    last = done.stderr.strip().splitlines()[-1]
    read, decoded, skipped, failed = (int(w.replace(",", "")) for w in last.split() if w.replace(",", "").isdigit())
    assert read == decoded + skipped + failed > 0


def test_ingest_twice_adds_nothing(lake: Path) -> None:
    count = ("sql", "SELECT count(*) AS n FROM device_interval", "--format", "json")
    before = iosq(*count, cwd=lake).stdout
    again = iosq("ingest", "dumps", cwd=lake)
    assert again.returncode == 0
    assert "already in the lake" in again.stderr
    assert iosq(*count, cwd=lake).stdout == before


def test_sql_gives_json_with_iso_instants(lake: Path) -> None:
    done = iosq("sql", "SELECT min(interval_start) AS t, NULL AS n FROM device_interval", "--format", "json", cwd=lake)
    (row,) = json.loads(done.stdout)
    assert row["n"] is None
    assert row["t"][10] == "T"


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        (("sql", "SELECT * FROM no_such_table"), 1, "no_such_table"),
        (("sql", "DROP VIEW device_interval"), 1, "not allowed"),
        (("sql", "SELECT 1", "--lake", "nowhere"), 1, "nowhere"),
        (("describe", "SMF74SSX"), 1, "SMF74SSC"),
        (("ingest", "no-such-file"), 1, "no-such-file"),
        (("ingest",), 2, "PATH"),
        (("nonsense",), 2, "nonsense"),
    ],
)
def test_what_is_wrong_is_one_line_without_traceback(lake: Path, args: tuple[str, ...], code: int, words: str) -> None:
    done = iosq(*args, cwd=lake)
    assert done.returncode == code
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert code == 2 or len(done.stderr.strip().splitlines()) <= 2


def test_settings_name_the_lake_and_flags_win(lake: Path, tmp_path: Path) -> None:
    (tmp_path / "iosq.toml").write_text(f'lake = "{lake / "lake"}"\n', "utf-8")
    assert iosq("sql", "SELECT 1 AS one FROM lake_files LIMIT 1", cwd=tmp_path).stdout.split() == ["one", "1"]
    assert iosq("sql", "SELECT 1", "--lake", "gone", cwd=tmp_path).returncode == 1
    (tmp_path / "iosq.toml").write_text("lake = \n", "utf-8")
    assert "iosq.toml" in iosq("sql", "SELECT 1", cwd=tmp_path).stderr


def test_version_and_describe(lake: Path) -> None:
    assert iosq("--version", cwd=lake).stdout.startswith("iosq ")
    assert "SSCH" in iosq("describe", "SMF74SSC", cwd=lake).stdout
    assert "device_interval" in iosq("describe", cwd=lake).stdout


def test_every_help_ends_in_an_example_that_parses(lake: Path) -> None:
    import shlex

    from typer.main import get_command

    from iosq.toolkit.cli.main import build

    for name, command in get_command(build()).commands.items():  # type: ignore[attr-defined]
        example = [line for line in (command.help or "").splitlines() if "Example: iosq" in line]
        assert example, f"the help of {name} needs a line `Example: iosq {name} …`"
        words = shlex.split(example[-1].split("Example: iosq ", 1)[1])
        assert words[0] == name
        command.make_context(name, words[1:], resilient_parsing=False)
