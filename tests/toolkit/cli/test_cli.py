"""The command line as a user meets it: exit codes, streams, help, start-up."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from iosq.opening import open as open_lake
from iosq.toolkit.cli.main import build
from iosq.toolkit.errors import RequestError
from tests.command import ended as iosq
from tests.command import lines_of

HEAVY = ("polars", "duckdb", "pyarrow", "numpy", "altair", "rich", "jinja2")


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


@pytest.mark.parametrize(
    ("command", "loaded"),
    [
        (["--help"], set()),
        (["sql", "--help"], set()),
        (["describe", "volume_interval"], set()),
        (["describe", "SMF74SSC", "--format", "json"], set()),
        (["sql", "SELECT 1"], {"duckdb"}),
        (["sql", "SELECT system, sum(io_rate) FROM device_interval GROUP BY system", "--format", "json"], {"duckdb"}),
    ],
)
def test_a_command_loads_what_it_answers_with(lake: Path, command: list[str], loaded: set[str]) -> None:
    code = (
        f"import sys; sys.argv = ['iosq', *{command!r}]\n"
        "from iosq.toolkit.cli.main import run\n"
        "try: run()\n"
        "except SystemExit as done: assert not done.code, done.code\n"
        f"print(*(name for name in {(*HEAVY, 'pydantic')!r} if name in sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=lake, capture_output=True, text=True, check=True)
    assert set(done.stderr.splitlines()[-1].split()) == loaded
    assert done.stdout


def test_the_list_of_commands_is_what_the_whole_application_says() -> None:
    """It is made from names and summaries alone, for speed."""
    shown, whole = (sorted(CliRunner().invoke(build(given), ["--help"]).stdout.splitlines()) for given in ([], None))
    assert shown == whole


def test_ingest_closes_with_a_balance_on_stderr(lake: Path) -> None:
    done = iosq("ingest", "dumps", "--lake", "other", cwd=lake)
    assert done.stdout == ""
    last = done.stderr.strip().splitlines()[-1]
    read, decoded, skipped, failed = (int(w.replace(",", "")) for w in last.split() if w.replace(",", "").isdigit())
    assert read == decoded + skipped + failed > 0


def test_a_quiet_ingest_reports_only_trouble(lake: Path, tmp_path: Path) -> None:
    done = iosq("ingest", str(lake / "dumps" / "sysa.smf"), "--quiet", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    (tmp_path / "bad.smf").write_bytes((lake / "dumps" / "sysa.smf").read_bytes()[:-3])
    done = iosq("ingest", str(lake / "dumps" / "sysa.smf"), "bad.smf", "--quiet", cwd=tmp_path)
    file, closing = done.stderr.splitlines()
    assert done.returncode == 3
    assert file.startswith("bad.smf: ") and "data was lost" in closing


def test_ingest_twice_adds_nothing(lake: Path) -> None:
    count = ("sql", "SELECT count(*) AS n FROM device_interval", "--format", "json")
    before = iosq(*count, cwd=lake).stdout
    again = iosq("ingest", "dumps", cwd=lake)
    assert again.returncode == 0
    assert "already in the lake" in again.stderr
    assert iosq(*count, cwd=lake).stdout == before


def test_a_statement_longer_than_any_file_name_is_asked(lake: Path) -> None:
    many = ", ".join(f"{n} AS column_{n}" for n in range(700))
    done = iosq("sql", f"SELECT {many}", "--format", "json", cwd=lake)
    assert json.loads(done.stdout)[0]["column_699"] == 699


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
    message = [
        line for line in done.stderr.strip().splitlines() if not line.endswith(("so far", "left"))
    ]  # slow machines
    assert code == 2 or len(message) <= 2


def test_settings_name_the_lake_and_flags_win(lake: Path, tmp_path: Path) -> None:
    (tmp_path / "iosq.toml").write_text(f'lake = "{lake / "lake"}"\n', "utf-8")
    assert iosq("sql", "SELECT 1 AS one FROM lake_files LIMIT 1", cwd=tmp_path).stdout.split() == ["one", "1"]
    assert iosq("sql", "SELECT 1", "--lake", "gone", cwd=tmp_path).returncode == 1
    (tmp_path / "iosq.toml").write_text("lake = \n", "utf-8")
    assert "iosq.toml" in iosq("sql", "SELECT 1", cwd=tmp_path).stderr


def test_a_question_makes_only_the_tables_it_reads(lake: Path) -> None:
    opened = open_lake(lake / "lake")
    made = "SELECT table_name FROM duckdb_columns() WHERE NOT internal"
    few = {name for (name,) in opened.connection("SELECT * FROM smf73_record").execute(made).fetchall()}
    assert "smf73_record" in few
    assert not {name for name in few if name.startswith("smf74")}
    assert opened.sql("SELECT count(*) AS n FROM SMF74_1_Device_Data")["n"][0] > 0
    with pytest.raises(RequestError, match="did you mean smf74_1_device_data"):
        opened.sql("SELECT * FROM smf74_1_device_dat")


def test_version_and_describe(lake: Path) -> None:
    module = [sys.executable, "-m", "iosq", "--version"]
    assert subprocess.check_output(module, cwd=lake, text=True).startswith("iosq ")
    assert "SSCH" in iosq("describe", "SMF74SSC", cwd=lake).stdout
    assert "device_interval" in iosq("describe", cwd=lake).stdout


def _dump(lake: Path) -> bytes:
    return sorted((lake / "dumps").glob("[!.]*"))[0].read_bytes()


def test_a_reader_that_leaves_early_is_no_error(lake: Path) -> None:
    code = "from iosq.toolkit.cli.start import run; run()"
    command = [sys.executable, "-c", code, "sql", "SELECT * FROM range(1000000)"]
    with subprocess.Popen(command, cwd=lake, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.read(10)
        process.stdout.close()
        given = process.stderr.read().decode()
        assert lines_of(given) == []
        assert process.wait() == 0


def test_a_name_that_is_no_text_and_an_empty_file_stop_nothing(lake: Path, tmp_path: Path) -> None:
    folder = tmp_path / "x"
    folder.mkdir()
    (folder / os.fsdecode(b"bad\xff\n.smf")).write_bytes(_dump(lake))
    (folder / "empty").write_bytes(b"")
    done = iosq("ingest", "x", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "x/empty: left out (is empty)" in done.stderr
    assert "bad\\xff\\n.smf" in iosq("sql", "SELECT path FROM lake_files", cwd=tmp_path).stdout


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("ingest", "empty"), "is empty"),
        (("ingest", "folder"), "holds no files"),
        (("ingest", "empty", "--lake", "empty"), "is a file"),
    ],
)
def test_what_cannot_be_read_or_written_is_named(tmp_path: Path, args: tuple[str, ...], words: str) -> None:
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "folder").mkdir()
    done = iosq(*args, cwd=tmp_path)
    assert (done.returncode, words in done.stderr) == (1, True), done.stderr


@pytest.mark.parametrize("group", [(), ("simulate",), ("export",)])
def test_a_command_without_words_prints_its_help(tmp_path: Path, group: tuple[str, ...]) -> None:
    bare, asked = iosq(*group, cwd=tmp_path), iosq(*group, "--help", cwd=tmp_path)
    assert (bare.returncode, bare.stderr) == (2, asked.stdout)


def test_lost_data_is_reported_with_the_way_to_list_it(lake: Path, tmp_path: Path) -> None:
    (tmp_path / "cut").write_bytes(_dump(lake)[:-5])
    done = iosq("ingest", "cut", cwd=tmp_path)
    assert "severity = 'data_loss'" in done.stderr.splitlines()[-1]
    elsewhere = iosq("ingest", "cut", "--lake", "a lake", cwd=tmp_path).stderr
    for given, words in ((done.stderr, 3), (elsewhere, 5)):
        pasted = shlex.split(given[given.rindex("iosq sql") :])
        assert len(pasted) == words
        assert "data_loss" in iosq(*pasted[1:], cwd=tmp_path).stdout


@pytest.mark.parametrize(("name", "words"), [("stripped", "SITE RDW"), ("ascii", "ASCII")])
def test_wrong_transfers_are_refused_even_where_chance_shows_a_record(
    lake: Path, tmp_path: Path, name: str, words: str
) -> None:
    dump, at, bodies = _dump(lake), 0, []
    while at < len(dump):
        length = int.from_bytes(dump[at : at + 2], "big")
        bodies.append(dump[at + 4 : at + length])
        at += length
    # zeros and small numbers that look like two record headers of a type that is not decoded
    chance = (bytes.fromhex("0200 0000 0005 00000000 0000001F") + bytes(0x200 - 14)) * 2
    with_rdw = b"".join((len(b) + 4).to_bytes(2, "big") + b"\0\0" + b for b in bodies if b[1] == 74)
    data = b"".join(bodies) if name == "stripped" else with_rdw.decode("cp037").encode("latin1")
    (tmp_path / name).write_bytes(data[:60_000] + chance)
    done = iosq("ingest", name, cwd=tmp_path)
    assert (done.returncode, words in done.stderr) == (1, True), done.stderr


def test_what_turns_text_around_is_shown_where_a_command_line_is_wrong(tmp_path: Path) -> None:
    turned = "\u202exslx"
    for arguments in (("report", f"--{turned}"), ("report", turned), ("advise", turned), (turned,)):
        done = iosq(*arguments, cwd=tmp_path)
        assert (done.returncode, "\\u202exslx" in done.stderr, turned in done.stderr) == (2, True, False), done.stderr


@pytest.mark.parametrize(
    "command", [("report",), ("sql", "SELECT 1"), ("advise", "pav"), ("simulate", "pav", "DB2003")]
)
def test_a_lake_without_its_option_gets_a_hint(lake: Path, command: tuple[str, ...]) -> None:
    done = iosq(*command, "lake", cwd=lake)
    assert done.returncode == 2
    assert done.stderr.rstrip().endswith("a lake is named with --lake lake")
    assert "--lake" not in iosq(*command, "nowhere", cwd=lake).stderr
