"""Views are computed several at once, and give the same to the last digit whatever the number of threads."""

import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

import iosq
from iosq.toolkit.errors import RequestError
from iosq.toolkit.sample import write
from iosq.toolkit.sql import connect
from iosq.toolkit.sql.limits import IN_FORCE
from iosq.toolkit.sql.together import together
from tests.days import CLINIC
from tests.length import tried

PART = {"since": "2025-11-18T10:00"}
ASKED = "lcu_interval nvs_delay shared_volume_interval rank_interval extent_pool_interval pav_candidate"


@pytest.fixture
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(config={"threads": 1}) as made:
        yield made


def test_steps_wait_for_those_they_are_made_of(con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(IN_FORCE, "threads", 3)
    steps: dict[str, set[str]] = {"a": set(), "b": set(), "c": {"a", "b"}, "d": {"c"}, "e": set()}

    def make(cursor: duckdb.DuckDBPyConnection, name: str) -> None:
        below = " UNION ALL ".join(["SELECT 1 AS n", *(f"SELECT n FROM {s}" for s in sorted(steps[name]))])
        cursor.execute(f"CREATE TABLE {name} AS SELECT sum(n) AS n FROM ({below})")

    done = list(together(con, steps, make))
    assert sorted(done) == sorted(steps)
    assert done.index("c") > max(done.index("a"), done.index("b"))
    assert con.execute("SELECT n FROM d").fetchall() == [(4,)]


def test_one_that_fails_ends_the_others(con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(IN_FORCE, "threads", 2)
    texts = {"slow": "SELECT count(*) FROM range(100000000000)", "wrong": "SELECT nothing"}
    begun = time.monotonic()
    with pytest.raises(duckdb.BinderException):
        list(
            together(con, {name: set() for name in texts}, lambda cursor, name: cursor.execute(texts[name]).fetchall())
        )
    assert time.monotonic() - begun < 60


def test_one_that_takes_too_long_is_ended(con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(IN_FORCE, "timeout_s", 0.2)
    text = "SELECT count(*) FROM range(100000000000)"
    with pytest.raises(RequestError, match="took longer"):
        list(together(con, {"slow": ()}, lambda cursor, _: cursor.execute(text).fetchall()))


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("together")
    iosq.ingest(folder / "lake", write(folder / "dumps", intervals=range(38, 42))[:-1])
    return folder / "lake"


# the whole of a lake is in the page below
@pytest.mark.parametrize("where", tried([PART], [PART, {}]))
def test_threads_change_no_digit(lake: Path, monkeypatch: pytest.MonkeyPatch, where: dict[str, Any]) -> None:
    """Of facts, computed anew each time, and of what a filter makes anew from them."""
    answers = []
    for threads in tried((1, 2), (1, 2, 2)):
        shutil.rmtree(lake / "_facts", ignore_errors=True)
        monkeypatch.setattr(IN_FORCE, "threads", threads)
        with iosq.open(lake, **where).connection(made=ASKED, steady=True) as con:
            answers.append({name: con.execute(f"SELECT * FROM {name}").fetchall() for name in ASKED.split()})
    assert all(answers[0].values())
    assert all(repr(answer) == repr(answers[0]) for answer in answers[1:])


def test_a_steady_connection_has_one_thread(lake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connect, "is_small", lambda _: False)
    monkeypatch.setattr(IN_FORCE, "threads", 2)
    for steady, threads in ((True, 1), (False, 2)):
        con = iosq.open(lake).connection(made="measured_interval", steady=steady)
        assert con.execute("SELECT current_setting('threads')").fetchall() == [(threads,)]


@pytest.mark.slow
def test_threads_change_no_byte_of_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With its advice, over the clinic, where most rules find something."""
    iosq.ingest(tmp_path / "lake", write(tmp_path / "dumps", plan=CLINIC, intervals=range(40, 42))[:-1])
    pages = []
    for threads in tried((1, 4), (1, 2, 4)):
        shutil.rmtree(tmp_path / "lake" / "_facts", ignore_errors=True)
        monkeypatch.setattr(IN_FORCE, "threads", threads)
        iosq.open(tmp_path / "lake").report(tmp_path / "page.html")
        pages.append((tmp_path / "page.html").read_bytes())
    assert b'id="finding-3"' in pages[0]
    assert all(page == pages[0] for page in pages[1:])
