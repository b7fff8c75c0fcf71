"""compare, trend and anonymize as a user meets them, and the filters of sql."""

import json
from pathlib import Path

import pytest
from typer.testing import Result

from iosq.toolkit.errors import IosqError
from iosq.toolkit.lake.ingest import ingest
from iosq.toolkit.lake.lake import Lake
from iosq.toolkit.sample import write
from tests.command import invoked


def run(*args: str) -> Result:
    return invoked(list(args))


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("tools")
    ingest(Lake(folder / "lake"), write(folder / "dumps", intervals=range(38, 42))[:-1])
    return str(folder / "lake")


def test_compare_for_people_and_programs(lake: str, tmp_path: Path) -> None:
    predicted = tmp_path / "p.json"
    entry = {"volume": "DB2003", "measure": "wait_ms", "value": 1.0, "low": 0, "high": 1e9}
    predicted.write_text(json.dumps({"predictions": [entry]}))
    done = run("compare", lake, lake, "--predicted", str(predicted))
    assert done.exit_code == 0
    assert any(line.endswith("comparisons: too little data") for line in done.stdout.splitlines())
    assert done.stdout.count(": held") == 2
    assert "one span is a single day" in done.stderr
    found = json.loads(run("compare", lake, lake, "--format", "json").stdout)
    assert len(found["changes"]) > 100
    assert {c["verdict"] for c in found["changes"]} == {"too little data"}


def test_anonymize_prints_what_was_proved(lake: str, tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_bytes(b"k" * 32)
    done = run("anonymize", lake, str(tmp_path / "out"), "--key-file", str(key))
    assert done.exit_code == 0
    assert "none is left" in done.stderr
    assert "SYSA" not in run("sql", "SELECT DISTINCT system FROM lcu_interval", "--lake", str(tmp_path / "out")).stdout


def test_sql_shows_what_the_filter_leaves(lake: str) -> None:
    count = ("sql", "SELECT count(*) AS n FROM lcu_interval", "--lake", lake, "--format", "json")
    (whole,), (part,) = (
        json.loads(run(*count, *more).stdout) for more in ((), ("--system", "SYSA", "--since", "2025-11-18T10:00"))
    )
    assert part["n"] * 4 == whole["n"]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("sql", "SELECT 1", "--until", "noon"), "--until: 'noon'"),
        (("compare", "LAKE", "2025-11-18..x", "--lake", "LAKE"), "'x' is not a date"),
        (("compare", "LAKE", "nowhere", "--lake", "LAKE"), "nowhere: is neither"),
        (("compare", "LAKE", "LAKE", "--format", "xml"), "--format"),
        (("compare", "2025-11-18", "2025-11-18", "--since", "2025-11-18", "--lake", "LAKE"), "exclude each other"),
        (("trend", "--lake", "LAKE", "--limit", "box"), "--limit: 'box'"),
        (("trend", "--lake", "LAKE"), "no day is complete"),
        (("anonymize", "LAKE", "LAKE"), "not an empty folder"),
        (("anonymize", "nowhere", "out"), "nowhere"),
    ],
)
def test_what_is_wrong_is_one_line(lake: str, args: tuple[str, ...], words: str) -> None:
    done = run(*(lake if a == "LAKE" else a for a in args))
    assert isinstance(done.exception, IosqError)
    assert words in str(done.exception)
    assert "\n" not in str(done.exception)
