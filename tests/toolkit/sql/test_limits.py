"""A question that would never end, or fill the machine, ends with one line."""

import io
import itertools
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import duckdb
import pytest

import iosq
from iosq.toolkit.cli.start import Interrupt
from iosq.toolkit.errors import RequestError
from iosq.toolkit.sql import limits
from iosq.toolkit.sql.export import export
from iosq.toolkit.sql.guard import query, stream
from iosq.toolkit.sql.limits import IN_FORCE, held_bytes, in_time, limit, within
from iosq.toolkit.sql.together import together
from tests.command import lines_of

CROSS = "SELECT count(*) FROM t a, t b, t c WHERE a.i + b.i + c.i = 7"
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
ROWS = "SELECT a.i FROM t a, t b, t c"


@pytest.fixture
def con(monkeypatch: pytest.MonkeyPatch) -> Iterator[duckdb.DuckDBPyConnection]:
    for name in ("memory_bytes", "timeout_s", "threads"):
        monkeypatch.setattr(IN_FORCE, name, getattr(IN_FORCE, name))
    made = duckdb.connect(":memory:")
    made.execute("CREATE TABLE t AS SELECT range AS i FROM range(100000)")
    yield made
    made.close()


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake of one listing."""
    path = tmp_path_factory.mktemp("tiny") / "lake"
    iosq.ingest(path, [Path(__file__).parents[3] / "tests/golden/rmf/device.txt"])
    return path


@pytest.mark.parametrize("statement", [CROSS, ENDLESS])
def test_a_question_ends_at_its_time(con: duckdb.DuckDBPyConnection, statement: str) -> None:
    limit(timeout_s=0.3)
    with pytest.raises(RequestError, match=r"--timeout: took longer than 0\.3 s; narrow"):
        query(con, statement)
    assert query(con, "SELECT 1 AS one").to_pylist() == [{"one": 1}]


# from version 2 on the engine looks up within the first of these calls, never within the second
ENDLESS_CALL = "SELECT levenshtein(repeat('a', 10000000), repeat('b', 10000000)) AS far"
LONG_CALL = "SELECT long(1) AS long"


def test_a_question_inside_one_call_of_a_function_is_left(
    con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The engine does not look up within the call: the error comes all the same, and the call goes on to its end."""
    monkeypatch.setattr(limits, "GRACE_S", 0.1)
    monkeypatch.setattr(limits, "LEFT", [])
    limit(timeout_s=0.1)
    goes_on = threading.Event()
    con.create_function("long", lambda _: goes_on.wait(600), ["BIGINT"], "BOOLEAN")
    with pytest.raises(RequestError, match=r"--timeout: took longer than 0\.1 s"):
        query(con, LONG_CALL)
    [(asked, cursor)] = limits.LEFT
    assert not asked.ended.is_set(), "the error came while the call went on"
    assert limits.is_left(cursor)
    assert query(con, "SELECT 1 AS one").to_pylist() == [{"one": 1}]
    goes_on.set()
    asked.join()
    assert not limits.is_left(cursor)


def test_the_command_ends_though_a_call_goes_on(tiny: Path, tmp_path: Path) -> None:
    code = "from iosq.toolkit.sql import limits as m; m.GRACE_S = 0.1; from iosq.toolkit.cli.start import run; run()"
    asked = [ENDLESS_CALL, "--lake", str(tiny), "--timeout", "0.1", "-o", "out.csv"]
    done = subprocess.run(
        [sys.executable, "-c", code, "sql", *asked],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, lines_of(done.stderr)) == (1, [f"iosq: {limits.too_long()}".replace("1800", "0.1")])
    assert list(tmp_path.iterdir()) == []


def test_an_answer_comes_without_a_word_next_to_it(tiny: Path) -> None:
    """The engine warns of how it is called: that is for us, not for whoever asks."""
    done = subprocess.run(
        [sys.executable, "-m", "iosq", "sql", "SELECT 1 AS one", "--lake", str(tiny)],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout.split(), lines_of(done.stderr)) == (0, ["one", "1"], [])


def test_what_the_process_holds_is_watched(con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch) -> None:
    """What one call takes, the database does not count: the system does."""
    held = itertools.chain([100], itertools.repeat(10**12))
    monkeypatch.setattr("iosq.toolkit.sql.limits.held_bytes", lambda: next(held))
    monkeypatch.setattr(limits, "WATCH_S", 0.05)
    with pytest.raises(RequestError, match="--max-memory: needs more memory than allowed"):
        query(con, CROSS)
    assert query(con, "SELECT 1 AS one").to_pylist() == [{"one": 1}]


def test_what_the_process_holds_is_known() -> None:
    before = held_bytes()
    if not before:
        pytest.skip("this system does not report it")
    block = bytearray(b"x" * (64 << 20))
    assert held_bytes() - before > len(block) // 2


def test_a_prediction_ends_at_its_time(con: duckdb.DuckDBPyConnection) -> None:
    """Whatever solves by trial in it, and also where the time ends inside a question."""
    limit(timeout_s=0.2)

    def solve() -> None:
        while True:
            with suppress(Exception):
                sum(range(1000))

    for work in (solve, lambda: within(con, None, lambda: con.execute(CROSS).fetchall())):
        with pytest.raises(RequestError, match=r"--timeout: took longer than 0\.2 s; narrow"), in_time():
            work()
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert con.execute("SELECT 1").fetchall() == [(1,)]


def test_what_happens_if_is_asked_in_time(con: duckdb.DuckDBPyConnection) -> None:
    limit(timeout_s=0.2)
    with pytest.raises(RequestError, match="--timeout"):
        iosq.simulate.pav(iosq.simulate.Numbers(rate=100, service_ms=5), aliases=4096)


def test_rows_that_never_end_are_stopped_between_batches(con: duckdb.DuckDBPyConnection) -> None:
    limit(timeout_s=0.5)
    with pytest.raises(RequestError, match="took longer than"), stream(con, ROWS) as rows:
        for _ in rows:
            time.sleep(0.01)


def test_a_question_over_which_the_engine_stands_still_ends_too(con: duckdb.DuckDBPyConnection) -> None:
    """DuckDB 2.0.0 never answers this one, 1.5 does; views are shaped otherwise (see `tests/integration`)."""
    seconds = 3 if duckdb.__version__ == "2.0.0" else 300
    limit(timeout_s=seconds)
    IN_FORCE.threads = 2
    IN_FORCE.apply(con)
    asked = """WITH pair AS {} (SELECT a.i, b.i AS j FROM t a JOIN t b ON b.i = a.i)
        SELECT v.i, o.j FROM t v LEFT JOIN pair o ON o.i = v.i LEFT JOIN pair p ON p.i = v.i + 1 LIMIT 5"""
    assert query(con, asked.format("NOT MATERIALIZED")).num_rows == 5
    try:
        assert query(con, asked.format("MATERIALIZED")).num_rows == 5
    except RequestError as error:
        assert duckdb.__version__ == "2.0.0", error
        assert f"took longer than {seconds} s" in str(error)


def test_a_question_that_needs_too_much_memory_says_so(con: duckdb.DuckDBPyConnection) -> None:
    limit(memory="50MB")
    IN_FORCE.apply(con)
    with pytest.raises(RequestError, match="--max-memory: needs more memory"):
        query(con, "SELECT count(*) FROM (SELECT DISTINCT range AS i, random() AS r FROM range(20000000))")


@pytest.mark.parametrize("memory", [1000, 300_000, 1_000_000, 3_000_000, 5_000_000])
@pytest.mark.parametrize("part", [{}, {"lcu": "0000"}], ids=["whole", "part"])
def test_a_lake_that_opens_in_too_little_memory_says_so(
    con: duckdb.DuckDBPyConnection, tiny: Path, memory: int, part: dict[str, str]
) -> None:
    """Wherever on the way to the answer it is over: raw tables, views, views kept as tables."""
    limit(memory=memory)
    with pytest.raises(RequestError, match=r"^--max-memory: needs more memory than allowed"):
        iosq.open(tiny, **part).sql("SELECT * FROM volume_interval")


def test_an_answer_is_held_within_the_memory_too(con: duckdb.DuckDBPyConnection) -> None:
    limit(memory="40MB")
    wide = "SELECT i, i + 1 AS j FROM t a, range(40) b"
    with pytest.raises(RequestError, match="--max-memory: needs more memory"):
        query(con, wide)
    with stream(con, wide) as rows:
        assert sum(batch.num_rows for batch in rows) == 4_000_000, "nothing but a batch is held"
    with pytest.raises(RequestError, match="--max-memory"), stream(con, "SELECT i FROM t, range(10)", held=6) as rows:
        assert rows.read_all()


@pytest.mark.parametrize("form", ["table", "xlsx"])
def test_forms_that_hold_all_rows_count_them_as_objects(con: duckdb.DuckDBPyConnection, form: str) -> None:
    limit(memory="20MB")
    with pytest.raises(RequestError, match="--max-memory"):
        export(con, "SELECT i FROM t, range(10)", form=form, target=io.BytesIO())


@pytest.fixture
def interruptible() -> Iterator[None]:
    """What a shell starts in the background ignores Ctrl-C."""
    former = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, former)


@pytest.mark.usefixtures("interruptible")
def test_the_user_stops_a_question(con: duckdb.DuckDBPyConnection) -> None:
    timer = threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        query(con, CROSS)
    assert not [t for t in threading.enumerate() if isinstance(t, limits.Asked) and not t.ended.is_set()]
    assert query(con, "SELECT 1 AS one").num_rows == 1


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_that_got_lost_in_a_library_ends_the_next_question(con: duckdb.DuckDBPyConnection) -> None:
    handler = Interrupt()
    signal.signal(signal.SIGINT, handler)
    with suppress(KeyboardInterrupt):  # as libraries do that call Python from C
        os.kill(os.getpid(), signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        query(con, "SELECT 1 AS one")
    with pytest.raises(KeyboardInterrupt):
        list(together(con, {"one": ()}, lambda cursor, _: cursor.execute("SELECT 1")))


def test_a_question_that_is_stopped_before_it_begins_never_runs(con: duckdb.DuckDBPyConnection) -> None:
    ran: list[int] = []

    def stopped(asked: threading.Thread) -> None:
        raise KeyboardInterrupt

    asked = limits.Asked(lambda: ran.append(1))
    asked.stop(con)
    asked.start()
    asked.join()
    assert ran == []
    with pytest.MonkeyPatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(limits.Asked, "start", stopped)
        limits.within(con, None, lambda: ran.append(2))
    assert ran == []


@pytest.mark.parametrize(
    ("text", "size"), [("8GB", 8_000_000_000), ("512MiB", 512 << 20), ("1.5g", 1_500_000_000), ("4096", 4096)]
)
def test_amounts_of_memory(con: duckdb.DuckDBPyConnection, text: str, size: int) -> None:
    limit(memory=text)
    assert IN_FORCE.memory_bytes == size


@pytest.mark.parametrize("wrong", ["much", "0", "-1GB", "8 apples"])
def test_no_amount_is_refused(wrong: str) -> None:
    with pytest.raises(RequestError, match="not an amount of memory"):
        limit(memory=wrong)


def test_by_default_half_of_the_machine() -> None:
    installed = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    assert IN_FORCE.memory_bytes is not None
    assert 0 < IN_FORCE.memory_bytes <= installed // 2


@pytest.mark.parametrize(
    ("statement", "place"),
    [
        ("SELECT *\nFORM t", "line 2, column"),
        ("SELECT 1 +", ""),
        ("SELECT i FROM t WHERE", "(line 1, column 17: )?syntax error at "),  # DuckDB 2 says where
    ],
)
def test_an_error_says_where(con: duckdb.DuckDBPyConnection, statement: str, place: str) -> None:
    with pytest.raises(RequestError) as refused:
        query(con, statement)
    assert re.match(place, str(refused.value))
    assert "\n" not in str(refused.value)
