"""A question about a time reads the files of about that time, and answers what it would of all."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

import iosq
from iosq import connecting, window
from iosq.narrowing import narrowing
from iosq.parsers import registry
from iosq.toolkit.lake.lake import Lake as Store
from iosq.toolkit.sample import write
from iosq.toolkit.sql.catalog import views
from iosq.toolkit.sql.materialise import materialised
from iosq.toolkit.sql.window import DAY_US, Window, of_statement

DAYS = 5  # from 17 November 2025
VIEWS = ("volume_interval", "lcu_interval", "cache_subsystem_interval", "lcu_path_interval", "channel_interval")


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two intervals of each of five days: one is the last of its day in UTC, the other the first of the next."""
    folder = tmp_path_factory.mktemp("window")
    quarters = [96 * day + quarter for day in range(DAYS) for quarter in (3, 4)]
    iosq.ingest(folder / "lake", write(folder / "dumps", intervals=quarters, days=DAYS)[:-1])
    return folder / "lake"


@pytest.fixture(scope="module")
def every(lake: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """The whole lake, its views as tables."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(window, "LARGE_BYTES", 1 << 40)
        text = f"SELECT 1 FROM {', '.join(ANSWERED)}"
        con = iosq.open(lake).connection(text, copied=True)
    with con, materialised(con, [text]) as tables:
        yield tables


@pytest.fixture(autouse=True)
def large(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Every lake is a large one; how many files of 74.1 each question has read."""
    read: list[int] = []
    made = window.needed_files

    def told(*given: object) -> window.Needed:
        needed = made(*given)  # type: ignore[arg-type]
        read.append(len(needed.files.get("smf74_1_device_data", ())))
        return needed

    monkeypatch.setattr(window, "LARGE_BYTES", 0)
    monkeypatch.setattr(connecting, "needed_files", told)
    yield read


@pytest.mark.parametrize("since, until", [("2025-11-19T00:00Z", "2025-11-20T00:00Z"), ("2025-11-20", None)])
def test_a_window_answers_what_the_whole_answers(lake: Path, large: list[int], since: str, until: str | None) -> None:
    whole, part = iosq.open(lake), iosq.open(lake, since=since, until=until)
    named = f"SELECT 1 FROM {', '.join(VIEWS)}"
    every, cut = whole.connection(named), part.connection(named)
    assert 0 < large[1] < large[0]
    begin, end = (f"TIMESTAMP '{t}'" for t in ("2025-11-19 00:00:00", "2025-11-20 00:00:00"))
    inside = f"interval_start >= {begin} AND interval_start < {end}" if until else "local_start >= DATE '2025-11-20'"
    for view in VIEWS:
        expected = every.execute(f"SELECT * FROM {view} WHERE {inside}").fetchall()
        assert expected
        assert sorted(map(str, cut.execute(f"SELECT * FROM {view}").fetchall())) == sorted(map(str, expected)), view


ANSWERED = tuple(
    v.name for v in views() if v.layer == "promised" and any(c.name == "interval_start" for c in v.columns)
)


@pytest.mark.parametrize("turn", range(2))
def test_any_part_answers_what_the_whole_answers(lake: Path, every: duckdb.DuckDBPyConnection, turn: int) -> None:
    """Days and a system at random; the view that is asked most, and some of all others."""
    draw = random.Random(turn)
    first, last = sorted(draw.choices(range(16, 18 + DAYS), k=2))
    where = narrowing(f"2025-11-{first}T00:00Z", f"2025-11-{last + 1}T00:00Z", draw.choice(["SYSA", "SYSB"]))
    asked = [v for v in views() if v.name in {VIEWS[turn], *draw.sample(ANSWERED, 2)}]
    cut = iosq.open(lake).connection(f"SELECT 1 FROM {', '.join(v.name for v in asked)}", where, empty=print)
    for view in asked:
        found = cut.execute(f"SELECT * FROM {view.name}").fetchall()
        expected = every.execute(f"SELECT * FROM {view.name} WHERE {where.condition(view)}").fetchall()
        assert alike(found) == alike(expected), view.name


def alike(rows: list[tuple[object, ...]]) -> list[str]:
    """In no order, and but for the last digits, which threads leave to chance."""
    return sorted(str([f"{c:.9g}" if isinstance(c, float) else c for c in row]) for row in rows)


def test_a_system_is_answered_from_its_own_files(lake: Path, large: list[int]) -> None:
    """And from the cache statistics of whoever gathered them."""
    by_option = iosq.open(lake, system="SYSB").sql("SELECT count(*) AS n, count(read_ratio) AS r FROM volume_interval")
    asked = "SELECT count(*) AS n, count(read_ratio) AS r FROM volume_interval WHERE system = 'SYSB'"
    by_name = iosq.open(lake).sql(asked)
    either = iosq.open(lake).sql(asked.replace("= 'SYSB'", "IN ('SYSB', 'none')"))
    assert by_option.rows() == by_name.rows() == either.rows()
    listed = Store(lake).listed()["smf74_1_device_data"]
    own = sum(f.system == "SYSB" for f in listed)
    assert 0 < own < len(listed)
    assert large == [own, own, len(listed)]


def test_a_statement_that_names_a_time_reads_about_that_time(lake: Path, large: list[int]) -> None:
    """And one that does not, or asks for what is far from it, reads all."""
    asked = "SELECT count(*) AS n, max(subsystem) AS ssid FROM {} WHERE interval_start >= '2025-11-20'"
    near, far = (iosq.open(lake).arrow(asked.format(v)).to_pylist() for v in ("volume_interval", "nvs_delay"))
    assert near[0]["n"] > 0 and far[0]["n"] > 0
    every = len(Store(lake).listed()["smf74_1_device_data"])
    assert large[0] < large[1] == every
    local = "SELECT count(*) AS n FROM volume_interval WHERE local_start >= '2025-11-20'"
    assert iosq.open(lake).sql(local)["n"][0] >= near[0]["n"]
    assert large[-1] == every


def test_first_rows_are_those_of_one_day(lake: Path, large: list[int]) -> None:
    """As many as were asked for; of all days where one has not so many."""
    few = iosq.open(lake).sql("SELECT system, volume FROM volume_interval WHERE volume LIKE '%2' LIMIT 5;")
    assert (len(few), len(large)) == (5, 1)
    assert set(few["volume"].str.slice(-1)) == {"2"}
    every = iosq.open(lake).sql("SELECT count(*) AS n FROM volume_interval")["n"][0]
    assert len(iosq.open(lake).sql(f"SELECT volume FROM volume_interval LIMIT {every}")) == every


def test_nothing_in_a_window_is_told_of_the_whole(lake: Path) -> None:
    with pytest.raises(iosq.RequestError, match="the first starts 2025-11-18"):
        iosq.open(lake, since="2026-01-01").connection("SELECT * FROM volume_interval")
    with pytest.raises(iosq.RequestError, match="there is no volume NOSUCH"):
        iosq.open(lake, since="2025-11-20", volume="NOSUCH").connection("SELECT volume FROM volume_interval")


def test_long_cache_statistics_are_read_however_far(
    lake: Path, monkeypatch: pytest.MonkeyPatch, large: list[int]
) -> None:
    monkeypatch.setattr("iosq.toolkit.sql.window._LONGEST_S", 899)
    iosq.open(lake).sql("SELECT max(volume) FROM volume_interval WHERE interval_start >= '2025-11-20'")
    assert large == [len(Store(lake).listed()["smf74_1_device_data"])]


@pytest.mark.parametrize("statement", ["SELECT 1", "VALUES (1)", "SELECT CAST(1 AS INTEGER) AS x LIMIT 5"])
def test_who_asks_for_no_table_waits_for_none(lake: Path, monkeypatch: pytest.MonkeyPatch, statement: str) -> None:
    """Finding out which tables there are takes longer than the rest of the answer."""
    monkeypatch.setattr(registry, "tables", lambda: pytest.fail("raw tables are loaded"))
    monkeypatch.setattr(Store, "about", lambda _: pytest.fail("the lake's tables about itself are loaded"))
    assert [list(row.values()) for row in iosq.open(lake).arrow(statement).to_pylist()] == [[1]]


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT name FROM (SHOW TABLES)",
        "SELECT table_name AS name FROM duckdb_tables()",
        "SELECT table_name AS name FROM information_schema.tables",
    ],
)
def test_the_lake_tells_of_itself_where_all_tables_are_asked_for(lake: Path, statement: str) -> None:
    assert "lake_files" in iosq.open(lake).arrow(statement)["name"].to_pylist()


def test_files_without_a_time_are_always_read() -> None:
    day = Window(10 * DAY_US, 11 * DAY_US)
    assert day.touches(None, None)
    assert [day.touches(at * DAY_US, at * DAY_US) for at in (8, 9, 12, 13)] == [False, True, True, False]


@pytest.mark.parametrize(
    "condition, days",
    [
        ("interval_start >= '1970-01-03' AND interval_start < '1970-01-05'", (2, 4)),
        ("interval_start BETWEEN '1970-01-03' AND TIMESTAMP '1970-01-04' + INTERVAL 1 DAY AND system = 'A'", (2, 4)),
        ("date_trunc('day', interval_start) = '1970-01-03'", (2, 3)),
        ("interval_start = '1970-01-03'", (2, 2)),
        ("interval_start > '1970-01-03' OR system = 'A'", (None, None)),
        (
            "(interval_start > '1970-01-05' AND interval_start < '1970-01-06') OR interval_start < '1970-01-03'",
            (None, None),
        ),
        ("system = 'A AND interval_start>=''1970-01-03 00:00:00''::TIMESTAMP'", (None, None)),
        ("interval_start < 'infinity'", (None, None)),
        ("interval_start > (SELECT max(interval_start) FROM lcu_interval)", (None, None)),
        ("interval_start > ?", (None, None)),
    ],
)
def test_the_time_a_statement_asks_for(condition: str, days: tuple[int | None, int | None]) -> None:
    named = [v for v in views() if v.name in ("volume_interval", "lcu_interval")]
    found = of_statement(f"SELECT max(volume) FROM volume_interval WHERE {condition}", named)
    assert found.window == tuple(None if d is None else d * DAY_US for d in days)
    assert found.any_rows is None


@pytest.mark.parametrize(
    "statement, rows",
    [
        ("SELECT * FROM volume_interval LIMIT 5", 5),
        ("SELECT volume, wait_ms + 1 FROM volume_interval v WHERE wait_ms > 1 LIMIT 7", 7),
        ("SELECT * FROM volume_interval ORDER BY wait_ms LIMIT 5", None),
        ("SELECT count(*) FROM volume_interval LIMIT 5", None),
        ("SELECT DISTINCT volume FROM volume_interval LIMIT 5", None),
        ("SELECT volume, row_number() OVER () FROM volume_interval LIMIT 5", None),
        ("SELECT * FROM volume_interval LIMIT 5 OFFSET 10", None),
        ("SELECT * FROM volume_interval UNION ALL SELECT * FROM volume_interval LIMIT 5", None),
        ("SELECT * FROM volume_interval WHERE volume IN (SELECT max(volume) FROM volume_interval) LIMIT 5", None),
        ("SELECT * FROM volume_interval USING SAMPLE 10 ROWS", None),
    ],
)
def test_statements_that_any_rows_answer(statement: str, rows: int | None) -> None:
    assert of_statement(statement, [v for v in views() if v.name == "volume_interval"]).any_rows == rows


def test_what_is_near_reads_nothing_far() -> None:
    near = {v.name for v in views() if v.is_near}
    known = {v.name for v in views()} - {"listing_interval", "listing_clock"}  # which listings alone are read by
    assert near >= {"device_interval", "volume_interval", "lcu_interval", "cache_interval"}
    assert not [(v.name, r) for v in views() if v.is_near for r in v.reads & known - near if r != v.name]
